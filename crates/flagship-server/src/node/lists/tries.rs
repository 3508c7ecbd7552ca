//! How many wrong flags there are, by challenge and team. Those of before are counted once and kept
//! in memory, so that a look reads only the last seconds of the record.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use flagship_game::ChallengeId;
use flagship_store::lists::tries as store;
use flagship_store::{Clock, Db, StoreError};
use foldhash::fast::RandomState;
use tokio::sync::Mutex;

use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::node::board::feed::Feed;
use crate::node::report::report;

/// A flag is in the record so long after it was sent, in milliseconds, or never.
pub(super) const SETTLED_AFTER_MS: i64 = 15_000;
/// How often what has settled is counted, also without a look.
const SETTLE_EVERY: Duration = Duration::from_secs(15);
/// Minutes of an hour.
const HOUR_MINUTES: i64 = 60;
/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// The wrong flags for one challenge.
#[derive(Clone, Debug, Default)]
struct Tries {
    /// How many.
    total: i64,
    /// How many of each minute of the last hour.
    minutes: BTreeMap<i64, i64>,
    /// Of each account: how many, and when the last one was sent, in epoch milliseconds.
    teams: HashMap<i64, (i64, i64), RandomState>,
}

/// The wrong flags by challenge.
#[derive(Clone, Debug, Default)]
struct ByChallenge(HashMap<String, Tries>);

impl ByChallenge {
    /// Adds those of a time, of which minutes before `hour_ms` are not kept.
    async fn add(
        &mut self,
        db: &Db,
        (from_ms, until_ms): (i64, i64),
        hour_ms: i64,
    ) -> Result<(), StoreError> {
        if from_ms >= until_ms {
            return Ok(());
        }
        // Both are read before anything is counted.
        let teams = store::by_team(db, from_ms, until_ms).await?;
        let minutes = store::by_minute(db, from_ms.max(hour_ms), until_ms).await?;
        for it in teams {
            let tries = self.0.entry(it.challenge_id).or_default();
            tries.total += it.count;
            let (count, last_at_ms) = tries.teams.entry(it.account_id).or_default();
            (*count, *last_at_ms) = (*count + it.count, it.last_at_ms.max(*last_at_ms));
        }
        for it in minutes {
            let tries = self.0.entry(it.challenge_id).or_default();
            *tries.minutes.entry(it.minute).or_default() += it.count;
        }
        Ok(())
    }

    /// Forgets minutes before a time.
    fn forget(&mut self, hour_ms: i64) {
        let first = hour_ms / MINUTE_MS;
        self.0.values_mut().for_each(|it| it.minutes = it.minutes.split_off(&first));
    }
}

/// The wrong flags for all challenges: those that are settled, which all looks share, and later
/// ones.
#[derive(Debug, Default)]
pub struct AllTries {
    settled: Arc<ByChallenge>,
    later: ByChallenge,
}

impl AllTries {
    /// Those for a challenge.
    pub fn of(&self, id: &ChallengeId) -> TriesOf<'_> {
        let id = id.as_str();
        TriesOf { settled: self.settled.0.get(id), later: self.later.0.get(id) }
    }
}

/// The wrong flags for one challenge.
#[derive(Clone, Copy)]
pub struct TriesOf<'a> {
    settled: Option<&'a Tries>,
    later: Option<&'a Tries>,
}

impl<'a> TriesOf<'a> {
    fn parts(self) -> impl Iterator<Item = &'a Tries> {
        self.settled.into_iter().chain(self.later)
    }

    /// How many.
    pub fn total(self) -> i64 {
        self.parts().map(|it| it.total).sum()
    }

    /// How many were sent in the last hour, by the full minute.
    pub fn of_last_hour(self, now_ms: i64) -> i64 {
        let first = now_ms / MINUTE_MS - HOUR_MINUTES;
        self.parts().flat_map(|it| it.minutes.range(first..)).map(|(_, count)| count).sum()
    }

    /// Of each account: how many, and when the last one was sent, in epoch milliseconds.
    pub fn teams(self) -> impl Iterator<Item = (i64, (i64, i64))> {
        let of = move |part: Option<&'a Tries>, id| part.and_then(|it| it.teams.get(id)).copied();
        let settled = self.settled.into_iter().flat_map(|it| &it.teams).map(move |(id, tries)| {
            let (count, last_at_ms) = of(self.later, id).unwrap_or_default();
            (*id, (tries.0 + count, tries.1.max(last_at_ms)))
        });
        let later = self.later.into_iter().flat_map(|it| &it.teams);
        let new = later.filter(move |(id, _)| of(self.settled, id).is_none());
        settled.chain(new.map(|(id, tries)| (*id, *tries)))
    }
}

