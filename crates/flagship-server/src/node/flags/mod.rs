//! Flags of all challenges in memory. Exact flags are stored as keyed digests, per-team flags are
//! recognized by their code, and the rest are patterns that match in linear time. Decoys count as
//! near misses.
//!
//! The flags in memory may be older than those in the database. A correct flag goes to the lane
//! with the revision of the flags that judged it. An incorrect flag is answered after the database
//! has confirmed the revision (see `nodes`).

pub mod budgets;
pub mod near;
pub mod team_codes;
pub mod texts;
pub mod wrong_flags;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use flagship_game::{Attachment, ChallengeId, Secret, TeamFlag, TeamId};
use flagship_pack::FlagSearch;
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::ops::FlagDigests;
use flagship_store::wrong_flags::WrongFlag;
use flagship_store::{Db, Key, Seal, StoreError};
use regex::RegexSet;
use subtle::ConstantTimeEq;
use tokio::sync::{Mutex, Notify};

use budgets::{Budgets, Judgment};
use near::{Miss, NearSet};
use team_codes::TeamCodes;

use crate::node::board::feed::Feed;
use crate::node::report::report;

/// Interval at which the near-miss index retries flags that could not be read or whose sources are
/// missing.
const NEAR_RETRY: Duration = Duration::from_secs(5);

/// The flags last read from the database.
pub struct Flags {
    db: Db,
    seal: Seal,
    set: ArcSwap<FlagSet>,
    /// Index for near misses. Updated asynchronously, so it can lag behind the flags.
    pub near: ArcSwap<NearSet>,
    codes: Arc<TeamCodes>,
    /// Notified when the flags were reloaded.
    changed: Notify,
    /// Held while flags are read from the database.
    reading: Mutex<()>,
}

impl Flags {
    /// Reads the flags. `feed` has the teams, for the owners of per-team flags.
    pub async fn open(db: Db, seal: Seal, feed: Arc<Feed>) -> Result<Self, StoreError> {
        let (revision, drafts) = seal.drafts(&db).await?;
        let codes = Arc::new(TeamCodes::new(feed));
        let near = NearSet::empty(codes.clone());
        Ok(Self {
            set: ArcSwap::from_pointee(FlagSet::new(seal.key(), revision, &drafts, codes.clone())),
            db,
            seal,
            near: ArcSwap::from_pointee(near),
            codes,
            changed: Notify::new(),
            reading: Mutex::default(),
        })
    }

    /// Returns the flags last read from the database.
    pub fn load(&self) -> Guard<Arc<FlagSet>> {
        self.set.load()
    }

    /// Returns the same, to keep while waiting.
    pub fn load_full(&self) -> Arc<FlagSet> {
        self.set.load_full()
    }

    /// Reloads the flags if they are out of date.
    pub async fn follow(&self) -> Result<(), StoreError> {
        let _reading = self.reading.lock().await;
        if challenges::revision(&self.db).await? == self.set.load().revision {
            return Ok(());
        }
        let (revision, drafts) = self.seal.drafts(&self.db).await?;
        // Compiling patterns takes milliseconds.
        let key = self.seal.key().clone();
        let codes = self.codes.clone();
        let compiling =
            tokio::task::spawn_blocking(move || FlagSet::new(&key, revision, &drafts, codes));
        self.set.store(Arc::new(compiling.await.expect("compiling does not panic")));
        self.changed.notify_one();
        Ok(())
    }

    /// Updates the near-miss index if it is out of date.
    pub async fn follow_near(&self) -> Result<(), StoreError> {
        let revision = self.load().revision;
        let near = self.near.load_full();
        if let Some(set) = near.updated(&self.db, &self.seal, revision).await? {
            self.near.store(Arc::new(set));
        }
        Ok(())
    }

    /// Keeps the near-miss index up to date. Runs forever.
    pub async fn run_near_updates(self: Arc<Self>) {
        loop {
            let revision = self.load().revision;
            if let Err(error) = self.follow_near().await {
                report(&error, "failed to update near-miss detection; using older flags");
            }
            let near = self.near.load_full();
            let is_missing = near.revision() != revision || !near.is_complete();
            drop(near);
            tokio::select! {
                () = self.changed.notified() => {}
                () = tokio::time::sleep(NEAR_RETRY), if is_missing => {}
            }
        }
    }
}

