//! Backups that owners download, one at a time per node. Low-priority threads create them. The
//! temporary file has no name, so it disappears when the download ends for any reason.

use std::fs::File;
use std::io::{self, Seek};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use bytes::{Bytes, BytesMut};
use flagship_store::{Db, Key, dump};
use futures_util::stream::{Stream, try_unfold};
use tokio::io::AsyncReadExt;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::source::Source;
use crate::node::background::once;
use crate::node::report::report;

/// Number of bytes read from the file at once.
const PIECE_BYTES: usize = 128 * 1024;

/// Backups of a node for download.
pub struct Backups(Arc<Semaphore>);

impl Default for Backups {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

/// The node's only turn, held until the download ends.
pub struct Turn {
    source: Source,
    key: Key,
    permit: OwnedSemaphorePermit,
}

/// A completed backup.
pub struct Made {
    file: File,
    /// Size of the backup.
    pub bytes: u64,
    /// Number of damaged or missing attachments.
    pub left_out: usize,
    permit: OwnedSemaphorePermit,
}

impl Backups {
    /// Takes the turn to back up a source that was written with a key; `None` while another backup
    /// is created or downloaded.
    pub fn begin(&self, source: Source, key: &Key) -> Option<Turn> {
        let permit = self.0.clone().try_acquire_owned().ok()?;
        Some(Turn { source, key: key.clone(), permit })
    }
}

impl Turn {
    /// Rejects a backup that could fill the disk, before any work is done.
    ///
    /// # Errors
    /// Fails with [`NoSpace`](super::NoSpace), or if the free space cannot be read.
    pub async fn check_space(self) -> Result<Self> {
        let checked = apart(async move || {
            self.source.check_space(&self.source.data).await?;
            anyhow::Ok(self)
        });
        checked.await
    }

    /// Creates the backup. Stops early if its caller is dropped.
    ///
    /// # Errors
    /// Fails if the data cannot be read or written, or if the secret is not the secret of this
    /// node.
    pub async fn make(self) -> Result<Made> {
        apart(async move || self.write().await).await
    }

    async fn write(self) -> Result<Made> {
        self.check_secret()?;
        let data = &self.source.data;
        let file = tempfile::tempfile_in(data);
        let context = || format!("create a temporary file in `{}`", data.display());
        let mut file = file.with_context(context)?;
        let (_, omitted) = self.source.write(&file, data).await?;
        for digest in &omitted.damaged {
            tracing::warn!(digest, "a backup omits a damaged file");
        }
        for digest in &omitted.missing {
            tracing::warn!(digest, "a backup omits a file that is not in the storage");
        }
        let left_out = omitted.damaged.len() + omitted.missing.len();
        file.rewind().context("read the backup again")?;
        let bytes = file.metadata().context("read the size of the backup")?.len();
        Ok(Made { file, bytes, left_out, permit: self.permit })
    }

    /// Rejects a secret that was replaced since the start, because the backup could not be
    /// restored.
    fn check_secret(&self) -> Result<()> {
        const PURPOSE: &str = "backup";
        let path = &self.source.secret;
        let secret = std::fs::read(path).with_context(|| format!("read `{}`", path.display()))?;
        let kept = Key::new(secret.trim_ascii());
        ensure!(
            self.key.is_mac(&kept.mac(PURPOSE, &[]), PURPOSE, &[]),
            "the secret `{}` is not the one that the server began with",
            path.display()
        );
        Ok(())
    }
}

impl Made {
    /// Returns the bytes in pieces, and a permit that prevents another backup until it is dropped.
    /// Records the time of the backup before the last piece.
    pub fn pieces(
        self,
        db: Db,
        now_ms: i64,
    ) -> (impl Stream<Item = io::Result<Bytes>> + Send, OwnedSemaphorePermit) {
        let file = tokio::fs::File::from_std(self.file);
        let reading = Reading { file, left: self.bytes, db, now_ms };
        let pieces = try_unfold(reading, |mut reading| async move {
            let next = reading.next().await;
            next.map(|piece| piece.map(|piece| (piece, reading)))
        });
        (pieces, self.permit)
    }
}

/// A download in progress.
struct Reading {
    file: tokio::fs::File,
    /// Number of bytes that were not read yet.
    left: u64,
    db: Db,
    now_ms: i64,
}

impl Reading {
    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let mut piece = BytesMut::with_capacity(PIECE_BYTES);
        if self.file.read_buf(&mut piece).await? == 0 {
            return Ok(None);
        }
        self.left = self.left.saturating_sub(piece.len() as u64);
        if self.left == 0
            && let Err(error) = dump::note(&self.db, self.now_ms).await
        {
            report(&error, "that a backup was downloaded could not be noted");
        }
        Ok(Some(piece.freeze()))
    }
}

