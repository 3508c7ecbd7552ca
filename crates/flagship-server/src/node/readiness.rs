//! Readiness of the node: the database can be read and written, and the fold has all entries. The
//! result reveals nothing about the contest. One cheap check serves all requests within a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_store::{Db, health};
use tokio::sync::Mutex;

use super::board::feed::Feed;
use super::lane::Lane;
use super::report::in_time;
use crate::net::shared_work::finish;
use crate::net::shutdown::Shutdown;

/// Time limit of a check.
const CHECK_MAX: Duration = Duration::from_secs(2);
/// Time for which a result is reused.
const REUSED_MAX: Duration = Duration::from_secs(1);
/// Age of a result after which a new check starts.
const KNOWN_MAX: Duration = Duration::from_secs(5);
/// Pause before each comparison of the fold with the journal.
const FOLD_PAUSE: Duration = Duration::from_millis(100);

/// Reason why the node is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    #[error("the node is draining")]
    Draining,
    #[error("the journal has a newer format than this program reads")]
    NewerFormat,
    #[error("the database does not answer")]
    NoDatabase,
    #[error("the journal cannot be written to")]
    NoWrites,
    #[error("the fold is behind the journal")]
    Behind,
}

/// Checks whether the node is ready.
pub struct Readiness {
    db: Db,
    lane: Arc<Lane>,
    feed: Arc<Feed>,
    draining: Shutdown,
    /// Last result, with the time at which it was found.
    last: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

impl Readiness {
    /// Creates a checker without a result. `draining` becomes true when the node drains.
    pub fn new(db: Db, lane: Arc<Lane>, feed: Arc<Feed>, draining: Shutdown) -> Self {
        Self { db, lane, feed, draining, last: Mutex::default() }
    }

    /// Checks if the node can accept flags; the error is the reason.
    pub async fn check(self: &Arc<Self>) -> Result<(), Unready> {
        if *self.draining.borrow() {
            return Err(Unready::Draining);
        }
        if self.lane.is_read_only() {
            return Err(Unready::NewerFormat);
        }
        let readiness = self.clone();
        finish(async move { readiness.last_or_now().await }).await
    }

    /// Returns the last result, if any, without waiting. If it is old, starts a new check for the
    /// next caller.
    pub fn known(self: &Arc<Self>) -> Option<Result<(), Unready>> {
        let last = self.last.try_lock().ok()?.map(|(at, found)| (at.elapsed(), found));
        if last.is_none_or(|(age, _)| age > KNOWN_MAX) {
            let readiness = self.clone();
            tokio::spawn(async move { readiness.check().await });
        }
        last.map(|(_, found)| found)
    }

    /// Returns the last result if it is recent, otherwise the result of a new check.
    async fn last_or_now(&self) -> Result<(), Unready> {
        let mut last = self.last.lock().await;
        if let Some((at, found)) = *last
            && at.elapsed() < REUSED_MAX
        {
            return found;
        }
        let found = self.check_now().await;
        *last = Some((Instant::now(), found));
        found
    }

    async fn check_now(&self) -> Result<(), Unready> {
        let end = Instant::now() + CHECK_MAX;
        let what = "this node is not ready";
        let seq = in_time(CHECK_MAX, health::last_seq(&self.db), what).await;
        let seq = seq.ok_or(Unready::NoDatabase)?;
        let left = end.saturating_duration_since(Instant::now());
        in_time(left, health::write(&self.db), what).await.ok_or(Unready::NoWrites)?;
        if self.lane.is_over() {
            return Err(Unready::NoWrites);
        }
        self.lane.hint.notify_one();
        loop {
            // The pause also applies if the fold already has all entries: otherwise the response
            // time would reveal whether another node wrote an entry that the freeze hides.
            tokio::time::sleep(FOLD_PAUSE).await;
            if self.feed.latest().seq() >= seq {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(Unready::Behind);
            }
        }
    }
}
