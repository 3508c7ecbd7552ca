//! Attempts across nodes: signups, requested emails, failed logins. `accounts::Limits` counts them
//! in the memory of each node; several nodes also count them together in the database. A single
//! node keeps its attempts in memory, and writes them to the database once another node joins.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_store::nodes::{self, ATTEMPT_WINDOW_MAX_MS, CountTransaction};
use flagship_store::{Clock, Db, Key, StoreError};
use parking_lot::Mutex;

use super::Nodes;
use crate::node::error::NodeError;
use crate::node::limits::accounts::Budget;
use crate::node::limits::window::{Limit, seconds_until};
use crate::node::report::report;

/// Maximum attempts in memory per window length. Beyond that, the oldest are dropped.
const REMEMBERED_MAX: usize = 100_000;
/// Maximum time that an attempt waits for a node that is joining or has died.
const WAIT_MAX: Duration = Duration::from_secs(2);
/// Pause before the attempt checks again.
const WAIT_PAUSE: Duration = Duration::from_millis(20);

/// An attempt: its id, its bucket and its time.
type Remembered = (i64, String, i64);
/// A budget, and its bucket in the database.
type Counted<'a> = (&'a Budget<'a>, String);
/// Ids of an attempt in each budget, with the window length of the budget.
type Ids = Vec<(i64, i64)>;

pub struct Attempts {
    db: Db,
    clock: Clock,
    key: Key,
    nodes: Arc<Nodes>,
    /// Attempts counted while this node was alone, including those in progress, by window length,
    /// oldest first.
    remembered: Mutex<HashMap<i64, VecDeque<Remembered>>>,
    /// Held during a transaction, so that waiting attempts hold no connection.
    turn: tokio::sync::Mutex<()>,
    /// Last time at which several nodes were running. Their attempts are in the database.
    shared_at: Mutex<Option<Instant>>,
}

/// An attempt counted across nodes, unless it is given back.
pub struct SharedAttempt {
    attempts: Arc<Attempts>,
    ids: Ids,
}

impl Attempts {
    /// Creates an empty counter.
    pub fn new(db: Db, clock: Clock, key: Key, nodes: Arc<Nodes>) -> Arc<Self> {
        let (remembered, turn, shared_at) = Default::default();
        Arc::new(Self { db, clock, key, nodes, remembered, turn, shared_at })
    }

    /// Writes the attempts in memory to the database.
    pub async fn write(&self, counting: &mut CountTransaction) -> Result<(), StoreError> {
        self.are_shared();
        let remembered = std::mem::take(&mut *self.remembered.lock());
        let now_ms = counting.now_ms;
        let still = remembered.into_iter().flat_map(|(window_ms, attempts)| {
            attempts.into_iter().filter(move |(_, _, at_ms)| *at_ms > now_ms - window_ms)
        });
        counting.note_attempts(&still.collect::<Vec<_>>()).await
    }

    /// Records that several nodes count together now.
    pub fn are_shared(&self) {
        *self.shared_at.lock() = Some(Instant::now());
    }

    fn is_shared(&self) -> bool {
        let window = Duration::from_millis(ATTEMPT_WINDOW_MAX_MS.unsigned_abs());
        self.nodes.are_several() || self.shared_at.lock().is_some_and(|at| at.elapsed() < window)
    }

    /// Counts an attempt in memory and returns its id in each budget; `None` if it must be counted
    /// in the database.
    fn remember(&self, budgets: &[Counted<'_>]) -> Option<Ids> {
        let mut remembered = self.remembered.lock();
        // Checked under the lock, because `write` runs only once and would miss later attempts.
        if self.is_shared() {
            return None;
        }
        let at_ms = self.clock.now_ms();
        let remember = |(budget, bucket): &Counted<'_>| {
            let (id, window_ms) = (random_id(), budget.limit.window_ms);
            let attempts = remembered.entry(window_ms).or_default();
            let is_past = |(_, _, first_ms): &Remembered| first_ms + window_ms <= at_ms;
            while attempts.len() == REMEMBERED_MAX || attempts.front().is_some_and(is_past) {
                attempts.pop_front();
            }
            attempts.push_back((id, bucket.clone(), at_ms));
            (id, window_ms)
        };
        Some(budgets.iter().map(remember).collect())
    }