/// A submitted flag with surrounding whitespace removed, its keyed digests, and the data recorded
/// instead of its text.
#[derive(Clone, Debug)]
pub struct SubmittedFlag {
    pub challenge: ChallengeId,
    text: Secret,
    /// Keyed digest of the unchanged text.
    pub digest: String,
    /// Digest of the text in lower case, computed on first use; `None` if it is the same.
    folded: OnceLock<Option<String>>,
    /// Near miss of an incorrect text, looked up on first use.
    near: OnceLock<Miss>,
    /// Network of the client, if the event records it.
    pub network: Option<IpAddr>,
    /// The sealed text, if the event keeps it.
    sealed_text: OnceLock<String>,
}

impl SubmittedFlag {
    /// Creates a submission to a challenge. `network` is stored in its record.
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

    /// Adds the sealed text to the record of an incorrect submission.
    pub fn set_sealed_text(&self, sealed: String) {
        self.sealed_text.get_or_init(|| sealed);
    }

    /// Digest of the text in lower case, if it differs. Computed once.
    pub fn folded(&self, key: &Key) -> Option<&str> {
        let compute = || key.folded_digest(self.challenge.as_str(), self.text());
        self.folded.get_or_init(compute).as_deref()
    }

    /// Returns the near miss of the text, for its record. Looked up once. `team` is the submitting
    /// team, if any.
    pub fn near_miss(&self, key: &Key, set: &NearSet, team: Option<TeamId>) -> Miss {
        let near = || {
            let digests = [self.digest.as_str(), self.compared(key, true)];
            set.near(key, &self.challenge, self.text(), digests, team)
        };
        *self.near.get_or_init(near)
    }

    /// Returns the data recorded instead of the text if it is incorrect.
    pub fn digests(&self, key: &Key) -> FlagDigests {
        let Miss { near, of_team } = self.near.get().copied().unwrap_or_default();
        FlagDigests {
            digest: self.digest.clone(),
            folded: self.folded(key).map(str::to_owned),
            near,
            of_team: of_team.map(|team| team.0),
            network: self.network,
        }
    }

    /// Returns the row for the record of incorrect submissions.
    pub fn wrong_flag(&self, key: &Key, team: TeamId, at_ms: i64) -> WrongFlag {
        let FlagDigests { digest, folded, near, of_team, network } = self.digests(key);
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

/// The flag that accepted a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Number among the challenge's flags, from 1.
    pub number: usize,
    /// Digest of the exact flag, or of the accepted text for other kinds.
    pub digest: String,
    /// Owner of a per-team flag.
    pub of_team: Option<TeamId>,
    /// IDs of the flags that accept the text, among those that the challenge needs; empty if one
    /// flag solves it.
    pub needed: Vec<String>,
}

pub struct FlagSet {
    pub key: Key,
    /// `challenges::revision` of the flags.
    pub revision: i64,
    by_challenge: HashMap<ChallengeId, ChallengeFlags>,
    codes: Arc<TeamCodes>,
    /// Files of which each team has a copy, also of challenges that are not released.
    pub copied: Vec<(ChallengeId, Attachment)>,
    /// Searches for the patterns of all challenges.
    searches: Vec<FlagSearch>,
}

/// Flags and rules of a challenge.
struct ChallengeFlags {
    /// Matchers with the numbers of their flags and, if the challenge needs several, their IDs.
    matchers: Vec<(usize, Option<String>, Matcher)>,
    limits_attempts: bool,
}

enum Matcher {
    Exact { digest: String, case_insensitive: bool },
    Team(TeamFlag),
    Pattern(Box<RegexSet>),
}

impl FlagSet {
    /// Compiles the flags of all challenges. Invalid patterns match nothing; the check of the event
    /// files rejects them.
    pub fn new(key: &Key, revision: i64, drafts: &[Draft], codes: Arc<TeamCodes>) -> Self {
        let by_challenge = drafts
            .iter()
            .map(|draft| (draft.challenge.id.clone(), ChallengeFlags::new(key, draft)));
        let searches = drafts.iter().flat_map(|draft| &draft.flags).filter_map(|flag| match flag {
            Flag::Regex { pattern, .. } => Some(FlagSearch::new(pattern)),
            _ => None,
        });
        let copied = drafts.iter().flat_map(|Draft { challenge, .. }| {
            challenge.copied().map(|file| (challenge.id.clone(), file.clone()))
        });
        Self {
            key: key.clone(),
            revision,
            by_challenge: by_challenge.collect(),
            codes,
            copied: copied.collect(),
            searches: searches.collect(),
        }
    }

