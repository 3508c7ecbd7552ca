//! Clock of an event, in epoch milliseconds. Not affected by jumps of the wall clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Maximum difference to the wall clock, in milliseconds. A larger one counts as a jump.
const JUMP_MS: i64 = 2_000;

/// Minimum time between two warnings about a jump, in milliseconds.
const WARN_PAUSE_MS: i64 = 60_000;
/// Time of the last warning, in epoch milliseconds.
static WARNED_AT_MS: AtomicI64 = AtomicI64::new(0);

/// A source of epoch milliseconds.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The wall clock at the start plus the monotonic time since then. Ignores later jumps.
    System {
        /// Anchor on the monotonic clock.
        anchor: Instant,
        /// Anchor, in epoch milliseconds.
        anchor_ms: i64,
        /// Wall clock at the anchor, in epoch milliseconds.
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

    /// A clock that starts at `now_ms`.
    pub(crate) fn anchored(now_ms: i64) -> Self {
        Self::System { anchor: Instant::now(), anchor_ms: now_ms, wall_ms: wall_ms() }
    }

    /// A clock that stays at `now_ms` until it is set.
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

    /// Returns the jump of the wall clock since the anchor, in milliseconds, positive for a jump
    /// forward; `None` if it is at most two seconds.
    pub fn jump_ms(&self) -> Option<i64> {
        let Self::System { anchor, wall_ms: wall_then_ms, .. } = self else { return None };
        let ahead = wall_ms() - wall_then_ms - anchor.elapsed().as_millis() as i64;
        (ahead.abs() > JUMP_MS).then_some(ahead)
    }

    /// Returns `said_ms`, the reading of a shared clock, or the time of this clock if the shared
    /// one has jumped.
    pub(crate) fn settle(&self, said_ms: i64) -> i64 {
        let own_ms = self.now_ms();
        if (said_ms - own_ms).abs() <= JUMP_MS {
            return said_ms;
        }
        if own_ms - WARNED_AT_MS.load(Ordering::Relaxed) >= WARN_PAUSE_MS {
            WARNED_AT_MS.store(own_ms, Ordering::Relaxed);
            let ahead_ms = said_ms - own_ms;
            tracing::warn!(ahead_ms, "the database clock jumped; the event clock is unaffected");
        }
        own_ms
    }
}

fn wall_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as i64
}
