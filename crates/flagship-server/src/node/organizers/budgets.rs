//! Hourly limits for the actions of support and authors. Action records with their undo data are
//! permanent, so without limits an API token could fill the disk.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;

use crate::node::limits::window::seconds_until;

/// Maximum number of actions per organizer and hour ...
const ACTIONS_MAX: usize = 600;
/// ... and maximum size of their requests, in bytes.
const BYTES_MAX: usize = 64 * 1024 * 1024;
/// An hour, in milliseconds.
const HOUR_MS: i64 = 3_600_000;

/// Actions of the last hour. Each node counts from its own start.
#[derive(Default)]
pub struct ActionBudgets(Mutex<HashMap<i64, VecDeque<Done>>>);

/// Time of an action in epoch milliseconds, and size of its request in bytes.
type Done = (i64, usize);

impl ActionBudgets {
    /// Counts an action of an organizer.
    ///
    /// # Errors
    /// Returns the seconds to wait if the hourly limit is reached.
    pub fn take(&self, organizer: i64, bytes: usize, now_ms: i64) -> Result<(), u64> {
        let mut all = self.0.lock();
        all.retain(|_, own| {
            while own.front().is_some_and(|(at_ms, _)| at_ms + HOUR_MS <= now_ms) {
                own.pop_front();
            }
            !own.is_empty()
        });
        let own = all.entry(organizer).or_default();
        let mut actions = own.len();
        let mut sum: usize = own.iter().map(|(_, bytes)| bytes).sum();
        let has_room =
            |actions, sum: usize| actions < ACTIONS_MAX && sum.saturating_add(bytes) <= BYTES_MAX;
        if has_room(actions, sum) {
            own.push_back((now_ms, bytes));
            return Ok(());
        }
        for (at_ms, bytes) in own.iter() {
            actions -= 1;
            sum -= bytes;
            if has_room(actions, sum) {
                return Err(seconds_until(at_ms + HOUR_MS, now_ms));
            }
        }
        Err(seconds_until(now_ms + HOUR_MS, now_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_organizer_has_so_many_actions_in_an_hour() {
        let budgets = ActionBudgets::default();
        for number in 0..ACTIONS_MAX {
            let at_ms = if number < 2 { 0 } else { 10_000 };
            assert_eq!(budgets.take(1, 100, at_ms), Ok(()), "{number}");
        }
        assert_eq!(budgets.take(1, 100, 10_000), Err(3590));
        assert_eq!(budgets.take(2, 100, 10_000), Ok(()), "another organizer");
        assert_eq!(budgets.take(1, 100, HOUR_MS), Ok(()));
        assert_eq!(budgets.take(1, 100, HOUR_MS), Ok(()));
        assert_eq!(budgets.take(1, 100, HOUR_MS), Err(10));
    }

    #[test]
    fn an_organizer_sends_so_many_bytes_in_an_hour() {
        let budgets = ActionBudgets::default();
        let half = BYTES_MAX / 2;
        assert_eq!(budgets.take(1, half, 0), Ok(()));
        assert_eq!(budgets.take(1, half, 60_000), Ok(()));
        assert_eq!(budgets.take(1, 1, 60_000), Err(3540));
        assert_eq!(budgets.take(1, BYTES_MAX, 60_000), Err(3600), "after both");
        assert_eq!(budgets.take(2, half, 60_000), Ok(()), "another organizer");
        assert_eq!(budgets.take(1, half, HOUR_MS), Ok(()));
        assert_eq!(budgets.take(1, BYTES_MAX + 1, 9 * HOUR_MS), Err(3600));
    }
}