    /// Returns the challenge's flag that accepts a text, if any; `None` if the challenge's flags
    /// are not loaded yet. Without a `team`, the flags of all teams are correct.
    pub fn accepts(
        &self,
        submitted: &SubmittedFlag,
        team: Option<TeamId>,
    ) -> Option<Option<Accepted>> {
        let ChallengeFlags { matchers, .. } = self.by_challenge.get(&submitted.challenge)?;
        let mut accepted = matchers.iter().filter_map(|(number, id, matcher)| {
            let (digest, of_team) = matcher.accepts(self, submitted, team)?;
            let needed = Vec::from_iter(id.clone());
            Some(Accepted { number: *number, digest, of_team, needed })
        });
        let Some(mut first) = accepted.next() else { return Some(None) };
        if !first.needed.is_empty() {
            // A text can match several of the needed flags.
            first.needed.extend(accepted.flat_map(|other| other.needed));
        }
        Some(Some(first))
    }

    /// Returns the first per-team flag of a challenge.
    pub fn team_flag(&self, challenge: &ChallengeId) -> Option<&TeamFlag> {
        let ChallengeFlags { matchers, .. } = self.by_challenge.get(challenge)?;
        matchers.iter().find_map(|(_, _, matcher)| match matcher {
            Matcher::Team(flag) => Some(flag),
            _ => None,
        })
    }

    /// True if the challenge limits attempts. The fold can be older than the flags, so it does not
    /// decide this.
    pub fn limits_attempts(&self, challenge: &ChallengeId) -> bool {
        self.by_challenge.get(challenge).is_some_and(|flags| flags.limits_attempts)
    }

    /// True if one of the texts contains a match of any challenge's pattern.
    pub fn has_pattern_in(&self, texts: &[&str]) -> bool {
        self.searches.iter().any(|search| search.is_in(texts))
    }

    /// Judges a text if the team's budget allows it, and returns the flag that accepts it.
    pub fn judge(
        &self,
        budgets: &Budgets,
        team: TeamId,
        submitted: &SubmittedFlag,
        now_ms: i64,
    ) -> Judgment<Accepted> {
        budgets.judge(team, &submitted.challenge, now_ms, || self.accepts(submitted, Some(team)))
    }
}

impl ChallengeFlags {
    fn new(key: &Key, draft: &Draft) -> Self {
        let id = &draft.challenge.id;
        let rules = &draft.challenge.rules;
        let needs_several = !rules.needed_flags.is_empty();
        let matchers = (1..).zip(&draft.flags).filter_map(|(number, flag)| {
            let needed = needs_several.then(|| flag.needed_id(key, id));
            Some((number, needed, Matcher::new(flag)?))
        });
        Self { matchers: matchers.collect(), limits_attempts: rules.attempts_max.is_some() }
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

    /// Returns the digest to record for an accepted text, and the owner of a per-team flag.
    fn accepts(
        &self,
        set: &FlagSet,
        submitted: &SubmittedFlag,
        team: Option<TeamId>,
    ) -> Option<(String, Option<TeamId>)> {
        let key = &set.key;
        match self {
            Self::Exact { digest, case_insensitive } => {
                let submitted = submitted.compared(key, *case_insensitive);
                let is_right = digest.as_bytes().ct_eq(submitted.as_bytes());
                bool::from(is_right).then(|| (digest.clone(), None))
            }
            Self::Team(flag) => {
                let code = flag.code_in(submitted.text())?;
                let challenge = &submitted.challenge;
                let Some(team) = team else {
                    let owner = set.codes.owner(key, challenge, code)?;
                    return Some((submitted.digest.clone(), Some(owner)));
                };
                // Does not depend on the known teams, which can be older than this submission.
                let own = key.team_code(challenge.as_str(), team.0);
                let is_right = bool::from(own.as_bytes().ct_eq(code.as_bytes()));
                is_right.then(|| (submitted.digest.clone(), Some(team)))
            }
            Self::Pattern(pattern) => {
                pattern.is_match(submitted.text()).then(|| (submitted.digest.clone(), None))
            }
        }
    }
}
