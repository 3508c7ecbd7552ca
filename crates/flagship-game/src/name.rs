//! Rules for team names: allowed characters, and names that are too similar.
//!
//! Signup and import check these rules. The fold accepts any name, because past events used others.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use icu_properties::props::{BinaryProperty, DefaultIgnorableCodePoint, Emoji};
use icu_properties::props::{EnumeratedProperty, GeneralCategory, GeneralCategoryGroup};
use unicode_normalization::UnicodeNormalization;

mod unseen;

/// Minimum length of a name in code points, after trimming and NFC.
pub const NAME_CHARS_MIN: usize = 3;
/// Maximum length of a name in code points, after trimming and NFC.
pub const NAME_CHARS_MAX: usize = 25;
/// Maximum length of the input for a name in code points: 25 letters, each with three separate
/// marks.
const TEXT_CHARS_MAX: usize = 4 * NAME_CHARS_MAX;
/// Maximum number of consecutive combining marks.
const MARKS_MAX: usize = 2;

/// Names with which a team could impersonate the organizers.
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

/// Small capitals, with the two characters that UTS 39 uses for K and M. Small capitals with a
/// stroke or hook, or turned ones, are separate letters, like accented ones.
const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ";
/// The letters that the small capitals look like, in the same order.
const SMALL_CAPITALS_LETTERS: &str = "abcdefghijkklmmnopqrstuvwyz";
/// First of each run of 26 enclosed letters: parenthesized, and white on a disc or a square. NFKC
/// handles the others. Regional indicators are flags, not letters.
const ENCLOSED_A: [char; 4] = ['\u{249c}', '\u{1f110}', '\u{1f150}', '\u{1f170}'];

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const TEXT_SELECTOR: char = '\u{fe0e}';
const EMOJI_SELECTOR: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';
/// Invisible tags that turn a black flag into that of England, Scotland or Wales.
const SUBDIVISIONS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// A valid team name: trimmed, NFC, 3 to 25 code points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TeamName(String);

/// Uniqueness key of names. Most names have one to four keys; two names that share a key are too
/// similar.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamKey(String);

/// Error returned when a text is not a valid team name, with a message for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Too short or too long.
    #[error("a team name has 3 to 25 characters")]
    Length,
    /// Control, format, bidi or zero-width characters, whitespace other than U+0020, and characters
    /// without a visible glyph.
    #[error("a team name has no invisible or control characters")]
    Invisible,
    /// Private-use or unassigned characters, and those missing from all fonts.
    #[error("a team name has only characters that every device can show")]
    Unknown,
    /// Too many combining marks (Zalgo text).
    #[error("a team name has at most two accents on a letter")]
    Marks,
}

impl TeamName {
    /// Parses a name.
    ///
    /// # Errors
    /// The first rule that `text` violates.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let name = normalize(text).ok_or(NameError::Length)?;
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

    /// Returns the keys that no other team can use.
    pub fn keys(&self) -> BTreeSet<TeamKey> {
        keys(&self.0)
    }
}

/// Keys of the names reserved in every event.
static ALWAYS_RESERVED: LazyLock<BTreeSet<TeamKey>> =
    LazyLock::new(|| RESERVED.into_iter().flat_map(keys).collect());

/// Names reserved for organizers: built-in names such as `admin` and those of the event, by key.
#[derive(Debug)]
pub struct ReservedNames(BTreeSet<TeamKey>);

impl ReservedNames {
    /// Creates the set from the built-in names and `more`.
    pub fn new<'a>(more: impl IntoIterator<Item = &'a str>) -> Self {
        Self(more.into_iter().flat_map(keys).collect())
    }

    /// True if a name equals or looks like a reserved one.
    pub fn contains(&self, name: &TeamName) -> bool {
        let keys = name.keys();
        !ALWAYS_RESERVED.is_disjoint(&keys) || !self.0.is_disjoint(&keys)
    }
}

