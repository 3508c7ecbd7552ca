//! Limits on rejected requests by network. A network whose requests are rejected repeatedly is
//! rejected early, before a request costs anything. Accepted requests do not count.

use std::net::IpAddr;

use parking_lot::Mutex;

use super::swept::SweptMap;
use super::window::seconds_until;
use crate::net::address::{ClientNetwork, site_of};
use crate::node::error::NodeError;

/// Multiple of the limit of one network that applies to all networks of an IPv6 /48 together.
const SITE_TIMES: i64 = 4;

/// Allows a burst of rejections per network, then one per `each_ms`. Trusted networks and this
/// machine are exempt: thousands share their address, and one client could lock out the others.
pub struct Refusals {
    /// Debts of networks and of sites. A client adds to both.
    debts: Mutex<[Debts; 2]>,
}

/// Unexpired rejections of networks, or of sites (IPv6 /48).
struct Debts {
    burst_ms: i64,
    each_ms: i64,
    /// Time at which each network's rejections expire, in epoch milliseconds.
    until_ms: SweptMap<IpAddr, i64>,
}

impl Refusals {
    /// Allows `burst` rejections at once, and one more after each `each_ms`.
    pub fn new(burst: u32, each_ms: i64) -> Self {
        let burst_ms = i64::from(burst) * each_ms;
        // The shorter time per rejection also makes the burst of a site larger.
        let debts = [each_ms, each_ms / SITE_TIMES].map(|each_ms| Debts {
            burst_ms,
            each_ms,
            until_ms: SweptMap::default(),
        });
        Self { debts: Mutex::new(debts) }
    }

    /// Fails if the network has reached its limit, with the seconds until it may try again.
    pub fn check(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), NodeError> {
        let Some(network) = client.holder() else { return Ok(()) };
        check_all(&mut self.debts.lock(), network, now_ms)
    }

    /// Checks the limit and counts a rejection before the outcome is known, so that neither
    /// parallel requests nor clients that do not wait for the response exceed the limit. Use
    /// `give_back` if the request is accepted.
    pub fn begin(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), NodeError> {
        let Some(network) = client.holder() else { return Ok(()) };
        let mut debts = self.debts.lock();
        check_all(&mut debts, network, now_ms)?;
        for (debts, network) in debts.iter_mut().zip(keys(network)) {
            debts.owe(network, now_ms);
        }
        Ok(())
    }

    /// Removes a rejection counted by `begin`.
    pub fn give_back(&self, client: &ClientNetwork) {
        let Some(network) = client.holder() else { return };
        for (debts, network) in self.debts.lock().iter_mut().zip(keys(network)) {
            debts.give_back(network);
        }
    }
}

/// Keys of a client's debts: the network and its site.
fn keys(network: IpAddr) -> [IpAddr; 2] {
    [network, site_of(network)]
}

fn check_all(debts: &mut [Debts; 2], network: IpAddr, now_ms: i64) -> Result<(), NodeError> {
    debts.iter_mut().zip(keys(network)).try_for_each(|(debts, key)| debts.check(key, now_ms))
}

impl Debts {
    fn check(&mut self, network: IpAddr, now_ms: i64) -> Result<(), NodeError> {
        let until_ms = self.until_ms.entries().get(&network).copied().unwrap_or(now_ms);
        let free_at_ms = until_ms + self.each_ms - self.burst_ms;
        if free_at_ms <= now_ms {
            return Ok(());
        }
        Err(NodeError::Throttled { retry_after_s: seconds_until(free_at_ms, now_ms) })
    }

    fn owe(&mut self, network: IpAddr, now_ms: i64) {
        self.until_ms.sweep_or_clear(|until_ms| *until_ms > now_ms);
        let until_ms = self.until_ms.entries().entry(network).or_insert(now_ms);
        *until_ms = (*until_ms).max(now_ms) + self.each_ms;
    }

