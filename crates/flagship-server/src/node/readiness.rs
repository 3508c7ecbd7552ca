//! Whether the node is ready: the database can be read and written, and the fold has all entries.
//! The result reveals nothing about the contest. One check serves all requests within a second, so
//! that requests cost little.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_store::{Db, StoreError, health};
use tokio::sync::Mutex;

use super::board::feed::Feed;
use super::lane::Lane;
use super::report::report;
use crate::net::shutdown::Shutdown;
use crate::net::work::finish;

/// How long a check may take.
const CHECK_MAX: Duration = Duration::from_secs(2);
/// How long a result is reused.
const REUSED_MAX: Duration = Duration::from_secs(1);
/// How old a result may be before the next one is looked for.
const KNOWN_MAX: Duration = Duration::from_secs(5);
/// Pause before each comparison of the fold with the journal.
const FOLD_PAUSE: Duration = Duration::from_millis(100);

/// Why the node is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// The node is draining.
    #[error("the node is draining")]
    Draining,
    /// The journal has a newer format than this program reads.
    #[error("the journal has a newer format than this program reads")]
    NewerFormat,
    /// The database does not answer.
    #[error("the database does not answer")]
    NoDatabase,
    /// The journal cannot be written to.
    #[error("the journal cannot be written to")]
    NoWrites,
    /// The fold is behind the journal.
    #[error("the fold is behind the journal")]
    Behind,
}

/// Checks whether the node is ready.
pub struct Readiness {
    db: Db,
    lane: Arc<Lane>,
    feed: Arc<Feed>,
    draining: Shutdown,
    /// The last result, and when it was found.
    last: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

impl Readiness {
    /// Nothing checked yet. `draining` becomes true when the node drains.
    pub fn new(db: Db, lane: Arc<Lane>, feed: Arc<Feed>, draining: Shutdown) -> Self {
        Self { db, lane, feed, draining, last: Mutex::default() }
    }

    /// Whether the node can take flags; an error gives the reason.
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

    /// The last result, if there is one, without waiting. If it is old, a new check begins, for
    /// whoever asks next.
    pub fn known(self: &Arc<Self>) -> Option<Result<(), Unready>> {
        let last = self.last.try_lock().ok()?.map(|(at, found)| (at.elapsed(), found));
        if last.is_none_or(|(age, _)| age > KNOWN_MAX) {
            let readiness = self.clone();
            tokio::spawn(async move { readiness.check().await });
        }
        last.map(|(_, found)| found)
    }

    /// The last result, or that of a new check.
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
        let seq = within(end, health::last_seq(&self.db), Unready::NoDatabase).await?;
        within(end, health::write(&self.db), Unready::NoWrites).await?;
        if self.lane.is_over() {
            return Err(Unready::NoWrites);
        }
        self.lane.hint.notify_one();
        loop {
            // Also if the fold has all entries already: otherwise the time of the response would
            // reveal whether another node wrote something that the freeze hides.
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

/// The store's result if it comes in time; otherwise `unready`, with the cause in the log.
async fn within<T>(
    end: Instant,
    check: impl Future<Output = Result<T, StoreError>>,
    unready: Unready,
) -> Result<T, Unready> {
    match tokio::time::timeout_at(end.into(), check).await {
        Ok(Ok(found)) => return Ok(found),
        Ok(Err(error)) => report(&error, "this node is not ready"),
        Err(late) => report(&late, "this node is not ready"),
    }
    Err(unready)
}
