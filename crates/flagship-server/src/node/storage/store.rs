//! One interface to all kinds of storage.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use flagship_game::challenge::is_digest;
use flagship_store::Db;
use tempfile::NamedTempFile;
use tokio::io::AsyncReadExt;
use tokio::task::spawn_blocking;

use super::bucket::Bucket;
use super::condition::{Condition, copy_verified};
use super::content::Content;
use super::folder::{Folder, UNUSED_MAX_MS};
use super::location::Location;
use super::read::StoredFile;
use super::shared::SharedStorage;

/// Suffix of unfinished uploads and of other unfinished copies. The next start removes these
/// files.
const PARTIAL: &str = ".part";

/// Storage of attachments and branding files.
#[derive(Clone)]
pub enum Storage {
    /// In a folder of this machine.
    Folder(Folder),
    /// In the database or in a bucket.
    Shared(Arc<SharedStorage>),
}

impl Storage {
    /// Opens the storage at a location; reads and writes nothing. `data` is the data folder of this
    /// node, through which files pass.
    ///
    /// # Errors
    /// A message for the operator, without keys.
    pub fn open(location: &Location, db: &Db, data: &Path) -> Result<Self, String> {
        let content = match location {
            Location::Folder(root) => return Ok(Self::folder(root)),
            Location::Database => Content::in_database(db),
            Location::Bucket(url) => Content::Bucket(Bucket::new(url)?),
        };
        let partials = data.join("files");
        Ok(Self::Shared(Arc::new(SharedStorage { db: db.clone(), content, partials })))
    }

    /// Storage in a folder.
    pub fn folder(root: &Path) -> Self {
        Self::Folder(Folder::new(root))
    }

