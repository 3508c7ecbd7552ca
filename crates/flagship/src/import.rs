//! `flagship team import`: imports teams from a CSV file, all or none, as confirmed accounts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use flagship_server::imports::{
    self, Compared, Fault, Invitations, Passed, Reason, Row, Sheet, Unread,
};
use flagship_server::lists::cells::guard;
use flagship_server::lists::table::Table;
use flagship_server::{hash_of, new_token};
use flagship_store::accounts::{self, NewAccount};
use flagship_store::lane::Writer;
use flagship_store::ops::{By, Import, ImportError, Imported, Op, Outcome};
use flagship_store::{Db, Lock, sessions};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::cli::TeamFile;
use crate::installation::{folder_of, live_settings, refuse_existing};
use crate::lists::table::print_aligned;
use crate::organizers::public_url;
use crate::outcome;
use crate::say::counted;

/// The most faults of a file that are printed.
const FAULTS_SHOWN_MAX: usize = 200;

/// Imports the teams of a file, or prints with `dry_run` what would be imported. With `tokens`,
/// creates a session for each team and writes its token there.
pub async fn import(args: &TeamFile) -> Result<()> {
    let (file, tokens) = (&*args.file, args.tokens.as_deref());
    if let Some(tokens) = tokens {
        refuse_existing(tokens, "tokens overwrite").context("nothing was imported")?;
    }
    let mut sheet = match imports::parse(&read(file)?, args.encoding) {
        Ok(sheet) => sheet,
        Err(unread) => return refuse_unread(&unread, file),
    };
    let opened = args.installation.writer().await;
    let mut notes = Vec::new();
    if let Ok((db, writer)) = &opened {
        let kept = accounts::kept_names(db, writer.clock().now_ms()).await?;
        let local_addresses = live_settings(db).await?.registration.local_addresses;
        let compared = Compared::new(kept, args.skip_existing, local_addresses);
        notes = compared.address_notes(&sheet);
        compared.apply(&mut sheet);
    }
    if args.dry_run {
        print_rows(&sheet)?;
    }
    print_notes(&sheet, notes, args);
    refuse(&sheet.faults, args)?;
    let (db, mut writer) = opened?;
    let left_out = left_out(&sheet);
    if args.dry_run {
        say!("{} would be imported{left_out}", counted(sheet.rows.len(), "team", "teams"));
        return Ok(());
    }
    // Fails before anything is written.
    let public_url = if args.mail { Some(public_url(&db, &args.site).await?) } else { None };
    let mut rows = sheet.rows;
    let tokens = tokens.filter(|_| !rows.is_empty());
    let tokens = tokens.map(|file| anyhow::Ok((begin_tokens(file)?, file))).transpose()?;
    for row in &mut rows {
        if let Some(password) = &row.password {
            row.account.password_hash = Some(hash_of(password.as_bytes()));
        }
    }
    let now_ms = writer.clock().now_ms();
    let invitations = public_url.map(|url| Invitations::new(writer.contest(), &url, now_ms));
    let Imported { ids, action } =
        write_teams(&mut writer, file, &rows, invitations.as_ref()).await?;
    if let Some((partial, file)) = tokens {
        let written = write_tokens(&db, partial, file, &rows, &ids).await;
        written.context("the teams are imported, but their tokens could not be written")?;
    }
    if let Some(action) = action {
        // On standard error, as scripts read the other lines.
        say_error!(
            "action {action}; `flagship actions undo {action}` takes it back until one of its \
             teams has played"
        );
    }
    db.close().await;
    say!("{} imported{left_out}", counted(ids.len(), "team", "teams"));
    if let Some(Invitations { days, .. }) = invitations.filter(|_| !ids.is_empty()) {
        let mails = counted(ids.len(), "mail is", "mails are");
        say!("{mails} queued; each has a link that works once, within {days} days");
    }
    Ok(())
}

/// Writes the teams of all rows and queues the mails to them, or does nothing.
async fn write_teams(
    writer: &mut Writer,
    file: &Path,
    rows: &[Row],
    invitations: Option<&Invitations>,
) -> Result<Imported> {
    let teams: Vec<NewAccount> = rows.iter().map(|row| row.account.clone()).collect();
    let now_ms = writer.clock().now_ms();
    let mails = invitations.map_or_else(Vec::new, |it| it.to_all(&teams, now_ms));
    let op = Op::Import(Import { teams, mails, by: By::CommandLine });
    match outcome::perform(writer, op).await? {
        Outcome::Import(Ok(imported)) => Ok(imported),
        Outcome::Import(Err(error)) => {
            let reason = outcome::of_import(error);
            let at = match error {
                ImportError::Taken { index, .. } => format!(":{}", rows[index].line),
                ImportError::Ended => String::new(),
            };
            bail!("{}{at}: {reason}; nothing was imported", file.display())
        }
        other => outcome::unexpected(&other),
    }
}

