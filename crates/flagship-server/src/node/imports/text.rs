//! Decodes CSV files written by spreadsheets, in one of several encodings and with one of several
//! separators. Encodings are never guessed: a file that is neither Unicode nor labeled is rejected
//! with previews of its names in candidate encodings.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use serde::Serialize;
use utoipa::ToSchema;

use crate::node::lists::cells::unguard;

/// Maximum file size, in bytes.
pub const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Candidate separators. In case of a tie, the first one wins.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of code units for detecting UTF-16 without a byte order mark: the start of the header,
/// which is plain ASCII.
const UNITS_MIN: usize = 4;
/// Signatures of spreadsheet files: .xlsx and .ods, which are zip files, and .xls.
const ZIP: &[u8] = b"PK\x03\x04";
const XLS: &[u8] = b"\xd0\xcf\x11\xe0";
/// A row that no file ends with.
const ADDED_ROW: &str = "\n\0";

/// An encoding of the WHATWG standard: `windows-1251`, `gbk`, `macintosh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(pub(super) &'static encoding_rs::Encoding);

impl Encoding {
    /// Looks up an encoding by label, ignoring case.
    pub fn of_label(label: &str) -> Option<Self> {
        let found = encoding_rs::Encoding::for_label(label.trim().as_bytes());
        // The label `replacement` decodes nothing.
        found.filter(|it| *it != encoding_rs::REPLACEMENT).map(Self)
    }
}

/// Names of a file, decoded with a candidate encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ImportReading)]
pub struct Reading {
    /// Label of the encoding.
    pub label: String,
    /// First non-ASCII names.
    pub names: Vec<String>,
}

/// Error returned when a file cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The file is not Unicode, and no encoding was given.
    #[error("this is not UTF-8, and its encoding is unknown")]
    Encoding {
        /// Line of the first text that is not UTF-8, starting at 1.
        line: u64,
        /// Names decoded with candidate encodings, most likely first.
        readings: Vec<Reading>,
    },
    /// The file is not valid in the given encoding, or not valid UTF-16.
    #[error("this is not {name}")]
    Malformed {
        /// Line of the first text that cannot be decoded, starting at 1.
        line: u64,
        /// Name of the encoding.
        name: &'static str,
    },
    /// The file is larger than [`FILE_BYTES_MAX`].
    #[error("the file is larger than {FILE_BYTES_MAX} bytes")]
    Large,
    /// The file is a spreadsheet.
    #[error("this is a spreadsheet: save it as CSV and import the CSV file")]
    Spreadsheet,
    /// The file is a CTFd export.
    #[error(
        "this is a CTFd export: its passwords are hashes, which cannot be used here. Download the \
         teams as CSV (in CTFd: Config, Backup, Download CSV), keep the columns name, email and \
         country, and import the file; teams without a password set one by email"
    )]
    Ctfd,
    /// The file is some other zip file.
    #[error("this is a zip file: extract it and import the CSV file inside")]
    Zip,
}

/// Decodes a file in `encoding`, or as UTF-8 or UTF-16 with or without a byte order mark. Returns
/// the text and the name of its encoding. The error for an unknown encoding contains no previews
/// yet.
///
/// # Errors
/// Fails if the file is not text in this encoding.
pub fn decode(
    bytes: &[u8],
    encoding: Option<Encoding>,
) -> Result<(Cow<'_, str>, &'static str), Unread> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(Unread::Large);
    }
    if bytes.starts_with(XLS) {
        return Err(Unread::Spreadsheet);
    }
    if bytes.starts_with(ZIP) {
        return Err(of_zip(bytes));
    }
    let marked = encoding_rs::Encoding::for_bom(bytes);
    let found = marked.map(|(found, mark)| (found, &bytes[mark..]));
    let given = encoding.map(|Encoding(given)| given).or_else(|| of_nul_bytes(bytes));
    if let Some((encoding, bytes)) = found.or(given.map(|given| (given, bytes))) {
        return Ok((decode_in(encoding, bytes)?, encoding.name()));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((Cow::Borrowed(text), UTF_8.name())),
        Err(error) => {
            let line = line_at(bytes, error.valid_up_to());
            Err(Unread::Encoding { line, readings: Vec::new() })
        }
    }
}

/// Detects UTF-16 without a byte order mark by the zero bytes of its first characters.
fn of_nul_bytes(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let units = bytes.get(..2 * UNITS_MIN)?.chunks_exact(2);
    let is = |first: bool| {
        let mut units = units.clone();
        units.all(|unit| (unit[0] == 0) == first && (unit[1] == 0) != first)
    };
    if is(false) { Some(UTF_16LE) } else { is(true).then_some(UTF_16BE) }
}

/// Decodes a file in an encoding.
///
/// # Errors
/// Fails with [`Unread::Malformed`] and the line.
pub fn decode_in<'b>(
    encoding: &'static encoding_rs::Encoding,
    bytes: &'b [u8],
) -> Result<Cow<'b, str>, Unread> {
    let read = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    read.ok_or_else(|| {
        let (with_marks, _) = encoding.decode_without_bom_handling(bytes);
        let at = with_marks.find('\u{fffd}').unwrap_or_default();
        Unread::Malformed { line: line_at(with_marks.as_bytes(), at), name: encoding.name() }
    })
}

/// Line of a byte, starting at 1.
fn line_at(bytes: &[u8], at: usize) -> u64 {
    1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Identifies a zip file by the names of its entries, which the zip format stores uncompressed.
fn of_zip(bytes: &[u8]) -> Unread {
    let has = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    if has(b"db/teams.json") || has(b"db/alembic_version.json") {
        Unread::Ctfd
    } else if has(b"[Content_Types].xml") || has(b"opendocument.spreadsheet") {
        Unread::Spreadsheet
    } else {
        Unread::Zip
    }
}

/// Detects the separator and the start of the header. `titles` are the valid column names.
pub fn layout(text: &str, titles: &[&str]) -> (u8, usize) {
    let first = text.split('\n').next().unwrap_or_default();
    // Excel's `sep=` line.
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

/// A header cell as written, without surrounding spaces and quotes.
pub fn written(cell: &str) -> &str {
    unguard(cell.trim().trim_matches('"')).trim()
}

/// Normalized column name of a header cell.
pub fn title(cell: &str) -> String {
    match written(cell).to_lowercase().as_str() {
        "e-mail" | "e mail" | "e_mail" => "email".to_owned(),
        // Column name in Flagship's own lists and exports.
        "team" => "name".to_owned(),
        title => title.to_owned(),
    }
}

/// Creates a reader for all rows of a CSV file, including the header.
pub fn csv_reader<R: Read>(separator: u8, rows: R) -> csv::Reader<R> {
    let mut reader = csv::ReaderBuilder::new();
    reader.flexible(true).delimiter(separator).has_headers(false).from_reader(rows)
}

/// Line of an unclosed quote at the start of a field, starting at 1. The CSV reader would treat
/// everything after it as one field, even a row appended to the file.
pub fn unclosed_quote(text: &str, separator: u8, start: usize) -> Option<u64> {
    let rows = text.as_bytes()[start..].chain(ADDED_ROW.as_bytes());
    let last = csv_reader(separator, rows).into_records().filter_map(Result::ok).last()?;
    let quoted = last.iter().next_back()?.strip_suffix(ADDED_ROW)?;
    let lines = |text: &str| line_at(text.as_bytes(), text.len());
    Some(1 + lines(text) - lines(quoted))
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
