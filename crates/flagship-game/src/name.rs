//! Team names: what is allowed, and which two names are too alike to live side by side.
//!
//! The rules guard signup and import. The fold takes any name, since real events have odd ones.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji};
use unicode_properties::{UnicodeGeneralCategory, emoji::is_emoji_presentation_selector};

/// Fewest code points of a name, after trimming and NFC.
pub const NAME_CHARS_MIN: usize = 3;
/// Most code points of a name, after trimming and NFC.
pub const NAME_CHARS_MAX: usize = 25;
/// Most combining marks in a row.
const MARKS_MAX: usize = 2;

/// Names under which a team would pass for those who run the event.
const RESERVED: [&str; 14] = [
    "admin",
    "admins",
    "administrator",
    "root",
    "system",
    "staff",
    "organizer",
    "organizers",
    "organiser",
    "organisers",
    "moderator",
    "support",
    "official",
    "flagship",
];

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const TEXT_SELECTOR: char = '\u{fe0e}';
const KEYCAP: char = '\u{20e3}';

/// A name that passed the rules: trimmed, NFC, 3 to 25 code points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TeamName(String);

/// What a name is unique by. A name has one or two keys; two names that share one are too alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamKey(String);

/// Why a text is no team name; each says it in one sentence for the person who typed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Too short or too long.
    #[error("a team name has 3 to 25 characters")]
    Length,
    /// Control, format, bidi or zero-width characters, or blank ones.
    #[error("a team name has no invisible or control characters")]
    Invisible,
    /// Private-use or unassigned characters.
    #[error("a team name has only characters that every device can show")]
    Unknown,
    /// Zalgo.
    #[error("a team name has at most two accents on a letter")]
    Marks,
}

impl TeamName {
    /// Takes `text` as a name if the rules allow it.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        // A name in NFC is never longer than twice the text; what is huge is not worth folding.
        if text.len() > 4096 {
            return Err(NameError::Length);
        }
        let name: String = text.trim().nfc().collect();
        let chars: Vec<char> = name.chars().collect();
        check_chars(&chars)?;
        if !(NAME_CHARS_MIN..=NAME_CHARS_MAX).contains(&chars.len()) {
            return Err(NameError::Length);
        }
        Ok(Self(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The keys that must be free.
    pub fn keys(&self) -> BTreeSet<TeamKey> {
        keys(&self.0)
    }

    /// Whether it is, or looks like, a name that is kept for those who run the event: `admin` and
    /// its like, or one of `more`.
    pub fn is_reserved<'a>(&self, more: impl IntoIterator<Item = &'a str>) -> bool {
        let own = self.keys();
        let mut reserved = RESERVED.into_iter().chain(more);
        reserved.any(|reserved| !keys(reserved).is_disjoint(&own))
    }
}

impl TeamKey {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The keys of any name: NFKC, case fold and the UTS 39 skeleton, in both orders, since a capital
/// I looks like a small l but folds to a small i. Runs of white space count as one blank.
pub fn keys(name: &str) -> BTreeSet<TeamKey> {
    let visible = |c: &char| !is_ignorable(*c);
    let compatible: String = name.nfkc().filter(visible).collect();
    let folded_first = skeleton(&fold(&compatible));
    let folded_last = skeleton(&compatible);
    [folded_first, folded_last]
        .iter()
        .map(|key| fold(key).nfkc().collect::<String>())
        .map(|key| TeamKey(key.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect()
}

fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}

fn check_chars(chars: &[char]) -> Result<(), NameError> {
    let mut marks = 0;
    for (i, &c) in chars.iter().enumerate() {
        if c == ZERO_WIDTH_JOINER || c == TEXT_SELECTOR || is_emoji_presentation_selector(c) {
            if !inside_emoji(chars, i) {
                return Err(NameError::Invisible);
            }
            continue;
        }
        if is_ignorable(c) || is_blank_symbol(c) {
            return Err(NameError::Invisible);
        }
        match c.general_category() {
            GeneralCategory::Format if is_number_sign(c) => {}
            GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator => return Err(NameError::Invisible),
            GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned => return Err(NameError::Unknown),
            _ => {}
        }
        let is_mark = c.general_category_group() == GeneralCategoryGroup::Mark;
        marks = if is_mark { marks + 1 } else { 0 };
        if marks > MARKS_MAX {
            return Err(NameError::Marks);
        }
    }
    Ok(())
}

/// Whether the joiner or selector at `i` stands where an emoji sequence has one.
fn inside_emoji(chars: &[char], i: usize) -> bool {
    let Some(&before) = i.checked_sub(1).and_then(|i| chars.get(i)) else { return false };
    let after = chars.get(i + 1).copied();
    let joins = is_emoji_presentation_selector(before) || is_pictograph(before);
    if chars[i] == ZERO_WIDTH_JOINER {
        return joins && after.is_some_and(is_pictograph);
    }
    is_pictograph(before) || (before.is_emoji_char() && after == Some(KEYCAP))
}

/// An emoji that is not also a plain digit or sign.
fn is_pictograph(c: char) -> bool {
    c.is_emoji_char() && !c.is_ascii()
}

/// Format characters that show: the number and verse signs of Arabic, Syriac and Kaithi.
fn is_number_sign(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{110bd}' | '\u{110cd}')
}

/// Characters that look like white space but count as symbols.
fn is_blank_symbol(c: char) -> bool {
    c == '\u{2800}'
}

/// Default-ignorable characters (Unicode 16, DerivedCoreProperties), which show nothing.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        !keys(a).is_disjoint(&keys(b))
    }

