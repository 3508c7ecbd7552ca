//! How often a client of a socket may speak, and how long it may be silent.

use std::time::{Duration, Instant};

use tokio::time::{Interval, MissedTickBehavior, interval};

/// How often a client is sent a ping.
const PING_EVERY: Duration = Duration::from_secs(30);
/// Pings in a row that a client may leave unanswered.
const PINGS_UNANSWERED_MAX: u32 = 3;
/// Messages that a client may send at once; after that, one a second.
const MESSAGES_BURST: u32 = 10;

/// When a ping is due.
pub fn pings() -> Interval {
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pings
}

/// What a client has said so far.
pub struct Talk {
    /// Pings since the last message.
    unanswered: u32,
    /// Messages that it may send at once.
    left: u32,
    /// Since when no message was earned.
    since: Instant,
}

impl Talk {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { unanswered: 0, left: MESSAGES_BURST, since: Instant::now() }
    }

    /// Notes a message, which may be a pong. Gives false if it is one too many.
    pub fn hears(&mut self) -> bool {
        self.unanswered = 0;
        let earned = self.since.elapsed().as_secs().min(u64::from(MESSAGES_BURST)) as u32;
        if earned > 0 {
            self.since = Instant::now();
        }
        let left = (self.left + earned).min(MESSAGES_BURST);
        self.left = left.saturating_sub(1);
        left > 0
    }

    /// Notes a ping. Gives false if the client has answered none for long.
    pub fn pings(&mut self) -> bool {
        let is_there = self.unanswered < PINGS_UNANSWERED_MAX;
        self.unanswered += 1;
        is_there
    }
}
