//! Limits on refusals by network: a network whose requests are refused again and again is refused
//! early, before a request costs anything. Accepted requests are not counted.

use std::net::IpAddr;

use parking_lot::Mutex;

use super::swept::SweptMap;
use super::window::seconds_until;
use crate::net::address::ClientNetwork;
use crate::node::error::NodeError;

/// When each network's refusals are forgotten, in epoch milliseconds.
type Debts = SweptMap<IpAddr, i64>;

/// A burst of refusals for each network, and then one per `each_ms`. Trusted networks and this
/// machine are exempt: thousands share their address, and one of them could lock out the others.
pub struct Refusals {
    burst_ms: i64,
    each_ms: i64,
    debts: Mutex<Debts>,
}

/// The limit on refused captchas: 100 at once, since the solutions of a whole class may expire
/// while the teacher speaks, and then two a second.
pub fn captcha_refusals() -> Refusals {
    Refusals::new(100, 500)
}

/// The limit on refused mailed links: 30 at once, and then one a second. Each costs a read.
pub fn link_refusals() -> Refusals {
    Refusals::new(30, 1_000)
}

impl Refusals {
    /// `burst` refusals at once, and one more after each `each_ms`.
    pub fn new(burst: u32, each_ms: i64) -> Self {
        Self { burst_ms: i64::from(burst) * each_ms, each_ms, debts: Mutex::default() }
    }

    /// Fails for a network that has reached its limit, with the seconds until it may try again.
    pub fn check(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), NodeError> {
        let Some(network) = client.holder() else { return Ok(()) };
        self.check_network(&mut self.debts.lock(), network, now_ms)
    }

    /// Checks, and counts a refusal before the outcome is known, so that neither parallel requests
    /// nor clients that do not wait for the response pass the limit. `give_back` takes it back.
    pub fn begin(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), NodeError> {
        let Some(network) = client.holder() else { return Ok(()) };
        let mut debts = self.debts.lock();
        self.check_network(&mut debts, network, now_ms)?;
        self.owe(&mut debts, network, now_ms);
        Ok(())
    }

    /// Takes back a refusal that `begin` counted.
    pub fn give_back(&self, client: &ClientNetwork) {
        let Some(network) = client.holder() else { return };
        if let Some(until_ms) = self.debts.lock().entries().get_mut(&network) {
            *until_ms -= self.each_ms;
        }
    }

    fn check_network(
        &self,
        debts: &mut Debts,
        network: IpAddr,
        now_ms: i64,
    ) -> Result<(), NodeError> {
        let until_ms = debts.entries().get(&network).copied().unwrap_or(now_ms);
        let free_at_ms = until_ms + self.each_ms - self.burst_ms;
        if free_at_ms <= now_ms {
            return Ok(());
        }
        Err(NodeError::Throttled { retry_after_s: seconds_until(free_at_ms, now_ms) })
    }

    fn owe(&self, debts: &mut Debts, network: IpAddr, now_ms: i64) {
        debts.sweep_or_clear(|until_ms| *until_ms > now_ms);
        let until_ms = debts.entries().entry(network).or_insert(now_ms);
        *until_ms = (*until_ms).max(now_ms) + self.each_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::super::swept::SWEEP_MIN;
    use super::*;

    fn client(address: &str, is_trusted: bool) -> ClientNetwork {
        ClientNetwork { network: address.parse().expect("an address"), is_trusted }
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
        // Requests that are refused early do not add to the debt.
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
        assert!(refusals.debts.lock().entries().len() <= SWEEP_MIN);
    }
}