    #[test]
    fn names_that_look_the_same_share_a_key() {
        for (a, b) in [
            ("Pwners", "pWNERS"),
            ("lol", "IoI"),
            ("ioi", "IOI"),
            ("r00t", "root"),
            ("paypal", "pаypаl"),
            ("modern", "modem"),
            ("full width", "ｆｕｌｌ　ｗｉｄｔｈ"),
            ("a  b c", "a b c"),
            ("café", "cafe\u{301}"),
            ("Straße", "STRASSE"),
            ("ΣΑΣ", "σας"),
            ("abc\u{fe0f}", "abc"),
        ] {
            assert!(alike(a, b), "{a} {b}");
        }
        for (a, b) in [("alpha", "alpho"), ("a b", "ab"), ("🐙 team", "🦑 team")] {
            assert!(!alike(a, b), "{a} {b}");
        }
    }

    #[test]
    fn names_are_trimmed_and_composed() {
        let name = TeamName::parse("  cafe\u{301} ").expect("a good name");
        assert_eq!(name.as_str(), "café");
    }

    #[test]
    fn the_rules_refuse_what_cannot_be_seen() {
        for (name, error) in [
            ("ab", NameError::Length),
            ("   a  ", NameError::Length),
            (&"x".repeat(26), NameError::Length),
            (&"x".repeat(1_000_000), NameError::Length),
            ("a\u{0}bc", NameError::Invisible),
            ("ab\u{200b}c", NameError::Invisible),
            ("ab\u{202e}c", NameError::Invisible),
            ("ab\u{200d}c", NameError::Invisible),
            ("1\u{fe0f}23", NameError::Invisible),
            ("ab\u{2028}c", NameError::Invisible),
            ("\u{2800}\u{2800}\u{2800}", NameError::Invisible),
            ("ab\u{3164}", NameError::Invisible),
            ("ab\u{e000}", NameError::Unknown),
            ("ab\u{378}", NameError::Unknown),
            ("z\u{335}\u{336}\u{337}lgo", NameError::Marks),
        ] {
            assert_eq!(TeamName::parse(name), Err(error), "{name:?}");
        }
    }

    #[test]
    fn the_rules_allow_the_names_people_choose() {
        for name in [
            "abc",
            &"x".repeat(25),
            "0xC0FFEE",
            "Лига плюща",
            "チームA",
            "فريق النخبة",
            "👨‍👩‍👧 team",
            "❤️ hackers",
            "1️⃣ first",
            "<b>bold</b>",
            "'; drop table",
            "Việt Nam",
        ] {
            assert!(TeamName::parse(name).is_ok(), "{name}");
        }
    }
}
