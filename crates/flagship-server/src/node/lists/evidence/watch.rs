//! Background task that reads new data and caches the computed evidence.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use flagship_game::Contest;
use flagship_store::lists::{evidence as store, flags};
use flagship_store::{Clock, Db, Key, StoreError};
use tokio::sync::Mutex;

use super::facts::Found;
use super::known::Known;
use super::pairs;
use crate::node::board::feed::Feed;
use crate::node::report::report;

/// Interval between computations.
const EVERY: Duration = Duration::from_secs(10);
/// Time after which accumulated data is dropped, so that data erased from the database is
/// forgotten.
const KEPT: Duration = Duration::from_secs(3_600);
/// Maximum number of incorrect submissions per query.
const READ_MAX: i64 = 5_000;
/// Delay after which sightings are guaranteed to be recorded, in milliseconds.
const SEEN_LATE_MS: i64 = 120_000;
/// Texts that anyone might try, with or without the flag wrapper.
const GUESSES: &str = "flag test admin password fake fake_flag fakeflag dummy example placeholder \
                       redacted root hello hello_world 123 1234 12345 123456 a x ... \
                       your_flag_here not_the_flag";

/// Evidence, a few seconds old.
#[derive(Default)]
pub struct Evidence {
    folded: Mutex<Option<Folded>>,
    found: ArcSwapOption<Found>,
}

struct Folded {
    begun: Instant,
    known: Known,
    /// End of the period whose sightings were read, in epoch milliseconds.
    seen_ms: i64,
    /// Digests of common guesses, by challenge.
    guesses: HashMap<String, HashSet<String>>,
}

impl Evidence {
    /// Returns the last result, or computes it if there is none.
    pub async fn read(
        &self,
        db: &Db,
        key: &Key,
        contest: Arc<Contest>,
        now_ms: i64,
    ) -> Result<Arc<Found>, StoreError> {
        match self.found.load_full() {
            Some(found) => Ok(found),
            None => self.find(db, key, contest, now_ms).await,
        }
    }

    /// Reads new data and computes the evidence.
    pub async fn find(
        &self,
        db: &Db,
        key: &Key,
        contest: Arc<Contest>,
        now_ms: i64,
    ) -> Result<Arc<Found>, StoreError> {
        let mut last = self.folded.lock().await;
        let kept = last.take().filter(|folded| folded.begun.elapsed() < KEPT);
        let mut folded = kept.unwrap_or_else(|| Folded {
            begun: Instant::now(),
            known: Known::default(),
            seen_ms: 0,
            guesses: HashMap::new(),
        });
        let format = contest.event().map_or("", |event| event.flag_format.as_str());
        folded.read(db, key, format, now_ms).await?;
        let finding = tokio::task::spawn_blocking(move || {
            let items = pairs::find(&folded.known, &contest);
            (folded, Arc::new(Found { at_ms: now_ms, items }))
        });
        let (folded, found) = finding.await.expect("comparing teams does not panic");
        *last = Some(folded);
        self.found.store(Some(found.clone()));
        Ok(found)
    }
}

impl Folded {
    /// Reads new data.
    async fn read(
        &mut self,
        db: &Db,
        key: &Key,
        format: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let Self { known, guesses, .. } = self;
        let mut after = (known.read_after_ms(), 0);
        loop {
            let rows = store::wrong_after(db, after, READ_MAX).await?;
            let Some(last) = rows.last() else { break };
            after = (last.at_ms, last.id);
            for sent in rows {
                known.wrong(sent, |(challenge, digest)| {
                    let all = guesses.entry(challenge.clone());
                    all.or_insert_with(|| guesses_of(key, challenge, format)).contains(digest)
                });
            }
            known.forget();
            tokio::task::yield_now().await;
        }
        let texts = known.uncounted();
        for it in flags::times(db, &texts, i64::MAX).await? {
            if let Some(sends) = known.texts.get_mut(&(it.challenge_id, it.digest)) {
                sends.teams = Some(usize::try_from(it.teams).unwrap_or(usize::MAX));
            }
        }
        known.right = store::right_texts(db).await?.into_iter().collect();
        let since_ms = self.seen_ms - SEEN_LATE_MS;
        known.downloads.add(store::downloads(db, since_ms).await?);
        known.networks.add(store::networks(db, since_ms).await?);
        self.seen_ms = now_ms;
        Ok(())
    }
}

/// Digests of common guesses for a challenge.
fn guesses_of(key: &Key, challenge: &str, format: &str) -> HashSet<String> {
    let own = format.split_once('{').map(|(word, _)| word.trim_start_matches('^'));
    let words: HashSet<&str> = ["flag", "FLAG", "ctf", "CTF"].into_iter().chain(own).collect();
    let texts = GUESSES.split_whitespace().chain([""]).flat_map(|guess| {
        let wrapped = words.iter().map(move |word| format!("{word}{{{guess}}}"));
        wrapped.chain([guess.to_owned(), guess.to_uppercase()])
    });
    texts.map(|text| key.flag_digest(challenge, &text)).collect()
}

/// Keeps the evidence up to date.
pub async fn run(evidence: Arc<Evidence>, db: Db, key: Key, clock: Clock, feed: Arc<Feed>) {
    loop {
        tokio::time::sleep(EVERY).await;
        let found = evidence.find(&db, &key, feed.latest(), clock.now_ms()).await;
        if let Err(error) = found {
            report(&error, "failed to compute evidence");
        }
    }
}
