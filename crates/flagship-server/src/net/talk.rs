//! How often a client of a socket may speak, and how long it may be silent.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// How often a client is sent a ping.
const PING_EVERY: Duration = Duration::from_secs(30);
/// Pings in a row that a client may leave unanswered.
const PINGS_UNANSWERED_MAX: u32 = 3;
/// Messages that a client may send at once; after that, one a second.
const MESSAGES_BURST: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

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
    messages: DefaultDirectRateLimiter,
}

impl Talk {
    /// Nothing yet.
    pub fn new() -> Self {
        let rate = Quota::per_second(NonZeroU32::MIN).allow_burst(MESSAGES_BURST);
        Self { unanswered: 0, messages: RateLimiter::direct(rate) }
    }

    /// Notes a message, which may be a pong. Gives false if it is one too many.
    pub fn hears(&mut self) -> bool {
        self.unanswered = 0;
        self.messages.check().is_ok()
    }

    /// Notes a ping. Gives false if the client has answered none for long.
    pub fn pings(&mut self) -> bool {
        let is_there = self.unanswered < PINGS_UNANSWERED_MAX;
        self.unanswered += 1;
        is_there
    }
}
