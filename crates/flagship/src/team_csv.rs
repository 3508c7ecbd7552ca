//! The CSV file of `flagship team import`: all rows are parsed and checked before any is used, and
//! everything that is wrong is said at once.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use csv::StringRecord;
use flagship_game::TeamName;
#[cfg(any(test, feature = "fuzz"))]
use flagship_server::is_country;
use flagship_server::lists::cells::unguard;
use flagship_server::{Email, country_code};
use flagship_store::accounts::NewAccount;

use crate::csv_text;

/// Largest file, in bytes.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The most teams in a file.
const ROWS_MAX: usize = 100_000;
/// Length of a password in characters.
const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 6..=128;
const COLUMNS: [&str; 5] = ["name", "email", "country", "student", "password"];
/// How the files of spreadsheets begin: .xlsx and .ods, which are zip files, and .xls.
const SPREADSHEETS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];
/// How a cell says yes and no: English, German, French, Italian, Spanish, and spreadsheets.
const YES: [&str; 15] =
    ["yes", "y", "true", "t", "1", "x", "on", "ja", "j", "wahr", "oui", "vrai", "si", "sì", "sí"];
const NO: [&str; 13] =
    ["", "no", "n", "false", "f", "0", "-", "off", "nein", "falsch", "non", "faux", "falso"];

/// A parsed row.
pub struct Row {
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The team, without the hash of the password.
    pub account: NewAccount,
    /// The password, if there is one.
    pub password: Option<String>,
}

/// What is wrong with a line.
pub struct Fault {
    /// The line in the file, counted from 1.
    pub line: u64,
    pub message: String,
}

/// A parsed file.
#[derive(Default)]
pub struct Sheet {
    /// The rows without a fault.
    pub rows: Vec<Row>,
    /// The names of all rows, with their lines.
    pub names: Vec<(u64, TeamName)>,
    pub faults: Vec<Fault>,
    /// True if the file was not in Unicode and is taken as Windows-1252.
    pub is_guessed: bool,
}

impl Sheet {
    fn fault(&mut self, line: u64, message: impl Into<String>) {
        self.faults.push(Fault { line, message: message.into() });
    }
}

/// Reads a file. Fails if it cannot be read at all.
pub fn read(file: &Path) -> Result<Sheet> {
    let name = file.display();
    let opening = || format!("read `{name}`");
    if !fs::metadata(file).with_context(opening)?.is_file() {
        bail!("`{name}` is not an ordinary file");
    }
    // The size in the metadata may change while the file is read.
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).with_context(opening)?;
    opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).with_context(opening)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        bail!("`{name}` is larger than {FILE_BYTES_MAX} bytes");
    }
    if SPREADSHEETS.iter().any(|begin| bytes.starts_with(begin)) {
        bail!("nothing was imported: `{name}` is a spreadsheet: save it as CSV, and import that");
    }
    Ok(parse(&bytes))
}

/// Parses the content of a file.
pub fn parse(bytes: &[u8]) -> Sheet {
    let csv_text::Text { text, is_guessed } = csv_text::decode(bytes);
    let mut sheet = Sheet { is_guessed, ..Sheet::default() };
    let (separator, start) = csv_text::layout(&text, &COLUMNS);
    let mut lines = Lines { text: &text, byte: 0, line: 1 };
    let mut reader = csv::ReaderBuilder::new();
    reader.flexible(true).delimiter(separator).has_headers(false);
    let mut reader = reader.from_reader(&text.as_bytes()[start..]);
    let mut records = reader.records();
    let line_of = |record: &StringRecord, lines: &mut Lines<'_>| {
        lines.line_at(start as u64 + record.position().map_or(0, csv::Position::byte))
    };
    if let Some(line) = csv_text::unclosed_quote(&text, separator, start) {
        sheet.fault(line, "a quote (\") opens here and nothing closes it: close it, or remove it");
        return sheet;
    }
    let header = match records.next() {
        Some(Ok(header)) => {
            let line = line_of(&header, &mut lines);
            let header = Header::of(&header);
            header.check(line, &mut sheet);
            header
        }
        _ => {
            sheet.fault(1, "the file is empty; its first line names the columns: name,email");
            return sheet;
        }
    };
    if !sheet.faults.is_empty() {
        return sheet;
    }
    let mut is_empty = true;
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                sheet.fault(lines.line, format!("this is not a row of CSV: {error}"));
                return sheet;
            }
        };
        let line = line_of(&record, &mut lines);
        is_empty = false;
        if sheet.names.len() + sheet.faults.len() >= ROWS_MAX {
            sheet
                .fault(line, format!("there are more than {ROWS_MAX} teams; the rest is not read"));
            return sheet;
        }
        row(&record, line, &header, &mut sheet);
    }
    if is_empty {
        sheet.fault(lines.line, "there is no team: write each in a line below the columns");
    }
    sheet
}

