//! `flagship backup`: writes the whole event to one file, even while `flagship serve` is running.
//! `flagship_server::backup` defines the contents.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flagship_server::backup::{Omitted, Source};
use flagship_server::storage::Location;
use flagship_store::{Seal, dump};

use crate::cli::Installation;
use crate::installation::{folder_of, refuse_existing};
use crate::output::counted;

/// Writes the event to a file, atomically.
pub async fn backup(file: &Path, installation: &Installation) -> Result<()> {
    refuse_existing(file)?;
    let (db, key) = installation.open().await?;
    let seal = Seal::open(&db, &key).await?;
    let folder = folder_of(file);
    // The name `.NAME.….part` identifies the file if the program is killed.
    let prefix = format!(".{}.", file.file_name().unwrap_or_default().to_string_lossy());
    let partial = tempfile::Builder::new().prefix(&prefix).suffix(".part").tempfile_in(folder);
    let partial =
        partial.with_context(|| format!("create a temporary file in `{}`", folder.display()))?;
    let (data, secret) = (installation.data.clone(), installation.secret_path());
    let storage = installation.storage(&db)?;
    let source = Source { db: db.clone(), seal, data, storage, secret };
    source.check_space(folder).await?;
    let now_ms = db.clock().await?.now_ms();
    let (manifest, omitted) = source.write(&partial, folder).await?;
    partial.as_file().sync_all().context("write the backup to the disk")?;
    partial
        .persist_noclobber(file)
        .with_context(|| format!("move the backup to `{}`", file.display()))?;
    fs::File::open(folder).and_then(|it| it.sync_all()).context("write the folder to the disk")?;
    if let Err(error) = dump::note(&db, now_ms).await {
        errln!("flagship: the backup is complete, but its time could not be recorded: {error}");
    }
    db.close().await;
    let entries = counted(manifest.entries, "journal entry", "journal entries");
    outln!("{entries}, checksum {}", manifest.checksum);
    report(&omitted, &installation.location()?)
}

/// Fails if the backup omits files.
fn report(Omitted { damaged, missing }: &Omitted, place: &Location) -> Result<()> {
    let files = |files: &[String]| counted(files.len() as i64, "file", "files");
    let mut sentences = Vec::new();
    if let Some(first) = missing.first() {
        sentences.push(format!(
            "the backup was written without {} that the event uses, such as `{first}`: {place} \
            does not have them. Check that --attachments is the same as for the server",
            files(missing)
        ));
    }
    if let Some(first) = damaged.first() {
        sentences.push(format!(
            "the backup was written without {} that do not match their checksums, such as \
            `{first}` (damaged disk, or modified by another program). Run `flagship apply --event \
            DIR` to store the event's attachments again, and upload any other such file again on \
            the site",
            files(damaged)
        ));
    }
    ensure!(sentences.is_empty(), "{}", sentences.join(". "));
    Ok(())
}
