//! Permits for downloads. A download holds buffers and an open file for as long as its client
//! reads, which may be hours. Each team and each network has a share of the permits.
//!
//! A request without a permit waits in order, and is refused only after a while, since a whole
//! event downloads its files in the first minute. A waiting request holds neither buffers nor a
//! file, but a connection, so the number that wait for the share of one team is limited. While one
//! waits for its network's share, slow downloads of that network are ended, and while one waits for
//! the total, all slow ones.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use flagship_game::TeamId;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::error::NodeError;
use crate::net::address::{ClientNetwork, site_of};
use crate::net::connection::Held;

/// The shares of one network that is not trusted and of one team: a half and a sixteenth.
const NETWORK_PART: usize = 2;
const TEAM_PART: usize = 16;
/// As a multiple of a team's share, the requests that may wait for it; one more is refused at once.
const WAITING_SHARES: usize = 4;
/// How long a download may wait for a permit: less than a request may take.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// Number of holders from which on those without a download are removed.
const HOLDERS_SWEEP_MIN: usize = 1_024;

/// The permits.
pub struct Downloads {
    all: Arc<Semaphore>,
    by_network: Shares<IpAddr>,
    by_team: Shares<TeamId>,
    /// Requests that wait although their team and network have a permit left.
    waiting: Arc<AtomicUsize>,
    team_waiting_max: usize,
    wait_max: Duration,
}

