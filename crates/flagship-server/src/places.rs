//! Counted places: how many of something may be open at once, in all and for one holder.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::extract::{ClientNetwork, site_of};

/// The part of all places that one network may take: a quarter ...
const NETWORK_PART: usize = 4;
/// ... and a half where many players share an address: a trusted network, or the machine itself,
/// which may be a proxy that is not listed.
const SPARED_PART: usize = 2;

/// Places of which each is given back when it is dropped. `K` is whose they are: a network, a team.
pub struct Places<K> {
    max: usize,
    max_each: usize,
    taken: Mutex<Taken<K>>,
}

struct Taken<K> {
    all: usize,
    each: HashMap<K, usize>,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// All places are taken.
    Full,
    /// This holder has as many as one may have.
    TooMany,
}

/// A place, until it is dropped.
pub struct Place<K: Eq + Hash> {
    places: Arc<Places<K>>,
    holder: Option<K>,
}

impl<K: Clone + Eq + Hash> Places<K> {
    /// So many places in all, and for each holder.
    pub fn new(max: usize, max_each: usize) -> Arc<Self> {
        let taken = Mutex::new(Taken { all: 0, each: HashMap::new() });
        Arc::new(Self { max, max_each, taken })
    }

    /// Takes a place; without a holder it counts in all alone.
    pub fn take(self: &Arc<Self>, holder: Option<K>) -> Result<Place<K>, Refused> {
        self.take_of(holder, self.max_each)
    }

    /// The same for a holder who may have another number of places than the others.
    pub fn take_of(
        self: &Arc<Self>,
        holder: Option<K>,
        max_each: usize,
    ) -> Result<Place<K>, Refused> {
        let mut taken = self.taken.lock();
        if taken.all >= self.max {
            return Err(Refused::Full);
        }
        if let Some(holder) = &holder {
            let count = taken.each.entry(holder.clone()).or_insert(0);
            if *count >= max_each {
                return Err(Refused::TooMany);
            }
            *count += 1;
        }
        taken.all += 1;
        Ok(Place { places: self.clone(), holder })
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.taken.lock().all
    }
}

/// Places of which one network has a share, so that it keeps nobody else out. Who has one /64 of
/// IPv6 often has a whole /48, so all networks of a /48 have the share of one.
pub struct Shares {
    places: Arc<Places<IpAddr>>,
    max: usize,
}

impl Shares {
    /// So many places in all.
    pub fn new(max: usize) -> Self {
        Self { places: Places::new(max, max / NETWORK_PART), max }
    }

    /// Takes a place for a client.
    pub fn take(&self, client: &ClientNetwork) -> Result<Place<IpAddr>, Refused> {
        let is_spared = client.holder().is_none();
        let part = if is_spared { SPARED_PART } else { NETWORK_PART };
        self.places.take_of(Some(site_of(client.network)), self.max / part)
    }

    /// How many there are.
    #[cfg(test)]
    pub fn max(&self) -> usize {
        self.max
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.places.taken()
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        taken.all -= 1;
        let Some(holder) = &self.holder else { return };
        if let Some(count) = taken.each.get_mut(holder) {
            *count -= 1;
            if *count == 0 {
                taken.each.remove(holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_all_and_for_each_and_given_back() {
        let places = Places::new(5, 2);
        let hers: Vec<_> = (0..2).map(|_| places.take(Some("her")).expect("a place")).collect();
        assert_eq!(places.take(Some("her")).err(), Some(Refused::TooMany));
        let his = places.take(Some("him")).expect("another has places of his own");
        let spared: Vec<_> = (0..2).map(|_| places.take(None).expect("a place")).collect();
        assert_eq!(places.take(None).err(), Some(Refused::Full));
        assert_eq!(places.take(Some("him")).err(), Some(Refused::Full));
        drop(spared);
        assert_eq!(places.take(Some("her")).err(), Some(Refused::TooMany), "still");
        let third = places.take_of(Some("her"), 3).expect("her share is larger now");
        drop((hers, third));
        let again = places.take(Some("her")).expect("they were given back");
        drop((again, his));
        let taken = places.taken.lock();
        assert_eq!((taken.all, taken.each.len()), (0, 0), "nothing is kept of those who left");
    }
}
