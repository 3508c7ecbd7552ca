//! State shared by all sockets of the live channel: permits, and the rate of pushed snapshots.

use std::num::NonZeroU32;
use std::sync::Arc;

use flagship_game::TeamId;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::sync::Mutex;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::net::permits::{Permits, SitePermits};

/// Maximum open sockets.
pub const SOCKETS_MAX: usize = 20_000;
/// Maximum sockets of one untrusted network (an IPv4 address or an IPv6 /64).
pub const SOCKETS_PER_NETWORK_MAX: usize = 512;
/// Maximum sockets that watch as the same team.
const SOCKETS_PER_TEAM_MAX: usize = 256;
/// Rate at which snapshots are pushed to all sockets together, in kilobytes per second.
const PUSH_KILOBYTES_PER_S: NonZeroU32 = NonZeroU32::new(64 * 1024).expect("not zero");

/// Limits shared by all sockets of the live channel.
pub struct Sockets {
    pub permits: SitePermits,
    pub team_permits: Arc<Permits<TeamId>>,
    line: Arc<Line>,
    pub tasks: TaskTracker,
}

/// Queue of snapshots to be pushed.
struct Line {
    rate: DefaultDirectRateLimiter,
    /// Held by the first snapshot in the queue, which waits for the rate. The others wait for this
    /// lock: after a change all sockets are in the queue, and waiting for the rate would wake each
    /// of them at every pause.
    first: Mutex<()>,
}

impl Sockets {
    /// Creates the limits, without any sockets.
    pub fn new() -> Self {
        Self {
            permits: SitePermits::new(SOCKETS_MAX, SOCKETS_PER_NETWORK_MAX),
            team_permits: Permits::new(SOCKETS_MAX, SOCKETS_PER_TEAM_MAX),
            line: Arc::new(Line {
                rate: RateLimiter::direct(Quota::per_second(PUSH_KILOBYTES_PER_S)),
                first: Mutex::default(),
            }),
            tasks: TaskTracker::new(),
        }
    }

    pub fn open(&self) -> usize {
        self.permits.held()
    }

    /// Adds a place to the queue. The returned task completes when a snapshot of the given size may
    /// be pushed. Because it is a separate task, a socket with a slow client does not block the
    /// queue.
    pub fn turn(&self, bytes: usize) -> AbortOnDropHandle<()> {
        let line = self.line.clone();
        AbortOnDropHandle::new(tokio::spawn(async move { line.turn(bytes).await }))
    }

    /// Waits until all sockets have ended, after draining began.
    pub async fn ended(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

impl Line {
    async fn turn(&self, bytes: usize) {
        let kilobytes = u32::try_from((bytes / 1024).max(1)).unwrap_or(u32::MAX);
        let cells = NonZeroU32::new(kilobytes.min(PUSH_KILOBYTES_PER_S.get()));
        let cells = cells.expect("at least one");
        let _first = self.first.lock().await;
        let turn = self.rate.until_n_ready(cells).await;
        turn.expect("the number was cut to what fits in a second");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn pushed_snapshots_share_a_byte_rate() {
        let sockets = Sockets::new();
        let snapshot_bytes = 1024 * 600;
        let mut at_once = 0;
        while timeout(Duration::ZERO, sockets.line.turn(snapshot_bytes)).await.is_ok() {
            at_once += 1;
        }
        // The rate allows a few more pushes while the test runs.
        let expected = (PUSH_KILOBYTES_PER_S.get() / 600) as usize;
        assert!(
            (expected..expected + 20).contains(&at_once),
            "{at_once} snapshots at once of {expected}"
        );
    }

    #[tokio::test]
    async fn snapshots_are_pushed_in_the_order_in_which_they_were_due() {
        let sockets = Arc::new(Sockets::new());
        let pushed = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = tokio::task::JoinSet::new();
        for i in 0..200 {
            let (sockets, pushed) = (sockets.clone(), pushed.clone());
            waiting.spawn(async move {
                sockets.line.turn(1024 * 1024).await;
                pushed.lock().await.push(i);
            });
        }
        waiting.join_all().await;
        assert!(pushed.lock().await.is_sorted(), "each waits for its turn");
    }

    #[tokio::test]
    async fn a_busy_socket_does_not_hold_up_the_line() {
        let sockets = Sockets::new();
        let second = 1024 * PUSH_KILOBYTES_PER_S.get() as usize;
        sockets.turn(second).await.expect("the turn comes");
        // This place is first in the queue, but its socket never polls it.
        let busy = Box::pin(sockets.line.turn(second / 4));
        let task = sockets.turn(second / 4);
        let next = timeout(Duration::from_secs(20), sockets.turn(second / 4)).await;
        assert!(next.is_ok(), "the next turn comes");
        drop((busy, task));
    }
}
