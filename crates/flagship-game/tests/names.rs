//! Classification of all code points as allowed or forbidden in team names.

use std::collections::BTreeMap;

use flagship_game::{NameError, TeamName, name};

/// Characters drawn as nothing or as a box in a word: by property (first and last character of each
/// kind in Unicode 18), or because browsers and fonts draw them like this.
const UNSEEN: &str = "\u{0}\u{1f}\u{7f}\u{9f}\u{ad}\u{34f}\u{600}\u{61c}\u{6dd}\u{70f}\u{890}\
    \u{8e2}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}\u{180e}\u{180f}\u{200b}\u{200c}\u{200d}\u{200e}\
    \u{200f}\u{202a}\u{202e}\u{2060}\u{2064}\u{2065}\u{2066}\u{206f}\u{2800}\u{2d7f}\u{3164}\
    \u{fe00}\u{fe0e}\u{fe0f}\u{feff}\u{ffa0}\u{fff0}\u{fff9}\u{fffb}\u{fffc}\u{110bd}\u{11d45}\
    \u{11d97}\u{1bca0}\u{1d159}\u{1d173}\u{1d17a}\u{e0000}\u{e0001}\u{e0020}\u{e007f}\u{e0100}\
    \u{e01ef}\u{e0fff}\u{2028}\u{2029}\u{a0}\u{1680}\u{2000}\u{200a}\u{202f}\u{205f}\u{3000}";
/// Characters missing from common fonts and drawn as a box: private, unassigned, rare.
const BOXES: &str = "\u{e000}\u{f8ff}\u{f0000}\u{10fffd}\u{378}\u{ffff}\u{2a6e0}\u{3ffff}\
    \u{16a70}\u{2a6d0}\u{30000}\u{1e7e0}";

#[test]
fn invisible_characters_are_refused_in_names() {
    let unseen = UNSEEN.chars().map(|c| (c, NameError::Invisible));
    for (c, error) in unseen.chain(BOXES.chars().map(|c| (c, NameError::Unknown))) {
        // A duplicate of a name, an imitation, and a name with several of them.
        for name in [format!("Pwn{c}ers"), format!("ad{c}min"), format!("a{c}{c}{c}b")] {
            let refused = TeamName::parse(&name);
            assert_eq!(refused, Err(error), "U+{:04X} is in a name", u32::from(c));
        }
        let whole = TeamName::parse(&c.to_string().repeat(3));
        assert!(whole.is_err(), "U+{:04X} is a name", u32::from(c));
    }
}

#[test]
fn all_code_points_are_classified_as_allowed_or_not() {
    let mut became: BTreeMap<&str, usize> = BTreeMap::new();
    // No characters are assigned in the planes between; the planes above are private.
    for c in ('\0'..='\u{3ffff}').chain('\u{e0000}'..='\u{effff}') {
        let what = match TeamName::parse(&format!("ab{c}cd")) {
            Ok(_) => "allowed",
            Err(NameError::Invisible) => "invisible",
            Err(NameError::Unknown) => "unknown",
            Err(NameError::Marks | NameError::Length) => "other",
        };
        *became.entry(what).or_default() += 1;
    }
    println!("figures: of the code points of planes 0 to 3 and 14: {became:?}");
    let expected = [("allowed", 79_301), ("invisible", 4_295), ("unknown", 242_036)];
    assert_eq!(became, BTreeMap::from(expected));
    for living in ["𠮷野家", "ភាសាខ្មែរ", "မြန်မာစာ", "ᠮᠣᠩᠭᠣᠯ", "ትግርኛ", "ⵜⵉⴼⵉⵏⴰⵖ", "⠿⠿⠿", "𝄞𝄢𝄫"]
    {
        assert!(TeamName::parse(living).is_ok(), "{living}");
    }
}

/// ASCII lookalike of a character by UTS 39, if it is visible.
fn ascii_prototype(c: char) -> Option<String> {
    let prototype: String = unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect();
    let is_seen = !prototype.is_empty() && prototype.bytes().all(|byte| byte.is_ascii_graphic());
    is_seen.then_some(prototype)
}

#[test]
fn characters_that_look_like_ascii_have_the_key_of_ascii() {
    let mut looked_at = 0;
    let mut beside = Vec::new();
    for c in ('\u{80}'..='\u{3ffff}').chain('\u{e0000}'..='\u{effff}') {
        let Some(prototype) = ascii_prototype(c) else { continue };
        // Alone, in a word, and next to characters that only NFKC maps to ASCII.
        for (before, after) in [("", " 42"), ("Crab ", "akes"), ("ｄ", "ｋ")] {
            let name = format!("{before}{c}{after}");
            let twin = format!("{before}{prototype}{after}");
            let plain = twin.replace('ｄ', "d").replace('ｋ', "k");
            if TeamName::parse(&name).is_err() {
                continue;
            }
            looked_at += 1;
            for twin in [twin, plain] {
                if name::keys(&name).is_disjoint(&name::keys(&twin)) {
                    beside.push(format!("{name:?} is accepted beside {twin:?}"));
                }
            }
        }
    }
    println!("figures: {looked_at} names with a character that looks like ASCII");
    assert!(looked_at > 3_000, "{looked_at}");
    assert!(beside.is_empty(), "{} names: {:#?}", beside.len(), &beside[..beside.len().min(40)]);
}

#[test]
fn small_capitals_and_enclosed_letters_have_the_key_of_the_letter() {
    let words = "is accepted beside";
    let small = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ".chars().zip("abcdefghijklmnopqrstuvwyz".chars());
    // Parenthesized, circled, squared, and white on a disc or a square.
    let enclosed = ['⒜', 'ⓐ', '🄐', 'Ⓐ', '🄰', '🅐', '🅰'];
    let enclosed = enclosed.into_iter().flat_map(|first| (first..).zip('a'..='z'));
    let mut looked_at = 0;
    for (look, letter) in small.chain(enclosed) {
        for (before, after) in [("", " 42"), ("Crab ", "akes"), ("ｄ", "ｋ")] {
            let name = format!("{before}{look}{after}");
            let twin = format!("{before}{letter}{after}");
            looked_at += 1;
            let (keys, twins) = (name::keys(&name), name::keys(&twin));
            assert!(!keys.is_disjoint(&twins), "{name:?} {words} {twin:?}: {keys:?}, {twins:?}");
        }
    }
    assert_eq!(looked_at, 3 * (25 + 7 * 26));
}

#[test]
fn a_text_of_more_than_100_code_points_is_not_a_name() {
    for long in ["x", "\u{fdfa}", "e\u{301}", "\u{1f47e}"] {
        let text: String = long.chars().cycle().take(101).collect();
        assert_eq!(name::normalize(&text), None, "101 code points are read as a name");
        assert_eq!(TeamName::parse(&text), Err(NameError::Length), "{text:?}");
        let text: String = long.chars().cycle().take(100).collect();
        assert!(name::normalize(&text).is_some(), "{text:?}");
    }
    // Surrounding spaces do not count, and 25 letters can have three marks each.
    assert_eq!(name::normalize(&format!(" {:2000}", "abc")).as_deref(), Some("abc"));
    let composed = "\u{1f80}".repeat(25);
    let decomposed = "\u{3b1}\u{313}\u{345}".repeat(25);
    assert_eq!(TeamName::parse(&decomposed).expect("a name").as_str(), composed);
}
