//! Moving of all files to another storage. Files leave the old storage only after all of them are
//! in the new one, so an interrupted move loses nothing and can be repeated.

use std::io::{self, Write};

use data_encoding::HEXLOWER;
use flagship_store::attachments::upload_notes;
use sha2::{Digest, Sha256};

use super::condition::Condition;
use super::folder::Folder;
use super::shared::SharedStorage;
use super::store::Storage;

/// Content of the file that shows if two names mean the same storage.
const PROBE: &[u8] = b"This file is removed when the move begins.";

/// The result of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveResult {
    /// Number of files that are now only in the new storage.
    pub files: usize,
    /// Digests of files that do not match their name. They stay in the old storage.
    pub damaged: Vec<String>,
}

/// Moves all files and the notes about uploads. No server may use the old storage during the move.
///
/// # Errors
/// Fails if a storage cannot be read or changed, or if both are the same. All files are then still
/// in the old storage, or in the new one, or in both.
pub async fn move_all(from: &Storage, to: &Storage) -> io::Result<MoveResult> {
    if is_same(from, to).await? {
        return Err(io::Error::other("both names mean the same storage; nothing was moved"));
    }
    let mut moved = Vec::new();
    let mut damaged = Vec::new();
    for (digest, _) in from.list().await? {
        let condition = match to.condition(&digest).await? {
            Condition::Intact => Condition::Intact,
            _ => copy(from, to, &digest).await?,
        };
        match condition {
            Condition::Intact => moved.push(digest),
            Condition::Damaged => damaged.push(digest),
            // It was removed after it was listed.
            Condition::Missing => {}
        }
    }
    move_notes(from, to).await?;
    for digest in &moved {
        from.remove(digest).await?;
    }
    Ok(MoveResult { files: moved.len(), damaged })
}

/// True if a file that is stored in one storage appears in the other one. Names are not compared,
/// because a folder or a server can have several. The file is always the same, so that a move
/// removes the one that an interrupted move left.
async fn is_same(from: &Storage, to: &Storage) -> io::Result<bool> {
    let digest = HEXLOWER.encode(&Sha256::digest(PROBE));
    from.remove(&digest).await?;
    let mut file = to.new_partial()?;
    file.write_all(PROBE)?;
    to.put(file, &digest).await?;
    let seen = from.bytes(&digest).await;
    to.remove(&digest).await?;
    Ok(seen?.is_some())
}

/// Copies an intact file, and replaces a damaged one. Stores nothing if the file is damaged or
/// missing.
pub async fn copy(from: &Storage, to: &Storage, digest: &str) -> io::Result<Condition> {
    let (condition, file) = from.copy_to(digest, to.new_partial()?).await?;
    if condition == Condition::Intact {
        to.put(file, digest).await?;
    }
    Ok(condition)
}

/// Moves the notes about uploads. Storage in the database and in buckets has the same notes.
async fn move_notes(from: &Storage, to: &Storage) -> io::Result<()> {
    match (from, to) {
        (Storage::Folder(from), Storage::Folder(to)) => between_folders(from, to),
        (Storage::Folder(from), Storage::Shared(to)) => to_database(from, to).await,
        (Storage::Shared(from), Storage::Folder(to)) => to_folder(from, to).await,
        (Storage::Shared(_), Storage::Shared(_)) => Ok(()),
    }
}

fn between_folders(from: &Folder, to: &Folder) -> io::Result<()> {
    let notes = from.upload_notes()?;
    notes.iter().try_for_each(|note| to.put_note(note))?;
    notes.iter().try_for_each(|note| from.remove_note(note))
}

async fn to_database(from: &Folder, to: &SharedStorage) -> io::Result<()> {
    let notes = from.upload_notes()?;
    for note in &notes {
        let set = upload_notes::set(&to.db, &note.digest, &note.uploader, note.at_ms).await;
        set.map_err(io::Error::other)?;
    }
    notes.iter().try_for_each(|note| from.remove_note(note))
}

async fn to_folder(from: &SharedStorage, to: &Folder) -> io::Result<()> {
    let notes = upload_notes::list(&from.db).await.map_err(io::Error::other)?;
    notes.iter().try_for_each(|note| to.put_note(note))?;
    upload_notes::clear(&from.db).await.map_err(io::Error::other)
}
