//! Reads a file once to get its hash, its first bytes, and whether it contains a flag.

use std::fs::File;
use std::io::{self, Read};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::search::Search;

/// Number of bytes at the start of a file that are inspected for the type and size of an image.
pub const START_BYTES: usize = 256 * 1024;

/// Read size for attachments, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

/// Result of reading a file.
pub(super) struct Content {
    /// SHA-256 in hex.
    pub(super) digest: String,
    pub(super) bytes: u64,
    /// The first bytes of the file.
    pub(super) start: Vec<u8>,
    pub(super) has_flag: bool,
}

/// Hashes and searches at most `bytes_max` + 1 bytes.
pub(super) fn content(file: File, bytes_max: u64, search: &Search) -> io::Result<Content> {
    let mut file = file.take(bytes_max.saturating_add(1));
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; PIECE_BYTES + search.overlap()];
    let mut start = Vec::new();
    let mut bytes = 0;
    let mut kept = 0;
    let mut has_flag = false;
    loop {
        let n = match file.read(&mut buffer[kept..]) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        start.extend_from_slice(&buffer[kept..kept + n.min(START_BYTES - start.len())]);
        bytes += n as u64;
        let end = kept + n;
        hasher.update(&buffer[kept..end]);
        has_flag = has_flag || search.is_in(&buffer[..end]);
        // A flag can span two chunks.
        kept = search.overlap().min(end);
        buffer.copy_within(end - kept..end, 0);
    }
    Ok(Content { digest: HEXLOWER.encode(&hasher.finalize()), bytes, start, has_flag })
}
