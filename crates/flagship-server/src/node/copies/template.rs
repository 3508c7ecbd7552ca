//! Templates of copies, each in a file without a name on the disk of this node.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use flagship_pack::team_copy::{COPIED_BYTES_MAX, Filling, Template, TemplateError};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::computed::{Computed, compute};
use crate::node::board::cards::CopyDigest;
use crate::node::report::report;
use crate::node::storage::{Condition, Storage};

/// Maximum total size of the templates that are kept, in bytes. A larger one is kept alone.
const KEPT_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Maximum number of templates that are kept. Each holds an open file.
pub const KEPT_MAX: usize = 64;

/// Maximum number of templates that are written at once.
const WRITTEN_MAX: usize = 1;

/// Free space that a new template leaves on the disk, in bytes. The database needs it.
const FREE_BYTES_MIN: u64 = 256 * 1024 * 1024;

/// Time after which a template that could not be written is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// Size of a piece that is read or hashed at once, in bytes.
pub const PIECE_BYTES: usize = 64 * 1024;

/// Error returned when a team's copy cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The challenge has no per-team flag, or it is not loaded yet.
    #[error("the challenge has no flag with `type: team`")]
    NoFlag,
    /// The original is missing or damaged.
    #[error("the stored file is missing or damaged")]
    NoFile,
    /// The template could not be written a short time ago. The log has the cause.
    #[error("the template could not be written before")]
    FailedBefore,
    /// The file cannot have copies.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A template and its file.
pub struct StoredTemplate {
    template: Template,
    file: File,
    /// Hash of the bytes that are the same in all copies, up to the first that differs.
    start: Sha256,
}

/// Writes and keeps templates.
pub struct Templates {
    storage: Storage,
    /// Templates, the last used at the end.
    kept: Mutex<Vec<(TemplateKey, SharedTemplate)>>,
    /// Times at which a template could not be written.
    failed: Arc<Mutex<HashMap<TemplateKey, Instant>>>,
    writing: Arc<Semaphore>,
}

/// Digest of the original, and length of the flags in bytes.
type TemplateKey = (String, usize);

/// A template that is written on first use.
type SharedTemplate = Arc<Computed<Arc<StoredTemplate>>>;

impl Templates {
    pub fn new(storage: Storage) -> Self {
        Self {
            storage,
            kept: Mutex::default(),
            failed: Arc::default(),
            writing: Arc::new(Semaphore::new(WRITTEN_MAX)),
        }
    }

    /// Returns the template of a stored file. Writes it on first use.
    pub async fn get(
        &self,
        digest: &str,
        flag_bytes: usize,
    ) -> Result<Arc<StoredTemplate>, CopyError> {
        let key = (digest.to_owned(), flag_bytes);
        let template = self.template(&key);
        if let Some(written) = template.get() {
            return Ok(written.clone());
        }
        let failed_at = self.failed.lock().get(&key).copied();
        if failed_at.is_some_and(|at| at.elapsed() < RETRY_AFTER) {
            return Err(CopyError::FailedBefore);
        }
        let (storage, failed) = (self.storage.clone(), self.failed.clone());
        let writing = async move {
            let written = write(&storage, &key.0, key.1).await;
            failed.lock().remove(&key);
            let written = written.inspect_err(|error| {
                tracing::error!(
                    file = key.0.as_str(),
                    "teams cannot download their copies of a file"
                );
                report(error, "failed to write the template of a file with copies");
                failed.lock().insert(key, Instant::now());
            });
            written.map(Arc::new)
        };
        let written = compute(template, self.writing.clone(), writing).await?;
        self.remove_unused();
        Ok(written)
    }

    /// True if a template could not be written. A template that is not tried again, because no
    /// challenge has the file, does not count for long.
    pub fn fail(&self) -> bool {
        let mut failed = self.failed.lock();
        failed.retain(|_, at| at.elapsed() < 2 * RETRY_AFTER);
        !failed.is_empty()
    }

    /// Returns the place of a template, which becomes the last used one.
    fn template(&self, key: &TemplateKey) -> SharedTemplate {
        let mut kept = self.kept.lock();
        let at = kept.iter().position(|(known, _)| known == key);
        let used = at.map(|at| kept.remove(at)).unwrap_or_else(|| (key.clone(), Arc::default()));
        let template = used.1.clone();
        kept.push(used);
        template
    }

    /// Removes templates that were not used for the longest time, if there are too many.
    fn remove_unused(&self) {
        let mut kept = self.kept.lock();
        let bytes = |it: &SharedTemplate| it.get().map_or(0, |it| it.bytes());
        let mut total: u64 = kept.iter().map(|(_, it)| bytes(it)).sum();
        while kept.len() > 1 && (kept.len() > KEPT_MAX || total > KEPT_BYTES_MAX) {
            let (_, removed) = kept.remove(0);
            total -= bytes(&removed);
        }
    }
}

/// Writes the template of a stored file.
async fn write(
    storage: &Storage,
    digest: &str,
    flag_bytes: usize,
) -> Result<StoredTemplate, CopyError> {
    let bytes = storage.bytes(digest).await?.ok_or(CopyError::NoFile)?;
    if bytes > COPIED_BYTES_MAX {
        return Err(TemplateError::TooLarge.into());
    }
    let files = {
        let storage = storage.clone();
        // The original and the template, which is hardly larger.
        let create = move || {
            storage.check_space(2 * bytes, FREE_BYTES_MIN)?;
            io::Result::Ok((storage.new_unnamed()?, storage.new_unnamed()?))
        };
        spawn_blocking(create).await.expect("creating files does not panic")
    };
    let (original, mut file) = files?;
    let (condition, mut original) = storage.copy_to(digest, original).await?;
    if !matches!(condition, Condition::Intact) {
        return Err(CopyError::NoFile);
    }
    let writing = spawn_blocking(move || {
        original.rewind()?;
        let template = Template::write(&mut original, &mut file, flag_bytes)?;
        let start = hash_start(&mut file, template.same_bytes())?;
        Ok(StoredTemplate { template, file, start })
    });
    writing.await.expect("writing a template does not panic")
}

/// Hashes the first bytes of a file.
fn hash_start(file: &mut File, bytes: u64) -> io::Result<Sha256> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = Sha256::new();
    let mut from = file.take(bytes);
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(hasher),
            n => hasher.update(&buffer[..n]),
        }
    }
}

impl StoredTemplate {
    /// Size of each copy, in bytes.
    pub fn bytes(&self) -> u64 {
        self.template.bytes()
    }

    /// Returns the parts of a copy that differ.
    pub fn fill(&self, flag: &str) -> Filling {
        self.template.fill(flag).expect("the template is for flags of this length")
    }

    /// Reads a piece of a copy; an empty one at the end.
    pub fn piece(&self, filling: &Filling, at: u64) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.bytes().saturating_sub(at)).unwrap_or(PIECE_BYTES);
        let mut piece = vec![0; left.min(PIECE_BYTES)];
        self.file.read_exact_at(&mut piece, at)?;
        self.template.apply(filling, at, &mut piece);
        Ok(piece)
    }

    /// Computes the size and the digest of a copy.
    pub fn digest(&self, filling: &Filling) -> io::Result<CopyDigest> {
        let mut hasher = self.start.clone();
        let mut at = self.template.same_bytes();
        while at < self.bytes() {
            let piece = self.piece(filling, at)?;
            hasher.update(&piece);
            at += piece.len() as u64;
        }
        Ok(CopyDigest { bytes: self.bytes(), sha256: HEXLOWER.encode(&hasher.finalize()) })
    }
}
