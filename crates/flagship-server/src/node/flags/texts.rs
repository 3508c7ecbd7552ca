//! Texts of incorrect submissions. With `keep_wrong_texts`, organizers can read them until the
//! event ends. They are stored sealed, and erased when the event ends or the setting is turned off.
//!
//! Texts that contain a flag of any challenge or team, in any form, are never kept. Because flags
//! can change, a text is checked again before it is shown.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use flagship_game::event::Status;
use flagship_game::{ChallengeId, Secret, TeamId};
use flagship_pack::KeepWrongTexts;
use flagship_store::{Clock, Db, Seal, StoreError, wrong_flags};
use percent_encoding::percent_decode_str;

use super::near::{NearSet, unwrapped, without_spaces};
use super::{Flags, SubmittedFlag};
use crate::node::board::feed::Feed;
use crate::node::report::report;
use crate::node::settings::LiveSettings;

/// Maximum size of a kept text, in bytes.
const TEXT_BYTES_MAX: usize = 256;
/// Maximum number of words in a text that are searched individually for patterns.
const WORDS_MAX: usize = 16;
/// Interval at which texts that must no longer be kept are erased.
const ERASE_EVERY: Duration = Duration::from_millis(500);

/// Decides which texts are kept and shown.
pub struct Texts {
    pub seal: Seal,
    /// Settings, including `keep_wrong_texts`.
    pub settings: LiveSettings,
    pub flags: Arc<Flags>,
    /// For the event's end.
    pub feed: Arc<Feed>,
    pub clock: Clock,
}

impl Texts {
    /// True while texts are kept.
    pub fn are_kept(&self) -> bool {
        let keep = self.settings.load().privacy.keep_wrong_texts;
        let is_over = || self.feed.latest().status(self.clock.now_ms()) == Status::Ended;
        keep == KeepWrongTexts::UntilEnd && !is_over()
    }

    /// Seals the text for the record of an incorrect submission, if it may be kept. `near` is the
    /// near-miss index in use.
    pub fn keep(&self, submitted: &SubmittedFlag, near: &NearSet, team: TeamId) {
        if self.are_kept() && self.contains_no_flag(submitted, near, team) {
            let sealed =
                wrong_flags::seal_text(&self.seal, team, &submitted.challenge, submitted.text());
            submitted.set_sealed_text(sealed);
        }
    }

    /// Opens a kept text, if it may still be shown.
    pub fn open_text(&self, sealed: &str, team: TeamId, challenge: &ChallengeId) -> Option<Secret> {
        if !self.are_kept() {
            return None;
        }
        let text = wrong_flags::open_text(&self.seal, team, challenge, sealed)?;
        let submitted = SubmittedFlag::new(self.seal.key(), challenge, text.expose(), None);
        let is_shown = self.contains_no_flag(&submitted, &self.flags.near.load(), team);
        is_shown.then_some(text)
    }

    /// True if the text contains no flag in any form. While flags are being read, or if some could
    /// not be read, any text is assumed to contain one.
    fn contains_no_flag(&self, submitted: &SubmittedFlag, near: &NearSet, team: TeamId) -> bool {
        let (flags, text) = (self.flags.load(), submitted.text());
        let has_flag = |text: &str| {
            near.has_flag_in(text) || flags.has_pattern_in(&pieces(text, &without_spaces(text)))
        };
        text.len() <= TEXT_BYTES_MAX
            && near.is_complete()
            && near.revision() == flags.revision
            && submitted.near_miss(self.seal.key(), near, Some(team)).near.is_none()
            && !has_flag(text)
            && decoded(text).is_none_or(|text| !has_flag(&text))
    }

    /// Erases texts that must no longer be kept. Runs forever.
    pub async fn run(self: Arc<Self>, db: Db) {
        loop {
            if let Err(error) = self.erase(&db).await {
                report(&error, "failed to erase texts of incorrect submissions");
            }
            tokio::time::sleep(ERASE_EVERY).await;
        }
    }

    async fn erase(&self, db: &Db) -> Result<(), StoreError> {
        while !self.are_kept() && wrong_flags::erase_texts(db).await? {
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}

/// Returns the text with percent-encoding removed; `None` if it has none.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    Some(percent_decode_str(text).decode_utf8_lossy()).filter(|decoded| decoded != text)
}

/// Returns the parts of a text that are searched for patterns: the whole text with and without
/// whitespace, its first words, and the part of each between brackets.
fn pieces<'a>(text: &'a str, bare: &'a str) -> Vec<&'a str> {
    let words = text.split_whitespace().take(WORDS_MAX).flat_map(|word| [word, trimmed(word)]);
    let mut all = vec![text, bare];
    all.extend(words);
    let inner: Vec<&str> = all.iter().map(|it| unwrapped(it)).collect();
    all.extend(inner);
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns a word without surrounding punctuation, but with a final `}`.
fn trimmed(word: &str) -> &str {
    let is_mark = |c: char| !c.is_alphanumeric();
    word.trim_start_matches(is_mark).trim_end_matches(|c| is_mark(c) && c != '}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_compared_again_only_if_it_is_percent_encoded() {
        for text in ["", "flag{two}", "100 %", "%", "%zz", "50%of", "flag{ä}"] {
            assert_eq!(decoded(text), None, "{text}");
        }
        for (text, expected) in [
            ("flag%7Btwo%7d", "flag{two}"),
            ("%25", "%"),
            ("%2525", "%25"),
            ("flag%7B%C3%A4}", "flag{ä}"),
            ("%zz%41", "%zzA"),
            ("%ff", "\u{fffd}"),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(expected), "{text}");
        }
    }
}