/// Reads a file. Fails if it is not an ordinary file of a limited size.
fn read(file: &Path) -> Result<Vec<u8>> {
    let name = file.display();
    let opening = || format!("read `{name}`");
    let is_file = fs::metadata(file).with_context(opening)?.is_file();
    ensure!(is_file, "`{name}` is not an ordinary file");
    // The size in the metadata may change while the file is read.
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).with_context(opening)?;
    let size_max = imports::FILE_BYTES_MAX as u64;
    opened.take(size_max + 1).read_to_end(&mut bytes).with_context(opening)?;
    ensure!(bytes.len() as u64 <= size_max, "`{name}` is larger than {size_max} bytes");
    Ok(bytes)
}

/// Fails with what a file is instead of a text; shows its names in candidate encodings.
fn refuse_unread(unread: &Unread, file: &Path) -> Result<()> {
    let shown = file.display();
    let (line, readings) = match unread {
        Unread::Encoding { line, readings } => (line, &readings[..]),
        Unread::Malformed { line, .. } => (line, &[][..]),
        Unread::Large | Unread::Spreadsheet | Unread::Ctfd | Unread::Zip => {
            bail!("nothing was imported: `{shown}`: {unread}")
        }
    };
    say_error!("{shown}:{line}: {unread}");
    if !readings.is_empty() {
        say_error!("how its names would read:");
        for reading in readings {
            say_error!("  --encoding {:<14}  {}", reading.label, reading.names.join(", "));
        }
        bail!(
            "nothing was imported: choose the `--encoding` above that shows the right names, with \
             `--dry-run` first to see all of them; or save the file as UTF-8"
        );
    }
    bail!(
        "nothing was imported: save the file as UTF-8, or name its encoding with `--encoding \
         LABEL`, as windows-1252, and see with `--dry-run` how the names read"
    )
}

fn print_rows(sheet: &Sheet) -> Result<()> {
    let columns = &["line", "team", "country", "student", "password", "email"];
    let row = |Row { line, account, password }: &Row| -> Vec<Value> {
        vec![
            json!(line),
            json!(account.name.as_str()),
            json!(account.country),
            json!(account.student),
            json!(password.is_some()),
            json!(account.email),
        ]
    };
    print_aligned(&Table::new(columns, sheet.rows.iter().map(row)))
}

/// Prints a note for each row that is left out though its team does not play, or for each that is
/// left out in a dry run, and the notes about addresses.
fn print_notes(sheet: &Sheet, mut notes: Vec<Fault>, args: &TeamFile) {
    let of_passed = |Passed { line, name, reason }: &Passed| {
        let message = match reason {
            Reason::There if !args.dry_run => return None,
            Reason::Waiting => format!(
                "{name:?} is skipped: it has signed up and not confirmed its e-mail yet, so it \
                 does not play"
            ),
            reason => format!("{name:?} is skipped: {reason}"),
        };
        Some(Fault { line: *line, message })
    };
    notes.extend(sheet.passed.iter().filter_map(of_passed));
    notes.sort_by_key(|note| note.line);
    for Fault { line, message } in notes {
        say_error!("{}:{line}: note: {message}", args.file.display());
    }
}

/// The rows that are left out, counted by reason: `, 2 skipped: already there`.
fn left_out(sheet: &Sheet) -> String {
    let mut counts: BTreeMap<&Reason, usize> = BTreeMap::new();
    for passed in &sheet.passed {
        *counts.entry(&passed.reason).or_default() += 1;
    }
    let skipped = counts.iter().map(|(reason, count)| format!(", {count} skipped: {reason}"));
    let blank = counted(sheet.blank, "blank row", "blank rows");
    let blank = (sheet.blank > 0).then(|| format!(", {blank} passed over"));
    skipped.chain(blank).collect()
}

/// Prints the faults and fails, if there are any.
fn refuse(faults: &[Fault], args: &TeamFile) -> Result<()> {
    let shown = args.file.display();
    for Fault { line, message } in faults.iter().take(FAULTS_SHOWN_MAX) {
        say_error!("{shown}:{line}: {message}");
    }
    let more = match faults.len().saturating_sub(FAULTS_SHOWN_MAX) {
        0 => String::new(),
        count => format!("; {count} of them are not listed"),
    };
    let was = if args.dry_run { "would be" } else { "was" };
    let errors = counted(faults.len(), "error", "errors");
    ensure!(faults.is_empty(), "nothing {was} imported: `{shown}` has {errors}{more}");
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
