//! Budgets of refusals: a network that sends what is refused again and again is refused before it
//! costs anything. What is accepted is not counted.

use std::collections::HashMap;
use std::net::IpAddr;

use parking_lot::Mutex;

use crate::error::ApiError;
use crate::extract::ClientNetwork;

/// Networks that are kept. Beyond, all are forgotten: to limit nobody for a moment is better than
/// to refuse everybody.
const NETWORKS_MAX: usize = 100_000;
/// Networks at which those without a debt are first looked for.
const NETWORKS_SWEEP_MIN: usize = 1_024;

/// So many refusals at once for each network, and then one in each stretch of time. Trusted
/// networks and the machine itself are exempt: thousands share their address, and one of them
/// could keep all others out.
pub struct Refusals {
    burst_ms: i64,
    each_ms: i64,
    debts: Mutex<Debts>,
}

struct Debts {
    /// When each network's refusals are forgotten, in epoch milliseconds.
    until_ms: HashMap<IpAddr, i64>,
    sweep_at: usize,
}

impl Refusals {
    /// `burst` refusals at once, one more after each `each_ms`.
    pub fn new(burst: u32, each_ms: i64) -> Self {
        let debts = Debts { until_ms: HashMap::new(), sweep_at: NETWORKS_SWEEP_MIN };
        Self { burst_ms: i64::from(burst) * each_ms, each_ms, debts: Mutex::new(debts) }
    }

    /// Refuses a network whose budget is spent, with the seconds after which it has some again.
    pub fn check(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), ApiError> {
        let Some(network) = client.holder() else { return Ok(()) };
        self.has_some(&self.debts.lock(), network, now_ms)
    }

    /// Counts a refusal.
    pub fn note(&self, client: &ClientNetwork, now_ms: i64) {
        let Some(network) = client.holder() else { return };
        self.owe(&mut self.debts.lock(), network, now_ms);
    }

    /// Checks, and counts a refusal before it is known whether it is one: neither parallel requests
    /// pass, nor who does not wait for the answer. `give_back` takes it back.
    pub fn begin(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), ApiError> {
        let Some(network) = client.holder() else { return Ok(()) };
        let mut debts = self.debts.lock();
        self.has_some(&debts, network, now_ms)?;
        self.owe(&mut debts, network, now_ms);
        Ok(())
    }

    /// It was no refusal.
    pub fn give_back(&self, client: &ClientNetwork) {
        let Some(network) = client.holder() else { return };
        if let Some(until_ms) = self.debts.lock().until_ms.get_mut(&network) {
            *until_ms -= self.each_ms;
        }
    }

    fn has_some(&self, debts: &Debts, network: IpAddr, now_ms: i64) -> Result<(), ApiError> {
        let until_ms = debts.until_ms.get(&network).copied().unwrap_or(now_ms);
        let wait_ms = until_ms + self.each_ms - self.burst_ms - now_ms;
        if wait_ms <= 0 {
            return Ok(());
        }
        Err(ApiError::TOO_MANY.retry_after(wait_ms.unsigned_abs().div_ceil(1000)))
    }

    fn owe(&self, debts: &mut Debts, network: IpAddr, now_ms: i64) {
        debts.sweep(now_ms);
        let until_ms = debts.until_ms.entry(network).or_insert(now_ms);
        // Many at once may pass the check; more than the budget is never owed.
        *until_ms = ((*until_ms).max(now_ms) + self.each_ms).min(now_ms + self.burst_ms);
    }
}

impl Debts {
    fn sweep(&mut self, now_ms: i64) {
        if self.until_ms.len() < self.sweep_at {
            return;
        }
        self.until_ms.retain(|_, until_ms| *until_ms > now_ms);
        if self.until_ms.len() >= NETWORKS_MAX {
            self.until_ms.clear();
        }
        self.sweep_at = (self.until_ms.len() * 2).clamp(NETWORKS_SWEEP_MIN, NETWORKS_MAX);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header::RETRY_AFTER;
    use axum::response::IntoResponse;

    use super::*;

    fn client(address: &str, is_trusted: bool) -> ClientNetwork {
        ClientNetwork { network: address.parse().expect("an address"), is_trusted }
    }

    #[test]
    fn a_network_may_be_refused_so_often_and_is_told_when_it_may_come_again() {
        let refusals = Refusals::new(3, 2_000);
        let (one, other) = (client("203.0.113.1", false), client("203.0.113.2", false));
        let retry_s = |now_ms| {
            let error = refusals.check(&one, now_ms).expect_err("the budget is spent");
            error.into_response().headers()[RETRY_AFTER].to_str().expect("a number").to_owned()
        };
        for _ in 0..3 {
            assert_eq!(refusals.check(&one, 0), Ok(()));
            refusals.note(&one, 0);
        }
        assert_eq!(retry_s(0), "2");
        assert_eq!(retry_s(1_999), "1");
        assert_eq!(refusals.check(&other, 0), Ok(()));
        assert_eq!(refusals.check(&one, 2_000), Ok(()));
        // Those that were under way together owe no more than the budget.
        (0..100).for_each(|_| refusals.note(&one, 2_000));
        assert_eq!(retry_s(2_000), "2");
        assert_eq!(refusals.check(&one, 4_000), Ok(()));
    }

    #[test]
    fn trusted_networks_and_the_machine_itself_are_exempt() {
        let refusals = Refusals::new(1, 1_000);
        for exempt in [client("203.0.113.1", true), client("127.0.0.1", false)] {
            (0..100).for_each(|_| refusals.note(&exempt, 0));
            assert_eq!(refusals.check(&exempt, 0), Ok(()));
        }
    }

    #[test]
    fn networks_without_a_debt_are_forgotten() {
        let refusals = Refusals::new(1, 1_000);
        for number in 0..10_000_u32 {
            let network =
                client(&std::net::Ipv4Addr::from(number | 0x0a00_0000).to_string(), false);
            refusals.note(&network, i64::from(number) * 1_000);
        }
        assert!(refusals.debts.lock().until_ms.len() <= NETWORKS_SWEEP_MIN);
    }
}