/// A request that waits, until it is dropped.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    /// One more of at most `max`.
    fn begin(number: &Arc<AtomicUsize>, max: usize) -> Result<Self, NodeError> {
        let before = number.fetch_add(1, Ordering::Relaxed);
        let waiting = Self(number.clone());
        if before < max { Ok(waiting) } else { Err(NodeError::Busy) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A permit of the team, of the network unless it is exempt, and of the total.
struct Permit {
    _team: OwnedSemaphorePermit,
    _network: Option<OwnedSemaphorePermit>,
    _all: OwnedSemaphorePermit,
}

/// A number of permits for each holder.
struct Shares<K> {
    max: usize,
    holders: Mutex<Holders<K>>,
}

struct Holders<K> {
    each: HashMap<K, Share>,
    sweep_at: usize,
}

/// The permits of one holder.
#[derive(Clone)]
struct Share {
    permits: Arc<Semaphore>,
    /// Requests that wait for one of them.
    waiting: Arc<AtomicUsize>,
}

impl Downloads {
    /// `max` permits in total.
    pub fn new(max: usize) -> Self {
        let by_team = Shares::new((max / TEAM_PART).max(1));
        Self {
            all: Arc::new(Semaphore::new(max)),
            by_network: Shares::new((max / NETWORK_PART).max(1)),
            team_waiting_max: by_team.max * WAITING_SHARES,
            by_team,
            waiting: Arc::default(),
            wait_max: WAIT_MAX,
        }
    }

    /// Waits for a permit, the team's first, so that a team that uses its share takes none from
    /// others. Once it has one, its share limits how many wait for the others.
    pub async fn permit(&self, team: TeamId, client: &ClientNetwork) -> Result<Held, NodeError> {
        let acquiring = async {
            let share = self.by_team.of(team);
            let team = acquire(share.permits, &share.waiting, self.team_waiting_max).await?;
            let mut waiting = vec![self.waiting.clone(), share.waiting];
            let network = match client.holder() {
                Some(network) => {
                    let share = self.by_network.of(site_of(network));
                    let permit = acquire(share.permits, &share.waiting, usize::MAX).await?;
                    waiting.push(share.waiting);
                    Some(permit)
                }
                None => None,
            };
            let all = acquire(self.all.clone(), &self.waiting, usize::MAX).await?;
            Ok(Held::new(Permit { _team: team, _network: network, _all: all }, waiting))
        };
        timeout(self.wait_max, acquiring).await.map_err(|_| NodeError::Busy)?
    }
}

/// A permit. `waiting` counts the caller while it waits; at most `max` may.
async fn acquire(
    permits: Arc<Semaphore>,
    waiting: &Arc<AtomicUsize>,
    max: usize,
) -> Result<OwnedSemaphorePermit, NodeError> {
    if let Ok(permit) = permits.clone().try_acquire_owned() {
        return Ok(permit);
    }
    let _waiting = Waiting::begin(waiting, max)?;
    Ok(permits.acquire_owned().await.expect("it is never closed"))
}

impl<K: Eq + Hash> Shares<K> {
    fn new(max: usize) -> Self {
        let holders = Holders { each: HashMap::new(), sweep_at: HOLDERS_SWEEP_MIN };
        Self { max, holders: Mutex::new(holders) }
    }

    /// The permits of one holder.
    fn of(&self, holder: K) -> Share {
        let mut holders = self.holders.lock();
        if holders.each.len() >= holders.sweep_at {
            // A permit, and waiting for one, hold a reference to the semaphore.
            holders.each.retain(|_, share| Arc::strong_count(&share.permits) > 1);
            holders.sweep_at = (holders.each.len() * 2).max(HOLDERS_SWEEP_MIN);
        }
        let new = || Share { permits: Arc::new(Semaphore::new(self.max)), waiting: Arc::default() };
        holders.each.entry(holder).or_insert_with(new).clone()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::net::address::TrustedNetwork;

    fn client(address: &str, is_trusted: bool) -> ClientNetwork {
        let network = address.parse().expect("an address");
        ClientNetwork { network, trusted: is_trusted.then_some(TrustedNetwork(network, 32)) }
    }

    #[tokio::test]
    async fn teams_and_networks_have_a_share_and_the_first_waiter_is_next() {
        let downloads = Downloads { wait_max: Duration::from_millis(50), ..Downloads::new(32) };
        let (one, other) = (client("203.0.113.1", false), client("203.0.113.2", false));
        let mut held = Vec::new();
        for _ in 0..32 / TEAM_PART {
            held.push(downloads.permit(TeamId(1), &one).await.expect("of the team's share"));
        }
        let refused = downloads.permit(TeamId(1), &one).await.err();
        assert_eq!(refused, Some(NodeError::Busy), "the team has its share");
        for team in 2..=8 {
            for _ in 0..32 / TEAM_PART {
                held.push(downloads.permit(TeamId(team), &one).await.expect("of the network's"));
            }
        }
        let refused = downloads.permit(TeamId(9), &one).await.err();
        assert_eq!(refused, Some(NodeError::Busy), "the network has its share");
        held.push(
            downloads.permit(TeamId(9), &other).await.expect("another network has its own share"),
        );
        let spared = client("203.0.113.1", true);
        held.push(downloads.permit(TeamId(9), &spared).await.expect("a trusted network is exempt"));

        let waits = downloads.permit(TeamId(1), &one);
        let (waits, ()) = tokio::join!(waits, async { drop(held.remove(0)) });
        assert!(waits.is_ok(), "the waiter gets the next permit");
    }

    #[tokio::test]
    async fn a_waiter_hurries_the_downloads_of_its_team() {
        let downloads = Downloads { wait_max: Duration::from_secs(9), ..Downloads::new(32) };
        let (one, other) = (client("203.0.113.1", false), client("203.0.113.2", false));
        let elsewhere = downloads.permit(TeamId(2), &one).await.expect("it is free");
        let mut held = Vec::new();
        for _ in 0..2 {
            held.push(downloads.permit(TeamId(1), &one).await.expect("it is free"));
        }
        let team = TeamId(1);
        let waits = tokio::time::timeout(Duration::from_millis(50), downloads.permit(team, &other));
        let looks = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(held[0].is_waited_for(), "its own are hurried");
            assert!(!elsewhere.is_waited_for(), "not those of others");
        };
        drop(tokio::join!(waits, looks));
        assert!(!held[0].is_waited_for(), "nothing waits any more");
    }

    #[tokio::test]
    async fn a_waiter_hurries_only_the_downloads_of_its_network() {
        let downloads = Downloads { wait_max: Duration::from_secs(9), ..Downloads::new(32) };
        let (one, other) = (client("203.0.113.1", false), client("203.0.113.2", false));
        let elsewhere = downloads.permit(TeamId(20), &other).await.expect("it is free");
        let mut held = Vec::new();
        for number in 0..16 {
            held.push(downloads.permit(TeamId(number / 2), &one).await.expect("it is free"));
        }
        let waits = downloads.permit(TeamId(9), &one);
        let waiting = tokio::time::timeout(Duration::from_millis(50), waits);
        let looks = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(held[0].is_waited_for(), "only its network and not the others");
            assert!(!elsewhere.is_waited_for(), "not the others");
        };
        let (waited, ()) = tokio::join!(waiting, looks);
        assert!(waited.is_err(), "the network has its share");
        assert!(!held[0].is_waited_for(), "nothing waits any more");
        for number in 0..15 {
            let address = client("198.51.100.1", false);
            held.push(downloads.permit(TeamId(30 + number), &address).await.expect("free"));
        }
        let other = client("198.51.100.2", false);
        let waits = downloads.permit(TeamId(9), &other);
        let waiting = tokio::time::timeout(Duration::from_millis(50), waits);
        let looks = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(elsewhere.is_waited_for(), "the total limit concerns all networks");
        };
        drop(tokio::join!(waiting, looks));
    }

    #[tokio::test]
    async fn one_team_has_a_limited_number_of_waiting_downloads() {
        let downloads = Downloads::new(32);
        let campus = client("203.0.113.1", true);
        let permit = |team| Box::pin(downloads.permit(TeamId(team), &campus));
        let mut held = vec![permit(1).await.expect("it is free"), permit(1).await.expect("free")];
        let mut waiting: Vec<_> = (0..8).map(|_| permit(1)).collect();
        for it in &mut waiting {
            assert!(it.now_or_never().is_none(), "eight of them wait");
        }
        let refused = permit(1).now_or_never().map(Result::err);
        assert_eq!(refused, Some(Some(NodeError::Busy)), "one more is refused at once");
        held.push(permit(2).await.expect("another team is not affected"));
        drop(waiting.pop());
        assert!(permit(1).now_or_never().is_none(), "one that left makes room for another");
    }

    #[tokio::test]
    async fn holders_without_a_download_are_forgotten() {
        let downloads = Downloads::new(32);
        for number in 0..10_000_u32 {
            let network = std::net::Ipv4Addr::from(number | 0x0a00_0000).to_string();
            let team = TeamId(number.into());
            downloads.permit(team, &client(&network, false)).await.expect("it is free");
        }
        assert!(downloads.by_team.holders.lock().each.len() <= HOLDERS_SWEEP_MIN);
        assert!(downloads.by_network.holders.lock().each.len() <= HOLDERS_SWEEP_MIN);
    }
}
