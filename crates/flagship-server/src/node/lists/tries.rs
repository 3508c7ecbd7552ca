//! Number of incorrect submissions by challenge and team. Older ones are counted once and cached,
//! so a read only queries the last seconds.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use flagship_game::ChallengeId;
use flagship_store::lists::attempts as store;
use flagship_store::{Clock, Db, StoreError};
use foldhash::fast::RandomState;
use tokio::sync::Mutex;

use crate::node::board::feed::Feed;
use crate::node::report::report;

/// Time after which a submission is either recorded or never will be, in milliseconds.
pub(super) const SETTLED_AFTER_MS: i64 = 15_000;
/// Interval at which settled submissions are added to the cache, even without reads.
const SETTLE_EVERY: Duration = Duration::from_secs(15);
/// Minutes per hour.
const HOUR_MINUTES: i64 = 60;
/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Incorrect submissions for one challenge.
#[derive(Clone, Debug, Default)]
pub struct Tries {
    /// Total number.
    pub total: i64,
    /// Number per minute in the last hour.
    minutes: BTreeMap<i64, i64>,
    /// Number and time of the last one in epoch milliseconds, by account.
    pub teams: HashMap<i64, (i64, i64), RandomState>,
}

impl Tries {
    /// Number in the last hour, rounded to full minutes.
    pub fn of_last_hour(&self, now_ms: i64) -> i64 {
        let first = now_ms / MINUTE_MS - HOUR_MINUTES;
        self.minutes.range(first..).map(|(_, count)| count).sum()
    }
}

/// Incorrect submissions by challenge. Reads share the counts of challenges that have no newer
/// ones.
#[derive(Clone, Debug, Default)]
pub struct AllTries(HashMap<String, Arc<Tries>>);

impl AllTries {
    /// Incorrect submissions for a challenge.
    pub fn of(&self, id: &ChallengeId) -> Arc<Tries> {
        self.0.get(id.as_str()).cloned().unwrap_or_default()
    }

    /// Adds the submissions of a period. Minutes before `hour_ms` are not kept.
    async fn add(
        &mut self,
        db: &Db,
        (from_ms, until_ms): (i64, i64),
        hour_ms: i64,
    ) -> Result<(), StoreError> {
        if from_ms >= until_ms {
            return Ok(());
        }
        // Query both before counting anything.
        let teams = store::by_team(db, from_ms, until_ms).await?;
        let minutes = store::by_minute(db, from_ms.max(hour_ms), until_ms).await?;
        for it in teams {
            let tries = Arc::make_mut(self.0.entry(it.challenge_id).or_default());
            tries.total += it.count;
            let (count, last_at_ms) = tries.teams.entry(it.account_id).or_default();
            (*count, *last_at_ms) = (*count + it.count, it.last_at_ms.max(*last_at_ms));
        }
        for it in minutes {
            let tries = Arc::make_mut(self.0.entry(it.challenge_id).or_default());
            *tries.minutes.entry(it.minute).or_default() += it.count;
        }
        Ok(())
    }

    /// Forgets minutes before a time.
    fn forget(&mut self, hour_ms: i64) {
        let first = hour_ms / MINUTE_MS;
        for tries in self.0.values_mut().map(Arc::make_mut) {
            tries.minutes = tries.minutes.split_off(&first);
        }
    }
}

/// Cached counts of incorrect submissions.
#[derive(Default)]
struct Counted {
    /// End of the counted period, in epoch milliseconds; 0 before the first count.
    settled_ms: i64,
    settled: AllTries,
}

impl Counted {
    /// Counts the incorrect submissions before a time. Settled ones are counted only once.
    async fn read(
        &mut self,
        db: &Db,
        now_ms: i64,
        end_ms: Option<i64>,
    ) -> Result<AllTries, StoreError> {
        self.settle(db, now_ms, end_ms).await?;
        let mut all = self.settled.clone();
        let until_ms = end_ms.unwrap_or(i64::MAX);
        all.add(db, (self.settled_ms, until_ms), hour_before(now_ms)).await?;
        Ok(all)
    }

    /// Adds settled submissions to the cache.
    async fn settle(
        &mut self,
        db: &Db,
        now_ms: i64,
        end_ms: Option<i64>,
    ) -> Result<(), StoreError> {
        if end_ms.is_some_and(|end_ms| self.settled_ms > end_ms) {
            // The freeze was moved to an earlier time.
            *self = Self::default();
        }
        let hour_ms = hour_before(now_ms);
        let until_ms = end_ms.unwrap_or(i64::MAX);
        let settles_ms = until_ms.min(now_ms - SETTLED_AFTER_MS);
        let is_last = Some(settles_ms) == end_ms;
        if is_last || settles_ms - self.settled_ms >= SETTLED_AFTER_MS {
            self.settled.add(db, (self.settled_ms, settles_ms), hour_ms).await?;
            self.settled.forget(hour_ms);
            self.settled_ms = self.settled_ms.max(settles_ms);
        }
        Ok(())
    }
}

/// The minute an hour before a time.
fn hour_before(now_ms: i64) -> i64 {
    (now_ms / MINUTE_MS - HOUR_MINUTES) * MINUTE_MS
}

/// Counts incorrect submissions twice: all of them, and those that the freeze does not hide. The
/// database queries for one count do not depend on data that only readers of the other may see.
#[derive(Default)]
pub struct Counter {
    truth: Mutex<Counted>,
    public: Mutex<Counted>,
}

impl Counter {
    /// Current counts. `end_ms` is the time from which the reader may not see submissions; `None`
    /// if all are visible.
    pub async fn read(
        &self,
        db: &Db,
        now_ms: i64,
        end_ms: Option<i64>,
    ) -> Result<AllTries, StoreError> {
        self.counted(end_ms).lock().await.read(db, now_ms, end_ms).await
    }

    fn counted(&self, end_ms: Option<i64>) -> &Mutex<Counted> {
        if end_ms.is_some() { &self.public } else { &self.truth }
    }
}

/// Counts settled submissions in the background, so that reads stay cheap.
pub async fn run(counter: Arc<Counter>, db: Db, clock: Clock, feed: Arc<Feed>) {
    loop {
        let now_ms = clock.now_ms();
        // Count all submissions and those not hidden by the freeze.
        let hidden = feed.latest().hidden_from_ms();
        for end_ms in hidden.map(Some).into_iter().chain([None]) {
            let settled = counter.counted(end_ms).lock().await.settle(&db, now_ms, end_ms).await;
            if let Err(error) = settled {
                report(&error, "failed to count incorrect submissions");
            }
        }
        tokio::time::sleep(SETTLE_EVERY).await;
    }
}