    /// Begins an attempt under all budgets. If one has no room, the attempt counts under none.
    pub async fn begin(
        self: &Arc<Self>,
        budgets: &[Budget<'_>],
    ) -> Result<SharedAttempt, NodeError> {
        let limited = budgets.iter().filter(|budget| budget.limit.count_max > 0);
        let counted: Vec<Counted<'_>> = limited.map(|it| (it, self.bucket(it))).collect();
        let ids = if counted.is_empty() { Ids::new() } else { self.count(&counted).await? };
        Ok(SharedAttempt { attempts: self.clone(), ids })
    }

    fn bucket(&self, budget: &Budget<'_>) -> String {
        let parts: Vec<&str> = budget.key_parts.iter().map(String::as_str).collect();
        self.key.mac("attempt", &parts)
    }

    /// Counts an attempt in memory or in the database, and returns its ids.
    async fn count(&self, budgets: &[Counted<'_>]) -> Result<Ids, NodeError> {
        let begun = Instant::now();
        loop {
            let ids = match self.remember(budgets) {
                None => self.reserve(budgets).await?,
                remembered => remembered,
            };
            if let Some(ids) = ids {
                return Ok(ids);
            }
            if begun.elapsed() > WAIT_MAX {
                return Err(NodeError::Busy);
            }
            tokio::time::sleep(WAIT_PAUSE).await;
        }
    }

    /// Counts an attempt in the database and returns its ids; `None` if a node does not share its
    /// counts yet.
    async fn reserve(&self, budgets: &[Counted<'_>]) -> Result<Option<Ids>, NodeError> {
        let _turn = self.turn.lock().await;
        let mut counting = nodes::count(&self.db, &self.clock).await?;
        if !self.nodes.all_share(&counting.nodes().await?) {
            return Ok(None);
        }
        let now_ms = counting.now_ms;
        for (budget, bucket) in budgets {
            let Limit { count_max, window_ms } = budget.limit;
            if let Some(free_at_ms) = counting.full_until_ms(bucket, count_max, window_ms).await? {
                budget.note_refusal(free_at_ms, now_ms);
                return Err(NodeError::Throttled {
                    retry_after_s: seconds_until(free_at_ms, now_ms),
                });
            }
        }
        let ids: Ids = budgets.iter().map(|it| (random_id(), it.0.limit.window_ms)).collect();
        let rows = ids.iter().zip(budgets).map(|((id, _), (_, bucket))| (*id, bucket, now_ms));
        counting.note_attempts(&rows.collect::<Vec<_>>()).await?;
        counting.commit().await?;
        Ok(Some(ids))
    }

    /// Deletes an attempt that must not count.
    async fn give_back(&self, mut ids: Ids) -> Result<(), StoreError> {
        {
            let mut remembered = self.remembered.lock();
            ids.retain(|(id, window_ms)| {
                let Some(attempts) = remembered.get_mut(window_ms) else { return true };
                let index = attempts.iter().rposition(|(it, ..)| it == id);
                index.and_then(|index| attempts.remove(index)).is_none()
            });
        }
        if ids.is_empty() || !self.is_shared() {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        let mut counting = nodes::count(&self.db, &self.clock).await?;
        for (id, _) in ids {
            counting.forget_attempt(id).await?;
        }
        counting.commit().await
    }
}

impl SharedAttempt {
    /// Ends the attempt without counting it.
    pub async fn give_back(self) {
        if let Err(error) = self.attempts.give_back(self.ids).await {
            report(&error, "an attempt that was given back is still counted");
        }
    }
}

fn random_id() -> i64 {
    rand::random_range(1..i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use flagship_pack::Live;
    use flagship_testkit::{TestDb, on_both_engines};

    use super::*;
    use crate::net::address::ClientNetwork;
    use crate::node::flags::budgets::Budgets;
    use crate::node::limits::accounts::Limits;
    use crate::node::settings::LiveSettings;

    on_both_engines! {
        async fn attempts_under_way_count_when_a_node_joins(engine: Engine) {
            let test = TestDb::new(engine).await;
            let clock = Clock::manual(0);
            let settings = LiveSettings::new(Live::default());
            let budgets = Arc::new(Budgets::new(settings.clone()));
            let joined = Nodes::join(test.db.clone(), &clock, budgets).await;
            let nodes = Arc::new(joined.expect("it joins").0);
            let key = Key::new(&[1; 32]);
            let attempts = Attempts::new(test.db.clone(), clock.clone(), key, nodes);
            let limits = Limits::new(&settings);
            let network = Ipv4Addr::LOCALHOST.into();
            let client = ClientNetwork { network, trusted: None };
            let log_in = async || {
                let begun = attempts.begin(&[limits.login("#1", &client)]).await;
                begun.expect("there is room")
            };
            drop(log_in().await);
            log_in().await.give_back().await;
            let (fails, succeeds) = (log_in().await, log_in().await);
            let mut counting = nodes::count(&test.db, &clock).await.expect("the lock is free");
            attempts.write(&mut counting).await.expect("it writes");
            counting.commit().await.expect("it commits");
            let rows = async || test.rows::<(i64,)>("select id from attempts").await.len();
            assert_eq!(rows().await, 3, "one attempt that failed and two under way");
            drop(fails);
            succeeds.give_back().await;
            assert_eq!(rows().await, 2, "the successful one does not count");
        }
    }
}
