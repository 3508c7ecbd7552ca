//! Fair turns: a limit in all, and one turn at a time for each organizer. An organizer who opens
//! many requests waits for the own ones, and another waits for at most one of each organizer.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The holder of turns that the node takes itself. Ids of organizers are positive.
pub const NODE: i64 = 0;

/// Turns, by the id of the organizer who takes one.
pub struct Turns {
    all: Arc<Semaphore>,
    by_holder: Mutex<HashMap<i64, Arc<Semaphore>>>,
    /// Organizers without a turn who wait for one.
    waiting: AtomicUsize,
}

/// An organizer who waits, until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A turn, until it is dropped.
pub struct Turn {
    _all: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

impl Turns {
    /// At most `max` turns at once.
    pub fn new(max: usize) -> Arc<Self> {
        let (by_holder, waiting) = Default::default();
        Arc::new(Self { all: Arc::new(Semaphore::new(max)), by_holder, waiting })
    }

    /// Waits for a turn of an organizer. Both queues are in order of arrival, and the one for all
    /// holders has at most one entry of each.
    pub async fn take(&self, holder: i64) -> Turn {
        let _own = self.own(holder).acquire_owned().await.expect("it is never closed");
        let _waiting = Waiting::begin(&self.waiting);
        let _all = self.all.clone().acquire_owned().await.expect("it is never closed");
        Turn { _all, _own }
    }

    /// True if an organizer without a turn waits for one.
    pub fn are_missed(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    fn own(&self, holder: i64) -> Arc<Semaphore> {
        let mut by_holder = self.by_holder.lock();
        // A turn, and waiting for one, hold a reference.
        by_holder.retain(|_, own| Arc::strong_count(own) > 1);
        by_holder.entry(holder).or_insert_with(|| Arc::new(Semaphore::new(1))).clone()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn an_organizer_waits_for_one_turn_of_another_who_asks_for_many() {
        let turns = Turns::new(1);
        let running = turns.take(1).await;
        let mut many: Vec<_> = (0..8).map(|_| Box::pin(turns.take(1))).collect();
        assert!(many.iter_mut().all(|it| it.now_or_never().is_none()));
        let mut other = Box::pin(turns.take(2));
        assert!(!turns.are_missed(), "own requests do not count");
        assert!((&mut other).now_or_never().is_none(), "the only turn is taken");
        assert!(turns.are_missed());
        drop(running);
        let first = (&mut many[0]).now_or_never();
        assert!(first.is_none(), "the other was before in the queue for all");
        let other = (&mut other).now_or_never();
        assert!(other.is_some(), "it waited for one turn, not for nine");
        drop(other);
        assert!((&mut many[0]).now_or_never().is_some(), "the many have their turns too");
        drop(many);
        drop(turns.take(3).await);
        assert!(turns.by_holder.lock().len() <= 1, "nothing is kept of those without a turn");
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
