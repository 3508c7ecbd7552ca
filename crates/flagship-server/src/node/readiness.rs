//! Whether the node is ready: the database can be read and written, and the fold has all entries.
//! The result reveals nothing about the contest. One check serves all requests within a second, so
//! that requests cost little.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_store::{Db, health};
use tokio::sync::Mutex;

use super::board::feed::Feed;
use super::lane::Lane;
use super::report::in_time;
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
