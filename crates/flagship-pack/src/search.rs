//! Looks for a challenge's flags in what players are shown: its description and attachments.

use regex::bytes::{Regex, RegexBuilder};

use crate::flags::Flag;

/// Shorter flags are not looked for: they are ordinary words.
const FLAG_CHARS_MIN: usize = 5;

/// The exact flags of a challenge as one pattern.
pub(crate) struct Search {
    pattern: Option<Regex>,
    /// The most bytes of a flag.
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
            // A letter of another case can be longer.
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

    /// How many bytes at the end of a piece belong to the next piece too.
    pub(crate) fn overlap(&self) -> usize {
        self.longest
    }
}