impl TeamKey {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Maximum length of a person's name, in code points.
pub const PERSON_CHARS_MAX: usize = 60;

/// Normalizes the name of a person, with the character rules of team names. Returns `None` if a
/// rule is violated, or if the name is empty, has more than [`PERSON_CHARS_MAX`] code points, or
/// contains a semicolon, which separates the members of a team.
pub fn person(text: &str) -> Option<String> {
    let name = normalize(text)?;
    let chars: Vec<char> = name.chars().collect();
    let fits = (1..=PERSON_CHARS_MAX).contains(&chars.len()) && check_chars(&chars).is_ok();
    let fits = fits && !chars.contains(&';');
    fits.then_some(name)
}

/// Trims a name and applies NFC. Returns `None` for a text that is far too long, without
/// normalizing it.
pub fn normalize(text: &str) -> Option<String> {
    let text = text.trim();
    let is_too_long = text.chars().nth(TEXT_CHARS_MAX).is_some();
    (!is_too_long).then(|| text.nfc().collect())
}

/// Computes the keys of any name. Case folding and the UTS 39 skeleton are applied in both orders,
/// because a capital I looks like a small l but folds to a small i. Both are applied with and
/// without NFKC, because NFKC maps the long s (U+017F), which looks like an f, to s. Runs of
/// whitespace count as one space. Small capitals and enclosed letters are replaced before NFKC,
/// which maps a parenthesized a to `(a)`, and again after the skeleton, which maps Cyrillic and
/// Cherokee letters to small capitals. Changes require a higher `KEYS_FORM` in the store.
pub fn keys(name: &str) -> BTreeSet<TeamKey> {
    let mut keys = looks(name);
    keys.extend(plain(name).iter().flat_map(|name| looks(name)));
    let plain: Vec<String> = keys.iter().filter_map(|key| plain(key)).collect();
    keys.extend(plain.iter().flat_map(|key| looks(key)));
    keys.into_iter().map(TeamKey).collect()
}

/// Computes keys by case folding and skeleton.
fn looks(name: &str) -> BTreeSet<String> {
    let visible = |c: &char| !is_ignorable(*c);
    let composed: String = name.nfc().filter(visible).collect();
    let compatible: String = name.nfkc().filter(visible).collect();
    let skeleton_first = |text: &str| skeleton(&skeleton(text).nfkc().collect::<String>());
    [
        skeleton(&fold(&compatible)),
        skeleton(&compatible),
        skeleton_first(&fold(&composed)),
        skeleton_first(&composed),
    ]
    .iter()
    .map(|key| fold(key).nfkc().collect::<String>())
    .map(|key| key.split_whitespace().collect::<Vec<_>>().join(" "))
    .collect()
}

/// Replaces small capitals and enclosed letters with plain letters; `None` if there are none.
fn plain(text: &str) -> Option<String> {
    let plain: String = text.chars().map(|c| plain_letter(c).unwrap_or(c)).collect();
    (plain != text).then_some(plain)
}

/// Plain letter for a small capital or an enclosed letter.
fn plain_letter(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let small = SMALL_CAPITALS.chars().zip(SMALL_CAPITALS_LETTERS.chars());
    let enclosed = ENCLOSED_A.into_iter().flat_map(|first| (first..).zip('a'..='z'));
    small.chain(enclosed).find(|(look, _)| *look == c).map(|(_, letter)| letter)
}

fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}

/// Returns the first forbidden character of a name, and its index in the text after [`normalize`].
pub fn refused_char(text: &str) -> Option<(usize, char)> {
    let chars: Vec<char> = normalize(text)?.chars().collect();
    let (place, _) = first_refused(&chars)?;
    Some((place, chars[place]))
}

fn check_chars(chars: &[char]) -> Result<(), NameError> {
    first_refused(chars).map_or(Ok(()), |(_, error)| Err(error))
}

/// Index of the first forbidden character, and the violated rule.
fn first_refused(chars: &[char]) -> Option<(usize, NameError)> {
    let mut marks = 0;
    for (i, &c) in chars.iter().enumerate() {
        if is_ignorable(c) {
            if !inside_emoji(chars, i) {
                return Some((i, NameError::Invisible));
            }
            continue;
        }
        if let Err(error) = check_char(c) {
            return Some((i, error));
        }
        let is_mark = GeneralCategoryGroup::Mark.contains(GeneralCategory::for_char(c));
        marks = if is_mark { marks + 1 } else { 0 };
        if marks > MARKS_MAX {
            return Some((i, NameError::Marks));
        }
    }
    None
}

/// True if a text contains invisible characters or characters that change the text direction,
/// except in emoji sequences.
pub fn has_unseen(text: &str) -> bool {
    first_unseen(text).is_some()
}

/// Returns the first invisible character, or the first that changes the text direction, except in
/// emoji sequences.
pub fn first_unseen(text: &str) -> Option<char> {
    let chars: Vec<char> = text.chars().collect();
    let is_unseen = |i: usize| match GeneralCategory::for_char(chars[i]) {
        _ if is_ignorable(chars[i]) => !inside_emoji(&chars, i),
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator => true,
        GeneralCategory::SpaceSeparator => false,
        _ => is_in(&unseen::BLANK, chars[i]),
    };
    (0..chars.len()).find(|i| is_unseen(*i)).map(|i| chars[i])
}

