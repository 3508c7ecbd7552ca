//! Reads a file once: its hash, its first bytes, and whether a flag is in it.

use std::fs::File;
use std::io::{self, Read};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::search::Search;

/// The first bytes of a file, in which a picture says its kind and size.
pub const START_BYTES: usize = 256 * 1024;

/// Bytes of an attachment that are read at once.
const PIECE_BYTES: usize = 64 * 1024;

/// What was read of a file.
pub(super) struct Content {
    /// SHA-256 in hex.
    pub(super) digest: String,
    pub(super) bytes: u64,
    /// The first bytes.
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
        // A flag can begin in this piece and end in the next.
        kept = search.overlap().min(end);
        buffer.copy_within(end - kept..end, 0);
    }
    Ok(Content { digest: HEXLOWER.encode(&hasher.finalize()), bytes, start, has_flag })
}
