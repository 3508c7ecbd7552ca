//! Searches the description and attachments of a challenge for its flags.

use regex::bytes::{Regex, RegexBuilder};

use crate::flags::Flag;

/// Minimum length of flags to search for; shorter ones are ordinary words.
const FLAG_CHARS_MIN: usize = 5;

/// The exact flags of a challenge, compiled into one pattern.
pub(crate) struct Search {
    pattern: Option<Regex>,
    /// Maximum length of a match, in bytes.
    longest: usize,
}

impl Search {
    pub(crate) fn new(flags: &[Flag]) -> Self {
        let mut longest = 0;
        let mut literals = Vec::new();
        for flag in flags {
            let Flag::Exact { text, case_insensitive } = flag else { continue };
            let text = text.expose();
            if text.chars().count() < FLAG_CHARS_MIN {
                continue;
            }
            // Changing case can lengthen a letter.
            longest = longest.max(2 * text.len());
            let case = if *case_insensitive { "(?i:" } else { "(?:" };
            literals.push(format!("{case}{})", regex::escape(text)));
        }
        let pattern = RegexBuilder::new(&literals.join("|")).build().ok();
        Self { pattern: pattern.filter(|_| !literals.is_empty()), longest }
    }

    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.is_match(bytes))
    }

    /// Number of bytes at the end of a chunk to search again with the next chunk.
    pub(crate) fn overlap(&self) -> usize {
        self.longest
    }
}
