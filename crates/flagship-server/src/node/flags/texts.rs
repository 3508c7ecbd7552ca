//! Texts of wrong flags, which organizers read until the event ends if `keep_wrong_texts` says so.
//! They are sealed in the database, and erased when the event ends or the setting is turned off.
//!
//! No text with a flag of any challenge or team in it, in any form, is kept. Flags can change, so a
//! text is compared with them again before it is shown.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use flagship_game::event::Status;
use flagship_game::{ChallengeId, Secret, TeamId};
use flagship_pack::KeepWrongTexts;
use flagship_store::{Clock, Db, Seal, StoreError, wrong_flags};
use percent_encoding::percent_decode_str;

use super::near::{NearSet, unwrapped, without_blanks};
use super::{Flags, Sent};
use crate::node::board::feed::Feed;
use crate::node::report::report;
use crate::node::settings::LiveSettings;

/// Size of the longest text that is kept, in bytes.
const TEXT_BYTES_MAX: usize = 256;
/// Words of a text that patterns are searched in one by one.
const WORDS_MAX: usize = 16;
/// Pause before texts that are no longer kept are looked for again.
const ERASE_EVERY: Duration = Duration::from_millis(500);

/// The parts of the node that decide which texts are kept and shown.
pub struct Texts {
    pub seal: Seal,
    /// The settings, with `keep_wrong_texts`.
    pub settings: LiveSettings,
    pub flags: Arc<Flags>,
    /// The event's end.
    pub feed: Arc<Feed>,
    pub clock: Clock,
}

impl Texts {
    /// Returns true while texts are kept.
    pub fn are_kept(&self) -> bool {
        let keep = self.settings.load().privacy.keep_wrong_texts;
        let is_over = || self.feed.latest().status(self.clock.now_ms()) == Status::Ended;
        keep == KeepWrongTexts::UntilEnd && !is_over()
    }

    /// Seals the text for the record of a wrong flag, if it is kept. `near` is the set that near
    /// misses are looked up in.
    pub fn keep(&self, sent: &Sent, near: &NearSet, team: TeamId) {
        if self.are_kept() && self.is_no_flag(sent, near, team) {
            let sealed = wrong_flags::seal_text(&self.seal, team, &sent.challenge, sent.text());
            sent.keep_text(sealed);
        }
    }

    /// Opens a text that was kept, if it may still be shown.
    pub fn opened(&self, sealed: &str, team: TeamId, challenge: &ChallengeId) -> Option<Secret> {
        if !self.are_kept() {
            return None;
        }
        let text = wrong_flags::open_text(&self.seal, team, challenge, sealed)?;
        let sent = Sent::new(self.seal.key(), challenge, text.expose(), None);
        let is_shown = self.is_no_flag(&sent, &self.flags.near.load(), team);
        is_shown.then_some(text)
    }

    /// Returns true if the text contains no flag, in any form. While the flags are being read, or
    /// if some could not be read, any text may have one.
    fn is_no_flag(&self, sent: &Sent, near: &NearSet, team: TeamId) -> bool {
        let (flags, text) = (self.flags.load(), sent.text());
        let has_flag = |text: &str| {
            near.has_flag_in(text) || flags.has_pattern_in(&pieces(text, &without_blanks(text)))
        };
        text.len() <= TEXT_BYTES_MAX
            && near.is_whole()
            && near.revision() == flags.revision
            && sent.look_near(self.seal.key(), near, Some(team)).near.is_none()
            && !has_flag(text)
            && decoded(text).is_none_or(|text| !has_flag(&text))
    }

    /// Erases texts that are no longer kept, without an end.
    pub async fn run(self: Arc<Self>, db: Db) {
        loop {
            if let Err(error) = self.erase(&db).await {
                report(&error, "texts of wrong flags were not erased");
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

/// The text without percent-encoding; `None` if it has none.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    Some(percent_decode_str(text).decode_utf8_lossy()).filter(|decoded| decoded != text)
}

/// The parts of a text that a pattern is searched in: all of it, also without whitespace, its first
/// words, and the part of each between brackets.
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

/// A word without the marks around it, but with its last bracket.
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
