//! Judging flags in memory: by keyed digest where they are exact, else in linear time.

use std::cell::LazyCell;
use std::collections::HashMap;

use flagship_game::ChallengeId;
use flagship_store::Key;
use flagship_store::challenges::{Draft, Flag};
use regex::Regex;
use subtle::ConstantTimeEq;

/// All flags of an event.
#[derive(Default)]
pub struct FlagBook(HashMap<ChallengeId, Vec<Matcher>>);

enum Matcher {
    Exact { digest: String, case_insensitive: bool },
    Pattern(Box<Regex>),
}

impl FlagBook {
    /// Compiles the flags of all drafts. A pattern that does not compile matches nothing: the
    /// event's files were checked before.
    pub fn new(drafts: &[Draft]) -> Self {
        let book = drafts.iter().map(|draft| {
            let matchers = draft.flags.iter().filter_map(Matcher::new).collect();
            (draft.challenge.id.clone(), matchers)
        });
        Self(book.collect())
    }

    /// Whether a trimmed text is a flag of the challenge. `exact` is the text's digest.
    pub fn is_right(&self, key: &Key, id: &ChallengeId, text: &str, exact: &str) -> bool {
        let Some(matchers) = self.0.get(id) else { return false };
        let folded = LazyCell::new(|| key.flag_digest(id.as_str(), &text.to_lowercase()));
        matchers.iter().any(|matcher| match matcher {
            Matcher::Exact { digest, case_insensitive } => {
                let sent = if *case_insensitive { &folded } else { exact };
                digest.as_bytes().ct_eq(sent.as_bytes()).into()
            }
            Matcher::Pattern(pattern) => pattern.is_match(text),
        })
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
