//! Failed logins and signups across nodes. `accounts::Limits` counts them in the memory of each
//! node; several nodes also count them together in the database. A single node only remembers them,
//! and writes them to the database once another node joins.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_store::nodes::{self, ATTEMPT_WINDOW_MAX_MS, Counting};
use flagship_store::{Clock, Db, Key, StoreError};
use parking_lot::Mutex;

use super::Nodes;
use crate::net::address::{ClientNetwork, site_of};
use crate::node::error::NodeError;
use crate::node::limits::accounts::{MINUTE_MS, WRONG_CODES_PER_HOUR_MAX};
use crate::node::limits::window::{Limit, seconds_until};
use crate::node::report::report;
use crate::node::settings::LiveSettings;

/// Attempts that a node remembers for one length of window; beyond that it forgets the oldest.
const REMEMBERED_MAX: usize = 100_000;
/// How long an attempt waits for a node that joins or died.
const WAIT_MAX: Duration = Duration::from_secs(2);
/// Pause before it checks again.
const WAIT_PAUSE: Duration = Duration::from_millis(20);

/// An attempt: its id, whose it is, and its time.
type Remembered = (i64, String, i64);

/// The attempts that this node counts.
pub struct Attempts {
    db: Db,
    clock: Clock,
    key: Key,
    settings: LiveSettings,
    nodes: Arc<Nodes>,
    /// Attempts counted while this node was alone, also those under way, by length of window,
    /// oldest first.
    remembered: Mutex<HashMap<i64, VecDeque<Remembered>>>,
    /// Held during a transaction, so that waiting attempts hold no connection.
    turn: tokio::sync::Mutex<()>,
    /// When there were last several nodes, whose attempts are in the database.
    shared_at: Mutex<Option<Instant>>,
}

/// An attempt that is counted across nodes, unless it is given back.
pub struct SharedAttempt {
    attempts: Arc<Attempts>,
    window_ms: i64,
    /// `None` without a limit.
    id: Option<i64>,
}

impl Attempts {
    /// No attempts yet.
    pub fn new(
        db: Db,
        clock: Clock,
        key: Key,
        settings: LiveSettings,
        nodes: Arc<Nodes>,
    ) -> Arc<Self> {
        let (remembered, turn, shared_at) = Default::default();
        Arc::new(Self { db, clock, key, settings, nodes, remembered, turn, shared_at })
    }

    /// Writes the remembered attempts to the database.
    pub async fn write(&self, counting: &mut Counting) -> Result<(), StoreError> {
        self.are_shared();
        let remembered = std::mem::take(&mut *self.remembered.lock());
        let now_ms = counting.now_ms;
        let still = remembered.into_iter().flat_map(|(window_ms, attempts)| {
            attempts.into_iter().filter(move |(_, _, at_ms)| *at_ms > now_ms - window_ms)
        });
        counting.note_attempts(&still.collect::<Vec<_>>()).await
    }

    /// Notes that several nodes count now.
    pub fn are_shared(&self) {
        *self.shared_at.lock() = Some(Instant::now());
    }

    fn is_shared(&self) -> bool {
        let window = Duration::from_millis(ATTEMPT_WINDOW_MAX_MS.unsigned_abs());
        self.nodes.are_several() || self.shared_at.lock().is_some_and(|at| at.elapsed() < window)
    }

    /// Counts an attempt in memory and returns its id; `None` if the database counts.
    fn remember(&self, bucket: &str, window_ms: i64) -> Option<i64> {
        let mut remembered = self.remembered.lock();
        // Under the lock, because `write` does not come back for later ones.
        if self.is_shared() {
            return None;
        }
        let (id, at_ms) = (rand::random_range(1..i64::MAX), self.clock.now_ms());
        let attempts = remembered.entry(window_ms).or_default();
        let is_past = |(_, _, first_ms): &Remembered| first_ms + window_ms <= at_ms;
        while attempts.len() == REMEMBERED_MAX || attempts.front().is_some_and(is_past) {
            attempts.pop_front();
        }
        attempts.push_back((id, bucket.to_owned(), at_ms));
        Some(id)
    }

    /// Begins a login, counted across nodes. `who` comes from
    /// [`crate::node::limits::accounts::whose`].
    pub async fn log_in(
        self: &Arc<Self>,
        who: &str,
        client: &ClientNetwork,
    ) -> Result<SharedAttempt, NodeError> {
        let count_max = self.settings.load().limits.failed_logins_per_team_per_minute;
        let limit = Limit::new(count_max, MINUTE_MS);
        self.begin(&["login", who, &site_of(client.network).to_string()], limit).await
    }

