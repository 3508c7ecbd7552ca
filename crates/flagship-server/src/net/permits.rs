//! Counted permits: a limit on concurrent use, in total and per holder.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use super::address::{ClientNetwork, ShareKey, site_of};

/// Divisor for the permits of one network: a quarter of all permits.
const NETWORK_PART: usize = 4;
/// Divisor for the permits of a network whose address many players share: half of all permits.
/// These are trusted networks, and this machine, which can be an unlisted proxy.
const EXEMPT_PART: usize = 2;
/// Multiple of one network's permits that all networks of an IPv6 /48 may hold together.
const SITE_SHARES: usize = 4;

/// Permits that are returned when dropped. `K` identifies the holder: a network, a team.
pub struct Permits<K> {
    max: usize,
    max_each: usize,
    held: Mutex<PermitCounts<K>>,
}

struct PermitCounts<K> {
    all: usize,
    by_holder: HashMap<K, usize>,
}

/// Reason for denying a permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermitError {
    Full,
    /// The holder has reached its own limit.
    TooMany,
}

/// A permit, returned when dropped.
pub struct Permit<K: Eq + Hash> {
    permits: Arc<Permits<K>>,
    holder: Option<K>,
}

impl<K: Clone + Eq + Hash> Permits<K> {
    /// Creates a pool of `max` permits, with at most `max_each` per holder.
    pub fn new(max: usize, max_each: usize) -> Arc<Self> {
        let held = Mutex::new(PermitCounts { all: 0, by_holder: HashMap::new() });
        Arc::new(Self { max, max_each, held })
    }

    /// Acquires a permit. Without a holder, only the total limit applies.
    pub fn acquire(self: &Arc<Self>, holder: Option<K>) -> Result<Permit<K>, PermitError> {
        self.acquire_within(holder, self.max_each)
    }

    /// Acquires a permit for a holder with its own limit `max_each`.
    pub fn acquire_within(
        self: &Arc<Self>,
        holder: Option<K>,
        max_each: usize,
    ) -> Result<Permit<K>, PermitError> {
        let mut held = self.held.lock();
        if held.all >= self.max {
            return Err(PermitError::Full);
        }
        if let Some(holder) = &holder {
            let count = held.by_holder.entry(holder.clone()).or_insert(0);
            if *count >= max_each {
                return Err(PermitError::TooMany);
            }
            *count += 1;
        }
        held.all += 1;
        Ok(Permit { permits: self.clone(), holder })
    }

    pub fn held(&self) -> usize {
        self.held.lock().all
    }
}

/// Permits with a share for each network, so that one network cannot use them all. The owner of an
/// IPv6 /64 often has a whole /48, so all networks of a /48 have one share, as do all addresses of
/// a trusted network.
pub struct NetworkPermits(Arc<Permits<ShareKey>>);

impl NetworkPermits {
    /// Creates a pool of `max` permits, at most a quarter of them for one network.
    pub fn new(max: usize) -> Self {
        Self::with_share(max, max / NETWORK_PART)
    }

    /// Creates a pool of `max` permits, with at most `max_each` for one network.
    pub fn with_share(max: usize, max_each: usize) -> Self {
        Self(Permits::new(max, max_each))
    }

    pub fn acquire(&self, client: &ClientNetwork) -> Result<Permit<ShareKey>, PermitError> {
        let Permits { max, max_each, .. } = *self.0;
        let is_exempt = client.holder().is_none();
        let max_each = if is_exempt { max / EXEMPT_PART } else { max_each };
        self.0.acquire_within(Some(client.share_key()), max_each)
    }

    #[cfg(test)]
    pub fn max(&self) -> usize {
        self.0.max
    }

    pub fn held(&self) -> usize {
        self.0.held()
    }
}

/// Permits with one limit for each network (an IPv4 address or an IPv6 /64) and a higher limit for
/// each IPv6 /48.
pub struct SitePermits {
    networks: Arc<Permits<IpAddr>>,
    sites: Arc<Permits<IpAddr>>,
}

/// A permit for a network and one for its /48, both returned when dropped.
pub type SitePermit = [Permit<IpAddr>; 2];

impl SitePermits {
    /// Creates a pool of `max` permits, with at most `max_each` for one network. A /48 may hold
    /// four times as many, but at most a quarter of all.
    pub fn new(max: usize, max_each: usize) -> Self {
        let max_site = (max_each * SITE_SHARES).min((max / NETWORK_PART).max(max_each));
        Self { networks: Permits::new(max, max_each), sites: Permits::new(max, max_site) }
    }

    pub fn with_same_limits(&self) -> Self {
        let new = |it: &Permits<_>| Permits::new(it.max, it.max_each);
        Self { networks: new(&self.networks), sites: new(&self.sites) }
    }

    /// Acquires a permit for a network. Without one, only the total limit applies.
    pub fn acquire(&self, network: Option<IpAddr>) -> Result<SitePermit, PermitError> {
        let site = self.sites.acquire(network.map(site_of))?;
        Ok([self.networks.acquire(network)?, site])
    }

    pub fn held(&self) -> usize {
        self.networks.held()
    }
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut held = self.permits.held.lock();
        held.all -= 1;
        let Some(holder) = &self.holder else { return };
        if let Some(count) = held.by_holder.get_mut(holder) {
            *count -= 1;
            if *count == 0 {
                held.by_holder.remove(holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::*;

    #[test]
    fn an_ipv6_48_has_the_permits_of_four_networks() {
        let network =
            |site, i| Some(IpAddr::from(Ipv6Addr::new(0x2001, 0xdb8, site, i, 0, 0, 0, 0)));
        let held = |max, each| {
            let permits = SitePermits::new(max, each);
            let all = (0..50u16).flat_map(|i| (0..each).map(move |_| network(1, i)));
            let held: Vec<_> = all.filter_map(|it| permits.acquire(it).ok()).collect();
            assert!(permits.acquire(network(9999, 1)).is_ok(), "another has permits");
            held.len()
        };
        assert_eq!((held(30_000, 1024), held(333, 83)), (4096, 83), "permits of one /48");
    }

    #[test]
    fn permits_are_limited_in_total_and_per_holder() {
        let permits = Permits::new(5, 2);
        let hers: Vec<_> =
            (0..2).map(|_| permits.acquire(Some("her")).expect("a permit")).collect();
        assert_eq!(permits.acquire(Some("her")).err(), Some(PermitError::TooMany));
        let his = permits.acquire(Some("him")).expect("another holder has permits too");
        let exempt: Vec<_> = (0..2).map(|_| permits.acquire(None).expect("a permit")).collect();
        assert_eq!(permits.acquire(None).err(), Some(PermitError::Full));
        assert_eq!(permits.acquire(Some("him")).err(), Some(PermitError::Full));
        drop(exempt);
        assert_eq!(permits.acquire(Some("her")).err(), Some(PermitError::TooMany), "still");
        let third = permits.acquire_within(Some("her"), 3).expect("her share is larger now");
        drop((hers, third));
        let again = permits.acquire(Some("her")).expect("they were returned");
        drop((again, his));
        let held = permits.held.lock();
        assert_eq!(
            (held.all, held.by_holder.len()),
            (0, 0),
            "nothing is kept of holders without permits"
        );
    }
}