    fn give_back(&mut self, network: IpAddr) {
        if let Some(until_ms) = self.until_ms.entries().get_mut(&network) {
            *until_ms -= self.each_ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::super::swept::SWEEP_MIN;
    use super::*;
    use crate::net::address::TrustedNetwork;

    fn client(address: &str, is_trusted: bool) -> ClientNetwork {
        let network = address.parse().expect("an address");
        ClientNetwork { network, trusted: is_trusted.then_some(TrustedNetwork(network, 32)) }
    }

    #[test]
    fn a_network_with_too_many_refusals_gets_the_time_to_wait() {
        let refusals = Refusals::new(3, 2_000);
        let (one, other) = (client("203.0.113.1", false), client("203.0.113.2", false));
        let check = |now_ms| refusals.check(&one, now_ms);
        let throttled = |retry_after_s| Err(NodeError::Throttled { retry_after_s });
        for _ in 0..3 {
            assert_eq!(refusals.begin(&one, 0), Ok(()));
        }
        assert_eq!(check(0), throttled(2));
        assert_eq!(check(1_999), throttled(1));
        assert_eq!(refusals.check(&other, 0), Ok(()));
        assert_eq!(refusals.check(&one, 2_000), Ok(()));
        // Requests that are rejected early do not add to the debt.
        (0..100).for_each(|_| _ = refusals.begin(&one, 2_000));
        assert_eq!(check(2_000), throttled(2));
        assert_eq!(refusals.check(&one, 4_000), Ok(()));
        // An accepted request reduces the debt.
        assert_eq!(refusals.begin(&one, 4_000), Ok(()));
        assert_eq!(check(4_000), throttled(2));
        refusals.give_back(&one);
        assert_eq!(check(4_000), Ok(()));
    }

    #[test]
    fn trusted_networks_and_the_machine_itself_are_exempt() {
        let refusals = Refusals::new(1, 1_000);
        for exempt in [client("203.0.113.1", true), client("127.0.0.1", false)] {
            assert!((0..100).all(|_| refusals.begin(&exempt, 0).is_ok()));
            assert_eq!(refusals.check(&exempt, 0), Ok(()));
        }
    }

    #[test]
    fn networks_without_a_debt_are_removed() {
        let refusals = Refusals::new(1, 1_000);
        for number in 0..10_000_u32 {
            let network =
                client(&std::net::Ipv4Addr::from(number | 0x0a00_0000).to_string(), false);
            assert_eq!(refusals.begin(&network, i64::from(number) * 1_000), Ok(()));
        }
        for debts in refusals.debts.lock().iter_mut() {
            assert!(debts.until_ms.entries().len() <= SWEEP_MIN);
        }
    }

    #[test]
    fn an_ipv6_48_has_four_times_the_limit_of_a_network() {
        let words = "networks of the /48 are refused together";
        let spread: u128 = 1 << 64;
        let refusals = Refusals::new(3, 2_000);
        let first = "2001:db8::".parse::<Ipv6Addr>().expect("an address").to_bits();
        let network = |number: u128| {
            let network = Ipv6Addr::from_bits(first + number * spread).into();
            ClientNetwork { network, trusted: None }
        };
        let throttled = |retry_after_s| Err(NodeError::Throttled { retry_after_s });
        for number in 0..12 {
            assert_eq!(refusals.begin(&network(number), 0), Ok(()), "{number}");
        }
        for number in 12..1_000 {
            assert_eq!(refusals.begin(&network(number), 0), throttled(1), "{words}");
        }
        assert_eq!(refusals.check(&network(2_000), 499), throttled(1));
        assert_eq!(refusals.begin(&network(2_000), 500), Ok(()), "one of all each half second");
        assert_eq!(refusals.check(&network(2_001), 500), throttled(1));
        refusals.give_back(&network(2_000));
        assert_eq!(refusals.check(&network(2_001), 500), Ok(()));
        for address in ["2001:db8:1::", "198.51.100.7"] {
            let other = client(address, false);
            assert!((0..3).all(|_| refusals.begin(&other, 0).is_ok()), "{address}");
            assert_eq!(refusals.check(&other, 0), throttled(2), "{address}");
        }
    }
}