    /// True if all nodes see the same files, wherever their data folders are.
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Shared(_))
    }

    /// True if the files are in the database.
    pub fn is_in_database(&self) -> bool {
        matches!(self, Self::Shared(shared) if matches!(shared.content, Content::Database(..)))
    }

    /// Folder for files that are not stored yet. It may not exist.
    pub fn partials(&self) -> &Path {
        match self {
            Self::Folder(folder) => &folder.files,
            Self::Shared(shared) => &shared.partials,
        }
    }

    /// Creates a file that can be stored later. It is removed if it is dropped.
    ///
    /// # Errors
    /// Fails if the folder is not writable.
    pub fn new_partial(&self) -> io::Result<NamedTempFile> {
        std::fs::create_dir_all(self.partials())?;
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix(".").suffix(PARTIAL).tempfile_in(self.partials())?;
        // A starting program does not remove locked files. Not every file system supports locks.
        drop(file.as_file().lock());
        Ok(file)
    }

    /// Creates a file without a name, which is removed when it is closed.
    ///
    /// # Errors
    /// Fails if the folder is not writable.
    pub fn new_unnamed(&self) -> io::Result<File> {
        std::fs::create_dir_all(self.partials())?;
        tempfile::tempfile_in(self.partials())
    }

    /// Checks that `free_bytes_min` bytes remain free on the disk of partial files if another
    /// `bytes` are written.
    ///
    /// # Errors
    /// `StorageFull` if fewer remain.
    pub fn check_space(&self, bytes: u64, free_bytes_min: u64) -> io::Result<()> {
        std::fs::create_dir_all(self.partials())?;
        let about = rustix::fs::statvfs(self.partials())?;
        let free = about.f_bavail.saturating_mul(about.f_frsize);
        if bytes.saturating_add(free_bytes_min) > free {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    /// Opens a stored file.
    ///
    /// # Errors
    /// `NotFound` if there is none.
    pub async fn file(&self, digest: &str) -> io::Result<StoredFile> {
        match self {
            Self::Folder(folder) => {
                let file = on_disk(folder, digest, Folder::open).await?;
                let bytes = file.metadata()?.len();
                Ok(StoredFile::in_folder(tokio::fs::File::from_std(file), bytes))
            }
            Self::Shared(shared) => {
                let file = if is_digest(digest) { shared.open(digest).await? } else { None };
                Ok(file.ok_or(io::ErrorKind::NotFound)?)
            }
        }
    }

    /// Returns the size of a file in bytes; `None` if there is none.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub async fn bytes(&self, digest: &str) -> io::Result<Option<u64>> {
        match self {
            _ if !is_digest(digest) => Ok(None),
            Self::Folder(folder) => on_disk(folder, digest, Folder::bytes).await,
            Self::Shared(shared) => shared.content.bytes(digest).await,
        }
    }

    /// Writes the bytes of a file to `to`, and compares them with its digest. Nothing is written if
    /// the file is missing.
    ///
    /// # Errors
    /// Fails if the storage cannot be read, or `to` cannot be written.
    pub async fn copy_to<W: Write + Send + 'static>(
        &self,
        digest: &str,
        to: W,
    ) -> io::Result<(Condition, W)> {
        match self.file(digest).await {
            Ok(file) => copy_verified(file, digest, to).await,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Condition::Missing, to)),
            Err(error) => Err(error),
        }
    }

    /// Reads a file, and compares it with its digest.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub async fn condition(&self, digest: &str) -> io::Result<Condition> {
        Ok(self.copy_to(digest, io::sink()).await?.0)
    }

    /// Reads a whole file, which must be small.
    ///
    /// # Errors
    /// `NotFound` if there is none.
    pub async fn read(&self, digest: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file(digest).await?.read_to_end(&mut bytes).await?;
        Ok(bytes)
    }

    /// Returns the digests and sizes of all files, sorted by digest.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub async fn list(&self) -> io::Result<Vec<(String, u64)>> {
        match self {
            Self::Folder(folder) => on_disk(folder, "", |folder, _| folder.list()).await,
            Self::Shared(shared) => shared.content.list().await,
        }
    }

    /// Stores a complete file, from [`Self::new_partial`].
    ///
    /// # Errors
    /// Fails if the file cannot be stored, or does not have the digest.
    pub async fn put(&self, file: NamedTempFile, digest: &str) -> io::Result<()> {
        match self {
            Self::Folder(folder) => {
                on_disk(folder, digest, |folder, digest| folder.put(file, digest)).await
            }
            Self::Shared(shared) => {
                shared.put(digest, file.reopen()?).await?;
                drop(file);
                Ok(())
            }
        }
    }

    /// Removes a file. Does nothing if there is none.
    ///
    /// # Errors
    /// Fails if the storage cannot be changed.
    pub async fn remove(&self, digest: &str) -> io::Result<()> {
        match self {
            Self::Folder(folder) => on_disk(folder, digest, Folder::remove).await,
            Self::Shared(shared) => shared.content.remove(digest).await,
        }
    }

    /// Checks that the storage is writable, and leaves nothing.
    ///
    /// # Errors
    /// Fails if it is not.
    pub async fn check(&self) -> io::Result<()> {
        match self {
            Self::Folder(folder) => on_disk(folder, "", |folder, _| folder.check()).await,
            Self::Shared(shared) => shared.content.check().await,
        }
    }

    /// Stores an upload. Writes a note unless the event uses or used the file.
    pub async fn keep_upload(
        &self,
        file: NamedTempFile,
        digest: &str,
        now_ms: i64,
    ) -> io::Result<()> {
        match self {
            Self::Folder(folder) => {
                let keep =
                    move |folder: &Folder, digest: &str| folder.keep_upload(file, digest, now_ms);
                on_disk(folder, digest, keep).await
            }
            Self::Shared(shared) => {
                shared.keep_upload(file.reopen()?, digest, now_ms).await?;
                drop(file);
                Ok(())
            }
        }
    }

    /// Restarts the retention period of an upload.
    pub async fn restart_note(&self, digest: &str, now_ms: i64) -> io::Result<()> {
        match self {
            Self::Folder(folder) => {
                on_disk(folder, digest, move |folder, digest| folder.restart_note(digest, now_ms))
                    .await
            }
            Self::Shared(shared) => shared.restart_note(digest, now_ms).await,
        }
    }

    /// Writes a note about the uploader of a file.
    pub async fn note_by(&self, digest: &str, by: &str, now_ms: i64) -> io::Result<()> {
        match self {
            Self::Folder(folder) => {
                let by = by.to_owned();
                let note = move |folder: &Folder, digest: &str| folder.note_by(digest, &by, now_ms);
                on_disk(folder, digest, note).await
            }
            Self::Shared(shared) => shared.note_by(digest, by, now_ms).await,
        }
    }

    /// True if an organizer uploaded the file in the last day.
    pub async fn is_by(&self, digest: &str, by: &str, now_ms: i64) -> io::Result<bool> {
        let at_ms = match self {
            Self::Folder(folder) => {
                let by = by.to_owned();
                let find =
                    move |folder: &Folder, digest: &str| Ok(folder.noted_by_at_ms(digest, &by));
                on_disk(folder, digest, find).await?
            }
            Self::Shared(shared) => shared.noted_by_at_ms(digest, by).await?,
        };
        Ok(at_ms.is_some_and(|at_ms| now_ms - at_ms < UNUSED_MAX_MS))
    }

    /// Deletes the note of a file that is in use.
    pub async fn delete_note(&self, digest: &str) -> io::Result<()> {
        match self {
            Self::Folder(folder) => on_disk(folder, digest, Folder::delete_note).await,
            Self::Shared(shared) => shared.delete_note(digest).await,
        }
    }

    /// Returns the digests of uploads whose note is a day old.
    pub async fn due(&self, now_ms: i64) -> io::Result<Vec<String>> {
        match self {
            Self::Folder(folder) => on_disk(folder, "", move |folder, _| folder.due(now_ms)).await,
            Self::Shared(shared) => shared.due(now_ms).await,
        }
    }

    /// Deletes the notes of these uploads, and the files that are not in use.
    pub async fn forget(
        &self,
        due: Vec<String>,
        used: HashSet<String>,
        now_ms: i64,
    ) -> io::Result<()> {
        match self {
            Self::Folder(folder) => {
                on_disk(folder, "", move |folder, _| folder.forget(&due, &used, now_ms)).await
            }
            Self::Shared(shared) => shared.forget(&due, &used, now_ms).await,
        }
    }
}

/// Runs disk operations of a folder on a blocking thread.
async fn on_disk<T: Send + 'static>(
    folder: &Folder,
    digest: &str,
    work: impl FnOnce(&Folder, &str) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (folder, digest) = (folder.clone(), digest.to_owned());
    let done = spawn_blocking(move || work(&folder, &digest)).await;
    done.unwrap_or_else(|error| Err(io::Error::other(error)))
}
