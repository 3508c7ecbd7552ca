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
use flagship_game::{ChallengeId, TeamFlag, TeamId};
use flagship_pack::FlagSearch;
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::ops::Marks;
use flagship_store::wrong_flags::WrongFlag;
use flagship_store::{Db, Key, Seal, StoreError};
use regex::RegexSet;
use subtle::ConstantTimeEq;
use tokio::sync::{Mutex, Notify};

use budgets::{Budgets, Judged};
use near::{Miss, NearSet, Nearby, owner_of};

use crate::net::shutdown::{Shutdown, shutdown_requested};
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
    pub near: Nearby,
    /// Notified when the flags were read anew.
    changed: Notify,
    /// Held while the flags are read from the database.
    reading: Mutex<()>,
}

impl Flags {
    /// Reads the flags.
    pub async fn open(db: Db, seal: Seal) -> Result<Self, StoreError> {
        let (revision, drafts) = seal.drafts(&db).await?;
        Ok(Self {
            db,
            seal,
            set: ArcSwap::from_pointee(FlagSet::new(revision, &drafts)),
            near: Nearby::default(),
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
        let compiling = tokio::task::spawn_blocking(move || FlagSet::new(revision, &drafts));
        self.set.store(Arc::new(compiling.await.expect("compiling does not panic")));
        self.changed.notify_one();
        Ok(())
    }

    /// Keeps what wrong flags are compared with up to date, until shutdown.
    pub async fn follow_near(self: Arc<Self>, mut shutdown: Shutdown) {
        loop {
            let revision = self.load().revision;
            if let Err(error) = self.near.follow(&self.db, &self.seal, revision).await {
                report(&error, "near misses are told by older flags");
            }
            let near = self.near.load_full();
            let is_missing = near.revision() != revision || !near.is_whole();
            drop(near);
            tokio::select! {
                () = shutdown_requested(&mut shutdown) => return,
                () = self.changed.notified() => {}
                () = tokio::time::sleep(NEAR_AGAIN), if is_missing => {}
            }
        }
    }
}

/// A trimmed text that was sent as a flag, with its keyed digests.
pub struct Sent<'a> {
    key: &'a Key,
    challenge: &'a ChallengeId,
    text: &'a str,
    digests: Digests,
}

/// The keyed digests of a text that was sent, and what else is recorded instead of it.
#[derive(Clone)]
pub struct Digests {
    /// Of the text as it is.
    exact: String,
    /// Of the text in lower case, once that is computed; `None` if it is the same.
    folded: OnceLock<Option<String>>,
    /// How the text came near, if it is wrong, once that is looked up.
    near: OnceLock<Miss>,
    /// From where it came, if it is to be recorded.
    network: Option<IpAddr>,
    /// The text, sealed, if its record keeps it.
    sealed_text: OnceLock<String>,
}

impl Digests {
    /// The digest of a text, from nowhere.
    pub fn new(exact: String) -> Self {
        let folded = OnceLock::new();
        let near = OnceLock::new();
        let sealed_text = OnceLock::new();
        Self { exact, folded, near, network: None, sealed_text }
    }

    /// The same, from a network that is to be recorded.
    pub fn from(self, network: Option<IpAddr>) -> Self {
        Self { network, ..self }
    }
}

impl<'a> Sent<'a> {
    /// A text for a challenge.
    pub fn new(key: &'a Key, challenge: &'a ChallengeId, text: &'a str) -> Self {
        let exact = key.flag_digest(challenge.as_str(), text);
        Self::known(key, challenge, text, Digests::new(exact))
    }

    /// The same, from a network that is to be recorded.
    pub fn from(mut self, network: Option<IpAddr>) -> Self {
        self.digests = self.digests.from(network);
        self
    }

    /// A text whose digests were computed before.
    pub fn known(
        key: &'a Key,
        challenge: &'a ChallengeId,
        text: &'a str,
        digests: Digests,
    ) -> Self {
        Self { key, challenge, text, digests }
    }

    /// The digests so far.
    pub fn digests(&self) -> &Digests {
        &self.digests
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.text
    }

    /// The challenge.
    pub fn challenge(&self) -> &ChallengeId {
        self.challenge
    }

    /// Adds the sealed text to the record of a wrong flag.
    pub fn keep_text(&self, sealed: String) {
        self.digests.sealed_text.get_or_init(|| sealed);
    }