    /// Begins a signup, counted across nodes.
    pub async fn sign_up(
        self: &Arc<Self>,
        client: &ClientNetwork,
    ) -> Result<SharedAttempt, NodeError> {
        let per_hour = self.settings.load().limits.signups_per_network_per_hour;
        let count_max = if client.is_trusted() { 0 } else { per_hour };
        let limit = Limit::new(count_max, ATTEMPT_WINDOW_MAX_MS);
        self.begin(&["signup", &client.network.to_string()], limit).await
    }

    /// Begins a proof of an organizer's second factor, counted across nodes, as
    /// [`crate::node::limits::accounts::Limits::prove`] counts it.
    pub async fn prove(
        self: &Arc<Self>,
        organizer: i64,
        is_proven: bool,
        is_code: bool,
        client: &ClientNetwork,
    ) -> Result<Vec<SharedAttempt>, NodeError> {
        let who = organizer.to_string();
        let count_max = self.settings.load().limits.failed_logins_per_team_per_minute;
        let site = site_of(client.network).to_string();
        let sessions = if is_proven { "proven" } else { "new" };
        let limit = Limit::new(count_max, MINUTE_MS);
        let own = self.begin(&["factor", &who, sessions, &site], limit).await?;
        if !is_code {
            return Ok(vec![own]);
        }
        let limit = Limit::new(WRONG_CODES_PER_HOUR_MAX, ATTEMPT_WINDOW_MAX_MS);
        match self.begin(&["factor", &who, sessions], limit).await {
            Ok(of_all) => Ok(vec![own, of_all]),
            Err(refused) => {
                own.give_back().await;
                Err(refused)
            }
        }
    }

    /// Begins an attempt. `whose` says what is counted, and for whom.
    async fn begin(
        self: &Arc<Self>,
        whose: &[&str],
        limit: Limit,
    ) -> Result<SharedAttempt, NodeError> {
        let (attempts, window_ms) = (self.clone(), limit.window_ms);
        if limit.count_max == 0 {
            return Ok(SharedAttempt { attempts, window_ms, id: None });
        }
        let bucket = self.key.mac("attempt", whose);
        let begun = Instant::now();
        loop {
            let id = match self.remember(&bucket, window_ms) {
                None => self.reserve(&bucket, limit).await?,
                remembered => remembered,
            };
            if id.is_some() {
                return Ok(SharedAttempt { attempts, window_ms, id });
            }
            if begun.elapsed() > WAIT_MAX {
                return Err(NodeError::Busy);
            }
            tokio::time::sleep(WAIT_PAUSE).await;
        }
    }

    /// Counts an attempt in the database and returns its id; `None` if a node does not share yet.
    async fn reserve(&self, bucket: &str, limit: Limit) -> Result<Option<i64>, NodeError> {
        let _turn = self.turn.lock().await;
        let mut counting = nodes::count(&self.db, &self.clock).await?;
        if !self.nodes.all_share(&counting.nodes().await?) {
            return Ok(None);
        }
        let reserved = counting.attempt(bucket, limit.count_max, limit.window_ms).await?;
        let now_ms = counting.now_ms;
        let id = reserved.map_err(|free_at_ms| NodeError::Throttled {
            retry_after_s: seconds_until(free_at_ms, now_ms),
        })?;
        counting.commit().await?;
        Ok(Some(id))
    }

    /// Forgets an attempt that is not to count.
    async fn give_back(&self, id: i64, window_ms: i64) -> Result<(), StoreError> {
        if let Some(attempts) = self.remembered.lock().get_mut(&window_ms)
            && let Some(index) = attempts.iter().rposition(|(it, ..)| *it == id)
        {
            attempts.remove(index);
            return Ok(());
        }
        if !self.is_shared() {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        let mut counting = nodes::count(&self.db, &self.clock).await?;
        counting.forget_attempt(id).await?;
        counting.commit().await
    }
}

impl SharedAttempt {
    /// Ends the attempt without counting it.
    pub async fn give_back(self) {
        let Some(id) = self.id else { return };
        if let Err(error) = self.attempts.give_back(id, self.window_ms).await {
            report(&error, "an attempt that was given back is still counted");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use flagship_pack::Live;
    use flagship_testkit::{TestDb, on_both_engines};

    use super::*;
    use crate::node::flags::budgets::Budgets;

    on_both_engines! {
        async fn attempts_under_way_count_when_a_node_joins(engine: Engine) {
            let test = TestDb::new(engine).await;
            let clock = Clock::manual(0);
            let settings = LiveSettings::new(Live::default());
            let budgets = Arc::new(Budgets::new(settings.clone()));
            let joined = Nodes::join(test.db.clone(), &clock, budgets).await;
            let nodes = Arc::new(joined.expect("it joins").0);
            let key = Key::new(&[1; 32]);
            let attempts = Attempts::new(test.db.clone(), clock.clone(), key, settings, nodes);
            let network = Ipv4Addr::LOCALHOST.into();
            let client = ClientNetwork { network, trusted: None };
            let log_in = async || attempts.log_in("#1", &client).await.expect("there is room");
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
