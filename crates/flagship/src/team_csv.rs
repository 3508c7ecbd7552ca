//! The CSV file of `flagship team import`: all rows are parsed and checked before any is used.

use std::fmt::Display;
use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use csv::StringRecord;
use flagship_game::TeamName;
use flagship_server::{Email, is_country};
use flagship_store::accounts::NewAccount;

use crate::csv_cells::unguard;

/// Largest file, in bytes.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The most teams in a file.
const ROWS_MAX: usize = 100_000;
/// Length of a password in characters.
const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 6..=128;
const COLUMNS: [&str; 5] = ["name", "email", "country", "student", "password"];

/// A parsed row.
pub struct Row {
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The team, without the hash of the password.
    pub account: NewAccount,
    /// The password, if there is one.
    pub password: Option<String>,
}

/// Reads a file. Errors name the file and the line.
pub fn read(file: &Path) -> Result<Vec<Row>> {
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
    parse(&bytes, &name)
}

/// Parses the content of the file `name`.
pub fn parse(bytes: &[u8], name: &dyn Display) -> Result<Vec<Row>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        anyhow!("{name}:{line}: this is not text in UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().with_context(|| format!("{name}:1: the header"))?.clone();
    let column = |wanted: &str| header.iter().position(|title| title.trim() == wanted);
    if let Some(unknown) = header.iter().find(|title| !COLUMNS.contains(&title.trim())) {
        bail!("{name}:1: the column {unknown:?} is not one of {}", COLUMNS.join(", "));
    }
    let titles = || header.iter().map(str::trim);
    if let Some(twice) = COLUMNS.iter().find(|it| titles().filter(|title| title == *it).count() > 1)
    {
        bail!("{name}:1: the column {twice:?} is there twice");
    }
    for needed in ["name", "email"] {
        if column(needed).is_none() {
            bail!("{name}:1: the column {needed:?} is missing");
        }
    }
    let mut rows = Vec::new();
    let mut lines = Lines { text, byte: 0, line: 1 };
    for record in reader.records() {
        let record = record.with_context(|| format!("{name}: nothing was imported"))?;
        if rows.len() == ROWS_MAX {
            bail!("{name}: there are more than {ROWS_MAX} teams; nothing was imported");
        }
        let line = lines.line_at(record.position().map_or(0, csv::Position::byte));
        let row = row(&record, line, header.len(), column);
        rows.push(row.with_context(|| format!("{name}:{line}: nothing was imported"))?);
    }
    Ok(rows)
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

fn row(
    record: &StringRecord,
    line: u64,
    columns: usize,
    column: impl Fn(&str) -> Option<usize>,
) -> Result<Row> {
    if record.len() != columns {
        bail!("the row has {} fields and the header {columns}", record.len());
    }
    let field = |name: &str| column(name).and_then(|i| record.get(i)).unwrap_or_default();
    let name = TeamName::parse(unguard(field("name")))?;
    let email = Email::parse(unguard(field("email"))).context("this is not an e-mail address")?;
    let country = match field("country").trim() {
        "" => "UN".to_owned(),
        code => code.to_ascii_uppercase(),
    };
    if !is_country(&country) {
        bail!("{country:?} is not a country of the list");
    }
    let student = match field("student").trim().to_ascii_lowercase().as_str() {
        "" | "false" | "no" | "0" => false,
        "true" | "yes" | "1" => true,
        _ => bail!("student is true or false"),
    };
    let password = Some(field("password").to_owned()).filter(|password| !password.is_empty());
    if password.as_ref().is_some_and(|it| !PASSWORD_CHARS.contains(&it.chars().count())) {
        bail!("a password has 6 to 128 characters, or none until the team sets one by mail");
    }
    let email = email.as_str().to_owned();
    let account = NewAccount { name, email, country, password_hash: None, student };
    Ok(Row { line, account, password })
}

/// Checks a property that holds for any input: rows have existing lines and valid values. For
/// fuzzing.
#[cfg(any(test, feature = "fuzz"))]
pub fn holds(bytes: &[u8]) {
    check_result(bytes, parse(bytes, &"teams.csv"));
}

/// Checks that a result can come from `bytes`.
#[cfg(any(test, feature = "fuzz"))]
fn check_result(bytes: &[u8], read: Result<Vec<Row>>) {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    match read {
        Ok(rows) => {
            for row in rows {
                // If lines end with carriage returns alone, the whole file counts as one line.
                assert!((1..=lines).contains(&row.line), "line {} of {lines}", row.line);
                assert!(TeamName::parse(row.account.name.as_str()).is_ok());
                assert!(Email::parse(&row.account.email).is_some());
                assert!(is_country(&row.account.country));
            }
        }
        Err(error) => assert!(format!("{error:#}").starts_with("teams.csv:")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use flagship_control::control;

    use super::*;

    #[test]
    fn the_kept_files_are_read() {
        if control("the_kept_files_are_read", "line 2 of 1") {
            check_result(b"", parse(b"name,email\nThe Ants,a@example.org\n", &"teams.csv"));
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
    fn a_name_that_cannot_be_seen_refuses_the_file_with_its_line() {
        for name in
            ["Pwners\u{fffc}", "admin\u{2d7f}", "\u{2800}\u{2800}\u{2800}", "two\u{a0}words"]
        {
            let text = format!("name,email\nAnts,a@example.org\n{name},b@example.org\n");
            let error = parse(text.as_bytes(), &"teams.csv").err().expect("it is refused");
            let words = format!("{error:#}");
            assert!(words.starts_with("teams.csv:3:") && words.contains("invisible"), "{words}");
        }
    }
}
