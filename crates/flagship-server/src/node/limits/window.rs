//! Sliding window that limits the number of events in any period of a given length.

use std::collections::VecDeque;

/// At most `count_max` events in any `window_ms` milliseconds. A `count_max` of 0 means unlimited.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Maximum number of events per window.
    pub count_max: usize,
    /// Length of the window, in milliseconds.
    pub window_ms: i64,
}

/// Times of events, oldest first, in epoch milliseconds.
#[derive(Debug, Default)]
pub struct Window(VecDeque<i64>);

impl Limit {
    /// Creates a limit of `count_max` events per `window_ms`.
    pub fn new(count_max: u32, window_ms: i64) -> Self {
        Self { count_max: count_max as usize, window_ms }
    }
}

impl Window {
    /// Removes events older than a window that ends now.
    pub fn forget(&mut self, window_ms: i64, now_ms: i64) {
        while self.0.front().is_some_and(|at_ms| at_ms + window_ms <= now_ms) {
            self.0.pop_front();
        }
    }

    /// Time at which a reached limit allows the next event; `None` if one is allowed now. Call
    /// `forget` first.
    pub fn free_at_ms(&self, limit: Limit) -> Option<i64> {
        if limit.count_max == 0 {
            return None;
        }
        let oldest = self.0.len().checked_sub(limit.count_max)?;
        Some(self.0[oldest] + limit.window_ms)
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no events.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an event.
    pub fn add(&mut self, at_ms: i64) {
        let index = self.0.partition_point(|other_ms| *other_ms <= at_ms);
        self.0.insert(index, at_ms);
    }

    /// Removes one event with this time, if any.
    pub fn remove(&mut self, at_ms: i64) {
        if let Some(index) = self.0.iter().rposition(|other_ms| *other_ms == at_ms) {
            self.0.remove(index);
        }
    }
}

/// Whole seconds until a time, for `Retry-After`. At least 1.
pub fn seconds_until(at_ms: i64, now_ms: i64) -> u64 {
    (at_ms - now_ms).max(1).unsigned_abs().div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_returns_the_time_of_the_next_allowed_event() {
        let limit = Limit::new(2, 60_000);
        let mut window = Window::default();
        for at_ms in [20_000, 10_000] {
            assert_eq!(window.free_at_ms(limit), None);
            window.add(at_ms);
        }
        assert_eq!(window.free_at_ms(limit), Some(70_000));
        assert_eq!(window.free_at_ms(Limit::new(1, 60_000)), Some(80_000));
        assert_eq!(window.free_at_ms(Limit::new(0, 60_000)), None, "no limit");
        window.remove(10_000);
        assert_eq!((window.len(), window.free_at_ms(limit)), (1, None));
        window.forget(limit.window_ms, 79_999);
        assert!(!window.is_empty());
        window.forget(limit.window_ms, 80_000);
        assert!(window.is_empty());
    }

    #[test]
    fn seconds_are_whole_and_never_zero() {
        for (at_ms, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (-5_000, 1)] {
            assert_eq!(seconds_until(at_ms, 0), seconds, "{at_ms}");
        }
    }
}
