//! The flags of all challenges in memory: exact ones as keyed digests, those of teams by the code
//! in them, others as patterns that match in linear time. Decoys are near misses.
//!
//! The flags in memory may be older than those in the database. A right flag goes to the lane with
//! the revision of the flags that judged it; a wrong one is answered after the database has
//! confirmed the revision (`nodes`).

pub mod budgets;
pub mod near;
pub mod texts;
pub mod wrong_flags;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use flagship_game::{ChallengeId, Secret, TeamFlag, TeamId};
use flagship_pack::FlagSearch;
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::ops::Marks;
use flagship_store::wrong_flags::WrongFlag;
use flagship_store::{Db, Key, Seal, StoreError};
use regex::RegexSet;
use subtle::ConstantTimeEq;
use tokio::sync::{Mutex, Notify};

use budgets::{Budgets, Judged};
use near::{Miss, NearSet, owner_of};

use crate::node::report::report;

/// Interval at which near misses look for flags that could not be read, or whose sources are
/// missing.
const NEAR_AGAIN: Duration = Duration::from_secs(5);

/// The flags that were last read from the database.
pub struct Flags {
    db: Db,
    seal: Seal,
    set: ArcSwap<FlagSet>,
    /// What wrong flags are compared with; a moment behind.
    pub near: ArcSwap<NearSet>,
    /// Notified when the flags were read anew.
    changed: Notify,
    /// Held while the flags are read from the database.
    reading: Mutex<()>,
}

impl Flags {
    pub async fn open(db: Db, seal: Seal) -> Result<Self, StoreError> {
        let (revision, drafts) = seal.drafts(&db).await?;
        Ok(Self {
            set: ArcSwap::from_pointee(FlagSet::new(seal.key(), revision, &drafts)),
            db,
            seal,
            near: ArcSwap::default(),
            changed: Notify::new(),
            reading: Mutex::default(),
        })
    }

    /// The flags that were last read.
    pub fn load(&self) -> Guard<Arc<FlagSet>> {
        self.set.load()
    }

    /// Reads the flags again if they are not the newest.
    pub async fn follow(&self) -> Result<(), StoreError> {
        let _reading = self.reading.lock().await;
        if challenges::revision(&self.db).await? == self.set.load().revision {
            return Ok(());
        }
        let (revision, drafts) = self.seal.drafts(&self.db).await?;
        // Patterns take milliseconds to compile.
        let key = self.seal.key().clone();
        let compiling = tokio::task::spawn_blocking(move || FlagSet::new(&key, revision, &drafts));
        self.set.store(Arc::new(compiling.await.expect("compiling does not panic")));
        self.changed.notify_one();
        Ok(())
    }

    /// Reads what wrong flags are compared with, unless it is up to date.
    pub async fn follow_near(&self) -> Result<(), StoreError> {
        let revision = self.load().revision;
        let near = self.near.load_full();
        if let Some(set) = near.newer(&self.db, &self.seal, revision).await? {
            self.near.store(Arc::new(set));
        }
        Ok(())
    }

    /// Keeps what wrong flags are compared with up to date, without an end.
    pub async fn keep_near(self: Arc<Self>) {
        loop {
            let revision = self.load().revision;
            if let Err(error) = self.follow_near().await {
                report(&error, "near misses are told by older flags");
            }
            let near = self.near.load_full();
            let is_missing = near.revision() != revision || !near.is_whole();
            drop(near);
            tokio::select! {
                () = self.changed.notified() => {}
                () = tokio::time::sleep(NEAR_AGAIN), if is_missing => {}
            }
        }
    }
}

/// A trimmed text that was sent as a flag, with its keyed digests and what else is recorded instead
/// of it.
#[derive(Clone, Debug)]
pub struct Sent {
    pub challenge: ChallengeId,
    text: Secret,
    /// The keyed digest of the text as it is.
    pub digest: String,
    /// That of the text in lower case, once that is computed; `None` if it is the same.
    folded: OnceLock<Option<String>>,
    /// How the text came near, if it is wrong, once that is looked up.
    near: OnceLock<Miss>,
    /// From where it came, if that is to be recorded.
    pub network: Option<IpAddr>,
    /// The text, sealed, if its record keeps it.
    sealed_text: OnceLock<String>,
}

impl Sent {
    /// A text for a challenge, from a network if that is to be recorded.
    pub fn new(key: &Key, challenge: &ChallengeId, text: &str, network: Option<IpAddr>) -> Self {
        Self {
            challenge: challenge.clone(),
            text: Secret::new(text),
            digest: key.flag_digest(challenge.as_str(), text),
            folded: OnceLock::new(),
            near: OnceLock::new(),
            network,
            sealed_text: OnceLock::new(),
        }
    }

    pub fn text(&self) -> &str {
        self.text.expose()
    }

    /// Adds the sealed text to the record of a wrong flag.
    pub fn keep_text(&self, sealed: String) {
        self.sealed_text.get_or_init(|| sealed);
    }

    /// The digest of the text in lower case, if it differs. Computed once.
    pub fn folded(&self, key: &Key) -> Option<&str> {
        let compute = || key.folded_digest(self.challenge.as_str(), self.text());
        self.folded.get_or_init(compute).as_deref()
    }

    /// Looks up how the text comes near, for its record. `team` is who sends it, if a team does.
    pub fn look_near(&self, key: &Key, set: &NearSet, team: Option<TeamId>) -> Miss {
        let near = || {
            let digests = [self.digest.as_str(), self.compared(key, true)];
            set.near(key, &self.challenge, self.text(), digests, team)
        };
        *self.near.get_or_init(near)
    }

