//! `flagship team import`: teams from a CSV file, all or none, confirmed at once.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use csv::StringRecord;
use flagship_game::TeamName;
use flagship_server::{Email, hash_of, is_country, new_token};
use flagship_store::accounts::NewAccount;
use flagship_store::lane::{Op, Outcome};
use flagship_store::{Db, Lock, sessions};

use crate::cli::Place;
use crate::csv_cells::{guard, unguard};

/// Largest file, in bytes.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Fewest and most characters of a password.
const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 6..=128;
const COLUMNS: [&str; 5] = ["name", "email", "country", "student", "password"];

/// A row that was read, and where it stands.
struct Row {
    line: u64,
    account: NewAccount,
    password: Option<String>,
}

/// Imports a file's teams; with `tokens`, each gets a session whose token is written there.
pub async fn import(file: &Path, place: &Place, tokens: Option<&Path>) -> Result<()> {
    let mut rows = read(file)?;
    let (db, mut writer) = place.writer().await?;
    let tokens = tokens.map(open_tokens).transpose()?;
    for row in &mut rows {
        if let Some(password) = &row.password {
            row.account.password_hash = Some(hash_of(password.as_bytes()));
        }
    }
    let accounts: Vec<NewAccount> = rows.iter().map(|row| row.account.clone()).collect();
    let mut step = writer.step(&[Op::Import(accounts)]).await?;
    let ids = match step.outcomes.pop() {
        Some(Outcome::Import(Ok(ids))) => ids,
        Some(Outcome::Import(Err((index, reason)))) => {
            bail!("{}:{}: {reason}; nothing was imported", file.display(), rows[index].line)
        }
        other => bail!("the lane answered {other:?}"),
    };
    if let Some(tokens) = tokens {
        let written = write_tokens(&db, tokens, &rows, &ids).await;
        written.context("the teams are imported, but their tokens could not be written")?;
    }
    db.close().await;
    match ids.len() {
        1 => println!("1 team imported"),
        count => println!("{count} teams imported"),
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<Row>> {
    let name = file.display();
    let bytes = fs::metadata(file).with_context(|| format!("read `{name}`"))?.len();
    if bytes > FILE_BYTES_MAX {
        bail!("`{name}` is larger than {FILE_BYTES_MAX} bytes");
    }
    let text = fs::read_to_string(file).with_context(|| format!("read `{name}`"))?;
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
        let line = lines.line_at(record.position().map_or(0, csv::Position::byte));
        let row = row(&record, line, header.len(), column);
        rows.push(row.with_context(|| format!("{name}:{line}: nothing was imported"))?);
    }
    Ok(rows)
}

/// Counts the lines of a text. The reader's own count is one short after CRLF and blank lines: for
/// it a record begins where the one before ended.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of what is first written at or after a byte; asked in the order of the text.
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

/// Opens the file for the tokens before anything is imported. A new one is its owner's alone; what
/// one that is there holds stays until there are new tokens.
fn open_tokens(file: &Path) -> Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    let opened = options.write(true).create(true).truncate(false).mode(0o600).open(file);
    opened.with_context(|| format!("nothing was imported: write `{}`", file.display()))
}

async fn write_tokens(db: &Db, file: fs::File, rows: &[Row], ids: &[i64]) -> Result<()> {
    file.set_len(0)?;
    let mut out = csv::Writer::from_writer(file);
    out.write_record(["name", "token"])?;
    let now_ms = flagship_store::Clock::system().now_ms();
    let mut tx = db.begin(Lock::Accounts).await?;
    for (row, id) in rows.iter().zip(ids) {
        let token = new_token();
        sessions::create_in(&mut tx, &token, *id, now_ms).await?;
        out.write_record([guard(row.account.name.as_str()), token])?;
    }
    tx.commit().await?;
    out.flush().context("write the tokens")
}
