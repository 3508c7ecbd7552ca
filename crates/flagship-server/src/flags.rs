//! Judging flags in memory: by keyed digest where they are exact, else in linear time.
//!
//! What is in memory may be older than what the database holds. A right flag goes to the lane with
//! the revision that it was judged by, a wrong one is answered after a look at the revision in the
//! database (`nodes`).

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use flagship_game::ChallengeId;
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::{Db, Key, StoreError};
use regex::Regex;
use subtle::ConstantTimeEq;
use tokio::sync::Mutex;

/// The flags as they were last read.
pub struct Flags {
    db: Db,
    book: ArcSwap<FlagBook>,
    /// Held by the one who reads them.
    reading: Mutex<()>,
}

impl Flags {
    /// Reads the flags.
    pub async fn open(db: Db) -> Result<Self, StoreError> {
        let (revision, drafts) = challenges::all(&db).await?;
        Ok(Self {
            db,
            book: ArcSwap::from_pointee(FlagBook::new(revision, &drafts)),
            reading: Mutex::default(),
        })
    }

    /// The flags as they were last read.
    pub fn load(&self) -> Guard<Arc<FlagBook>> {
        self.book.load()
    }

    /// Reads the flags anew if they are not the newest.
    pub async fn follow(&self) -> Result<(), StoreError> {
        let _reading = self.reading.lock().await;
        if challenges::revision(&self.db).await? == self.book.load().revision {
            return Ok(());
        }
        let (revision, drafts) = challenges::all(&self.db).await?;
        self.book.store(Arc::new(FlagBook::new(revision, &drafts)));
        Ok(())
    }
}

/// All flags of an event.
pub struct FlagBook {
    /// `challenges::revision` of them.
    pub revision: i64,
    by_challenge: HashMap<ChallengeId, Vec<Matcher>>,
}

enum Matcher {
    Exact { digest: String, case_insensitive: bool },
    Pattern(Box<Regex>),
}

impl FlagBook {
    /// Compiles the flags of all drafts. A pattern that does not compile matches nothing: the
    /// event's files were checked before.
    pub fn new(revision: i64, drafts: &[Draft]) -> Self {
        let book = drafts.iter().map(|draft| {
            let matchers = draft.flags.iter().filter_map(Matcher::new).collect();
            (draft.challenge.id.clone(), matchers)
        });
        Self { revision, by_challenge: book.collect() }
    }

    /// Whether a trimmed text is a flag of the challenge; `None` where the challenge's flags are
    /// not there yet. `exact` is the text's digest.
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
