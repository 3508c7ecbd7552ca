//! Files in a folder: `files/` has the files, named by digest, and `uploads/` a note about each
//! upload of the last day. Nodes share the files only if they share the folder.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use data_encoding::HEXLOWER;
use flagship_game::challenge::is_digest;
use flagship_store::attachments::upload_notes::{NOBODY, UploadNote};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::node::report::report;

/// Retention period of an unused file, in milliseconds.
pub const UNUSED_MAX_MS: i64 = 24 * 3_600_000;
/// Separator between digest and organizer in the name of a note about the uploader.
const BY: &str = "-by-";

/// A folder with files and notes.
#[derive(Clone)]
pub struct Folder {
    /// The folder that `--attachments` names.
    pub root: PathBuf,
    /// Folder of the files.
    pub files: PathBuf,
    /// Folder of the notes.
    pub notes: PathBuf,
    /// Held while a file or its note changes.
    changing: Arc<Mutex<()>>,
}

impl Folder {
    /// Creates the storage in a folder, which may not exist yet.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            files: root.join("files"),
            notes: root.join("uploads"),
            changing: Arc::default(),
        }
    }

    /// Opens a stored file.
    pub fn open(&self, digest: &str) -> io::Result<File> {
        if !is_digest(digest) {
            return Err(io::ErrorKind::NotFound.into());
        }
        File::open(self.files.join(digest))
    }

    /// Returns the size of a file, in bytes.
    pub fn bytes(&self, digest: &str) -> io::Result<Option<u64>> {
        match self.open(digest).and_then(|file| file.metadata()) {
            Ok(about) => Ok(Some(about.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the digests and sizes of all files, sorted.
    pub fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let mut files = Vec::new();
        if !self.files.exists() {
            return Ok(files);
        }
        for entry in fs::read_dir(&self.files)? {
            let entry = entry?;
            if let Some(name) = entry.file_name().to_str().filter(|name| is_digest(name)) {
                files.push((name.to_owned(), entry.metadata()?.len()));
            }
        }
        files.sort();
        Ok(files)
    }

    /// Stores a complete file of `files/` under its digest.
    pub fn put(&self, file: NamedTempFile, digest: &str) -> io::Result<()> {
        file.as_file().sync_all()?;
        file.persist(self.files.join(digest))?;
        File::open(&self.files)?.sync_all()
    }

    /// Removes a file. Does nothing if there is none.
    pub fn remove(&self, digest: &str) -> io::Result<()> {
        match fs::remove_file(self.files.join(digest)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Writes a file without a name to the folder, or to its nearest existing parent.
    pub fn check(&self) -> io::Result<()> {
        let mut parents = self.files.ancestors().filter(|it| *it != Path::new(""));
        let there = parents.find(|it| it.exists()).unwrap_or(Path::new("."));
        let mut file = tempfile::tempfile_in(there)?;
        io::Write::write_all(&mut file, b"x")?;
        file.sync_all()
    }

    /// Stores an upload. Writes a note unless the event uses or used the file.
    pub fn keep_upload(&self, file: NamedTempFile, digest: &str, now_ms: i64) -> io::Result<()> {
        let note = self.notes.join(digest);
        let _changing = self.changing.lock();
        if note.exists() || !self.files.join(digest).exists() {
            fs::create_dir_all(&self.notes)?;
            fs::write(note, now_ms.to_string())?;
        }
        self.put(file, digest)
    }

    /// Restarts the retention period of a stored upload.
    pub fn restart_note(&self, digest: &str, now_ms: i64) -> io::Result<()> {
        let _changing = self.changing.lock();
        self.open(digest)?;
        let note = self.notes.join(digest);
        if note.exists() { fs::write(note, now_ms.to_string()) } else { Ok(()) }
    }

    /// Writes a note about the uploader of a file.
    pub fn note_by(&self, digest: &str, by: &str, now_ms: i64) -> io::Result<()> {
        fs::create_dir_all(&self.notes)?;
        fs::write(self.note_of(digest, by), now_ms.to_string())
    }

    /// Returns the time of the note about the uploader of a file.
    pub fn noted_by_at_ms(&self, digest: &str, by: &str) -> Option<i64> {
        is_digest(digest).then(|| noted_at_ms(&self.note_of(digest, by))).flatten()
    }

    /// Returns the path of the note about a file and its uploader. The organizer's name is hashed,
    /// because a hash is a valid file name on every system.
    pub fn note_of(&self, digest: &str, by: &str) -> PathBuf {
        self.notes.join(format!("{digest}{BY}{}", HEXLOWER.encode(&Sha256::digest(by))))
    }

    /// Removes the note of a file that is in use, if it has one.
    pub fn delete_note(&self, digest: &str) -> io::Result<()> {
        match fs::remove_file(self.notes.join(digest)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the digests whose note is a day old. Removes notes about uploaders that are a day
    /// old.
    pub fn due(&self, now_ms: i64) -> io::Result<Vec<String>> {
        let mut due = Vec::new();
        if !self.notes.exists() {
            return Ok(due);
        }
        for entry in fs::read_dir(&self.notes)? {
            let note = entry?.path();
            let Some(name) = note.file_name().and_then(OsStr::to_str) else { continue };
            if is_digest(name) && self.is_due(name, now_ms) {
                due.push(name.to_owned());
            } else if name.contains(BY)
                && noted_at_ms(&note).is_none_or(|at_ms| now_ms - at_ms >= UNUSED_MAX_MS)
                && let Err(error) = fs::remove_file(&note)
            {
                report(&error, "an old note about an upload could not be removed");
            }
        }
        Ok(due)
    }

    fn is_due(&self, digest: &str, now_ms: i64) -> bool {
        let note = self.notes.join(digest);
        let Some(at_ms) = noted_at_ms(&note) else {
            // A crash truncated the note, so the day starts now.
            drop(fs::write(&note, now_ms.to_string()));
            return false;
        };
        now_ms - at_ms >= UNUSED_MAX_MS
    }

    /// Deletes the notes of these uploads, and the files that are not in use.
    pub fn forget(&self, due: &[String], used: &HashSet<String>, now_ms: i64) -> io::Result<()> {
        for digest in due {
            let _changing = self.changing.lock();
            // The file may have been uploaded or claimed again in the meantime.
            if !self.is_due(digest, now_ms) {
                continue;
            }
            if !used.contains(digest) {
                self.remove(digest)?;
                tracing::info!(digest, "deleted an unused upload");
            }
            fs::remove_file(self.notes.join(digest))?;
        }
        Ok(())
    }

    /// Returns all notes about uploads.
    pub fn upload_notes(&self) -> io::Result<Vec<UploadNote>> {
        let mut notes = Vec::new();
        if !self.notes.exists() {
            return Ok(notes);
        }
        for entry in fs::read_dir(&self.notes)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let (digest, uploader) = name.split_once(BY).unwrap_or((name, NOBODY));
            let Some(at_ms) = noted_at_ms(&entry.path()).filter(|_| is_digest(digest)) else {
                continue;
            };
            let (digest, uploader) = (digest.to_owned(), uploader.to_owned());
            notes.push(UploadNote { digest, uploader, at_ms });
        }
        Ok(notes)
    }

    /// Writes a note that is moved here.
    pub fn put_note(&self, note: &UploadNote) -> io::Result<()> {
        fs::create_dir_all(&self.notes)?;
        fs::write(self.path_of(note), note.at_ms.to_string())
    }

    /// Removes a note that was moved.
    pub fn remove_note(&self, note: &UploadNote) -> io::Result<()> {
        fs::remove_file(self.path_of(note))
    }

    fn path_of(&self, UploadNote { digest, uploader, .. }: &UploadNote) -> PathBuf {
        match uploader.as_str() {
            NOBODY => self.notes.join(digest),
            uploader => self.notes.join(format!("{digest}{BY}{uploader}")),
        }
    }
}

/// Returns the time in a note, in epoch milliseconds; `None` if a crash truncated it.
fn noted_at_ms(note: &Path) -> Option<i64> {
    fs::read_to_string(note).ok()?.parse().ok()
}
