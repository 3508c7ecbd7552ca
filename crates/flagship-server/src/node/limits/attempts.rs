//! Failed logins and signups across nodes. `accounts::Limits` counts them in the memory of each
//! node; several nodes also count them together in the database. A single node only remembers them,
//! and writes them to the database once another node joins.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_store::nodes::{self, ATTEMPT_WINDOW_MAX_MS, Counting};
use flagship_store::{Clock, Db, Key, StoreError};
use parking_lot::Mutex;

use super::accounts::MINUTE_MS;
use super::window::{Limit, seconds_until};
use crate::net::address::{ClientNetwork, site_of};
use crate::node::error::NodeError;
use crate::node::nodes::Nodes;
use crate::node::report::report;
use crate::node::settings::LiveSettings;

/// Attempts that a node remembers for one length of window; beyond that it forgets the oldest.
const REMEMBERED_MAX: usize = 100_000;
/// How long an attempt waits for a node that joins or died.
const WAIT_MAX: Duration = Duration::from_secs(2);
/// Pause before it checks again.
const WAIT_PAUSE: Duration = Duration::from_millis(20);

/// The attempts that this node counts.
pub struct Attempts {
    db: Db,
    clock: Clock,
    key: Key,
    settings: LiveSettings,
    nodes: Arc<Nodes>,
    /// Attempts counted while this node was alone, by length of window: bucket and time, oldest
    /// first.
    remembered: Mutex<HashMap<i64, VecDeque<(String, i64)>>>,
    /// Held during a transaction, so that waiting attempts hold no connection.
    turn: tokio::sync::Mutex<()>,
    /// When there were last several nodes, whose attempts are in the database.
    shared_at: Mutex<Option<Instant>>,
}

/// An attempt under way, counted across nodes. It counts when it is dropped.
pub struct SharedAttempt {
    attempts: Arc<Attempts>,
    at_ms: i64,
    window_ms: i64,
    /// The digest of whose attempt it is; `None` once it is given back.
    bucket: Option<String>,
    /// Its row in the database, if several nodes count.
    row: Option<i64>,
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
            attempts.into_iter().filter(move |(_, at_ms)| *at_ms > now_ms - window_ms)
        });
        counting.note_attempts(&still.collect::<Vec<_>>()).await
    }

    /// Notes that several nodes count now.
    pub fn are_shared(&self) {
        *self.shared_at.lock() = Some(Instant::now());
    }

    fn were_shared(&self) -> bool {
        let window = Duration::from_millis(ATTEMPT_WINDOW_MAX_MS.unsigned_abs());
        self.shared_at.lock().is_some_and(|at| at.elapsed() < window)
    }

    fn remember(&self, bucket: String, at_ms: i64, window_ms: i64) {
        let mut remembered = self.remembered.lock();
        let attempts = remembered.entry(window_ms).or_default();
        let is_past = |(_, first_ms): &(String, i64)| first_ms + window_ms <= at_ms;
        while attempts.len() == REMEMBERED_MAX || attempts.front().is_some_and(is_past) {
            attempts.pop_front();
        }
        attempts.push_back((bucket, at_ms));
    }

    /// Begins a login, counted across nodes. `who` comes from [`super::accounts::whose`].
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
        let count_max = if client.is_trusted { 0 } else { per_hour };
        let limit = Limit::new(count_max, ATTEMPT_WINDOW_MAX_MS);
        self.begin(&["signup", &client.network.to_string()], limit).await
    }

    /// Begins an attempt. `whose` says what is counted, and for whom.
    async fn begin(
        self: &Arc<Self>,
        whose: &[&str],
        limit: Limit,
    ) -> Result<SharedAttempt, NodeError> {
        let Limit { count_max, window_ms } = limit;
        let bucket = self.key.mac("attempt", whose);
        let (attempts, at_ms) = (self.clone(), self.clock.now_ms());
        let mut shared = SharedAttempt { attempts, at_ms, window_ms, bucket: None, row: None };
        if count_max == 0 {
            return Ok(shared);
        }
        let begun = Instant::now();
        while self.nodes.are_several() || self.were_shared() {
            let turn = self.turn.lock().await;
            let mut counting = nodes::count(&self.db, &self.clock).await?;
            if self.nodes.all_share(&counting.nodes().await?) {
                let row = counting.attempt(&bucket, count_max, window_ms).await?;
                let now_ms = counting.now_ms;
                shared.row = Some(row.map_err(|free_at_ms| NodeError::Throttled {
                    retry_after_s: seconds_until(free_at_ms, now_ms),
                })?);
                counting.commit().await?;
                break;
            }
            drop((counting, turn));
            if begun.elapsed() > WAIT_MAX {
                return Err(NodeError::Busy);
            }
            tokio::time::sleep(WAIT_PAUSE).await;
        }
        shared.bucket = Some(bucket);
        Ok(shared)
    }

    async fn note(&self, bucket: String, at_ms: i64) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let mut counting = nodes::count(&self.db, &self.clock).await?;
        counting.note_attempts(&[(bucket, at_ms)]).await?;
        counting.commit().await
    }

    async fn forget(&self, row: i64) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let mut counting = nodes::count(&self.db, &self.clock).await?;
        counting.forget_attempt(row).await?;
        counting.commit().await
    }
}

impl SharedAttempt {
    /// Ends the attempt without counting it.
    pub async fn give_back(mut self) {
        self.bucket = None;
        let Some(row) = self.row else { return };
        if let Err(error) = self.attempts.forget(row).await {
            report(&error, "an attempt that was given back is still counted");
        }
    }
}

impl Drop for SharedAttempt {
    fn drop(&mut self) {
        let Some(bucket) = self.bucket.take().filter(|_| self.row.is_none()) else { return };
        let (attempts, at_ms) = (self.attempts.clone(), self.at_ms);
        if !attempts.nodes.are_several() {
            return attempts.remember(bucket, at_ms, self.window_ms);
        }
        // Another node joined meanwhile.
        tokio::spawn(async move {
            if let Err(error) = attempts.note(bucket, at_ms).await {
                report(&error, "an attempt is not counted");
            }
        });
    }
}
