//! The clock of an event: epoch milliseconds that do not follow jumps of the wall clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How far the wall clock may drift from the anchored one before it counts as a jump.
const JUMP_MS: i64 = 2_000;

/// Least time between two warnings of a jump, in milliseconds.
const WARN_PAUSE_MS: i64 = 60_000;
/// Time of the last warning, in epoch milliseconds.
static WARNED_AT_MS: AtomicI64 = AtomicI64::new(0);

/// A source of epoch milliseconds.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The wall clock at the start plus the monotonic time since: a jump is not adopted.
    System {
        /// When the clock was anchored, by the monotonic clock.
        anchor: Instant,
        /// The same moment, in epoch milliseconds.
        anchor_ms: i64,
        /// What the wall clock said at that moment.
        wall_ms: i64,
    },
    /// Set by tests.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock, anchored now.
    pub fn system() -> Self {
        Self::anchored(wall_ms())
    }

    /// A clock that reads `now_ms` now and runs on from there.
    pub(crate) fn anchored(now_ms: i64) -> Self {
        Self::System { anchor: Instant::now(), anchor_ms: now_ms, wall_ms: wall_ms() }
    }

    /// A clock that stands still at `now_ms` until it is set.
    pub fn manual(now_ms: i64) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(now_ms)))
    }

    /// The current time in epoch milliseconds.
    pub fn now_ms(&self) -> i64 {
        match self {
            Self::System { anchor, anchor_ms, .. } => {
                anchor_ms + anchor.elapsed().as_millis() as i64
            }
            Self::Manual(now) => now.load(Ordering::SeqCst),
        }
    }

    /// How far the wall clock has jumped ahead since this one was anchored, in milliseconds; `None`
    /// below a threshold.
    pub fn jump_ms(&self) -> Option<i64> {
        let Self::System { anchor, wall_ms: wall_then_ms, .. } = self else { return None };
        let ahead = wall_ms() - wall_then_ms - anchor.elapsed().as_millis() as i64;
        (ahead.abs() > JUMP_MS).then_some(ahead)
    }

    /// The time of a shared clock that reads `said_ms`, or of this one if the shared one has
    /// jumped.
    pub(crate) fn settle(&self, said_ms: i64) -> i64 {
        let own_ms = self.now_ms();
        if (said_ms - own_ms).abs() <= JUMP_MS {
            return said_ms;
        }
        if own_ms - WARNED_AT_MS.load(Ordering::Relaxed) >= WARN_PAUSE_MS {
            WARNED_AT_MS.store(own_ms, Ordering::Relaxed);
            let ahead_ms = said_ms - own_ms;
            tracing::warn!(ahead_ms, "the database's clock has jumped; the event's has not");
        }
        own_ms
    }
}

fn wall_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as i64
}
