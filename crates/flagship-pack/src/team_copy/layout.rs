//! Writes a template and records the places where copies differ.

use std::io::Write;

use crc32fast::Hasher;

use super::error::{COPIED_BYTES_MAX, PLACEHOLDERS_MAX, TemplateError};
use super::template::{Fill, Slot, SumPart, Template};

/// Byte in place of the flag.
const FILLER: u8 = b'0';

/// Destination of a file's bytes: a template, or compressed data in it.
pub(super) trait Output {
    /// Length of a flag, in bytes.
    fn flag_bytes(&self) -> usize;

    /// Writes bytes that are the same in all copies.
    fn same(&mut self, bytes: &[u8]) -> Result<(), TemplateError>;

    /// Writes the place of a flag.
    fn flag(&mut self) -> Result<(), TemplateError>;

    /// Writes a text: the pieces around the flags.
    fn text(&mut self, pieces: &[&[u8]]) -> Result<(), TemplateError> {
        for (index, piece) in pieces.iter().enumerate() {
            if index > 0 {
                self.flag()?;
            }
            self.same(piece)?;
        }
        Ok(())
    }
}

/// A template that is being written.
pub(super) struct Layout<W> {
    to: W,
    template: Template,
    /// Number of flags so far.
    flags: usize,
}

impl<W: Write> Layout<W> {
    pub(super) fn new(to: W, flag_bytes: usize) -> Self {
        let template = Template { slots: Vec::new(), sums: Vec::new(), bytes: 0, flag_bytes };
        Self { to, template, flags: 0 }
    }

    /// Length so far, in bytes.
    pub(super) fn at(&self) -> u64 {
        self.template.bytes
    }

    /// Adds a checksum, and returns its index.
    pub(super) fn add_sum(&mut self, parts: Vec<SumPart>) -> usize {
        self.template.sums.push(parts);
        self.template.sums.len() - 1
    }

    /// Writes the place of a checksum.
    pub(super) fn sum(&mut self, index: usize) -> Result<(), TemplateError> {
        let at = self.at();
        self.template.slots.push(Slot { at, fill: Fill::Sum(index) });
        self.same(&[0; 4])
    }

    /// Returns the template and the places.
    pub(super) fn finish(mut self) -> Result<Template, TemplateError> {
        self.to.flush().map_err(TemplateError::Io)?;
        Ok(self.template)
    }
}

impl<W: Write> Output for Layout<W> {
    fn flag_bytes(&self) -> usize {
        self.template.flag_bytes
    }

    fn same(&mut self, bytes: &[u8]) -> Result<(), TemplateError> {
        self.template.bytes += bytes.len() as u64;
        if self.template.bytes > COPIED_BYTES_MAX {
            return Err(TemplateError::TooLarge);
        }
        self.to.write_all(bytes).map_err(TemplateError::Io)
    }

    fn flag(&mut self) -> Result<(), TemplateError> {
        self.flags += 1;
        if self.flags > PLACEHOLDERS_MAX {
            return Err(TemplateError::TooManyPlaceholders);
        }
        let at = self.at();
        self.template.slots.push(Slot { at, fill: Fill::Flag });
        let filler = vec![FILLER; self.flag_bytes()];
        self.same(&filler)
    }
}

/// Checksum of a text: the pieces around the flags.
pub(super) fn sum_of(pieces: &[&[u8]]) -> Vec<SumPart> {
    let mut parts = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            parts.push(SumPart::Flag);
        }
        let mut hasher = Hasher::new();
        hasher.update(piece);
        parts.push(SumPart::Same(hasher));
    }
    parts
}
