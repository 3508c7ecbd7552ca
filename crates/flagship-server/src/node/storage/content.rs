//! Contents of the files that all nodes share, in the database or in a bucket.

use std::fs::File;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use flagship_store::attachments::{self, PIECE_BYTES, PIECES_MAX};
use flagship_store::{Clock, Db};
use tokio::sync::Semaphore;

use super::bucket::Bucket;
use super::hashing_reader::HashingReader;

/// Maximum pieces that a node reads from the database at the same time. Further downloads wait, so
/// that other requests find a connection.
const READS_MAX: usize = 4;

/// The contents of files.
#[derive(Clone)]
pub enum Content {
    /// In the database.
    Database(Db, Arc<Semaphore>),
    /// In a bucket.
    Bucket(Bucket),
}

impl Content {
    /// Contents in a database.
    pub fn in_database(db: &Db) -> Self {
        Self::Database(db.clone(), Arc::new(Semaphore::new(READS_MAX)))
    }

    /// Returns bytes from the position `at` of a file of `bytes` bytes, to the end of their piece.
    pub async fn piece(&self, digest: &str, at: u64, bytes: u64) -> io::Result<Bytes> {
        let number = at / PIECE_BYTES;
        let until = ((number + 1) * PIECE_BYTES).min(bytes);
        match self {
            Self::Bucket(bucket) => bucket.piece(digest, at, until).await,
            Self::Database(db, reads) => {
                let _turn = reads.acquire().await.map_err(io::Error::other)?;
                let number = i64::try_from(number).map_err(io::Error::other)?;
                let piece = attachments::piece(db, digest, number).await;
                let piece = Bytes::from(piece.map_err(io::Error::other)?.unwrap_or_default());
                let skipped = usize::try_from(at % PIECE_BYTES).map_err(io::Error::other)?;
                Ok(if skipped < piece.len() { piece.slice(skipped..) } else { Bytes::new() })
            }
        }
    }

    pub async fn bytes(&self, digest: &str) -> io::Result<Option<u64>> {
        match self {
            Self::Bucket(bucket) => bucket.bytes(digest).await,
            Self::Database(db, _) => attachments::bytes(db, digest).await.map_err(io::Error::other),
        }
    }

    pub async fn list(&self) -> io::Result<Vec<(String, u64)>> {
        match self {
            Self::Bucket(bucket) => bucket.list().await,
            Self::Database(db, _) => attachments::list(db).await.map_err(io::Error::other),
        }
    }

    /// Stores a file, which must not exist in the database. It appears when it is complete and has
    /// its digest.
    pub async fn put(&self, digest: &str, file: File) -> io::Result<()> {
        let bytes = file.metadata()?.len();
        let mut source = HashingReader::new(file, digest)?;
        match self {
            Self::Bucket(bucket) => bucket.put(digest, &mut source, bytes).await,
            Self::Database(db, _) => put_in_database(db, digest, &mut source, bytes).await,
        }
    }

    pub async fn remove(&self, digest: &str) -> io::Result<()> {
        match self {
            Self::Bucket(bucket) => bucket.remove(digest).await,
            Self::Database(db, _) => {
                attachments::remove(db, digest).await.map_err(io::Error::other)
            }
        }
    }

    pub async fn check(&self) -> io::Result<()> {
        match self {
            Self::Bucket(bucket) => bucket.check().await,
            Self::Database(db, _) => attachments::check(db).await.map_err(io::Error::other),
        }
    }
}

async fn put_in_database(
    db: &Db,
    digest: &str,
    source: &mut HashingReader,
    bytes: u64,
) -> io::Result<()> {
    let now_ms = Clock::system().now_ms();
    let begun = attachments::begin(db, digest, bytes, now_ms).await;
    if !begun.map_err(io::Error::other)? {
        return Ok(());
    }
    let put = async {
        let mut first: i64 = 0;
        loop {
            let read = source.next(PIECE_BYTES * PIECES_MAX as u64).await?;
            if read.is_empty() {
                return source.check().await;
            }
            let pieces: Vec<&[u8]> = read.chunks(PIECE_BYTES as usize).collect();
            let put = attachments::put(db, digest, first, &pieces).await;
            if !put.map_err(io::Error::other)? {
                // Another node has completed or removed the file: the last statement tells which.
                return Ok(());
            }
            first += pieces.len() as i64;
        }
    };
    put.await?;
    let pieces = bytes.div_ceil(PIECE_BYTES) as i64;
    match attachments::complete(db, digest, pieces).await.map_err(io::Error::other)? {
        true => Ok(()),
        false => Err(io::Error::other("pieces of the file are missing; store it again")),
    }
}
