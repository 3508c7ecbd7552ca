//! Reads the text of a CSV file as spreadsheets write it: in one of several encodings, with one of
//! several separators.

use std::borrow::Cow;

use flagship_server::lists::cells::unguard;

/// The separators that are tried; the first of equally good ones counts.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// What Windows-1252 has at 0x80 to 0x9f; the rest of it is Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A decoded file.
pub struct Text<'b> {
    pub text: Cow<'b, str>,
    /// True if the file was not in Unicode and is taken as Windows-1252.
    pub is_guessed: bool,
}

/// Decodes UTF-8 and UTF-16 with or without a byte order mark, and Windows-1252.
pub fn decode(bytes: &[u8]) -> Text<'_> {
    let known = |text| Text { text, is_guessed: false };
    let utf_16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        known(Cow::Owned(char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => known(Cow::Borrowed(text.trim_start_matches('\u{feff}'))),
            Err(_) => {
                let windows = |byte: &u8| match byte {
                    0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
                    byte => char::from(*byte),
                };
                let text = Cow::Owned(bytes.iter().map(windows).collect());
                Text { text, is_guessed: true }
            }
        },
    }
}

/// The separator, and where the header begins. `titles` are the columns that a header may have.
pub fn layout(text: &str, titles: &[&str]) -> (u8, usize) {
    let first = text.split('\n').next().unwrap_or_default();
    // Excel's own line.
    if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] = first.trim_end().as_bytes()
        && separator.is_ascii()
    {
        return (*separator, (first.len() + 1).min(text.len()));
    }
    let header = text.lines().find(|line| !line.is_empty()).unwrap_or_default();
    let fits = |separator: &u8| {
        let cells = header.split(char::from(*separator));
        cells.filter(|cell| titles.contains(&&*title(cell))).count()
    };
    let best = SEPARATORS.iter().rev().max_by_key(|separator| fits(separator));
    (best.copied().unwrap_or(b','), 0)
}

/// A cell of a header as it is written, without blanks and quotes around it.
pub fn written(cell: &str) -> &str {
    unguard(cell.trim().trim_matches('"')).trim()
}

/// A cell of a header as the name of a column.
pub fn title(cell: &str) -> String {
    match written(cell).to_lowercase().as_str() {
        "e-mail" | "e mail" | "e_mail" => "email".to_owned(),
        title => title.to_owned(),
    }
}

/// Where the CSV reader is in a row.
enum At {
    FieldStart,
    Field,
    Quoted,
    /// After a quote in quotes: the end of the quotes, or a quote that is doubled.
    Quote,
}

/// The line, from 1, of a quote that begins a field and that nothing closes. The CSV reader takes
/// everything after it as one field.
pub fn unclosed_quote(text: &str, separator: u8, start: usize) -> Option<u64> {
    let (mut at, mut line, mut opened) = (At::FieldStart, 1, 1);
    for (index, byte) in text.bytes().enumerate() {
        if index >= start {
            at = match (at, byte) {
                (At::FieldStart, b'"') => {
                    opened = line;
                    At::Quoted
                }
                (At::Quoted, b'"') => At::Quote,
                (At::Quoted, _) | (At::Quote, b'"') => At::Quoted,
                (_, b'\n' | b'\r') => At::FieldStart,
                (_, byte) if byte == separator => At::FieldStart,
                _ => At::Field,
            };
        }
        line += u64::from(byte == b'\n');
    }
    matches!(at, At::Quoted).then_some(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unclosed_quote_is_reported_with_its_line() {
        for (text, line) in [
            ("name,email\nAnts,a@x\n", None),
            ("name,email\n\"An\nts\",a@x\n", None),
            ("name,email\n\"The \"\"Ants\"\"\",a@x\n", None),
            ("name,email\nThe \"Ants,a@x\n", None),
            ("name,email\n\"Ants,a@x\nBees,b@x\n", Some(2)),
            ("name,email\n\"An\nts\",\"a@x\nBees,b@x\n", Some(3)),
            ("name,email\nAnts,\"a\"\"\n", Some(2)),
        ] {
            assert_eq!(unclosed_quote(text, b',', 0), line, "{text:?}");
        }
    }
}
