//! Permits for downloads. A download holds buffers and an open file for as long as its client
//! reads, possibly for hours. Each team and each network has a share of the permits.
//!
//! Requests without a permit wait in order, because a whole event downloads its files in the first
//! minute. They are rejected only after a while. A waiting request holds a connection but neither
//! buffers nor a file. The number of requests that wait for one team's share is therefore limited.
//! While a request waits for its network's share, slow downloads of that network are ended. While a
//! request waits for the total, all slow downloads are ended.

use std::net::IpAddr;
use std::time::Duration;

use flagship_game::TeamId;
use tokio::time::timeout;

use super::error::NodeError;
use super::limits::turns::{Share, Shares};
use crate::net::address::{ClientNetwork, site_of};
use crate::net::connection::HeldResource;

/// Divisors for the share of one untrusted network (half) and of one team (a sixteenth).
const NETWORK_PART: usize = 2;
const TEAM_PART: usize = 16;
/// Maximum requests that wait for a team's share, as a multiple of that share. Further requests are
/// rejected immediately.
const WAITING_SHARES: usize = 4;
/// Maximum time that a download waits for a permit. Shorter than the time limit of a request.
const WAIT_MAX: Duration = Duration::from_secs(20);

pub struct Downloads {
    all: Share,
    by_network: Shares<IpAddr>,
    by_team: Shares<TeamId>,
    team_waiting_max: usize,
    wait_max: Duration,
}

impl Downloads {
    /// Creates `max` permits in total.
    pub fn new(max: usize) -> Self {
        let team_max = (max / TEAM_PART).max(1);
        Self {
            all: Share::new(max),
            by_network: Shares::new((max / NETWORK_PART).max(1)),
            by_team: Shares::new(team_max),
            team_waiting_max: team_max * WAITING_SHARES,
            wait_max: WAIT_MAX,
        }
    }

    /// Waits for a permit of the team's share, then of the network's share unless the network is
    /// exempt, and then of the total. Because the team's share comes first, a team that has used up
    /// its share takes no permits from others. The team's share also limits the number of its
    /// requests that wait for the other two.
    pub async fn permit(
        &self,
        team: TeamId,
        client: &ClientNetwork,
    ) -> Result<HeldResource, NodeError> {
        let acquiring = async {
            let share = self.by_team.share(team);
            let team = share.acquire(self.team_waiting_max).await?;
            let mut waiting = vec![self.all.waiting.clone(), share.waiting];
            let mut network = None;
            if let Some(holder) = client.holder() {
                let share = self.by_network.share(site_of(holder));
                network = Some(share.acquire(usize::MAX).await?);
                waiting.push(share.waiting);
            }
            let all = self.all.acquire(usize::MAX).await?;
            Ok(HeldResource::new((team, network, all), waiting))
        };
        timeout(self.wait_max, acquiring).await.map_err(|_| NodeError::Busy)?
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::net::address::TrustedNetwork;
    use crate::node::limits::swept::SWEEP_MIN;

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
        assert!(!held[0].is_waited_for(), "no request is waiting");
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
        assert!(!held[0].is_waited_for(), "no request is waiting");
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
        assert!(downloads.by_team.holders() <= SWEEP_MIN);
        assert!(downloads.by_network.holders() <= SWEEP_MIN);
    }
}
