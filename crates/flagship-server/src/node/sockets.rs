//! What the sockets of the live channel share: permits, and the rate of pushed snapshots.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use flagship_game::TeamId;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio_util::task::TaskTracker;

use crate::net::permits::{Permits, SitePermits};

/// Sockets that may be open at once.
pub const SOCKETS_MAX: usize = 20_000;
/// Sockets of one network (an IPv4 address, an IPv6 /64) that is not trusted.
pub const SOCKETS_PER_NETWORK_MAX: usize = 512;
/// Sockets that watch as the same team.
const SOCKETS_PER_TEAM_MAX: usize = 256;
/// Pushed snapshots to all sockets together, in kilobytes a second.
const PUSH_KILOBYTES_PER_S: NonZeroU32 = NonZeroU32::new(64 * 1024).expect("not zero");

/// Limits that all sockets of the live channel share.
pub struct Sockets {
    /// Permits for open sockets.
    pub permits: SitePermits,
    /// Permits for sockets that watch as a team.
    pub team_permits: Arc<Permits<TeamId>>,
    pushes: DefaultDirectRateLimiter,
    /// The tasks of open sockets.
    pub tasks: TaskTracker,
}

impl Sockets {
    /// No sockets yet.
    pub fn new() -> Self {
        Self {
            permits: SitePermits::new(SOCKETS_MAX, SOCKETS_PER_NETWORK_MAX),
            team_permits: Permits::new(SOCKETS_MAX, SOCKETS_PER_TEAM_MAX),
            pushes: RateLimiter::direct(Quota::per_second(PUSH_KILOBYTES_PER_S)),
            tasks: TaskTracker::new(),
        }
    }

    /// The number of open sockets.
    pub fn open(&self) -> usize {
        self.permits.held()
    }

    /// Allows a push of so many bytes now, or gives the time to wait before asking again.
    pub fn push(&self, bytes: usize) -> Result<(), Duration> {
        let kilobytes = u32::try_from((bytes / 1024).max(1)).unwrap_or(u32::MAX);
        let cells = NonZeroU32::new(kilobytes.min(PUSH_KILOBYTES_PER_S.get()));
        let allowed = self.pushes.check_n(cells.expect("at least one"));
        let allowed = allowed.expect("the number was cut to what fits in a second");
        allowed.map_err(|early| early.wait_time_from(DefaultClock::default().now()))
    }

    /// Waits until all sockets have ended, after draining began.
    pub async fn ended(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;

    #[test]
    fn pushed_snapshots_share_a_byte_rate() {
        let sockets = Sockets::new();
        let words = "snapshots at once of";
        let lax = control("pushed_snapshots_share_a_byte_rate", words);
        let snapshot_bytes = 1024 * if lax { 300 } else { 600 };
        let at_once = (0..1000).take_while(|_| sockets.push(snapshot_bytes).is_ok()).count();
        // The rate allows a few more while this runs.
        let expected = (PUSH_KILOBYTES_PER_S.get() / 600) as usize;
        assert!(
            (expected..expected + 20).contains(&at_once),
            "{at_once} snapshots at once of {expected}"
        );
    }
}
