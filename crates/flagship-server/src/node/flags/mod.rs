//! The flags of all challenges in memory: exact ones as keyed digests, others as patterns that
//! match in linear time.
//!
//! The flags in memory may be older than those in the database. A right flag goes to the lane with
//! the revision of the flags that judged it; a wrong one is answered after the database has
//! confirmed the revision (`nodes`).

pub mod budgets;
pub mod judge;
pub mod wrong_flags;

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use flagship_game::ChallengeId;
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::{Db, Key, Seal, StoreError};
use regex::RegexSet;
use subtle::ConstantTimeEq;
use tokio::sync::Mutex;

/// The flags that were last read from the database.
pub struct Flags {
    db: Db,
    seal: Seal,
    set: ArcSwap<FlagSet>,
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
        self.set.store(Arc::new(FlagSet::new(revision, &drafts)));
        Ok(())
    }
}

/// All flags of an event.
pub struct FlagSet {
    /// `challenges::revision` of them.
    pub revision: i64,
    by_challenge: HashMap<ChallengeId, Vec<Matcher>>,
}

enum Matcher {
    Exact { digest: String, case_insensitive: bool },
    Pattern(Box<RegexSet>),
}

impl FlagSet {
    /// Compiles the flags of all challenges. A pattern that does not compile matches nothing; the
    /// check of the event's files rejects such patterns.
    pub fn new(revision: i64, drafts: &[Draft]) -> Self {
        let by_challenge = drafts.iter().map(|draft| {
            let matchers = draft.flags.iter().filter_map(Matcher::new).collect();
            (draft.challenge.id.clone(), matchers)
        });
        Self { revision, by_challenge: by_challenge.collect() }
    }

    /// True if a trimmed text is a flag of the challenge; `None` if the challenge's flags are not
    /// loaded yet. `exact` is the text's digest.
    pub fn is_right(&self, key: &Key, id: &ChallengeId, text: &str, exact: &str) -> Option<bool> {
        let matchers = self.by_challenge.get(id)?;
        let folded = LazyCell::new(|| key.flag_digest(id.as_str(), &text.to_lowercase()));
        Some(matchers.iter().any(|matcher| match matcher {
            Matcher::Exact { digest, case_insensitive } => {
                let sent = if *case_insensitive { &folded } else { exact };
                digest.as_bytes().ct_eq(sent.as_bytes()).into()
            }
            Matcher::Pattern(pattern) => pattern.is_match(text),
        }))
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
        }
    }
}
