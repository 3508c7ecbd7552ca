//! Writes a backup: tables, attachments and the secret of an event.

use std::fs::{self, File};
use std::io::{BufWriter, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flagship_store::dump::{Snapshot, Table};
use flagship_store::{Db, Seal};

use super::archive::{Archive, MEMBERS_MAX, Manifest, SECRET};
use super::files::{FREE_BYTES_MIN, attachments, folder_in, free_bytes, is_intact, mib};

/// Parts of an event that a backup contains.
#[derive(Clone)]
pub struct Source {
    /// The database.
    pub db: Db,
    /// Seal that signs the journal's head.
    pub seal: Seal,
    /// The data folder.
    pub data: PathBuf,
    /// The file with the event's secret.
    pub secret: PathBuf,
}

/// Error returned when a backup might fill the disk. Nothing is written then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the backup may need {needed} MiB, and of {free} MiB that are free the event needs {kept}: \
     free some space, as by moving old backups to another machine, or name a file on another disk"
)]
pub struct NoSpace {
    /// Space that the backup may need, in MiB.
    needed: u64,
    /// Free space, in MiB.
    free: u64,
    /// Free space that is reserved for the event, in MiB.
    kept: u64,
}

impl Source {
    /// Rejects a backup that could fill the disk of `folder`. On the event's own disk, the backup
    /// must also leave the space that is reserved for the event.
    ///
    /// # Errors
    /// Fails with [`NoSpace`], or if the free space cannot be read.
    pub async fn check_space(&self, folder: &Path) -> Result<()> {
        let sizes = attachments(&self.data)?.into_iter();
        let sizes = sizes.map(|(_, path)| fs::metadata(path).map_or(0, |about| about.len()));
        let needed = self.db.bytes().await?.saturating_add(sizes.sum());
        let device = |folder: &Path| fs::metadata(folder).ok().map(|about| about.dev());
        let is_shared = device(folder) == device(&self.data);
        let (free, kept) = (free_bytes(folder)?, if is_shared { FREE_BYTES_MIN } else { 0 });
        if needed.saturating_add(kept) > free {
            let (needed, free, kept) = (mib(needed) + 1, mib(free), mib(kept));
            return Err(NoSpace { needed, free, kept }.into());
        }
        Ok(())
    }

    /// Writes the archive, and also returns the files that it omits. An archive with a file whose
    /// name is not its digest could not be restored. Rows pass through temporary files in `folder`.
    ///
    /// # Errors
    /// Fails if the data cannot be read or written, or if there are too many attachments.
    pub async fn write(&self, to: impl Write, folder: &Path) -> Result<(Manifest, Vec<PathBuf>)> {
        let mut archive = Archive::new(BufWriter::new(to));
        let mut snapshot = Snapshot::take(&self.db).await?;
        for table in snapshot.tables().await? {
            let rows = rows_of(&mut snapshot, &table, folder).await?;
            archive.add(&format!("tables/{}.jsonl", table.name), rows)?;
            tokio::task::yield_now().await;
        }
        let head = snapshot.head().await?.map(|(seq, hash)| self.seal.head(seq, &hash));
        let schema = snapshot.schema().await?;
        drop(snapshot);
        let damaged = self.add_files(&mut archive).await?;
        let secret = &self.secret;
        let file = File::open(secret).with_context(|| format!("read `{}`", secret.display()))?;
        archive.add(SECRET, file)?;
        Ok((archive.finish(schema, head)?, damaged))
    }

    /// Adds the attachments, and returns the damaged ones. Every attachment that the snapshot
    /// refers to exists: it is stored before a journal entry refers to it, and never deleted.
    async fn add_files<W: Write>(&self, archive: &mut Archive<W>) -> Result<Vec<PathBuf>> {
        let attachments = attachments(&self.data)?;
        ensure!(
            archive.members() + attachments.len() < MEMBERS_MAX,
            "too many attachments ({}): a backup can hold {MEMBERS_MAX} files; move unused ones \
            out of `{}`",
            attachments.len(),
            folder_in(&self.data).display()
        );
        let mut damaged = Vec::new();
        for (name, path) in attachments {
            // The work ends here if the caller was dropped.
            tokio::task::yield_now().await;
            if !is_intact(&path) {
                damaged.push(path);
                continue;
            }
            let file = File::open(&path).with_context(|| format!("read `{}`", path.display()))?;
            archive.add(&format!("files/{name}"), file)?;
        }
        Ok(damaged)
    }
}

/// Writes the rows of a table to a temporary file, because the header of a tar member contains its
/// size.
async fn rows_of(snapshot: &mut Snapshot, table: &Table, folder: &Path) -> Result<File> {
    let rows = tempfile::tempfile_in(folder);
    let context = || format!("create a temporary file in `{}`", folder.display());
    let mut rows = BufWriter::new(rows.with_context(context)?);
    snapshot.write(table, &mut rows).await?;
    let mut rows = rows.into_inner().context("write the rows to a temporary file")?;
    rows.rewind().context("read the rows again")?;
    Ok(rows)
}
