//! Team names: which are allowed, and which two are too much alike.
//!
//! Signup and import check these rules. The fold accepts any name, since past events have others.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use icu_properties::props::{BinaryProperty, DefaultIgnorableCodePoint, Emoji};
use icu_properties::props::{EnumeratedProperty, GeneralCategory, GeneralCategoryGroup};
use unicode_normalization::UnicodeNormalization;

mod unseen;

/// Fewest code points of a name, after trimming and NFC.
pub const NAME_CHARS_MIN: usize = 3;
/// Most code points of a name, after trimming and NFC.
pub const NAME_CHARS_MAX: usize = 25;
/// Most code points of a text that is read as a name: 25 letters, each with three marks apart.
const TEXT_CHARS_MAX: usize = 4 * NAME_CHARS_MAX;
/// Most combining marks in a row.
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

/// Small capitals, and the two characters that UTS 39 has in place of K's and M's. Those with a
/// stroke, a hook or turned are letters of their own, like accented ones.
const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ";
/// The letters that they look like, in the same order.
const SMALL_CAPITALS_LETTERS: &str = "abcdefghijkklmmnopqrstuvwyz";
/// The first of each 26 enclosed letters: parenthesized, and white on a disc or a square. NFKC
/// handles the others. Regional indicators are flags, not letters.
const ENCLOSED_A: [char; 4] = ['\u{249c}', '\u{1f110}', '\u{1f150}', '\u{1f170}'];

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const TEXT_SELECTOR: char = '\u{fe0e}';
const EMOJI_SELECTOR: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';
/// What follows a black flag to make it England's, Scotland's or Wales': tags, which do not show.
const SUBDIVISIONS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// A name that passed the rules: trimmed, NFC, 3 to 25 code points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TeamName(String);

/// A key by which names are unique. Most names have one to four keys; two names that share one are
/// too much alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamKey(String);

/// Why a text is no team name; each says it in one sentence for the person who typed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Too short or too long.
    #[error("a team name has 3 to 25 characters")]
    Length,
    /// Control, format, bidi or zero-width characters, white space other than U+0020, and
    /// characters that are drawn as nothing.
    #[error("a team name has no invisible or control characters")]
    Invisible,
    /// Private-use or unassigned characters, and those that no font draws.
    #[error("a team name has only characters that every device can show")]
    Unknown,
    /// Zalgo.
    #[error("a team name has at most two accents on a letter")]
    Marks,
}

impl TeamName {
    /// Parses a name.
    ///
    /// # Errors
    /// The first rule that `text` breaks.
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

    /// The keys that no other team may have.
    pub fn keys(&self) -> BTreeSet<TeamKey> {
        keys(&self.0)
    }
}

/// The keys of the names that are reserved in every event.
static ALWAYS_RESERVED: LazyLock<BTreeSet<TeamKey>> =
    LazyLock::new(|| RESERVED.into_iter().flat_map(keys).collect());

/// The names reserved for the organizers: `admin` and the like, and those of an event, by their
/// keys.
#[derive(Debug)]
pub struct ReservedNames(BTreeSet<TeamKey>);

impl ReservedNames {
    /// `admin` and the like, and `more`.
    pub fn new<'a>(more: impl IntoIterator<Item = &'a str>) -> Self {
        Self(more.into_iter().flat_map(keys).collect())
    }

    /// Whether a name is, or looks like, one of them.
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

/// Most code points of the name of a person.
pub const PERSON_CHARS_MAX: usize = 60;

/// The name of a person as it is kept, under the rules for the characters of team names; `None` if
/// it breaks one, is empty, has more than [`PERSON_CHARS_MAX`] code points or a semicolon, which
/// separates the names of a team.
pub fn person(text: &str) -> Option<String> {
    let name = normalize(text)?;
    let chars: Vec<char> = name.chars().collect();
    let fits = (1..=PERSON_CHARS_MAX).contains(&chars.len()) && check_chars(&chars).is_ok();
    let fits = fits && !chars.contains(&';');
    fits.then_some(name)
}

