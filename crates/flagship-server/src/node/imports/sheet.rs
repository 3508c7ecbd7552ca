//! Rows of a team file. All rows are parsed and checked before any is used, so that all faults are
//! reported at once.

use std::collections::BTreeSet;
use std::fmt;

use csv::StringRecord;
use flagship_game::TeamName;
use flagship_store::accounts::NewAccount;

use super::cells;
use super::readings::{COLUMNS_MAX, readings};
use super::text::{self, Encoding, Unread};
#[cfg(any(test, feature = "fuzz"))]
use flagship_actions::is_country;
#[cfg(any(test, feature = "fuzz"))]
use flagship_actions::mail::address::Email;

/// Maximum number of teams in a file, including skipped rows.
pub(super) const ROWS_MAX: usize = 100_000;
const COLUMNS: [&str; 6] = ["name", "email", "country", "student", "password", "divisions"];
/// Further columns of Flagship's own lists and exports, which are ignored.
const PASSED_OVER: &str = "number rank place points award solves last_solve public_rank \
                           public_points public_solves signed_up unconfirmed_since mail mail_at \
                           mail_tries next_try server_said new_email members state standing \
                           position fields";
/// Status columns of these lists, and the values for active teams.
const STATES: [&str; 2] = ["state", "standing"];
const PLAYED: [&str; 2] = ["", "plays"];
/// Maximum length of a displayed status, in characters.
const STATE_CHARS_MAX: usize = 40;

/// A parsed row.
pub struct Row {
    /// Line number in the file, starting at 1.
    pub line: u64,
    /// Team, without the password hash.
    pub account: NewAccount,
    /// Password, if given.
    pub password: Option<String>,
}

/// A fault in a line.
pub struct Fault {
    /// Line number in the file, starting at 1.
    pub line: u64,
    /// Description of the fault and its fix.
    pub message: String,
}

/// A parsed file.
#[derive(Default)]
pub struct Sheet {
    /// Rows without faults.
    pub rows: Vec<Row>,
    /// Names of all rows, with their line numbers.
    pub names: Vec<(u64, TeamName)>,
    /// All faults.
    pub faults: Vec<Fault>,
    /// Skipped rows, sorted by line.
    pub passed: Vec<Passed>,
    /// Number of empty rows.
    pub blank: usize,
    /// Name of the detected or given encoding.
    pub encoding: &'static str,
    /// Column separator.
    pub separator: char,
    /// Recognized columns, in file order.
    pub columns: Vec<String>,
    /// Ignored columns.
    pub passed_over: Vec<String>,
}

/// A skipped row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Line number in the file, starting at 1.
    pub line: u64,
    /// Team name.
    pub name: String,
    /// Reason for skipping it.
    pub reason: Reason,
}

/// Reason for skipping a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The team already exists.
    There,
    /// The team has signed up but not confirmed its email address.
    Waiting,
    /// The file has a column with the team's state, which is not active: for example banned.
    Listed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::There => f.write_str("already exists"),
            Self::Waiting => f.write_str("signed up but not confirmed"),
            Self::Listed(state) => write!(f, "listed as {state}"),
        }
    }
}

impl Sheet {
    fn fault(&mut self, line: u64, message: impl Into<String>) {
        self.faults.push(Fault { line, message: message.into() });
    }
}

/// Parses a file in `encoding`, or in Unicode by default.
///
/// # Errors
/// Fails if the file has no readable text.
pub fn parse(bytes: &[u8], encoding: Option<Encoding>) -> Result<Sheet, Unread> {
    match text::decode(bytes, encoding) {
        Ok((text, encoding)) => Ok(Sheet { encoding, ..parse_text(&text) }),
        Err(Unread::Encoding { line, .. }) => {
            Err(Unread::Encoding { line, readings: readings(bytes, &COLUMNS) })
        }
        Err(other) => Err(other),
    }
}

fn parse_text(text: &str) -> Sheet {
    let text = text.trim_start_matches('\u{feff}');
    let mut sheet = Sheet::default();
    let (separator, start) = text::layout(text, &COLUMNS);
    sheet.separator = char::from(separator);
    let mut lines = Lines { text, byte: 0, line: 1 };
    let mut records = text::csv_reader(separator, &text.as_bytes()[start..]).into_records();
    let line_of = |record: &StringRecord, lines: &mut Lines<'_>| {
        lines.line_at(start as u64 + record.position().map_or(0, csv::Position::byte))
    };
    if let Some(line) = text::unclosed_quote(text, separator, start) {
        sheet.fault(line, "unclosed quote (\")");
        return sheet;
    }
    let header = match records.next() {
        Some(Ok(header)) => {
            let line = line_of(&header, &mut lines);
            let header = match Header::of(&header) {
                Ok(header) => header,
                Err(message) => {
                    sheet.fault(line, message);
                    return sheet;
                }
            };
            header.check(line, &mut sheet);
            header
        }
        _ => {
            sheet.fault(1, "the file is empty; the first line must name the columns: name,email");
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
                sheet.fault(lines.line, format!("invalid CSV row: {error}"));
                return sheet;
            }
        };
        let line = line_of(&record, &mut lines);
        if record.iter().all(|cell| cell.trim().is_empty()) {
            // Spreadsheets leave such rows after deleted lines.
            sheet.blank += 1;
            continue;
        }
        is_empty = false;
        if sheet.names.len() + sheet.faults.len() + sheet.passed.len() >= ROWS_MAX {
            sheet.fault(line, format!("more than {ROWS_MAX} teams; the rest is ignored"));
            return sheet;
        }
        row(&record, line, &header, &mut sheet);
    }
    if is_empty {
        sheet.fault(lines.line, "no teams: add one per line below the header");
    }
    sheet
}

