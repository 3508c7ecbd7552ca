//! Failed logins and signups, beside other nodes: what `accounts::Limits` counts in the memory of
//! each, they also count together in the database. A node that is alone only remembers them, to
//! write them down once another joins.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use flagship_store::StoreError;
use flagship_store::nodes::{self, ATTEMPT_WINDOW_MAX_MS, Counting};
use parking_lot::Mutex;

use crate::accounts::{MINUTE_MS, typed_key};
use crate::app::App;
use crate::error::{self, ApiError};
use crate::extract::{ClientNetwork, site_of};

/// Attempts of a window that a node remembers; of more it forgets the oldest.
const REMEMBERED_MAX: usize = 100_000;
/// How long an attempt waits for a node that joins or died.
const WAIT_MAX: Duration = Duration::from_secs(2);
/// Pause before it looks again.
const WAIT_PAUSE: Duration = Duration::from_millis(20);

/// The attempts that a node counted while it was alone.
#[derive(Default)]
pub struct Attempts {
    /// By their window: bucket and time, oldest first.
    remembered: Mutex<HashMap<i64, VecDeque<(String, i64)>>>,
    /// Held by the one that is in a transaction: the others hold no connection.
    turn: tokio::sync::Mutex<()>,
    /// When there were several nodes last: what they counted is in the database.
    shared_at: Mutex<Option<Instant>>,
}

/// An attempt under way. Dropped, it counts.
pub struct Shared {
    app: App,
    at_ms: i64,
    window_ms: i64,
    /// The digest of whose it is; none once it is given back.
    bucket: Option<String>,
    /// Its row, where several nodes count.
    row: Option<i64>,
}

impl Attempts {
    /// Writes down what was counted in memory.
    pub async fn write(&self, counting: &mut Counting) -> Result<(), StoreError> {
        self.are_shared();
        let remembered = std::mem::take(&mut *self.remembered.lock());
        let now_ms = counting.now_ms;
        let still = remembered.into_iter().flat_map(|(window_ms, attempts)| {
            attempts.into_iter().filter(move |(_, at_ms)| *at_ms > now_ms - window_ms)
        });
        counting.note_attempts(&still.collect::<Vec<_>>()).await
    }

    /// Several nodes count now.
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
}

impl App {
    /// Begins a login beside all nodes.
    pub(crate) async fn attempt_login(
        &self,
        account: Option<i64>,
        typed: &str,
        client: &ClientNetwork,
    ) -> Result<Shared, ApiError> {
        let who = account.map_or_else(|| typed_key(typed), |id| format!("#{id}"));
        let count_max = self.config().settings.limits.failed_logins_per_team_per_minute;
        let site = site_of(client.network).to_string();
        self.attempt(&["login", &who, &site], count_max, MINUTE_MS).await
    }

    /// Begins a signup beside all nodes.
    pub(crate) async fn attempt_signup(&self, client: &ClientNetwork) -> Result<Shared, ApiError> {
        let limits = &self.config().settings.limits;
        let count_max = if client.is_trusted { 0 } else { limits.signups_per_network_per_hour };
        let whose = ["signup", &client.network.to_string()];
        self.attempt(&whose, count_max, ATTEMPT_WINDOW_MAX_MS).await
    }

    /// Takes a place for an attempt among those of all nodes. `whose` says what is counted and for
    /// whom; a count of 0 is no limit.
    async fn attempt(
        &self,
        whose: &[&str],
        count_max: u32,
        window_ms: i64,
    ) -> Result<Shared, ApiError> {
        let bucket = self.config().key.mac("attempt", whose);
        let (app, at_ms) = (self.clone(), self.clock.now_ms());
        let mut shared = Shared { app, at_ms, window_ms, bucket: None, row: None };
        if count_max == 0 {
            return Ok(shared);
        }
        let begun = Instant::now();
        while self.nodes.are_several() || self.attempts.were_shared() {
            let turn = self.attempts.turn.lock().await;
            let mut counting = nodes::count(&self.db, &self.clock).await?;
            if self.nodes.all_share(&counting.nodes().await?) {
                let place = counting.attempt(&bucket, count_max as usize, window_ms).await?;
                let now_ms = counting.now_ms;
                shared.row = Some(place.map_err(|free_at_ms| {
                    let wait_s = (free_at_ms - now_ms).max(1).unsigned_abs().div_ceil(1000);
                    ApiError::TOO_MANY.retry_after(wait_s)
                })?);
                counting.commit().await?;
                break;
            }
            drop((counting, turn));
            if begun.elapsed() > WAIT_MAX {
                return Err(ApiError::overload());
            }
            tokio::time::sleep(WAIT_PAUSE).await;
        }
        shared.bucket = Some(bucket);
        Ok(shared)
    }
}

impl Shared {
    /// It does not count.
    pub async fn give_back(mut self) {
        self.bucket = None;
        let Some(id) = self.row else { return };
        if let Err(error) = forget(&self.app, id).await {
            error::report(&error, "an attempt that does not count is counted");
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let Some(bucket) = self.bucket.take().filter(|_| self.row.is_none()) else { return };
        let (app, at_ms) = (self.app.clone(), self.at_ms);
        if !app.nodes.are_several() {
            return app.attempts.remember(bucket, at_ms, self.window_ms);
        }
        // Another node joined meanwhile.
        tokio::spawn(async move {
            if let Err(error) = note(&app, bucket, at_ms).await {
                error::report(&error, "an attempt is not counted");
            }
        });
    }
}

async fn note(app: &App, bucket: String, at_ms: i64) -> Result<(), StoreError> {
    let _turn = app.attempts.turn.lock().await;
    let mut counting = nodes::count(&app.db, &app.clock).await?;
    counting.note_attempts(&[(bucket, at_ms)]).await?;
    counting.commit().await
}

async fn forget(app: &App, id: i64) -> Result<(), StoreError> {
    let _turn = app.attempts.turn.lock().await;
    let mut counting = nodes::count(&app.db, &app.clock).await?;
    counting.forget_attempt(id).await?;
    counting.commit().await
}
