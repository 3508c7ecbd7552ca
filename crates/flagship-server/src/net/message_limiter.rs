//! Message rate limit and keep-alive pings for the client of a socket.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Interval between pings.
const PING_EVERY: Duration = Duration::from_secs(30);
/// Maximum number of consecutive unanswered pings.
const PINGS_UNANSWERED_MAX: u32 = 3;
/// Number of messages a client may send at once; after that, one per second.
const MESSAGES_BURST: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

/// Returns the interval timer for pings.
pub fn ping_interval() -> Interval {
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pings
}

/// Limits a client's messages and tracks unanswered pings.
pub struct MessageLimiter {
    /// Pings since the last message.
    unanswered: u32,
    messages: DefaultDirectRateLimiter,
}

impl MessageLimiter {
    pub fn new() -> Self {
        let rate = Quota::per_second(NonZeroU32::MIN).allow_burst(MESSAGES_BURST);
        Self { unanswered: 0, messages: RateLimiter::direct(rate) }
    }

    /// Records a message, including a pong. Returns false if it exceeds the limit.
    pub fn record_message(&mut self) -> bool {
        self.unanswered = 0;
        self.messages.check().is_ok()
    }

    /// Records a ping. Returns false if the client has not answered for too long.
    pub fn record_ping(&mut self) -> bool {
        let is_there = self.unanswered < PINGS_UNANSWERED_MAX;
        self.unanswered += 1;
        is_there
    }
}
