//! How a wrong flag came near a right one. Right flags are kept in memory as hashes under a random
//! key of this process alone; their texts are there only while these are computed. All hashes of a
//! text are computed before the first look-up, so that near misses take no longer to judge.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use flagship_game::{ChallengeId, Secret};
use flagship_pack::Flag;
use flagship_pack::source::{self, OtherChallenge, Surroundings};
use flagship_store::wrong_flags::Near;
use flagship_store::{Db, Seal, StoreError, challenges, sources};

use crate::node::lists::drafts::other;

/// What wrong flags are compared with.
#[derive(Default)]
pub struct Nearby {
    set: ArcSwap<NearSet>,
}

impl Nearby {
    /// What was last read.
    pub fn load(&self) -> Guard<Arc<NearSet>> {
        self.set.load()
    }

    /// Reads the flags of a revision, unless they were read.
    pub async fn follow(&self, db: &Db, seal: &Seal, revision: i64) -> Result<(), StoreError> {
        if self.load().revision != revision {
            self.set.store(Arc::new(read(db, seal, revision).await?));
        }
        Ok(())
    }
}

/// The right flags of an event, without regard to their form, and former ones.
#[derive(Default)]
pub struct NearSet {
    /// `challenges::revision` of the flags; 0 before they are read.
    revision: i64,
    hashes: RandomState,
    /// By the hash of what is left of a flag without case, wrapper and blanks.
    by_core: HashMap<u64, Vec<Known>>,
    /// Digests of flags that challenges had; each is of a flag for one challenge.
    former: HashSet<String>,
}

/// A right flag.
struct Known {
    challenge: ChallengeId,
    forms: Forms,
}

/// The hashes of a text in lower case, without blanks, and without its wrapper.
type Forms = [u64; 3];

impl NearSet {
    /// The revision of the flags.
    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// Compares with these flags, and with the digests of former ones.
    pub fn new<'a>(
        revision: i64,
        flags: impl IntoIterator<Item = (&'a ChallengeId, &'a str)>,
        former: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut set = Self { revision, ..Self::default() };
        set.former = former.into_iter().collect();
        for (challenge, text) in flags {
            let (core, forms) = set.hashes(text.trim());
            let known = Known { challenge: challenge.clone(), forms };
            set.by_core.entry(core).or_default().push(known);
        }
        set
    }

    /// How a text that is wrong for a challenge came near. `digests` are those of the text as it is
    /// and in lower case.
    pub fn near(&self, challenge: &ChallengeId, text: &str, digests: &[&str]) -> Option<Near> {
        let (core, forms) = self.hashes(text);
        if digests.iter().any(|digest| self.former.contains(*digest)) {
            return Some(Near::Former);
        }
        let found = self.by_core.get(&core)?;
        let mut own = found.iter().filter(|known| known.challenge == *challenge).peekable();
        if own.peek().is_none() {
            return Some(Near::Elsewhere);
        }
        let ways = [Near::Case, Near::Blanks, Near::Wrapper];
        let one_way = own.find_map(|known| {
            let mut same = known.forms.iter().zip(&forms).zip(ways);
            same.find(|((a, b), _)| a == b).map(|(_, way)| way)
        });
        Some(one_way.unwrap_or(Near::Form))
    }

    /// The hash of a text without case, wrapper and blanks, and those of its forms.
    fn hashes(&self, text: &str) -> (u64, Forms) {
        let hash = |text: &str| self.hashes.hash_one(text);
        let without_blanks = without_blanks(text);
        let core = hash(&unwrapped(&without_blanks).to_lowercase());
        let forms =
            [hash(&text.to_lowercase()), hash(&without_blanks), hash(unwrapped(text).trim())];
        (core, forms)
    }
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// What is between the brackets of `flag{text}`, whichever brackets and word; the text itself
/// without them, or with nothing between.
fn unwrapped(text: &str) -> &str {
    let Some((word, rest)) = text.split_once(['{', '[', '(', '<']) else { return text };
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    match rest.trim_end().strip_suffix(['}', ']', ')', '>']) {
        Some(inner) if is_word && !inner.trim().is_empty() => inner,
        _ => text,
    }
}

async fn read(db: &Db, seal: &Seal, revision: i64) -> Result<NearSet, StoreError> {
    let former = challenges::former_flags(db).await?;
    let kept = sources::all(db, seal).await?;
    let (_, drafts) = challenges::all(db).await?;
    let reading = tokio::task::spawn_blocking(move || {
        let mut flags: Vec<(ChallengeId, Secret)> = Vec::new();
        let defaults = source::Defaults::default();
        let all: Vec<OtherChallenge> = drafts.iter().map(other).collect();
        for kept in kept {
            let (path, text) = (kept.live.path, kept.live.text);
            // A text may require other challenges, and is not one of them.
            let others: Vec<OtherChallenge> =
                all.iter().filter(|it| it.id != kept.challenge).cloned().collect();
            let around =
                Surroundings { defaults: &defaults, end_ms: None, files: &[], others: &others };
            let Ok(reading) = source::read(&source::Source { path, text }, around) else {
                tracing::warn!(challenge = %kept.challenge, "near misses of it are not told");
                continue;
            };
            let exact = reading.flags.into_iter().filter_map(|flag| match flag {
                Flag::Exact { text, .. } => Some((kept.challenge.clone(), text)),
                Flag::Regex { .. } => None,
            });
            flags.extend(exact);
        }
        let flags = flags.iter().map(|(challenge, text)| (challenge, text.expose()));
        NearSet::new(revision, flags, former)
    });
    Ok(reading.await.expect("reading a challenge does not panic"))
}