    /// What is recorded of the text if it is wrong.
    pub fn marks(&self, key: &Key) -> Marks {
        let Miss { near, of_team } = self.near.get().copied().unwrap_or_default();
        Marks {
            digest: self.digest.clone(),
            folded: self.folded(key).map(str::to_owned),
            near,
            of_team: of_team.map(|team| team.0),
            network: self.network,
        }
    }

    /// The text's row in the record of wrong flags.
    pub fn wrong_flag(&self, key: &Key, team: TeamId, at_ms: i64) -> WrongFlag {
        let Marks { digest, folded, near, of_team, network } = self.marks(key);
        WrongFlag {
            account_id: team.0,
            challenge_id: self.challenge.to_string(),
            at_ms,
            digest,
            folded,
            near,
            of_team,
            network,
            sealed_text: self.sealed_text.get().cloned(),
        }
    }

    fn compared(&self, key: &Key, case_insensitive: bool) -> &str {
        let folded = if case_insensitive { self.folded(key) } else { None };
        folded.unwrap_or(&self.digest)
    }
}

/// The flag that accepts a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its number among the challenge's flags, from 1.
    pub number: usize,
    /// The digest of an exact flag, or of the text that another accepts.
    pub digest: String,
    /// The team whose flag it is, if each has its own.
    pub of_team: Option<TeamId>,
}

pub struct FlagSet {
    pub key: Key,
    /// `challenges::revision` of them.
    pub revision: i64,
    /// By challenge, each with its number.
    by_challenge: HashMap<ChallengeId, Vec<(usize, Matcher)>>,
    /// For the patterns of all challenges.
    searches: Vec<FlagSearch>,
}

enum Matcher {
    Exact { digest: String, case_insensitive: bool },
    Team(TeamFlag),
    Pattern(Box<RegexSet>),
}

impl FlagSet {
    /// Compiles the flags of all challenges. A pattern that does not compile matches nothing; the
    /// check of the event's files rejects such patterns.
    pub fn new(key: &Key, revision: i64, drafts: &[Draft]) -> Self {
        let by_challenge = drafts.iter().map(|draft| {
            let numbered = (1..).zip(&draft.flags);
            let matchers =
                numbered.filter_map(|(number, flag)| Some((number, Matcher::new(flag)?)));
            (draft.challenge.id.clone(), matchers.collect())
        });
        let searches = drafts.iter().flat_map(|draft| &draft.flags).filter_map(|flag| match flag {
            Flag::Regex { pattern, .. } => Some(FlagSearch::new(pattern)),
            _ => None,
        });
        Self {
            key: key.clone(),
            revision,
            by_challenge: by_challenge.collect(),
            searches: searches.collect(),
        }
    }

    /// The flag of the challenge that accepts a text, if one does; `None` if the challenge's flags
    /// are not loaded yet. Without a `team`, the flags of all teams are right.
    pub fn accepts(&self, sent: &Sent, team: Option<TeamId>) -> Option<Option<Accepted>> {
        let matchers = self.by_challenge.get(&sent.challenge)?;
        let accepted = matchers.iter().find_map(|(number, matcher)| {
            let (digest, of_team) = matcher.accepts(&self.key, sent, team)?;
            Some(Accepted { number: *number, digest, of_team })
        });
        Some(accepted)
    }

    /// Returns true if one of these texts contains a flag of a pattern of any challenge.
    pub fn has_pattern_in(&self, texts: &[&str]) -> bool {
        self.searches.iter().any(|search| search.is_in(texts))
    }

    /// Judges a text if the team's budget allows it, and says which flag accepts it.
    pub fn judge(
        &self,
        budgets: &Budgets,
        team: TeamId,
        sent: &Sent,
        now_ms: i64,
    ) -> Judged<Accepted> {
        budgets.judge(team, &sent.challenge, now_ms, || self.accepts(sent, Some(team)))
    }
}

impl Matcher {
    fn new(flag: &Flag) -> Option<Self> {
        match flag {
            Flag::Exact { digest, case_insensitive } => {
                Some(Self::Exact { digest: digest.clone(), case_insensitive: *case_insensitive })
            }
            Flag::Regex { pattern, case_insensitive } => {
                let compiled = flagship_pack::compile(pattern, *case_insensitive);
                compiled.ok().map(|pattern| Self::Pattern(Box::new(pattern)))
            }
            Flag::Team(_) => flag.of_teams().map(Self::Team),
            Flag::Decoy { .. } => None,
        }
    }

    /// The digest of what accepts a text, and the team whose flag it is, if each has its own.
    fn accepts(
        &self,
        key: &Key,
        sent: &Sent,
        team: Option<TeamId>,
    ) -> Option<(String, Option<TeamId>)> {
        match self {
            Self::Exact { digest, case_insensitive } => {
                let sent = sent.compared(key, *case_insensitive);
                let is_right = digest.as_bytes().ct_eq(sent.as_bytes());
                bool::from(is_right).then(|| (digest.clone(), None))
            }
            Self::Team(flag) => {
                let owner = owner_of(key, &sent.challenge, flag.code_in(sent.text())?)?;
                let is_right = team.is_none_or(|team| team == owner);
                is_right.then(|| (sent.digest.clone(), Some(owner)))
            }
            Self::Pattern(pattern) => {
                pattern.is_match(sent.text()).then(|| (sent.digest.clone(), None))
            }
        }
    }
}