/// Checks the rules that do not depend on the context of a character.
fn check_char(c: char) -> Result<(), NameError> {
    match GeneralCategory::for_char(c) {
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator => Err(NameError::Invisible),
        GeneralCategory::SpaceSeparator if c != ' ' => Err(NameError::Invisible),
        GeneralCategory::PrivateUse | GeneralCategory::Unassigned => Err(NameError::Unknown),
        // New emoji are allowed before all fonts contain them.
        _ if c == ' ' || is_emoji(c) => Ok(()),
        _ if is_in(&unseen::BLANK, c) => Err(NameError::Invisible),
        _ if is_in(&unseen::MISSING, c) => Err(NameError::Unknown),
        _ => Ok(()),
    }
}

/// True if a character is in one of the sorted `runs`.
fn is_in(runs: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let next = runs.partition_point(|&(_, last)| last < code);
    runs.get(next).is_some_and(|&(first, _)| first <= code)
}

/// True if the joiner, selector or tag at `i` is part of an emoji sequence.
fn inside_emoji(chars: &[char], i: usize) -> bool {
    let (before, from) = chars.split_at(i);
    let Some(&last) = before.last() else { return false };
    let after = from.get(1).copied();
    match from[0] {
        ZERO_WIDTH_JOINER => {
            (last == EMOJI_SELECTOR || is_pictograph(last)) && after.is_some_and(is_pictograph)
        }
        TEXT_SELECTOR | EMOJI_SELECTOR => {
            is_pictograph(last) || (is_emoji(last) && after == Some(KEYCAP))
        }
        _ => inside_flag(chars, i),
    }
}

/// True if the tag at `i` is part of a subdivision flag.
fn inside_flag(chars: &[char], i: usize) -> bool {
    let Some(flag) = chars[..i].iter().rposition(|&c| c == BLACK_FLAG) else { return false };
    let tags = &chars[flag + 1..];
    SUBDIVISIONS.iter().any(|subdivision| {
        let length = subdivision.chars().count();
        i - flag <= length && tags.iter().copied().take(length).eq(subdivision.chars())
    })
}

/// True for an emoji that is not also a plain digit or sign.
fn is_pictograph(c: char) -> bool {
    is_emoji(c) && !c.is_ascii()
}

fn is_emoji(c: char) -> bool {
    Emoji::for_char(c)
}

/// True for characters that are invisible by the Unicode standard, unless they are part of a
/// sequence.
fn is_ignorable(c: char) -> bool {
    DefaultIgnorableCodePoint::for_char(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        !keys(a).is_disjoint(&keys(b))
    }

    #[test]
    fn what_nobody_sees_is_found_wherever_it_stands() {
        for text in
            ["a\u{200b}b", "z\u{202e}gnp.exe", "\u{feff}", "a\u{3164}", "a\nb", "a\u{200d}b"]
        {
            assert!(has_unseen(text), "{text:?}");
        }
        assert_eq!(first_unseen("a b\u{202e}c\u{200b}"), Some('\u{202e}'));
        for text in ["", "a b.txt", "\u{1f468}\u{200d}\u{1f52c}.png", "3.00\u{202f}PM.png", "é.md"]
        {
            assert!(!has_unseen(text), "{text:?}");
        }
    }

    #[test]
    fn the_name_of_a_person_is_one_line_of_characters_that_show() {
        let longest = "x".repeat(PERSON_CHARS_MAX);
        for (text, name) in [
            (" Ada Lovelace ", "Ada Lovelace"),
            ("Bo", "Bo"),
            ("Jose\u{301}", "José"),
            ("安", "安"),
            (&longest, &longest),
        ] {
            assert_eq!(person(text).as_deref(), Some(name), "{text}");
        }
        let long = format!("{longest}x");
        for text in
            ["", " ", "a\nb", "a\u{0}", "a\u{202e}b", "a\u{200b}b", "\u{e000}", "A; B", &long]
        {
            assert_eq!(person(text), None, "{text:?}");
        }
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
    fn the_tables_are_sorted() {
        for table in [unseen::BLANK.as_slice(), &unseen::MISSING] {
            assert!(table.iter().all(|(first, last)| first <= last));
            assert!(table.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn names_are_trimmed_and_composed() {
        let name = TeamName::parse("  cafe\u{301} ").expect("a good name");
        assert_eq!(name.as_str(), "café");
    }

    #[test]
    fn names_with_invisible_characters_are_refused() {
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
    fn common_names_are_allowed() {
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