#[cfg(test)]
mod tests {
    use flagship_store::Key;

    use super::*;

    /// The flags of three challenges.
    const FLAGS: [(&str, &str); 5] = [
        ("one", "flag{Salty_Dog}"),
        ("one", "open sesame"),
        ("two", "flag{two}"),
        ("two", "flag{a{b}c}"),
        ("three", "SN{the_third}"),
    ];
    const FORMER: [(&str, &str); 2] = [("one", "flag{typo}"), ("two", "flag{Before}")];

    /// What is sent to a challenge, and how it came near.
    const CASES: &[(&str, &str, Option<Near>)] = &[
        // In other case.
        ("one", "flag{salty_dog}", Some(Near::Case)),
        ("one", "FLAG{SALTY_DOG}", Some(Near::Case)),
        ("one", "flag{Salty_dog}", Some(Near::Case)),
        ("one", "Flag{Salty_Dog}", Some(Near::Case)),
        ("one", "Open Sesame", Some(Near::Case)),
        ("one", "OPEN SESAME", Some(Near::Case)),
        ("two", "flag{TWO}", Some(Near::Case)),
        ("two", "flag{A{b}c}", Some(Near::Case)),
        ("three", "sn{the_third}", Some(Near::Case)),
        ("three", "SN{THE_THIRD}", Some(Near::Case)),
        // Without the wrapper, or in another.
        ("one", "Salty_Dog", Some(Near::Wrapper)),
        ("one", "SN{Salty_Dog}", Some(Near::Wrapper)),
        ("one", "ctf{Salty_Dog}", Some(Near::Wrapper)),
        ("one", "flag[Salty_Dog]", Some(Near::Wrapper)),
        ("one", "flag(Salty_Dog)", Some(Near::Wrapper)),
        ("one", "<Salty_Dog>", Some(Near::Wrapper)),
        ("one", "{Salty_Dog}", Some(Near::Wrapper)),
        ("one", "flag{open sesame}", Some(Near::Wrapper)),
        ("two", "two", Some(Near::Wrapper)),
        ("two", "a{b}c", Some(Near::Wrapper)),
        ("two", "pier{a{b}c}", Some(Near::Wrapper)),
        ("three", "the_third", Some(Near::Wrapper)),
        ("three", "flag{the_third}", Some(Near::Wrapper)),
        // With other blanks.
        ("one", "flag{ Salty_Dog }", Some(Near::Blanks)),
        ("one", "flag {Salty_Dog}", Some(Near::Blanks)),
        ("one", "flag{Salty_ Dog}", Some(Near::Blanks)),
        ("one", "flag{Salty_Dog\u{a0}}", Some(Near::Blanks)),
        ("one", "opensesame", Some(Near::Blanks)),
        ("one", "open  sesame", Some(Near::Blanks)),
        ("two", "flag{two }", Some(Near::Blanks)),
        ("two", "flag{\ttwo}", Some(Near::Blanks)),
        ("three", "S N{the_third}", Some(Near::Blanks)),
        // With several differences.
        ("one", "salty_dog", Some(Near::Form)),
        ("one", "SALTY_DOG", Some(Near::Form)),
        ("one", "ctf{salty_dog}", Some(Near::Form)),
        ("one", "flag{ salty_dog }", Some(Near::Form)),
        ("one", "OpenSesame", Some(Near::Form)),
        ("one", "flag{OPEN SESAME}", Some(Near::Form)),
        ("two", "Two", Some(Near::Form)),
        ("three", "THE THIRD", None),
        // Former ones.
        ("one", "flag{typo}", Some(Near::Former)),
        ("two", "flag{Before}", Some(Near::Former)),
        ("two", "flag{before}", None),
        ("two", "flag{typo}", None),
        // Those of another challenge.
        ("one", "flag{two}", Some(Near::Elsewhere)),
        ("one", "two", Some(Near::Elsewhere)),
        ("one", "FLAG{TWO}", Some(Near::Elsewhere)),
        ("two", "flag{Salty_Dog}", Some(Near::Elsewhere)),
        ("two", "salty_dog", Some(Near::Elsewhere)),
        ("two", "opensesame", Some(Near::Elsewhere)),
        ("three", "flag{two}", Some(Near::Elsewhere)),
        ("three", "flag{a{b}c}", Some(Near::Elsewhere)),
        ("unknown", "flag{two}", Some(Near::Elsewhere)),
        // Not near.
        ("one", "flag{Salty_Dogs}", None),
        ("one", "flag{}", None),
        ("one", "{}", None),
        ("one", "flag", None),
        ("one", "x", None),
        ("two", "flag{tw0}", None),
        ("two", "flag{two", None),
        ("three", "flag{the_fourth}", None),
    ];

    #[test]
    fn sixty_texts_come_near_or_not() {
        let key = Key::new(b"secret");
        let ids = FLAGS.map(|(id, text)| (ChallengeId::from_name(id), text));
        let former = FORMER.map(|(id, text)| key.flag_digest(id, text));
        let set = NearSet::new(1, ids.iter().map(|(id, text)| (id, *text)), former);
        assert!(CASES.len() >= 60);
        for (challenge, text, expected) in CASES {
            let challenge = ChallengeId::from_name(challenge);
            let digest = key.flag_digest(challenge.as_str(), text);
            let near = set.near(&challenge, text, &[&digest]);
            assert_eq!(near, *expected, "{text:?} for {challenge}");
        }
    }
}