/// The start of the first minute of the last hour.
fn hour_ms(now_ms: i64) -> i64 {
    (now_ms / MINUTE_MS - HOUR_MINUTES) * MINUTE_MS
}

/// Wrong flags that are counted up to a time.
#[derive(Default)]
struct Counted {
    /// Before which time all are counted, in epoch milliseconds; 0 before the first count.
    settled_ms: i64,
    settled: Arc<ByChallenge>,
}

impl Counted {
    /// Counts what has settled since, of the flags before a time.
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
        let until_ms = end_ms.unwrap_or(i64::MAX).min(now_ms - SETTLED_AFTER_MS);
        let is_last = Some(until_ms) == end_ms;
        if until_ms - self.settled_ms < SETTLED_AFTER_MS && !is_last {
            return Ok(());
        }
        let hour_ms = hour_ms(now_ms);
        let settled = Arc::make_mut(&mut self.settled);
        settled.add(db, (self.settled_ms, until_ms), hour_ms).await?;
        settled.forget(hour_ms);
        self.settled_ms = self.settled_ms.max(until_ms);
        Ok(())
    }

    async fn read(
        &mut self,
        db: &Db,
        now_ms: i64,
        end_ms: Option<i64>,
    ) -> Result<AllTries, StoreError> {
        self.settle(db, now_ms, end_ms).await?;
        let mut all = AllTries { settled: self.settled.clone(), later: ByChallenge::default() };
        let until_ms = end_ms.unwrap_or(i64::MAX);
        all.later.add(db, (self.settled_ms, until_ms), hour_ms(now_ms)).await?;
        Ok(all)
    }
}

/// Counts wrong flags: all of them, and those that the freeze does not hide, each for those who may
/// see them. What is read for one depends on nothing that only the other may see.
#[derive(Default)]
pub struct Counter {
    truth: Mutex<Counted>,
    public: Mutex<Counted>,
}

impl Counter {
    /// The wrong flags so far. `end_ms` is the time from which others may not see them; `None` if
    /// all may be seen.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn read(
        &self,
        db: &Db,
        now_ms: i64,
        end_ms: Option<i64>,
    ) -> Result<Arc<AllTries>, StoreError> {
        let counted = if end_ms.is_some() { &self.public } else { &self.truth };
        Ok(Arc::new(counted.lock().await.read(db, now_ms, end_ms).await?))
    }

    /// Counts what has settled, so that no look has to count much.
    async fn settle(&self, db: &Db, now_ms: i64, hidden: Option<i64>) -> Result<(), StoreError> {
        if hidden.is_some() {
            self.public.lock().await.settle(db, now_ms, hidden).await?;
        }
        self.truth.lock().await.settle(db, now_ms, None).await
    }
}

/// Counts what has settled, until shutdown.
pub async fn run(
    counter: Arc<Counter>,
    db: Db,
    clock: Clock,
    feed: Arc<Feed>,
    mut shutdown: Shutdown,
) {
    let mut pause = tokio::time::interval(SETTLE_EVERY);
    pause.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = shutdown_requested(&mut shutdown) => return,
            _ = pause.tick() => {}
        }
        let hidden = feed.latest().hidden_from_ms();
        if let Err(error) = counter.settle(&db, clock.now_ms(), hidden).await {
            report(&error, "wrong flags were not counted");
        }
    }
}