/// `text` as names are kept: trimmed, in NFC. `None` if it is far too long to be a name; such a
/// text is not normalized.
pub fn normalize(text: &str) -> Option<String> {
    let text = text.trim();
    let is_too_long = text.chars().nth(TEXT_CHARS_MAX).is_some();
    (!is_too_long).then(|| text.nfc().collect())
}

/// The keys of any name, by case fold and the UTS 39 skeleton in both orders, since a capital I
/// looks like a small l but folds to a small i. Each of the two is taken after NFKC and before it:
/// NFKC makes an s of a long s (U+017F), which looks like an f. Runs of white space count as one
/// blank. Small capitals and enclosed letters are replaced before, since NFKC makes `(a)` of a
/// parenthesized a, and after, since the skeleton makes small capitals of Cyrillic and Cherokee.
/// A change needs a higher `KEYS_FORM` in the store.
pub fn keys(name: &str) -> BTreeSet<TeamKey> {
    let mut keys = looks(name);
    keys.extend(plain(name).iter().flat_map(|name| looks(name)));
    let plain: Vec<String> = keys.iter().filter_map(|key| plain(key)).collect();
    keys.extend(plain.iter().flat_map(|key| looks(key)));
    keys.into_iter().map(TeamKey).collect()
}

/// The keys by case fold and skeleton.
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

/// `text` with plain letters for small capitals and enclosed letters; `None` if it has none.
fn plain(text: &str) -> Option<String> {
    let plain: String = text.chars().map(|c| plain_letter(c).unwrap_or(c)).collect();
    (plain != text).then_some(plain)
}

/// The letter that a small capital or an enclosed letter looks like.
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

/// The first character of a name that no name may have: its place, from 0, in [`normalize`]'s form
/// of the text, and the character.
pub fn refused_char(text: &str) -> Option<(usize, char)> {
    let chars: Vec<char> = normalize(text)?.chars().collect();
    let (place, _) = first_refused(&chars)?;
    Some((place, chars[place]))
}

fn check_chars(chars: &[char]) -> Result<(), NameError> {
    first_refused(chars).map_or(Ok(()), |(_, error)| Err(error))
}

/// The place of the first character that a name may not have there, and the rule that it breaks.
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

/// Whether a text has characters that nobody sees, or that change the order of others. Those of
/// emoji are seen.
pub fn has_unseen(text: &str) -> bool {
    first_unseen(text).is_some()
}

/// The first of these characters.
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

/// What holds of a character wherever it stands.
fn check_char(c: char) -> Result<(), NameError> {
    match GeneralCategory::for_char(c) {
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator => Err(NameError::Invisible),
        GeneralCategory::SpaceSeparator if c != ' ' => Err(NameError::Invisible),
        GeneralCategory::PrivateUse | GeneralCategory::Unassigned => Err(NameError::Unknown),
        // Emoji come faster than fonts do; devices follow.
        _ if c == ' ' || is_emoji(c) => Ok(()),
        _ if is_in(&unseen::BLANK, c) => Err(NameError::Invisible),
        _ if is_in(&unseen::MISSING, c) => Err(NameError::Unknown),
        _ => Ok(()),
    }
}

/// True for a character in one of the `runs`, which are sorted.
fn is_in(runs: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let next = runs.partition_point(|&(_, last)| last < code);
    runs.get(next).is_some_and(|&(first, _)| first <= code)
}

/// True where the joiner, selector or tag at `i` is part of an emoji sequence.
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

/// True where the tag at `i` is part of a subdivision's flag.
fn inside_flag(chars: &[char], i: usize) -> bool {
    let Some(flag) = chars[..i].iter().rposition(|&c| c == BLACK_FLAG) else { return false };
    let tags = &chars[flag + 1..];
    SUBDIVISIONS.iter().any(|subdivision| {
        let length = subdivision.chars().count();
        i - flag <= length && tags.iter().copied().take(length).eq(subdivision.chars())
    })
}

/// An emoji that is not also a plain digit or sign.
fn is_pictograph(c: char) -> bool {
    is_emoji(c) && !c.is_ascii()
}

fn is_emoji(c: char) -> bool {
    Emoji::for_char(c)
}

/// True for what shows nothing by the Unicode standard, unless it is part of a sequence.
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
