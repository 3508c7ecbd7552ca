//! `flagship backup`: writes the whole event into one file, also while `flagship serve` is
//! running. What is in it: `flagship_server::backup`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flagship_server::backup::Source;
use flagship_store::{Seal, dump};

use crate::cli::Installation;
use crate::installation::{folder_of, refuse_existing};
use crate::say::counted;

/// Writes the event to a file, atomically.
pub async fn backup(file: &Path, installation: &Installation) -> Result<()> {
    refuse_existing(file, "a backup overwrites")?;
    let (db, key) = installation.open().await?;
    let seal = Seal::open(&db, &key).await?;
    let folder = folder_of(file);
    // Its name tells what it is, if the program is killed: `.NAME.….part`.
    let prefix = format!(".{}.", file.file_name().unwrap_or_default().to_string_lossy());
    let partial = tempfile::Builder::new().prefix(&prefix).suffix(".part").tempfile_in(folder);
    let partial =
        partial.with_context(|| format!("create a temporary file in `{}`", folder.display()))?;
    let (data, secret) = (installation.data.clone(), installation.secret_path());
    let source = Source { db: db.clone(), seal, data, secret };
    source.check_space(folder).await?;
    let now_ms = db.clock().await?.now_ms();
    let (manifest, damaged) = source.write(&partial, folder).await?;
    partial.as_file().sync_all().context("write the backup to the disk")?;
    partial
        .persist_noclobber(file)
        .with_context(|| format!("move the backup to `{}`", file.display()))?;
    fs::File::open(folder).and_then(|it| it.sync_all()).context("write the folder to the disk")?;
    if let Err(error) = dump::note(&db, now_ms).await {
        say_error!(
            "flagship: the backup is whole, but organizers do not see that it was made: {error}"
        );
    }
    db.close().await;
    let entries = counted(manifest.entries, "journal entry", "journal entries");
    say!("{entries}, checksum {}", manifest.checksum);
    let Some(first) = damaged.first() else { return Ok(()) };
    bail!(
        "the backup is written, but {} left out: `{}` is not what its name says, because the disk \
         is damaged or another program wrote it. `flagship apply --event DIR` copies attachments \
         of the event's files again; remove any other",
        counted(damaged.len(), "file was", "files were"),
        first.display()
    )
}