fn is_passed_over(title: &str) -> bool {
    PASSED_OVER.split(' ').any(|it| it == title)
}

/// Header row, which names the columns.
struct Header {
    /// Normalized column names.
    titles: Vec<String>,
    /// Column names as written in the file.
    written: Vec<String>,
    /// Number of unnamed columns at the end, as produced by a separator at the end of each line.
    unnamed: usize,
}

impl Header {
    /// Parses the header row.
    ///
    /// # Errors
    /// Returns a message if the row has too many columns. They are not checked further.
    fn of(record: &StringRecord) -> Result<Self, String> {
        let unnamed = record.iter().rev().take_while(|cell| text::written(cell).is_empty()).count();
        let named = record.len() - unnamed;
        if named > COLUMNS_MAX {
            return Err(format!(
                "too many columns: {named}, at most {COLUMNS_MAX} are allowed; remove the columns \
                 that are not needed"
            ));
        }
        let titles = record.iter().take(named).map(text::title).collect();
        let written = record.iter().take(named);
        let written = written.map(|cell| text::written(cell).to_owned()).collect();
        Ok(Self { titles, written, unnamed })
    }

    fn check(&self, line: u64, sheet: &mut Sheet) {
        let (read, others): (Vec<String>, _) =
            self.titles.iter().cloned().partition(|title| COLUMNS.contains(&title.as_str()));
        sheet.columns = read;
        sheet.passed_over = others;
        sheet.passed_over.retain(|title| is_passed_over(title));
        let known = COLUMNS.join(", ");
        let mut seen = BTreeSet::new();
        for (title, written) in self.titles.iter().zip(&self.written) {
            if is_passed_over(title) {
                continue;
            }
            if !COLUMNS.contains(&title.as_str()) {
                let meant = match flagship_pack::nearest(COLUMNS, title) {
                    Some((near, true)) => format!("; did you mean {near:?}?"),
                    _ => String::new(),
                };
                let message = format!("unknown column {written:?}; expected {known}{meant}");
                sheet.fault(line, message);
            } else if !seen.insert(title) {
                sheet.fault(line, format!("duplicate column {written:?}"));
            }
        }
        for needed in ["name", "email"] {
            if !self.titles.iter().any(|title| title == needed) {
                let message = format!("missing column {needed:?} in the first line");
                sheet.fault(line, message);
            }
        }
    }

    /// True if a row has these columns and no text in unnamed ones.
    fn fits(&self, record: &StringRecord) -> bool {
        let named = self.titles.len();
        (named..=named + self.unnamed).contains(&record.len())
            && record.iter().skip(named).all(|cell| cell.trim().is_empty())
    }
}

/// Counts lines of text. The CSV reader's own line numbers are too low after CRLF and blank lines,
/// because it starts a record where the previous one ended.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: u64,
}

impl Lines<'_> {
    /// Line of the first character at or after `byte` that is not a line break. Positions must be
    /// ascending between calls.
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

/// Parses one row and reports all its faults.
fn row(record: &StringRecord, line: u64, header: &Header, sheet: &mut Sheet) {
    let titles = &header.titles;
    if !header.fits(record) {
        let fields = match record.len() {
            1 => "1 field".to_owned(),
            count => format!("{count} fields"),
        };
        let message = format!(
            "the row has {fields}, but the header has {}; quote fields that contain the separator",
            titles.len()
        );
        sheet.fault(line, message);
        return;
    }
    let field = |name: &str| {
        let column = titles.iter().position(|title| title == name);
        column.and_then(|column| record.get(column)).unwrap_or_default()
    };
    let text = |name: &str| cells::plain_blanks(field(name));
    let name = cells::name(&text("name"));
    let states = STATES.iter().map(|state| field(state).trim());
    if let Some(state) = states.into_iter().find(|state| !PLAYED.contains(state)) {
        let shown = name.as_ref().map_or_else(|_| text("name"), |it| it.as_str().to_owned());
        let reason = Reason::Listed(state.chars().take(STATE_CHARS_MAX).collect());
        sheet.passed.push(Passed { line, name: shown, reason });
        return;
    }
    if let Ok(name) = &name {
        sheet.names.push((line, name.clone()));
    }
    let mut messages = Vec::new();
    let mut keep = |message: String| messages.push(message);
    let name = name.map_err(&mut keep).ok();
    let email = cells::email(&text("email")).map_err(&mut keep).ok();
    let country = cells::country(&text("country")).map_err(&mut keep).ok();
    let student = cells::student(&text("student")).map_err(&mut keep).ok();
    let password = cells::password(field("password")).map_err(&mut keep).ok();
    let divisions = cells::divisions(&text("divisions")).map_err(&mut keep).ok();
    match (name, email, country, student.zip(divisions), password) {
        (Some(name), Some(email), Some(country), Some((student, divisions)), Some(password)) => {
            let password_hash = None;
            let language = None;
            let account =
                NewAccount { name, email, country, password_hash, student, divisions, language };
            sheet.rows.push(Row { line, account, password });
        }
        _ => messages.into_iter().for_each(|message| sheet.fault(line, message)),
    }
}

/// Checks a property of any input: rows and faults have existing lines, and rows have valid values.
/// For fuzzing.
#[cfg(any(test, feature = "fuzz"))]
pub fn holds(bytes: &[u8]) {
    for encoding in [None, Encoding::of_label("windows-1251"), Encoding::of_label("gbk")] {
        if let Ok(sheet) = parse(bytes, encoding) {
            check_result(bytes, sheet);
        }
    }
}

/// Checks that a result is consistent with `bytes`.
#[cfg(any(test, feature = "fuzz"))]
fn check_result(bytes: &[u8], sheet: Sheet) {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    for row in sheet.rows {
        // If lines end with bare carriage returns, the whole file counts as one line.
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
