//! `flagship team import`: imports teams from a CSV file, all or none, as confirmed accounts.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flagship_game::{Contest, name};
use flagship_server::{hash_of, new_token};
use flagship_store::accounts::NewAccount;
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::{Db, Lock, sessions};

use crate::cli::Installation;
use crate::csv_cells::guard;
use crate::team_csv::{self, Fault, Row, Sheet};
use crate::{names, outcome};

/// The most faults of a file that are printed.
const FAULTS_SHOWN_MAX: usize = 200;

/// Imports the teams of a file; with `tokens`, creates a session for each and writes its token
/// there. With `skip_existing`, leaves out the teams that are there already.
pub async fn import(
    file: &Path,
    installation: &Installation,
    tokens: Option<&Path>,
    skip_existing: bool,
) -> Result<()> {
    let mut sheet = team_csv::read(file)?;
    let shown = file.display();
    if sheet.is_guessed {
        say_error!(
            "{shown}: note: this is not UTF-8, so it is read as Windows-1252 (Latin-1); check that \
             accents are right, or save it as UTF-8"
        );
    }
    let opened = installation.writer().await;
    let skipped = match &opened {
        Ok((_, writer)) => compare(&mut sheet, writer.contest(), skip_existing),
        Err(_) => 0,
    };
    refuse(&mut sheet.faults, file)?;
    let (db, mut writer) = opened?;
    let mut rows = sheet.rows;
    let tokens = tokens.map(open_tokens).transpose()?;
    for row in &mut rows {
        if let Some(password) = &row.password {
            row.account.password_hash = Some(hash_of(password.as_bytes()));
        }
    }
    let accounts: Vec<NewAccount> = rows.iter().map(|row| row.account.clone()).collect();
    let mut step = writer.step(&[Op::Import(accounts).by(Actor::CommandLine)]).await?;
    let ids = match step.outcomes.pop().context("the lane answered nothing")? {
        Outcome::Import(Ok(ids)) => ids,
        Outcome::Import(Err(error)) => {
            let (line, reason) = (rows[error.index].line, outcome::of_import(error));
            bail!("{}:{line}: {reason}; nothing was imported", file.display())
        }
        other => return outcome::unexpected(&other),
    };
    if let Some(tokens) = tokens {
        let written = write_tokens(&db, tokens, &rows, &ids).await;
        written.context("the teams are imported, but their tokens could not be written")?;
    }
    db.close().await;
    let skipped = match skipped {
        0 => String::new(),
        count => format!(", {count} skipped: already there"),
    };
    match ids.len() {
        1 => say!("1 team imported{skipped}"),
        count => say!("{count} teams imported{skipped}"),
    }
    Ok(())
}

/// Compares the names of a file with each other and with the teams that are there. A name or
/// look-alike that is taken is a fault. With `skip_existing`, a row with the name of a team that is
/// there is left out instead; returns how many are.
fn compare(sheet: &mut Sheet, contest: &Contest, skip_existing: bool) -> usize {
    let teams = contest.teams().flat_map(|team| {
        let keys = name::keys(&team.name).into_iter();
        keys.map(|key| (key, (*team.name).to_owned()))
    });
    let teams: HashMap<_, _> = teams.collect();
    let mut lines = HashMap::new();
    let mut skipped = HashSet::new();
    for (line, name) in &sheet.names {
        let keys = name.keys();
        let shown = name.as_str();
        if skip_existing && names::find(shown, contest).is_some() {
            skipped.insert(*line);
            continue;
        }
        let message = if let Some(taken) = keys.iter().find_map(|key| teams.get(key)) {
            match taken == shown {
                true => "is already there; `--skip-existing` leaves such teams out".to_owned(),
                false => format!("looks like {taken:?}, which is already there"),
            }
        } else if let Some(first) = keys.iter().find_map(|key| lines.get(key)) {
            format!("or a look-alike is in this file twice, first in line {first}")
        } else {
            lines.extend(keys.into_iter().map(|key| (key, *line)));
            continue;
        };
        sheet.faults.push(Fault { line: *line, message: format!("{shown:?} {message}") });
    }
    // A row that is left out may have faults of its own.
    sheet.faults.retain(|fault| !skipped.contains(&fault.line));
    sheet.rows.retain(|row| !skipped.contains(&row.line));
    skipped.len()
}

/// Prints the faults and fails, if there are any.
fn refuse(faults: &mut [Fault], file: &Path) -> Result<()> {
    faults.sort_by_key(|fault| fault.line);
    let shown = file.display();
    for Fault { line, message } in faults.iter().take(FAULTS_SHOWN_MAX) {
        say_error!("{shown}:{line}: {message}");
    }
    let more = match faults.len().saturating_sub(FAULTS_SHOWN_MAX) {
        0 => String::new(),
        count => format!("; {count} of them are not listed"),
    };
    match faults.len() {
        0 => Ok(()),
        1 => bail!("nothing was imported: `{shown}` has 1 error"),
        count => bail!("nothing was imported: `{shown}` has {count} errors{more}"),
    }
}

/// Opens the file for the tokens before anything is imported. A new file is readable by its owner
/// alone; an existing one keeps its content until new tokens are written.
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
