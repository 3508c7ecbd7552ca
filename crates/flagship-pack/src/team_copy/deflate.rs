//! DEFLATE data (RFC 1951) with flags in blocks that are not compressed, so that all copies have
//! the same length and share the compressed bytes.

use std::io::Write;

use flate2::{Compress, Compression, FlushCompress};

use super::error::TemplateError;
use super::input::PIECE_BYTES;
use super::layout::{Layout, Output};

/// Compression level.
const LEVEL: u32 = 6;

/// Last block, which is empty.
const END: [u8; 2] = [0x03, 0x00];

/// Compressed data that is being written to a template.
pub(super) struct Deflate<'a, W> {
    layout: &'a mut Layout<W>,
    compress: Compress,
    /// True if the compressor got bytes since the last flag.
    has_input: bool,
    buffer: Vec<u8>,
}

impl<'a, W: Write> Deflate<'a, W> {
    pub(super) fn new(layout: &'a mut Layout<W>) -> Self {
        let compress = Compress::new(Compression::new(LEVEL), false);
        Self { layout, compress, has_input: false, buffer: vec![0; PIECE_BYTES] }
    }

    /// Writes the end.
    pub(super) fn finish(mut self) -> Result<(), TemplateError> {
        self.align()?;
        self.layout.same(&END)
    }

    /// Ends the current block at a byte boundary. The following data does not refer to it.
    fn align(&mut self) -> Result<(), TemplateError> {
        while self.has_input {
            let (_, written) = self.step(&[], FlushCompress::Sync)?;
            self.has_input = written == self.buffer.len();
        }
        self.compress.reset();
        Ok(())
    }

    /// Returns the number of bytes read and written.
    fn step(
        &mut self,
        input: &[u8],
        flush: FlushCompress,
    ) -> Result<(usize, usize), TemplateError> {
        let read = self.compress.total_in();
        let written = self.compress.total_out();
        self.compress
            .compress(input, &mut self.buffer, flush)
            .map_err(|error| TemplateError::Unreadable(error.to_string()))?;
        let count = |total: u64, before: u64| {
            usize::try_from(total - before).expect("a buffer's length fits")
        };
        let read = count(self.compress.total_in(), read);
        let written = count(self.compress.total_out(), written);
        self.layout.same(&self.buffer[..written])?;
        Ok((read, written))
    }
}

impl<W: Write> Output for Deflate<'_, W> {
    fn flag_bytes(&self) -> usize {
        self.layout.flag_bytes()
    }

    fn same(&mut self, bytes: &[u8]) -> Result<(), TemplateError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (taken, _) = self.step(rest, FlushCompress::None)?;
            rest = &rest[taken..];
            self.has_input = true;
        }
        Ok(())
    }

    fn flag(&mut self) -> Result<(), TemplateError> {
        self.align()?;
        let length = u16::try_from(self.layout.flag_bytes()).expect("a flag is short");
        let [low, high] = length.to_le_bytes();
        self.layout.same(&[0, low, high, !low, !high])?;
        self.layout.flag()
    }
}
