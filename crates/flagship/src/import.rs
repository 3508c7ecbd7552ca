//! `flagship team import`: imports teams from a CSV file, all or none, as confirmed accounts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flagship_game::{Contest, TeamKey, name};
use flagship_server::lists::cells::guard;
use flagship_server::{Email, hash_of, new_token};
use flagship_store::accounts::{self, Account, NewAccount};
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::{Db, Lock, sessions};
use tempfile::NamedTempFile;

use crate::cli::Installation;
use crate::installation::{folder_of, live_settings};
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
    if let Some(tokens) = tokens {
        refuse_existing(tokens)?;
    }
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
        Ok((db, writer)) => {
            let waiting = accounts::unconfirmed(db).await?;
            note_addresses(&sheet, &waiting, file);
            if !live_settings(db).await?.registration.local_addresses {
                refuse_local_addresses(&mut sheet);
            }
            compare(&mut sheet, writer.contest(), &waiting, skip_existing)
        }
        Err(_) => Skipped::default(),
    };
    note_waiting(&skipped, file);
    refuse(&mut sheet.faults, file)?;
    let (db, mut writer) = opened?;
    let mut rows = sheet.rows;
    let tokens = tokens.filter(|_| !rows.is_empty());
    let tokens = tokens.map(|file| anyhow::Ok((begin_tokens(file)?, file))).transpose()?;
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
    if let Some((partial, file)) = tokens {
        let written = write_tokens(&db, partial, file, &rows, &ids).await;
        written.context("the teams are imported, but their tokens could not be written")?;
    }
    db.close().await;
    match ids.len() {
        1 => say!("1 team imported{skipped}"),
        count => say!("{count} teams imported{skipped}"),
    }
    Ok(())
}

/// The rows that are left out.
#[derive(Default)]
struct Skipped {
    /// The lines of teams that play.
    there: HashSet<u64>,
    /// Teams that wait for their e-mail to be confirmed, with their lines.
    waiting: BTreeMap<u64, String>,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, why) in [
            (self.there.len(), "already there"),
            (self.waiting.len(), "signed up, but not confirmed"),
        ] {
            if count > 0 {
                write!(f, ", {count} skipped: {why}")?;
            }
        }
        Ok(())
    }
}

/// Makes each row with an address that a signup would refuse a fault.
fn refuse_local_addresses(sheet: &mut Sheet) {
    let is_local = |email: &str| Email::parse(email).is_some_and(|email| !email.is_public());
    let rows = sheet.rows.iter().filter(|row| is_local(&row.account.email));
    let faults = rows.map(|Row { line, account, .. }| Fault {
        line: *line,
        message: format!(
            "{:?} is an address of this machine or its own network: correct it, or set \
             `local_addresses = true` in [registration] of event.toml, then `flagship apply`",
            account.email
        ),
    });
    sheet.faults.extend(faults.collect::<Vec<_>>());
}

/// Compares the names of a file with each other, with the teams that are there and with those that
/// wait for their e-mail to be confirmed. A name or look-alike that is taken is a fault. With
/// `skip_existing`, a row with the name of a team that is there or waits is left out instead.
fn compare(
    sheet: &mut Sheet,
    contest: &Contest,
    waiting: &[Account],
    skip_existing: bool,
) -> Skipped {
    let joined = by_key(contest.teams().map(|team| &*team.name));
    let waiting = by_key(waiting.iter().map(|account| account.name.as_str()));
    let mut lines = HashMap::new();
    let mut skipped = Skipped::default();
    for (line, name) in &sheet.names {
        let keys = name.keys();
        let shown = name.as_str();
        let there = keys.iter().find_map(|key| joined.get(key));
        let waits = keys.iter().find_map(|key| waiting.get(key));
        if skip_existing && names::find(shown, contest).is_some() {
            skipped.there.insert(*line);
            continue;
        }
        if skip_existing && waits.is_some_and(|it| it == shown) {
            skipped.waiting.insert(*line, shown.to_owned());
            continue;
        }
        let message = if let Some(taken) = there {
            of_joined(taken, shown)
        } else if let Some(taken) = waits {
            of_waiting(taken, shown)
        } else if let Some(first) = keys.iter().find_map(|key| lines.get(key)) {
            format!("or a look-alike is in this file twice, first in line {first}")
        } else {
            lines.extend(keys.into_iter().map(|key| (key, *line)));
            continue;
        };
        sheet.faults.push(Fault { line: *line, message: format!("{shown:?} {message}") });
    }
    // A row that is left out may have faults of its own.
    let is_skipped =
        |line: &u64| skipped.there.contains(line) || skipped.waiting.contains_key(line);
    sheet.faults.retain(|fault| !is_skipped(&fault.line));
    sheet.rows.retain(|row| !is_skipped(&row.line));
    skipped
}

