//! Files that all nodes share: in the database or in a bucket. Notes about uploads are in the
//! database. Files pass through a folder of this node before they are stored.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use data_encoding::HEXLOWER;
use flagship_store::attachments::upload_notes::{self, NOBODY};
use flagship_store::{Db, attachments};
use sha2::{Digest, Sha256};

use super::condition::{Condition, copy_verified};
use super::content::Content;
use super::folder::UNUSED_MAX_MS;
use super::read::StoredFile;

/// Time after which a removal counts as interrupted, in milliseconds. Longer than any request.
const REMOVAL_MAX_MS: i64 = 3_600_000;

/// Storage that all nodes share.
#[derive(Clone)]
pub struct SharedStorage {
    /// The database, with the notes.
    pub(super) db: Db,
    pub(super) content: Content,
    /// Folder for files that are not stored yet.
    pub(super) partials: PathBuf,
}

impl SharedStorage {
    /// Opens a file; `None` if there is none.
    pub async fn open(&self, digest: &str) -> io::Result<Option<StoredFile>> {
        let bytes = self.content.bytes(digest).await?;
        Ok(bytes.map(|bytes| StoredFile::shared(self.content.clone(), digest, bytes)))
    }

    /// Stores a file unless an intact one exists.
    pub async fn put(&self, digest: &str, file: File) -> io::Result<()> {
        if let Some(stored) = self.open(digest).await? {
            match copy_verified(stored, digest, io::sink()).await? {
                (Condition::Intact, _) => return Ok(()),
                _ => self.content.remove(digest).await?,
            }
        }
        self.content.put(digest, file).await
    }

    /// Stores an upload, and writes a note unless the event uses or used the file.
    pub async fn keep_upload(&self, file: File, digest: &str, now_ms: i64) -> io::Result<()> {
        let note = upload_notes::at_ms(&self.db, digest, NOBODY).await.map_err(io::Error::other)?;
        if note.is_some() || self.content.bytes(digest).await?.is_none() {
            let noted = upload_notes::set(&self.db, digest, NOBODY, now_ms).await;
            if !noted.map_err(io::Error::other)? {
                return Err(io::Error::other("the file is being removed; upload it again"));
            }
        }
        self.put(digest, file).await
    }

    /// Restarts the retention period of an upload. Fails while the file is being removed.
    pub async fn restart_note(&self, digest: &str, now_ms: i64) -> io::Result<()> {
        let restarted = upload_notes::restart(&self.db, digest, now_ms).await;
        match restarted.map_err(io::Error::other)? {
            true => Ok(()),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    pub async fn note_by(&self, digest: &str, by: &str, now_ms: i64) -> io::Result<()> {
        let noted = upload_notes::set(&self.db, digest, &hash_of(by), now_ms).await;
        noted.map(drop).map_err(io::Error::other)
    }

    pub async fn noted_by_at_ms(&self, digest: &str, by: &str) -> io::Result<Option<i64>> {
        upload_notes::at_ms(&self.db, digest, &hash_of(by)).await.map_err(io::Error::other)
    }

    pub async fn delete_note(&self, digest: &str) -> io::Result<()> {
        upload_notes::delete(&self.db, digest).await.map_err(io::Error::other)
    }

    /// Returns the digests whose note is a day old. Removes notes about uploaders that are a day
    /// old, and incomplete files.
    pub async fn due(&self, now_ms: i64) -> io::Result<Vec<String>> {
        let until_ms = now_ms - UNUSED_MAX_MS;
        let forgotten = upload_notes::forget_uploaders(&self.db, until_ms).await;
        forgotten.map_err(io::Error::other)?;
        if let Content::Database(db, _) = &self.content {
            let abandoned = attachments::abandoned(db, until_ms).await;
            for digest in abandoned.map_err(io::Error::other)? {
                let removed = attachments::remove_abandoned(db, &digest, until_ms).await;
                removed.map_err(io::Error::other)?;
            }
        }
        let due = upload_notes::due(&self.db, until_ms, now_ms - REMOVAL_MAX_MS).await;
        due.map_err(io::Error::other)
    }

    /// Deletes the notes of these uploads, and the files that are not in use.
    pub async fn forget(
        &self,
        due: &[String],
        used: &HashSet<String>,
        now_ms: i64,
    ) -> io::Result<()> {
        let times = (now_ms - UNUSED_MAX_MS, now_ms - REMOVAL_MAX_MS);
        for digest in due {
            if used.contains(digest) {
                self.delete_note(digest).await?;
                // A removal that was interrupted before the file was used again.
                let ended = upload_notes::end_removal(&self.db, digest).await;
                ended.map_err(io::Error::other)?;
                continue;
            }
            let begun = upload_notes::begin_removal(&self.db, digest, times, now_ms).await;
            // The file may have been uploaded or claimed again in the meantime.
            if !begun.map_err(io::Error::other)? {
                continue;
            }
            self.content.remove(digest).await?;
            tracing::info!(digest, "deleted an unused upload");
            let ended = upload_notes::end_removal(&self.db, digest).await;
            ended.map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// Hash of an organizer's name.
fn hash_of(by: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(by))
}
