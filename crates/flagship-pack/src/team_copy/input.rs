//! Reading of files that may be too large when they are unpacked.

use std::io::{self, Read};

/// Read size, in bytes.
pub(super) const PIECE_BYTES: usize = 64 * 1024;

/// Reader that fails with `FileTooLarge` after a number of bytes.
pub(super) struct Bounded<'a, R> {
    pub(super) from: R,
    pub(super) bytes_left: &'a mut u64,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(buffer)?;
        match self.bytes_left.checked_sub(n as u64) {
            Some(left) => *self.bytes_left = left,
            None => return Err(io::ErrorKind::FileTooLarge.into()),
        }
        Ok(n)
    }
}

/// Reads until the buffer is full or the input ends; returns the number of bytes.
pub(super) fn read_full(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
