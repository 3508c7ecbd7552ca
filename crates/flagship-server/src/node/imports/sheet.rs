//! The rows of a file of teams: all are parsed and checked before any is used, and everything that
//! is wrong is listed at once.

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

/// The most teams in a file, with the rows that are left out.
pub(super) const ROWS_MAX: usize = 100_000;
const COLUMNS: [&str; 5] = ["name", "email", "country", "student", "password"];
/// Further columns of this program's own lists and exports, which are passed over.
const PASSED_OVER: &str = "number rank place points award solves last_solve public_rank \
                           public_points public_solves signed_up unconfirmed_since mail mail_at \
                           mail_tries next_try server_said new_email members state standing \
                           position";
/// Columns of those lists that say how a team stood, and the words for one that played.
const STATES: [&str; 2] = ["state", "standing"];
const PLAYED: [&str; 2] = ["", "plays"];
/// Most characters of such a word that are shown.
const STATE_CHARS_MAX: usize = 40;

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
    /// What is wrong, and how to correct it.
    pub message: String,
}

/// A parsed file.
#[derive(Default)]
pub struct Sheet {
    /// The rows without a fault.
    pub rows: Vec<Row>,
    /// The names of all rows, with their lines.
    pub names: Vec<(u64, TeamName)>,
    /// All that is wrong.
    pub faults: Vec<Fault>,
    /// Rows that are left out, in the order of their lines.
    pub passed: Vec<Passed>,
    /// Number of rows without any text.
    pub blank: usize,
    /// The name of the encoding that it is in.
    pub encoding: &'static str,
    /// The separator of its columns.
    pub separator: char,
    /// The columns that are read, in their order.
    pub columns: Vec<String>,
    /// The columns that are passed over.
    pub passed_over: Vec<String>,
}

/// A row that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The team's name.
    pub name: String,
    /// Why it is left out.
    pub reason: Reason,
}

/// Why a row is left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Its team is in the event.
    There,
    /// Its team has signed up and not confirmed its address.
    Waiting,
    /// The file is a list in which the team did not play: it was banned, for example.
    Listed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::There => f.write_str("already there"),
            Self::Waiting => f.write_str("signed up, but not confirmed"),
            Self::Listed(state) => write!(f, "listed as {state}"),
        }
    }
}

impl Sheet {
    fn fault(&mut self, line: u64, message: impl Into<String>) {
        self.faults.push(Fault { line, message: message.into() });
    }
}

/// Parses a file in `encoding`, or in Unicode without one.
///
/// # Errors
/// Why there is no text to parse.
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
        sheet.fault(line, "a quote (\") opens here and nothing closes it: close it, or remove it");
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
        if record.iter().all(|cell| cell.trim().is_empty()) {
            // Rows that spreadsheets leave after deleted lines.
            sheet.blank += 1;
            continue;
        }
        is_empty = false;
        if sheet.names.len() + sheet.faults.len() + sheet.passed.len() >= ROWS_MAX {
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

fn is_passed_over(title: &str) -> bool {
    PASSED_OVER.split(' ').any(|it| it == title)
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
    /// Reads the first row.
    ///
    /// # Errors
    /// The fault of a row with too many columns, which are not looked at.
    fn of(record: &StringRecord) -> Result<Self, String> {
        let unnamed = record.iter().rev().take_while(|cell| text::written(cell).is_empty()).count();
        let named = record.len() - unnamed;
        if named > COLUMNS_MAX {
            return Err(format!(
                "there are {named} columns, and a file of teams has at most {COLUMNS_MAX}: remove \
                 those that are not needed"
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
                let message = format!("the column {written:?} is not one of {known}{meant}");
                sheet.fault(line, message);
            } else if !seen.insert(title) {
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
    match (name, email, country, student, password) {
        (Some(name), Some(email), Some(country), Some(student), Some(password)) => {
            let password_hash = None;
            let language = None;
            let account = NewAccount { name, email, country, password_hash, student, language };
            sheet.rows.push(Row { line, account, password });
        }
        _ => messages.into_iter().for_each(|message| sheet.fault(line, message)),
    }
}

/// Checks a property that holds for any input: rows and faults have existing lines, and rows valid
/// values. For fuzzing.
#[cfg(any(test, feature = "fuzz"))]
pub fn holds(bytes: &[u8]) {
    for encoding in [None, Encoding::of_label("windows-1251"), Encoding::of_label("gbk")] {
        if let Ok(sheet) = parse(bytes, encoding) {
            check_result(bytes, sheet);
        }
    }
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