    /// From where the text came, if that is to be recorded.
    pub fn network(&self) -> Option<IpAddr> {
        self.digests.network
    }

    /// The digest of the text as it is.
    pub fn digest(&self) -> &str {
        &self.digests.exact
    }

    /// The digest of the text in lower case, if it differs. Computed once.
    pub fn folded(&self) -> Option<&str> {
        let compute = || self.key.folded_digest(self.challenge.as_str(), self.text);
        self.digests.folded.get_or_init(compute).as_deref()
    }

    /// Looks up how the text comes near, for its record. `team` is who sends it, if a team does.
    pub fn look_near(&self, set: &NearSet, team: Option<TeamId>) -> Miss {
        let near = || {
            let folded = self.folded().unwrap_or(self.digest());
            set.near(self.key, self.challenge, self.text, [self.digest(), folded], team)
        };
        *self.digests.near.get_or_init(near)
    }

    /// What is recorded of the text if it is wrong.
    pub fn marks(&self) -> Marks {
        let Miss { near, of_team } = self.digests.near.get().copied().unwrap_or_default();
        Marks {
            digest: self.digest().to_owned(),
            folded: self.folded().map(str::to_owned),
            near,
            of_team: of_team.map(|team| team.0),
            network: self.digests.network,
        }
    }

    /// The text's row in the record of wrong flags.
    pub fn wrong_flag(&self, team: TeamId, at_ms: i64) -> WrongFlag {
        let (account_id, challenge_id) = (team.0, self.challenge.as_str().to_owned());
        let Marks { digest, folded, near, of_team, network } = self.marks();
        WrongFlag {
            account_id,
            challenge_id,
            at_ms,
            digest,
            folded,
            near,
            of_team,
            network,
            sealed_text: self.digests.sealed_text.get().cloned(),
        }
    }

    /// The digest that a flag is compared with.
    fn compared(&self, case_insensitive: bool) -> &str {
        let folded = if case_insensitive { self.folded() } else { None };
        folded.unwrap_or(&self.digests.exact)
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

/// All flags of an event.
pub struct FlagSet {
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
    pub fn new(revision: i64, drafts: &[Draft]) -> Self {
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
        Self { revision, by_challenge: by_challenge.collect(), searches: searches.collect() }
    }

    /// The flag of the challenge that accepts a text, if one does; `None` if the challenge's flags
    /// are not loaded yet. Without a `team`, the flags of all teams are right.
    pub fn accepts(&self, sent: &Sent<'_>, team: Option<TeamId>) -> Option<Option<Accepted>> {
        let matchers = self.by_challenge.get(sent.challenge)?;
        let accepted = matchers.iter().find_map(|(number, matcher)| {
            let (digest, of_team) = matcher.accepts(sent, team)?;
            Some(Accepted { number: *number, digest, of_team })
        });
        Some(accepted)
    }

    /// Returns true if one of these texts contains a flag of a pattern of any challenge.
    pub fn has_pattern_in(&self, texts: &[&str]) -> bool {
        self.searches.iter().any(|search| search.is_in(texts))
    }
}

impl FlagSet {
    /// Judges a text if the team's budget allows it, and says which flag accepts it.
    pub fn judge(
        &self,
        budgets: &Budgets,
        team: TeamId,
        sent: &Sent<'_>,
        now_ms: i64,
    ) -> (Judged, Option<Accepted>) {
        let mut accepted = None;
        let is_right = || {
            accepted = self.accepts(sent, Some(team))?;
            Some(accepted.is_some())
        };
        (budgets.judge(team, sent.challenge, now_ms, is_right), accepted)
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
    fn accepts(&self, sent: &Sent<'_>, team: Option<TeamId>) -> Option<(String, Option<TeamId>)> {
        match self {
            Self::Exact { digest, case_insensitive } => {
                let sent = sent.compared(*case_insensitive);
                let is_right = digest.as_bytes().ct_eq(sent.as_bytes());
                bool::from(is_right).then(|| (digest.clone(), None))
            }
            Self::Team(flag) => {
                let owner = owner_of(sent.key, sent.challenge, flag.code_in(sent.text)?)?;
                let is_right = team.is_none_or(|team| team == owner);
                is_right.then(|| (sent.digest().to_owned(), Some(owner)))
            }
            Self::Pattern(pattern) => {
                pattern.is_match(sent.text).then(|| (sent.digest().to_owned(), None))
            }
        }
    }
}
