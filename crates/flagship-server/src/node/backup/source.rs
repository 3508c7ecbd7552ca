//! Writes a backup: tables, attachments and the secret of an event.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flagship_store::dump::{Snapshot, Table};
use flagship_store::{Db, Seal};

use super::archive::{Archive, MEMBERS_MAX, Manifest, SECRET};
use super::files::{FREE_BYTES_MIN, digest, free_bytes, mib};
use crate::node::storage::{Condition, Storage};
use crate::node::uploads::files_in_use;

/// Parts of an event that a backup contains.
#[derive(Clone)]
pub struct Source {
    /// The database.
    pub db: Db,
    /// Seal that signs the journal's head.
    pub seal: Seal,
    /// The data folder.
    pub data: PathBuf,
    /// The attachments and branding files.
    pub storage: Storage,
    /// The file with the event's secret.
    pub secret: PathBuf,
}

/// Digests of files that a backup does not contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Files that do not match their digest.
    pub damaged: Vec<String>,
    /// Files that the event uses and that are not in the storage.
    pub missing: Vec<String>,
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
        let sizes: u64 = match self.storage.is_in_database() {
            // The size of the database includes them.
            true => 0,
            false => self.attachments().await?.iter().map(|(_, bytes)| bytes).sum(),
        };
        let needed = self.db.bytes().await?.saturating_add(sizes);
        let device = |folder: &Path| fs::metadata(folder).ok().map(|about| about.dev());
        let is_shared = device(folder) == device(&self.data);
        let (free, kept) = (free_bytes(folder)?, if is_shared { FREE_BYTES_MIN } else { 0 });
        if needed.saturating_add(kept) > free {
            let (needed, free, kept) = (mib(needed) + 1, mib(free), mib(kept));
            return Err(NoSpace { needed, free, kept }.into());
        }
        Ok(())
    }

    /// Returns the digests and sizes of the attachments, sorted.
    async fn attachments(&self) -> Result<Vec<(String, u64)>> {
        self.storage.list().await.context("list the attachments")
    }

    /// Writes the archive, and also returns the digests of the files that it omits. An archive with
    /// a file whose name is not its digest could not be restored. Rows and attachments pass through
    /// temporary files in `folder`.
    ///
    /// # Errors
    /// Fails if the data cannot be read or written, or if there are too many attachments.
    pub async fn write(&self, to: impl Write, folder: &Path) -> Result<(Manifest, Omitted)> {
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
        let omitted = self.add_files(&mut archive, folder).await?;
        let secret = &self.secret;
        let file = File::open(secret).with_context(|| format!("read `{}`", secret.display()))?;
        archive.add(SECRET, file)?;
        Ok((archive.finish(schema, head)?, omitted))
    }

    /// Adds the attachments, and returns the digests of damaged and missing ones. Every attachment
    /// that the snapshot refers to exists: it is stored before a journal entry refers to it, and
    /// never deleted.
    async fn add_files<W: Write>(
        &self,
        archive: &mut Archive<W>,
        folder: &Path,
    ) -> Result<Omitted> {
        let mut missing = files_in_use(&self.db).await.context("read which files are in use")?;
        let attachments = self.attachments().await?;
        ensure!(
            archive.members() + attachments.len() < MEMBERS_MAX,
            "too many attachments ({}): a backup can hold {MEMBERS_MAX} files; delete unused ones \
            from their storage",
            attachments.len()
        );
        let mut damaged = Vec::new();
        for (name, _) in attachments {
            // The work ends here if the caller was dropped.
            tokio::task::yield_now().await;
            let (condition, file) = self.opened(&name, folder).await?;
            match condition {
                Condition::Intact => archive.add(&format!("files/{name}"), file)?,
                Condition::Damaged => damaged.push(name.clone()),
                // It was removed after it was listed.
                Condition::Missing => continue,
            }
            missing.remove(&name);
        }
        let mut missing: Vec<String> = missing.into_iter().collect();
        missing.sort();
        Ok(Omitted { damaged, missing })
    }

    /// Opens an attachment, or a temporary copy if it is not in a folder, and compares its content
    /// with its name. A missing attachment is an empty file.
    async fn opened(&self, name: &str, folder: &Path) -> Result<(Condition, File)> {
        let reading = || format!("read the attachment `{name}`");
        if let Storage::Folder(stored) = &self.storage {
            match stored.open(name) {
                Ok(mut file) => {
                    let found = digest(&file, std::io::sink()).with_context(reading)?;
                    file.rewind().with_context(reading)?;
                    let is_intact = found == name;
                    let condition = if is_intact { Condition::Intact } else { Condition::Damaged };
                    return Ok((condition, file));
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(reading),
            }
        }
        let copy = tempfile::tempfile_in(folder);
        let context = || format!("create a temporary file in `{}`", folder.display());
        let copy = copy.with_context(context)?;
        let copied = self.storage.copy_to(name, copy).await;
        let (condition, mut copy) = copied.with_context(reading)?;
        copy.rewind().context("read the attachment again")?;
        Ok((condition, copy))
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

#[cfg(test)]
mod tests {
    use flagship_game::Attachment;
    use flagship_store::lane::Writer;
    use flagship_store::ops::{Actor, Op, Plan};
    use flagship_store::{Clock, Key};
    use flagship_testkit::player::{draft, event};
    use flagship_testkit::{TestDb, on_both_engines};

    use super::*;
    use crate::node::storage::Location;

    const SECRET: &str = "the secret of the test, in a file";

    async fn put(storage: &Storage, content: &[u8]) -> String {
        let mut file = storage.new_partial().expect("a file");
        file.write_all(content).expect("it is written");
        let digest = digest(content, std::io::sink()).expect("it is in memory");
        storage.put(file, &digest).await.expect("it is stored");
        digest
    }

    on_both_engines! {
        async fn a_backup_names_damaged_and_missing_files(engine: Engine) {
            let test = TestDb::new(engine).await;
            let data = test.data.path();
            let key = Key::new(SECRET.as_bytes());
            let db = test.reopen().await;
            let mut writer = Writer::open(db.clone(), &key, Clock::manual(0)).await.expect("new");
            let secret = data.join("secret");
            std::fs::write(&secret, SECRET).expect("it is written");
            let database = Storage::open(&Location::Database, &db, data).expect("it needs no keys");
            let used = put(&database, b"used").await;
            let short = put(&database, &[7; 100_000]).await;
            test.execute("delete from attachment_pieces where number = 1").await;
            let mut one = draft("one");
            for digest in [&used, &short] {
                let name = "a.txt".to_owned();
                let digest = digest.clone();
                let attachment =
                    Attachment { name, digest, bytes: 4, picture: None, per_team: false };
                one.challenge.attachments.push(attachment);
            }
            let plan = Op::Apply(Box::new(Plan::new(event(), vec![one])));
            writer.step(&[plan.by(Actor::CommandLine)]).await.expect("the step is written");
            let seal = Seal::open(&db, &key).await.expect("it is the secret");
            let data = data.to_owned();
            let source = Source { db, seal, data: data.clone(), storage: database, secret };
            let (_, omitted) = source.write(std::io::sink(), &data).await.expect("it is written");
            let damaged = vec![short.clone()];
            assert_eq!(omitted, Omitted { damaged, missing: Vec::new() });
            // The folder has neither file. A link to nothing is listed and cannot be opened.
            let folder = Storage::folder(&data);
            let gone = folder.partials().join("ab".repeat(32));
            std::os::unix::fs::symlink("nothing", gone).expect("it is made");
            let source = Source { storage: folder, ..source };
            let (_, omitted) = source.write(std::io::sink(), &data).await.expect("it is written");
            let mut missing = vec![used, short];
            missing.sort();
            assert_eq!(omitted, Omitted { damaged: Vec::new(), missing });
        }
    }
}
