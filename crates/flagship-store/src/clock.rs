//! The time, as the program reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How far the wall clock may drift from the anchored one before it counts as a jump.
const JUMP_MS: i64 = 2_000;

/// A source of epoch milliseconds.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The wall clock at the start, carried on by the monotonic one: a jump is not adopted.
    System {
        /// When the clock was anchored, by the monotonic clock.
        anchor: Instant,
        /// The same moment, in epoch milliseconds.
        anchor_ms: i64,
    },
    /// Set by hand, for tests.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock, anchored now.
    pub fn system() -> Self {
        Self::System { anchor: Instant::now(), anchor_ms: wall_ms() }
    }

    /// A clock that stands at `now_ms` until it is set.
    pub fn manual(now_ms: i64) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(now_ms)))
    }

    /// Epoch milliseconds.
    pub fn now_ms(&self) -> i64 {
        match self {
            Self::System { anchor, anchor_ms } => anchor_ms + anchor.elapsed().as_millis() as i64,
            Self::Manual(now) => now.load(Ordering::SeqCst),
        }
    }

    /// How far the wall clock is ahead of this one, in milliseconds, when it has jumped.
    pub fn jump_ms(&self) -> Option<i64> {
        let Self::System { .. } = self else { return None };
        let ahead = wall_ms() - self.now_ms();
        (ahead.abs() > JUMP_MS).then_some(ahead)
    }
}

fn wall_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as i64
}
