//! The free space of a disk, of which a running event needs some.

use std::path::Path;

use anyhow::{Context, Result};

/// Least free space for an event, in bytes.
pub const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;

/// The free space on the disk of a folder, in bytes.
pub fn free_bytes(folder: &Path) -> Result<u64> {
    let about = rustix::fs::statvfs(folder).context("read the free space of the disk")?;
    Ok(about.f_bavail.saturating_mul(about.f_frsize))
}

/// Bytes as whole MiB, for people.
pub fn mib(bytes: u64) -> u64 {
    bytes / 1024 / 1024
}