/// The first row, which names the columns.
struct Header {
    /// The names of the columns.
    titles: Vec<String>,
    /// The same as they are written.
    written: Vec<String>,
    /// Number of columns at the end without a name, as a separator at the end of each line makes.
    unnamed: usize,
}

impl Header {
    fn of(record: &StringRecord) -> Self {
        let mut titles: Vec<String> = record.iter().map(csv_text::title).collect();
        let named = titles.iter().rposition(|title| !title.is_empty()).map_or(0, |last| last + 1);
        let unnamed = titles.len() - named;
        titles.truncate(named);
        let written = record.iter().map(|cell| csv_text::written(cell).to_owned()).collect();
        Self { titles, written, unnamed }
    }

    fn check(&self, line: u64, sheet: &mut Sheet) {
        let known = COLUMNS.join(", ");
        for (at, (title, written)) in self.titles.iter().zip(&self.written).enumerate() {
            if !COLUMNS.contains(&title.as_str()) {
                let meant = match flagship_pack::nearest(COLUMNS, title) {
                    Some((near, true)) => format!("; did you mean {near:?}?"),
                    _ => String::new(),
                };
                let message = format!("the column {written:?} is not one of {known}{meant}");
                sheet.fault(line, message);
            } else if self.titles[..at].contains(title) {
                sheet.fault(line, format!("the column {written:?} is there twice"));
            }
        }
        for needed in ["name", "email"] {
            if !self.titles.iter().any(|title| title == needed) {
                let message =
                    format!("the column {needed:?} is missing; the first line names them");
                sheet.fault(line, message);
            }
        }
    }

    /// Whether a row has these columns, and nothing in those without a name.
    fn fits(&self, record: &StringRecord) -> bool {
        let named = self.titles.len();
        (named..=named + self.unnamed).contains(&record.len())
            && record.iter().skip(named).all(|cell| cell.trim().is_empty())
    }
}

/// Counts the lines of a text. The CSV reader's own count is too low after CRLF and blank lines:
/// for the reader, a record begins where the one before ended.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the first character at or after `byte` that is not a line break. Call this with
    /// ascending positions.
    fn line_at(&mut self, byte: u64) -> u64 {
        let from = usize::try_from(byte).unwrap_or(usize::MAX).min(self.text.len());
        let blank = self.text.as_bytes()[from..].iter().take_while(|it| b"\r\n".contains(it));
        let to = from + blank.count();
        let passed = self.text.as_bytes()[self.byte..to].iter().filter(|it| **it == b'\n');
        self.line += passed.count() as u64;
        self.byte = to;
        self.line
    }
}

/// Parses one row, with all its faults.
fn row(record: &StringRecord, line: u64, header: &Header, sheet: &mut Sheet) {
    let titles = &header.titles;
    if !header.fits(record) {
        let fields = match record.len() {
            1 => "1 field".to_owned(),
            count => format!("{count} fields"),
        };
        let message = format!(
            "the row has {fields} and the header {}; a field with the separator in it needs quotes",
            titles.len()
        );
        sheet.fault(line, message);
        return;
    }
    let field = |name: &str| {
        let column = titles.iter().position(|title| title == name);
        column.and_then(|column| record.get(column)).unwrap_or_default()
    };
    let name = TeamName::parse(unguard(field("name")));
    if let Ok(name) = &name {
        sheet.names.push((line, name.clone()));
    }
    let mut messages = Vec::new();
    let mut keep = |message: String| messages.push(message);
    let name = name.map_err(|error| keep(error.to_string())).ok();
    let email = email(field("email")).map_err(&mut keep).ok();
    let country = country(field("country")).map_err(&mut keep).ok();
    let student = student(field("student")).map_err(&mut keep).ok();
    let password = password(field("password")).map_err(&mut keep).ok();
    match (name, email, country, student, password) {
        (Some(name), Some(email), Some(country), Some(student), Some(password)) => {
            let (password_hash, language) = (None, None);
            let account = NewAccount { name, email, country, password_hash, student, language };
            sheet.rows.push(Row { line, account, password });
        }
        _ => messages.into_iter().for_each(|message| sheet.fault(line, message)),
    }
}

