//! Permits that requests wait for in order of arrival: shares per holder, and fair turns for
//! organizers.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::swept::SweptMap;
use crate::node::error::NodeError;

/// Holder ID for turns that the node takes itself. Organizer IDs are positive.
pub const NODE: i64 = 0;

/// A set of permits.
#[derive(Clone)]
pub struct Share {
    permits: Arc<Semaphore>,
    /// Number of requests waiting for a permit.
    pub waiting: Arc<AtomicUsize>,
}

/// A set of permits per holder.
pub struct Shares<K> {
    max: usize,
    by_holder: Mutex<SweptMap<K, Share>>,
}

/// A waiting request. Counted until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Share {
    /// Creates a share with `max` permits.
    pub fn new(max: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(max)), waiting: Arc::default() }
    }

    /// Waits for a permit. Fails if `waiting_max` requests are already waiting.
    pub async fn acquire(&self, waiting_max: usize) -> Result<OwnedSemaphorePermit, NodeError> {
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= waiting_max {
            return Err(NodeError::Busy);
        }
        Ok(self.permits.clone().acquire_owned().await.expect("it is never closed"))
    }

    async fn wait(&self) -> OwnedSemaphorePermit {
        self.acquire(usize::MAX).await.expect("any number may wait")
    }
}

impl<K: Eq + Hash> Shares<K> {
    /// Allows `max` permits per holder.
    pub fn new(max: usize) -> Self {
        Self { max, by_holder: Mutex::default() }
    }

    pub fn share(&self, holder: K) -> Share {
        let mut by_holder = self.by_holder.lock();
        // Permits, and requests waiting for one, hold a reference to the semaphore.
        by_holder.sweep(|share| Arc::strong_count(&share.permits) > 1);
        by_holder.entries().entry(holder).or_insert_with(|| Share::new(self.max)).clone()
    }

    /// Number of holders in the map.
    #[cfg(test)]
    pub fn holders(&self) -> usize {
        self.by_holder.lock().entries().len()
    }
}

/// Fair turns by organizer ID: a global limit, and one turn at a time per organizer. An organizer
/// who opens many requests waits for their own. Others wait for at most one turn of each organizer.
pub struct Turns {
    all: Share,
    by_holder: Shares<i64>,
}

/// A turn, released when dropped.
pub struct Turn {
    _all: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

impl Turns {
    /// Allows at most `max` turns at once.
    pub fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { all: Share::new(max), by_holder: Shares::new(1) })
    }

    /// Waits for a turn. Both queues are in order of arrival, and the global queue has at most one
    /// entry per holder.
    pub async fn take(&self, holder: i64) -> Turn {
        let _own = self.by_holder.share(holder).wait().await;
        Turn { _all: self.all.wait().await, _own }
    }

    /// True if an organizer is waiting for a turn.
    pub fn has_waiters(&self) -> bool {
        self.all.waiting.load(Ordering::Relaxed) > 0
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::node::limits::swept::SWEEP_MIN;

    #[tokio::test]
    async fn an_organizer_waits_for_at_most_one_turn_of_another() {
        let turns = Turns::new(1);
        let running = turns.take(1).await;
        let mut many: Vec<_> = (0..8).map(|_| Box::pin(turns.take(1))).collect();
        assert!(many.iter_mut().all(|it| it.now_or_never().is_none()));
        let mut other = Box::pin(turns.take(2));
        assert!(!turns.has_waiters(), "own requests do not count");
        assert!((&mut other).now_or_never().is_none(), "the only turn is taken");
        assert!(turns.has_waiters());
        drop(running);
        let first = (&mut many[0]).now_or_never();
        assert!(first.is_none(), "the other was before in the queue for all");
        let other = (&mut other).now_or_never();
        assert!(other.is_some(), "it waited for one turn, not for nine");
        drop(other);
        assert!((&mut many[0]).now_or_never().is_some(), "the many have their turns too");
        drop(many);
        for holder in 3..10_000 {
            drop(turns.take(holder).await);
        }
        assert!(turns.by_holder.holders() <= SWEEP_MIN, "those without a turn are forgotten");
    }

    #[tokio::test]
    async fn one_organizer_leaves_the_other_turns_free() {
        let turns = Turns::new(2);
        let _first = turns.take(1).await;
        let mut again = Box::pin(turns.take(1));
        assert!((&mut again).now_or_never().is_none(), "one at a time");
        assert!(turns.take(2).now_or_never().is_some(), "another organizer waits for nothing");
    }
}
