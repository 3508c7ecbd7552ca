//! Cells of a row: parsers for each column, with error messages.

use flagship_actions::country_code;
use flagship_actions::mail::address::Email;
use flagship_game::{DivisionId, TeamName, name};

use super::hashes;
use crate::node::lists::cells::unguard;

/// Valid length of a password, in characters.
const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 6..=128;
/// Cells that mean yes and no: English, German, French, Italian, Spanish, and spreadsheets.
const YES: [&str; 15] =
    ["yes", "y", "true", "t", "1", "x", "on", "ja", "j", "wahr", "oui", "vrai", "si", "sì", "sí"];
const NO: [&str; 13] =
    ["", "no", "n", "false", "f", "0", "-", "off", "nein", "falsch", "non", "faux", "falso"];

/// Names of invisible characters.
const UNSEEN: [(char, &str); 16] = [
    ('\t', "a tab"),
    ('\n', "a line break"),
    ('\r', "a carriage return"),
    ('\u{0}', "a zero character"),
    ('\u{a0}', "a no-break space"),
    ('\u{ad}', "a soft hyphen"),
    ('\u{34f}', "a combining grapheme joiner"),
    ('\u{200b}', "a zero-width space"),
    ('\u{200c}', "a zero-width non-joiner"),
    ('\u{200d}', "a zero-width joiner"),
    ('\u{200e}', "a left-to-right mark"),
    ('\u{200f}', "a right-to-left mark"),
    ('\u{202e}', "a right-to-left override"),
    ('\u{2060}', "a word joiner"),
    ('\u{feff}', "a byte order mark"),
    ('\u{fffd}', "the replacement character"),
];

/// Replaces other space characters in a cell, such as a word processor's non-breaking space, by
/// plain spaces.
pub fn plain_blanks(cell: &str) -> String {
    let is_space = |c: char| {
        matches!(
            c,
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        )
    };
    cell.chars().map(|c| if is_space(c) { ' ' } else { c }).collect()
}

/// Describes a character by its position, starting at 0, and its name.
fn character(place: usize, c: char) -> String {
    let known = UNSEEN.iter().find(|(unseen, _)| *unseen == c);
    let called = known.map_or(String::new(), |(_, called)| format!(", {called}"));
    format!("character {} is U+{:04X}{called}", place + 1, u32::from(c))
}

/// Parses a team name.
pub fn name(cell: &str) -> Result<TeamName, String> {
    let text = unguard(cell);
    if let Some((place, c)) = text.chars().enumerate().find(|(_, c)| *c == '\u{fffd}') {
        let lost = character(place, c);
        return Err(format!("{text:?} lost a character in an earlier conversion: {lost}"));
    }
    TeamName::parse(text).map_err(|error| match name::refused_char(text) {
        Some((place, c)) => format!("{error}: in {text:?} {}", character(place, c)),
        None => match text.trim().chars().count() {
            0 => format!("{error}; this one is empty"),
            count => format!("{error}; {text:?} has {count}"),
        },
    })
}

/// Parses an email address.
pub fn email(cell: &str) -> Result<String, String> {
    let text = unguard(cell.trim()).trim();
    if text.is_empty() {
        return Err("the email address is missing".to_owned());
    }
    let email = Email::of_team(text, true).map_err(|error| {
        let is_odd =
            |c: char| c.is_control() || c.is_whitespace() || UNSEEN.iter().any(|it| it.0 == c);
        let odd = text.chars().enumerate().find(|(_, c)| is_odd(*c));
        let odd = odd.map_or(String::new(), |(place, c)| format!(": {}", character(place, c)));
        format!("{text:?} {error}{odd}")
    });
    email.map(|email| email.as_str().to_owned())
}

/// Parses a country code or English country name. An empty cell means no country.
pub fn country(cell: &str) -> Result<String, String> {
    let text = unguard(cell.trim());
    if text.is_empty() {
        return Ok("UN".to_owned());
    }
    country_code(text).map(str::to_owned).ok_or_else(|| {
        format!("unknown country {text:?}; use a code (IT) or an English name (Italy)")
    })
}

/// Parses yes or no.
pub fn student(cell: &str) -> Result<bool, String> {
    let word = cell.trim().to_lowercase();
    match (YES.contains(&&*word), NO.contains(&&*word)) {
        (true, _) => Ok(true),
        (false, true) => Ok(false),
        (false, false) => Err(format!("student must be yes or no, not {:?}", cell.trim())),
    }
}

/// Parses division IDs separated by spaces. The caller checks that they are defined.
pub fn divisions(cell: &str) -> Result<Vec<DivisionId>, String> {
    let mut ids: Vec<DivisionId> = Vec::new();
    for word in unguard(cell.trim()).split_whitespace() {
        let id = DivisionId::parse(word);
        let id = id.ok_or_else(|| format!("{word:?} is not the ID of a division"))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Parses a password. It never appears in messages. An empty cell means no password.
pub fn password(cell: &str) -> Result<Option<String>, String> {
    if let Some(kind) = hashes::kind(cell) {
        return Err(format!(
            "the password is a hash ({kind}) from another program and cannot be used to log in: \
             leave the cell empty to let the team set a password by email"
        ));
    }
    if cell.is_empty() || PASSWORD_CHARS.contains(&cell.chars().count()) {
        return Ok(Some(cell.to_owned()).filter(|password| !password.is_empty()));
    }
    Err("the password must be 6 to 128 characters, or empty to let the team set one by email"
        .to_owned())
}
