//! Attachments in the data folder, and the free space on its disk.

use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use flagship_game::challenge::is_digest;
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

/// Returns the folder of attachments in a data folder.
pub fn folder_in(data: &Path) -> PathBuf {
    data.join("files")
}

/// Returns the names and paths of the attachments in a data folder, sorted.
pub fn attachments(data: &Path) -> Result<Vec<(String, PathBuf)>> {
    let folder = folder_in(data);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let listed = || format!("list `{}`", folder.display());
    for entry in fs::read_dir(&folder).with_context(listed)? {
        let entry = entry.with_context(listed)?;
        if let Some(name) = entry.file_name().to_str().filter(|name| is_digest(name)) {
            found.push((name.to_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// True if a stored attachment exists and its digest matches its name.
pub fn is_intact(kept: &Path) -> bool {
    let name = kept.file_name().and_then(|name| name.to_str());
    digest_of(kept).is_ok_and(|digest| name == Some(&digest))
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
