//! `flagship team import`: imports teams from a CSV file, all or none, as confirmed accounts.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flagship_server::{hash_of, new_token};
use flagship_store::accounts::NewAccount;
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::{Db, Lock, sessions};

use crate::cli::Installation;
use crate::csv_cells::guard;
use crate::outcome;
use crate::team_csv::{self, Row};

/// Imports the teams of a file; with `tokens`, creates a session for each and writes its token
/// there.
pub async fn import(file: &Path, installation: &Installation, tokens: Option<&Path>) -> Result<()> {
    let mut rows = team_csv::read(file)?;
    let (db, mut writer) = installation.writer().await?;
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
    match ids.len() {
        1 => say!("1 team imported"),
        count => say!("{count} teams imported"),
    }
    Ok(())
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
