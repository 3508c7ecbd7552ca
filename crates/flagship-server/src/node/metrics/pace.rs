//! What happens on this node, counted always: for `/metrics`, and for what organizers see of the
//! last minute.

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
/// A metric for each value of its labels.
pub(super) type ByLabel<const N: usize, M> = Family<Labels<N>, M>;

/// Upper bounds of the buckets for responses and commits, in seconds.
pub(super) const SECONDS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// Upper bounds of the buckets for operations in a transaction.
const OPERATIONS: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
/// How often the counts are noted.
const NOTE_EVERY: Duration = Duration::from_secs(5);
/// How many notes are kept: those of a minute.
const NOTES_MAX: usize = 12;

/// The result of a submitted flag.
#[derive(Clone, Copy, Debug)]
pub enum Verdict {
    /// The flag is right, and the team's first for the challenge.
    Right,
    Wrong,
    /// The flag is right, but the team had solved the challenge before.
    Repeated,
    /// The team's budget of wrong flags was used up.
    Throttled,
}

/// Counts of what happens.
pub struct Pace {
    /// Flags by outcome.
    pub(super) outcomes: ByLabel<1, Counter>,
    submissions: [Counter; 4],
    /// Operations in a transaction of the lane.
    pub(super) batch: Histogram,
    /// Seconds that it takes.
    pub(super) commit: Histogram,
    /// Transactions of the lane that failed.
    pub(super) failures: Counter,
    /// Connections beyond the limit.
    pub rejected: Counter,
    /// The longest transaction of the lane since the last note, in milliseconds.
    slowest_ms: AtomicU64,
    notes: Mutex<VecDeque<Note>>,
}

/// The counts at a moment.
#[derive(Clone, Copy)]
struct Note {
    at: Instant,
    submissions: [u64; 4],
    failures: u64,
    rejected: u64,
    /// The longest transaction of the lane before it, in milliseconds.
    slowest_ms: u64,
}

/// What happened in about the last minute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastMinute {
    /// Flags a second, by [`Verdict`].
    pub flags_per_s: [f64; 4],
    /// Transactions of the lane that failed.
    pub lane_failures: u64,
    /// The longest transaction of the lane, in milliseconds.
    pub slowest_ms: u64,
    /// Connections beyond the limit.
    pub rejected: u64,
}

impl Pace {
    /// Nothing counted yet.
    pub fn new() -> Self {
        let outcomes = ByLabel::<1, Counter>::default();
        let submissions = ["right", "wrong", "repeated", "throttled"]
            .map(|outcome| outcomes.get_or_create_owned(&[("outcome", outcome.to_owned())]));
        let pace = Self {
            outcomes,
            submissions,
            batch: Histogram::new(OPERATIONS),
            commit: Histogram::new(SECONDS),
            failures: Counter::default(),
            rejected: Counter::default(),
            slowest_ms: AtomicU64::new(0),
            notes: Mutex::default(),
        };
        pace.note();
        pace
    }

    /// Counts the result of a flag.
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

    /// Notes the counts.
    fn note(&self) {
        let now = self.now();
        self.slowest_ms.store(0, Ordering::Relaxed);
        let mut notes = self.notes.lock();
        if notes.len() == NOTES_MAX {
            notes.pop_front();
        }
        notes.push_back(now);
    }

    /// What happened since the oldest note.
    pub fn last_minute(&self) -> LastMinute {
        let (now, notes) = (self.now(), self.notes.lock());
        let then = notes.front().copied().unwrap_or(now);
        let seconds = (now.at - then.at).as_secs_f64().max(1.0);
        let flags = std::array::from_fn(|at| now.submissions[at] - then.submissions[at]);
        // What the oldest note says is of the time before it.
        let slowest = notes.iter().skip(1).chain([&now]).map(|note| note.slowest_ms);
        LastMinute {
            flags_per_s: flags.map(|count| count as f64 / seconds),
            lane_failures: now.failures - then.failures,
            slowest_ms: slowest.max().unwrap_or_default(),
            rejected: now.rejected - then.rejected,
        }
    }
}

/// Notes the counts without an end.
pub async fn run(pace: Arc<Pace>) {
    loop {
        tokio::time::sleep(NOTE_EVERY).await;
        pace.note();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_forgotten_note_by_note() {
        let pace = Pace::new();
        for _ in 0..3 {
            pace.submitted(Verdict::Wrong);
        }
        pace.stepped(1, Duration::from_millis(70), false);
        let minute = pace.last_minute();
        assert_eq!((minute.flags_per_s, minute.lane_failures), ([0.0, 3.0, 0.0, 0.0], 1));
        assert_eq!(minute.slowest_ms, 70);
        for _ in 1..NOTES_MAX {
            pace.note();
            assert_eq!(pace.last_minute().slowest_ms, 70, "it is of this minute");
        }
        pace.stepped(1, Duration::from_millis(7), true);
        pace.note();
        let minute = pace.last_minute();
        assert_eq!((minute.flags_per_s, minute.lane_failures), ([0.0; 4], 0));
        pace.note();
        assert_eq!(pace.last_minute().slowest_ms, 7);
    }
}
