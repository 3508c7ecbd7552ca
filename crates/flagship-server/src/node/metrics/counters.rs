//! Counters of this node, for `/metrics` and for the figures of the last minute that organizers
//! see.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

/// Names and values of labels.
pub(super) type Labels<const N: usize> = [(&'static str, String); N];
/// A metric with one value for each set of labels.
pub(super) type ByLabel<const N: usize, M> = Family<Labels<N>, M>;

/// Upper bounds of the buckets for responses and commits, in seconds.
pub(super) const SECONDS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// Upper bounds of the buckets for operations in a transaction.
const OPERATIONS: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
/// Interval between two samples of the counters.
const NOTE_EVERY: Duration = Duration::from_secs(5);
/// Number of samples kept: one minute.
const NOTES_MAX: usize = 12;

/// Result of a submission.
#[derive(Clone, Copy, Debug)]
pub enum Verdict {
    /// The flag is correct, and the team had not solved the challenge.
    Right,
    Wrong,
    /// The flag is correct, but the team had already solved the challenge.
    Repeated,
    /// The team's budget for incorrect submissions was used up.
    Throttled,
    /// The flag is one of several that the challenge needs, and others are missing.
    Part,
}

/// Counters of events on this node.
pub struct Counters {
    /// Submissions by result.
    pub(super) outcomes: ByLabel<1, Counter>,
    submissions: [Counter; 5],
    /// Number of operations per transaction of the lane.
    pub(super) batch: Histogram,
    /// Duration of a transaction of the lane, in seconds.
    pub(super) commit: Histogram,
    /// Failed transactions of the lane.
    pub(super) failures: Counter,
    /// Connections rejected at the limit.
    pub rejected: Counter,
    /// Duration of the longest transaction of the lane since the last sample, in milliseconds.
    slowest_ms: AtomicU64,
    notes: Mutex<VecDeque<Note>>,
}

/// A sample of the counters.
#[derive(Clone, Copy)]
struct Note {
    at: Instant,
    submissions: [u64; 5],
    failures: u64,
    rejected: u64,
    /// Duration of the longest transaction of the lane before the sample, in milliseconds.
    slowest_ms: u64,
}

/// Counts of approximately the last minute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastMinute {
    /// Submissions per second, by [`Verdict`].
    pub flags_per_s: [f64; 5],
    /// Failed transactions of the lane.
    pub lane_failures: u64,
    /// Duration of the longest transaction of the lane, in milliseconds.
    pub slowest_ms: u64,
    /// Connections rejected at the limit.
    pub rejected: u64,
}

impl Counters {
    /// Creates counters that are all zero.
    pub fn new() -> Self {
        let outcomes = ByLabel::<1, Counter>::default();
        let submissions = ["right", "wrong", "repeated", "throttled", "part"]
            .map(|outcome| outcomes.get_or_create_owned(&[("outcome", outcome.to_owned())]));
        let counters = Self {
            outcomes,
            submissions,
            batch: Histogram::new(OPERATIONS),
            commit: Histogram::new(SECONDS),
            failures: Counter::default(),
            rejected: Counter::default(),
            slowest_ms: AtomicU64::new(0),
            notes: Mutex::default(),
        };
        counters.note();
        counters
    }

    /// Counts the result of a submission.
    pub fn submitted(&self, outcome: Verdict) {
        self.submissions[outcome as usize].inc();
    }

    /// Counts a transaction of the lane.
    pub fn stepped(&self, operations: usize, took: Duration, is_done: bool) {
        if operations > 0 {
            self.batch.observe(operations as f64);
        }
        self.commit.observe(took.as_secs_f64());
        let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.slowest_ms.fetch_max(took_ms, Ordering::Relaxed);
        if !is_done {
            self.failures.inc();
        }
    }

    fn now(&self) -> Note {
        Note {
            at: Instant::now(),
            submissions: self.submissions.each_ref().map(Counter::get),
            failures: self.failures.get(),
            rejected: self.rejected.get(),
            slowest_ms: self.slowest_ms.load(Ordering::Relaxed),
        }
    }

    /// Takes a sample of the counters.
    fn note(&self) {
        let now = self.now();
        self.slowest_ms.store(0, Ordering::Relaxed);
        let mut notes = self.notes.lock();
        if notes.len() == NOTES_MAX {
            notes.pop_front();
        }
        notes.push_back(now);
    }

    /// Returns the counts since the oldest sample.
    pub fn last_minute(&self) -> LastMinute {
        let (now, notes) = (self.now(), self.notes.lock());
        let then = notes.front().copied().unwrap_or(now);
        let seconds = (now.at - then.at).as_secs_f64().max(1.0);
        let flags = std::array::from_fn(|at| now.submissions[at] - then.submissions[at]);
        // The longest duration in the oldest sample is from the time before that sample.
        let slowest = notes.iter().skip(1).chain([&now]).map(|note| note.slowest_ms);
        LastMinute {
            flags_per_s: flags.map(|count| count as f64 / seconds),
            lane_failures: now.failures - then.failures,
            slowest_ms: slowest.max().unwrap_or_default(),
            rejected: now.rejected - then.rejected,
        }
    }
}

/// Takes a sample at each interval. Runs forever.
pub async fn run(counters: Arc<Counters>) {
    loop {
        tokio::time::sleep(NOTE_EVERY).await;
        counters.note();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_forgotten_note_by_note() {
        let counters = Counters::new();
        for _ in 0..3 {
            counters.submitted(Verdict::Wrong);
        }
        counters.stepped(1, Duration::from_millis(70), false);
        let minute = counters.last_minute();
        assert_eq!((minute.flags_per_s, minute.lane_failures), ([0.0, 3.0, 0.0, 0.0, 0.0], 1));
        assert_eq!(minute.slowest_ms, 70);
        for _ in 1..NOTES_MAX {
            counters.note();
            assert_eq!(counters.last_minute().slowest_ms, 70, "it is of this minute");
        }
        counters.stepped(1, Duration::from_millis(7), true);
        counters.note();
        let minute = counters.last_minute();
        assert_eq!((minute.flags_per_s, minute.lane_failures), ([0.0; 5], 0));
        counters.note();
        assert_eq!(counters.last_minute().slowest_ms, 7);
    }
}
