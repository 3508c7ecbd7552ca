//! Digests of files, and the free space on a disk.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::archive::Hashing;

/// Number of bytes read at once.
const READ_BYTES: usize = 64 * 1024;

/// Minimum free space for an event, in bytes.
pub const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;

/// Returns the free space on the disk of a folder, in bytes.
pub fn free_bytes(folder: &Path) -> Result<u64> {
    let about = rustix::fs::statvfs(folder).context("read the free space of the disk")?;
    Ok(about.f_bavail.saturating_mul(about.f_frsize))
}

/// Converts bytes to whole MiB, for people.
pub fn mib(bytes: u64) -> u64 {
    bytes / 1024 / 1024
}

/// Returns the digest of a file.
pub fn digest_of(file: &Path) -> std::io::Result<String> {
    digest(File::open(file)?, std::io::sink())
}

/// Copies all bytes and returns their digest.
pub fn digest(from: impl Read, mut to: impl Write) -> std::io::Result<String> {
    let from = Hashing { inner: from, hash: Sha256::new() };
    let mut from = BufReader::with_capacity(READ_BYTES, from);
    std::io::copy(&mut from, &mut to)?;
    Ok(HEXLOWER.encode(&from.into_inner().hash.finalize()))
}