/// Names by the keys that no other team may have.
fn by_key<'n>(names: impl Iterator<Item = &'n str>) -> HashMap<TeamKey, String> {
    let keys = names.flat_map(|name| name::keys(name).into_iter().map(move |key| (key, name)));
    keys.map(|(key, name)| (key, name.to_owned())).collect()
}

fn of_joined(taken: &str, shown: &str) -> String {
    match taken == shown {
        true => "is already there; `--skip-existing` leaves such teams out".to_owned(),
        false => format!("looks like {taken:?}, which is already there"),
    }
}

fn of_waiting(taken: &str, shown: &str) -> String {
    let signed_up = match taken == shown {
        true => "has signed up".to_owned(),
        false => format!("looks like {taken:?}, which has signed up"),
    };
    let skip = match taken == shown {
        true => "; `--skip-existing` leaves such teams out",
        false => "",
    };
    format!(
        "{signed_up} and not confirmed its e-mail yet: let it confirm, wait until the signup \
         lapses after 24 hours, or give another name{skip}"
    )
}

/// Prints a note for each row whose address a signup waits to confirm. The row may be meant: it is
/// how a team whose mail does not arrive is let in under another name.
fn note_addresses(sheet: &Sheet, waiting: &[Account], file: &Path) {
    let by_email: HashMap<&str, &str> =
        waiting.iter().map(|it| (it.email.as_str(), it.name.as_str())).collect();
    for row in &sheet.rows {
        let name = row.account.name.as_str();
        let email = row.account.email.as_str();
        if let Some(other) = by_email.get(email).filter(|other| **other != name) {
            say_error!(
                "{}:{}: note: {other:?} has signed up with {email} and not confirmed it yet; it \
                 cannot any more once {name:?} is imported with the same address",
                file.display(),
                row.line
            );
        }
    }
}

/// Prints a note for each row that is left out though its team does not play.
fn note_waiting(skipped: &Skipped, file: &Path) {
    for (line, name) in &skipped.waiting {
        say_error!(
            "{}:{line}: note: {name:?} is skipped: it has signed up and not confirmed its e-mail \
             yet, so it does not play",
            file.display()
        );
    }
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

/// Refuses a file that exists before anything is imported: it may be the file of the teams.
fn refuse_existing(file: &Path) -> Result<()> {
    if fs::symlink_metadata(file).is_ok() {
        bail!(
            "nothing was imported: `{}` already exists, and tokens overwrite nothing: give \
             another name",
            file.display()
        );
    }
    Ok(())
}

/// Begins the file of the tokens before anything is imported, readable by its owner alone. It gets
/// its name when it is whole, and goes if it never is.
fn begin_tokens(file: &Path) -> Result<NamedTempFile> {
    let begun = tempfile::Builder::new().prefix(".tokens-").tempfile_in(folder_of(file));
    begun.with_context(|| format!("nothing was imported: write `{}`", file.display()))
}

async fn write_tokens(
    db: &Db,
    partial: NamedTempFile,
    file: &Path,
    rows: &[Row],
    ids: &[i64],
) -> Result<()> {
    let mut out = csv::Writer::from_writer(partial.as_file());
    out.write_record(["name", "token"])?;
    let now_ms = flagship_store::Clock::system().now_ms();
    let mut tx = db.begin(Lock::Accounts).await?;
    for (row, id) in rows.iter().zip(ids) {
        let token = new_token();
        sessions::create_in(&mut tx, &token, *id, now_ms).await?;
        out.write_record([guard(row.account.name.as_str()), token])?;
    }
    out.flush().context("write the tokens")?;
    drop(out);
    tx.commit().await?;
    partial.persist_noclobber(file)?;
    Ok(())
}
