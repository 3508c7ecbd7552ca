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
use flagship_store::desk::divisions;
use flagship_store::lane::Writer;
use flagship_store::ops::{Caller, Import, ImportError, Imported, Op, Outcome};
use flagship_store::{Db, Lock, sessions};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::cli::TeamFile;
use crate::installation::{folder_of, live_settings, refuse_existing};
use crate::lists::table::print_aligned;
use crate::messages;
use crate::organizers::public_url;
use crate::output::counted;

/// Maximum number of errors printed per file.
const FAULTS_SHOWN_MAX: usize = 200;

/// Imports the teams of a file, or with `dry_run`, prints what the import would do. With `tokens`,
/// creates a session for each team and writes its token to that file.
pub async fn import(args: &TeamFile) -> Result<()> {
    let (file, tokens) = (&*args.file, args.tokens.as_deref());
    if let Some(tokens) = tokens {
        refuse_existing(tokens).context("nothing was imported")?;
    }
    let mut sheet = match imports::parse(&read(file)?, args.encoding) {
        Ok(sheet) => sheet,
        Err(unread) => return refuse_unread(&unread, file),
    };
    let opened = args.installation.writer().await;
    let mut notes = Vec::new();
    if let Ok((db, writer)) = &opened {
        let kept = accounts::reserved_names(db, writer.clock().now_ms()).await?;
        let local_addresses = live_settings(db).await?.registration.local_addresses;
        let divisions = divisions::rules(db, writer.seal()).await?;
        let compared =
            Compared::new(kept, args.skip_existing, local_addresses).with_divisions(divisions);
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
        outln!("{} would be imported{left_out}", counted(sheet.rows.len(), "team", "teams"));
        return Ok(());
    }
    // A missing URL must fail before anything is written.
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
        written.context("the teams were imported, but their tokens could not be written")?;
    }
    if let Some(action) = action {
        // The note is on standard error, because scripts read the other lines.
        errln!(
            "action {action}; undo with `flagship actions undo {action}` until one of its teams \
             has played"
        );
    }
    db.close().await;
    outln!("{} imported{left_out}", counted(ids.len(), "team", "teams"));
    if let Some(Invitations { days, .. }) = invitations.filter(|_| !ids.is_empty()) {
        let mails = counted(ids.len(), "email is", "emails are");
        outln!("{mails} queued; each has a one-time link, valid for {days} days");
    }
    Ok(())
}

/// Creates the teams of all rows and queues their emails, or does nothing.
async fn write_teams(
    writer: &mut Writer,
    file: &Path,
    rows: &[Row],
    invitations: Option<&Invitations>,
) -> Result<Imported> {
    let teams: Vec<NewAccount> = rows.iter().map(|row| row.account.clone()).collect();
    let now_ms = writer.clock().now_ms();
    let mails = invitations.map_or_else(Vec::new, |it| it.to_all(&teams, now_ms));
    let op = Op::Import(Import { teams, mails, by: Caller::CommandLine });
    match messages::perform(writer, op).await? {
        Outcome::Import(Ok(imported)) => Ok(imported),
        Outcome::Import(Err(error)) => {
            let reason = messages::import_error_message(error);
            let at = match error {
                ImportError::NameTaken { index, .. } => format!(":{}", rows[index].line),
                ImportError::Ended => String::new(),
            };
            bail!("{}{at}: {reason}; nothing was imported", file.display())
        }
        other => messages::unexpected(&other),
    }
}

/// Reads a file. Fails if it is not a regular file of a limited size.
fn read(file: &Path) -> Result<Vec<u8>> {
    let name = file.display();
    let opening = || format!("read `{name}`");
    let is_file = fs::metadata(file).with_context(opening)?.is_file();
    ensure!(is_file, "`{name}` is not a regular file");
    // The size in the metadata may change while the file is read.
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).with_context(opening)?;
    let size_max = imports::FILE_BYTES_MAX as u64;
    opened.take(size_max + 1).read_to_end(&mut bytes).with_context(opening)?;
    ensure!(bytes.len() as u64 <= size_max, "`{name}` is larger than {size_max} bytes");
    Ok(bytes)
}

/// Returns an error for a file that is not readable as text; prints its names in candidate
/// encodings.
fn refuse_unread(unread: &Unread, file: &Path) -> Result<()> {
    let shown = file.display();
    let (line, readings) = match unread {
        Unread::Encoding { line, readings } => (line, &readings[..]),
        Unread::Malformed { line, .. } => (line, &[][..]),
        Unread::Large | Unread::Spreadsheet | Unread::Ctfd | Unread::Zip => {
            bail!("nothing was imported: `{shown}`: {unread}")
        }
    };
    errln!("{shown}:{line}: {unread}");
    if !readings.is_empty() {
        errln!("names in candidate encodings:");
        for reading in readings {
            errln!("  --encoding {:<14}  {}", reading.label, reading.names.join(", "));
        }
        bail!(
            "nothing was imported: choose the `--encoding` above that shows correct names (check \
             all of them with `--dry-run`), or save the file as UTF-8"
        );
    }
    bail!(
        "nothing was imported: save the file as UTF-8, or pass its encoding with `--encoding \
         LABEL`, such as windows-1252, and check the names with `--dry-run`"
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

/// Prints a note for each skipped row whose team is not active (in a dry run, for every skipped
/// row), and the notes about addresses.
fn print_notes(sheet: &Sheet, mut notes: Vec<Fault>, args: &TeamFile) {
    let of_passed = |Passed { line, name, reason }: &Passed| {
        let message = match reason {
            Reason::There if !args.dry_run => return None,
            Reason::Waiting => format!(
                "skipped {name:?}: signed up but email not confirmed, so it cannot play yet"
            ),
            reason => format!("skipped {name:?}: {reason}"),
        };
        Some(Fault { line: *line, message })
    };
    notes.extend(sheet.passed.iter().filter_map(of_passed));
    notes.sort_by_key(|note| note.line);
    for Fault { line, message } in notes {
        errln!("{}:{line}: note: {message}", args.file.display());
    }
}

/// Returns the number of skipped rows by reason: `, 2 skipped: already exists`.
fn left_out(sheet: &Sheet) -> String {
    let mut counts: BTreeMap<&Reason, usize> = BTreeMap::new();
    for passed in &sheet.passed {
        *counts.entry(&passed.reason).or_default() += 1;
    }
    let skipped = counts.iter().map(|(reason, count)| format!(", {count} skipped: {reason}"));
    let blank = counted(sheet.blank, "blank row", "blank rows");
    let blank = (sheet.blank > 0).then(|| format!(", {blank} ignored"));
    skipped.chain(blank).collect()
}

/// Prints the errors of the file; fails if there are any.
fn refuse(faults: &[Fault], args: &TeamFile) -> Result<()> {
    let shown = args.file.display();
    for Fault { line, message } in faults.iter().take(FAULTS_SHOWN_MAX) {
        errln!("{shown}:{line}: {message}");
    }
    let more = match faults.len().saturating_sub(FAULTS_SHOWN_MAX) {
        0 => String::new(),
        count => format!("; {count} more not shown"),
    };
    let was = if args.dry_run { "would be" } else { "was" };
    let errors = counted(faults.len(), "error", "errors");
    ensure!(faults.is_empty(), "nothing {was} imported: `{shown}` has {errors}{more}");
    Ok(())
}

/// Creates a temporary token file before the import, readable only by its owner. The file gets its
/// final name once complete, and is removed otherwise.
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