fn email(cell: &str) -> Result<String, String> {
    let cell = unguard(cell);
    let email = Email::parse(cell).ok_or_else(|| format!("{cell:?} is not an e-mail address"));
    email.map(|email| email.as_str().to_owned())
}

fn country(cell: &str) -> Result<String, String> {
    let cell = unguard(cell.trim());
    if cell.is_empty() {
        return Ok("UN".to_owned());
    }
    country_code(cell).map(str::to_owned).ok_or_else(|| {
        format!("{cell:?} is not a country of the list, by code (IT) or English name (Italy)")
    })
}

fn student(cell: &str) -> Result<bool, String> {
    let word = cell.trim().to_lowercase();
    match (YES.contains(&&*word), NO.contains(&&*word)) {
        (true, _) => Ok(true),
        (false, true) => Ok(false),
        (false, false) => Err(format!("student is yes or no, not {:?}", cell.trim())),
    }
}

fn password(cell: &str) -> Result<Option<String>, String> {
    if cell.is_empty() || PASSWORD_CHARS.contains(&cell.chars().count()) {
        return Ok(Some(cell.to_owned()).filter(|password| !password.is_empty()));
    }
    Err("a password has 6 to 128 characters, or none until the team sets one by mail".to_owned())
}

/// Checks a property that holds for any input: rows and faults have existing lines, and rows valid
/// values. For fuzzing.
#[cfg(any(test, feature = "fuzz"))]
pub fn holds(bytes: &[u8]) {
    check_result(bytes, parse(bytes));
}

/// Checks that a result can come from `bytes`.
#[cfg(any(test, feature = "fuzz"))]
fn check_result(bytes: &[u8], sheet: Sheet) {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    for row in sheet.rows {
        // If lines end with carriage returns alone, the whole file counts as one line.
        assert!((1..=lines).contains(&row.line), "line {} of {lines}", row.line);
        assert!(TeamName::parse(row.account.name.as_str()).is_ok());
        assert!(Email::parse(&row.account.email).is_some());
        assert!(is_country(&row.account.country));
    }
    for fault in sheet.faults {
        assert!((1..=lines).contains(&fault.line), "line {} of {lines}", fault.line);
        assert!(!fault.message.contains('\n'), "{:?}", fault.message);
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use flagship_control::control;

    use super::*;

    #[test]
    fn fuzz_inputs_of_team_files_are_read() {
        if control("fuzz_inputs_of_team_files_are_read", "line 2 of 1") {
            check_result(b"", parse(b"name,email\nThe Ants,a@example.org\n"));
        }
        let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/team_csv");
        let files: Vec<_> = fs::read_dir(corpus).expect("a corpus").collect();
        assert!(files.len() >= 20, "{} are kept", files.len());
        for file in files {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            holds(&fs::read(path).expect("readable"));
        }
    }

    #[test]
    fn an_invisible_name_is_refused_with_its_line() {
        for name in
            ["Pwners\u{fffc}", "admin\u{2d7f}", "\u{2800}\u{2800}\u{2800}", "two\u{a0}words"]
        {
            let text = format!("name,email\nAnts,a@example.org\n{name},b@example.org\n");
            let sheet = parse(text.as_bytes());
            let [Fault { line: 3, message }] = &sheet.faults[..] else { panic!("{name:?}") };
            assert!(message.contains("invisible"), "{message}");
        }
    }
}
