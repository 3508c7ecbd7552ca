//! Reading of a file that is about to be stored.

use std::fs::File;
use std::io::{self, Read, Seek};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

/// A file that is read from its start and compared with its digest. It is read and hashed on
/// blocking threads.
pub struct HashingReader {
    /// The file and the hash of the bytes that were read; `None` after an error.
    reading: Option<(File, Sha256)>,
    digest: String,
}

impl HashingReader {
    pub(super) fn new(mut file: File, digest: &str) -> io::Result<Self> {
        file.rewind()?;
        Ok(Self { reading: Some((file, Sha256::new())), digest: digest.to_owned() })
    }

    /// Returns the next bytes, at most `max`; fewer only at the end.
    pub(super) async fn next(&mut self, max: u64) -> io::Result<Vec<u8>> {
        let reading = self.reading.take();
        let (mut file, mut hash) =
            reading.ok_or_else(|| io::Error::other("an earlier read failed"))?;
        let read = spawn_blocking(move || {
            let mut bytes = Vec::new();
            (&mut file).take(max).read_to_end(&mut bytes)?;
            hash.update(&bytes);
            Ok::<_, io::Error>((bytes, (file, hash)))
        });
        let (bytes, reading) = read.await.map_err(io::Error::other)??;
        self.reading = Some(reading);
        Ok(bytes)
    }

    /// Checks that all bytes were read and have the digest.
    pub(super) async fn check(&mut self) -> io::Result<()> {
        let is_end = self.next(1).await?.is_empty();
        let hash = self.reading.as_ref().map(|(_, hash)| hash.clone().finalize());
        let is_same = hash.is_some_and(|hash| HEXLOWER.encode(&hash) == self.digest);
        if !is_end || !is_same {
            return Err(io::Error::other("the file changed while it was being stored"));
        }
        Ok(())
    }
}
