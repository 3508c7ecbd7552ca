//! Reading of a whole stored file, which compares it with its digest.

use std::io::{self, ErrorKind, Write};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::spawn_blocking;

/// Number of bytes that are hashed and written at once.
const CHUNK_BYTES: u64 = 256 * 1024;

/// The condition of a stored file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All bytes are there and have the digest.
    Intact,
    /// Some bytes are missing, or they have another digest.
    Damaged,
    /// There is no such file.
    Missing,
}

/// Writes the bytes of a file to `to`, and compares them with the digest. Hashing takes long, so it
/// runs on blocking threads.
pub(super) async fn copy_verified<W: Write + Send + 'static>(
    mut source: impl AsyncRead + Unpin,
    digest: &str,
    mut to: W,
) -> io::Result<(Condition, W)> {
    let mut hash = Sha256::new();
    loop {
        let mut chunk = Vec::new();
        match (&mut source).take(CHUNK_BYTES).read_to_end(&mut chunk).await {
            Ok(0) => break,
            Ok(_) => {}
            // A piece is missing.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Ok((Condition::Damaged, to));
            }
            Err(error) => return Err(error),
        }
        let written = spawn_blocking(move || {
            hash.update(&chunk);
            to.write_all(&chunk)?;
            Ok::<_, io::Error>((hash, to))
        });
        (hash, to) = written.await.map_err(io::Error::other)??;
    }
    let is_intact = HEXLOWER.encode(&hash.finalize()) == digest;
    Ok((if is_intact { Condition::Intact } else { Condition::Damaged }, to))
}