/// Runs work on a separate low-priority thread until its caller is dropped.
async fn apart<T: Send + 'static>(
    work: impl AsyncFnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let runtime = Handle::current();
    let (mut called, _caller) = oneshot::channel::<()>();
    let work = async move || {
        tokio::select! {
            biased;
            () = called.closed() => Err(anyhow!("the backup request was canceled")),
            done = work() => done,
        }
    };
    once("backup", move || runtime.block_on(work())).await?
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use flagship_store::Seal;
    use flagship_testkit::{TestDb, on_both_engines};
    use futures_util::{FutureExt, TryStreamExt};

    use super::*;
    use crate::node::storage::Storage;

    const SECRET: &str = "the secret of the test, in a file";

    async fn source(test: &TestDb, data: &Path) -> (Source, Key) {
        let db = test.reopen().await;
        let key = Key::new(SECRET.as_bytes());
        let seal = Seal::open(&db, &key).await.expect("the database is new");
        let secret = data.join("secret");
        std::fs::write(&secret, format!("{SECRET}\n")).expect("it is written");
        (Source { db, seal, data: data.to_owned(), storage: Storage::folder(data), secret }, key)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("it is there");
        let name = |entry: io::Result<std::fs::DirEntry>| entry.expect("readable").file_name();
        entries.map(|it| name(it).into_string().expect("text")).collect()
    }

    on_both_engines! {
        async fn a_backup_is_noted_once_it_was_read_to_its_end(engine: Engine) {
            let test = TestDb::new(engine).await;
            let data = tempfile::tempdir().expect("a folder");
            let (source, key) = source(&test, data.path()).await;
            let backups = Backups::default();
            let db = source.db.clone();
            let turn = backups.begin(source.clone(), &key).expect("it is free");
            assert!(backups.begin(source.clone(), &key).is_none(), "one at a time");
            let made = turn.make().await.expect("it is made");
            let size = made.bytes;
            assert_eq!(names(data.path()), ["secret"], "its file has no name");
            assert_eq!(dump::last(&db).await.expect("readable"), None, "no backup is complete");
            let words = "it was read to its end";
            let (pieces, permit) = made.pieces(db.clone(), 7);
            let mut pieces = Box::pin(pieces);
            let mut read = 0;
            while let Some(piece) = pieces.try_next().await.expect("readable") {
                read += piece.len() as u64;
            }
            assert_eq!(read, size, "{words}");
            assert_eq!(dump::last(&db).await.expect("readable"), Some(7), "{words}");
            assert!(backups.begin(source.clone(), &key).is_none(), "it is not written yet");
            drop(permit);
            assert!(backups.begin(source, &key).is_some(), "it has ended");
        }

        async fn a_backup_that_nobody_waits_for_leaves_its_turn_and_no_file(engine: Engine) {
            let test = TestDb::new(engine).await;
            let data = tempfile::tempdir().expect("a folder");
            let (source, key) = source(&test, data.path()).await;
            let backups = Backups::default();
            let turn = backups.begin(source.clone(), &key).expect("it is free");
            let mut making = Box::pin(turn.make());
            assert!((&mut making).now_or_never().is_none(), "it has begun");
            drop(making);
            let free = async {
                while backups.begin(source.clone(), &key).is_none() {
                    tokio::task::yield_now().await;
                }
            };
            let limit = std::time::Duration::from_secs(10);
            let is_free = tokio::time::timeout(limit, free).await.is_ok();
            assert!(is_free, "its turn is free again");
            assert_eq!(names(data.path()), ["secret"]);
        }

        async fn a_replaced_secret_is_not_backed_up(engine: Engine) {
            let test = TestDb::new(engine).await;
            let data = tempfile::tempdir().expect("a folder");
            let (source, key) = source(&test, data.path()).await;
            let words = "is not the one that the server began with";
            let other = "another secret, of the same length";
            std::fs::write(&source.secret, other).expect("it is written");
            let turn = Backups::default().begin(source, &key).expect("it is free");
            let failed = turn.make().await.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(failed.contains(words), "{failed:?} lacks: {words}");
        }
    }
}
