//! Files with a team's flag in place of a placeholder. A template is a complete copy with a filler
//! instead of the flag, and a list of the places where the copies of teams differ: the flag, and
//! checksums over it. All copies therefore have the same length, and any range of a copy is read
//! from the template without writing the copy.
//!
//! Text is replaced in text files and in the text members of zip and tar archives, including
//! gzipped tar archives. Archives inside archives are not searched.

mod deflate;
mod error;
mod input;
mod layout;
mod tar;
mod template;
mod text;
mod zip;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use flate2::read::MultiGzDecoder;

use crate::problem::Severity;

pub use error::{
    COPIED_BYTES_MAX, MEMBERS_MAX, PLACEHOLDER, PLACEHOLDERS_MAX, TEXT_BYTES_MAX, TemplateError,
    UNPACKED_BYTES_MAX,
};
use layout::{Layout, Output};
pub use template::{Filling, Template};

/// Number of bytes that identify the kind of a file.
const START_BYTES: usize = 512;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zip,
    Tar,
    TarGz,
    Other,
}

impl Template {
    /// Writes the template of `from` to `to`, for flags of `flag_bytes` bytes. The same input
    /// always gives the same output.
    ///
    /// # Errors
    /// Fails if the file cannot have copies, or a file cannot be read or written.
    pub fn write(
        from: &mut File,
        to: impl Write,
        flag_bytes: usize,
    ) -> Result<Self, TemplateError> {
        if from.metadata()?.len() > COPIED_BYTES_MAX {
            return Err(TemplateError::TooLarge);
        }
        let kind = kind(from)?;
        from.rewind()?;
        let mut layout = Layout::new(BufWriter::new(to), flag_bytes);
        match kind {
            Kind::Zip => zip::write(from, &mut layout)?,
            Kind::Tar => tar::write(BufReader::new(from), &mut layout)?,
            Kind::TarGz => tar::write_gzipped(BufReader::new(from), &mut layout)?,
            Kind::Other => text::write(from, &mut layout)?,
        }
        layout.finish()
    }
}

/// Result of checking a file of which each team gets a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyCheck {
    /// Each team's copy has its flag.
    Filled,
    /// The file does not contain the placeholder.
    Unfilled,
    /// The file cannot have copies. The text is the reason.
    Refused(String),
}

impl CopyCheck {
    /// Checks a file whose copies have flags of `flag_bytes` bytes.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn of(file: &mut File, flag_bytes: usize) -> io::Result<Self> {
        match Template::write(file, io::sink(), flag_bytes) {
            Ok(template) if template.has_flag() => Ok(Self::Filled),
            Ok(_) => Ok(Self::Unfilled),
            Err(TemplateError::Io(error)) => Err(error),
            Err(error) => Ok(Self::Refused(error.to_string())),
        }
    }

    /// The problem to report. `named` is the name of the file, such as "the attachment `a.zip`".
    pub fn problem(&self, named: &str) -> Option<(Severity, String)> {
        match self {
            Self::Filled => None,
            Self::Unfilled => {
                let message = format!(
                    "{named} has `per_team`, but contains no `{PLACEHOLDER}`, so all teams get \
                     the same file"
                );
                Some((Severity::Warning, message))
            }
            Self::Refused(why) => {
                let message = format!("teams cannot have copies of {named}: {why}");
                Some((Severity::Error, message))
            }
        }
    }
}

/// Output that only records if it received a flag.
#[derive(Default)]
struct FlagFinder {
    has_flag: bool,
}

impl Output for FlagFinder {
    fn flag_bytes(&self) -> usize {
        0
    }

    fn same(&mut self, _: &[u8]) -> Result<(), TemplateError> {
        Ok(())
    }

    fn flag(&mut self) -> Result<(), TemplateError> {
        self.has_flag = true;
        Ok(())
    }
}

/// True if a file contains the placeholder in a place where copies would have the flag. An archive
/// that cannot be read counts as one without.
///
/// # Errors
/// Fails if the file cannot be read.
pub(crate) fn has_placeholder(from: &mut File) -> io::Result<bool> {
    let kind = kind(from)?;
    from.rewind()?;
    let mut finder = FlagFinder::default();
    let searched = match kind {
        Kind::Zip => {
            let mut layout = Layout::new(io::sink(), 0);
            let written = zip::write(from, &mut layout);
            finder.has_flag = layout.finish().is_ok_and(|template| template.has_flag());
            written
        }
        Kind::Tar => tar::write(BufReader::new(from), &mut finder),
        Kind::TarGz => tar::write(MultiGzDecoder::new(from), &mut finder),
        Kind::Other => text::write(from, &mut finder),
    };
    match searched {
        Ok(()) => Ok(finder.has_flag),
        Err(TemplateError::Io(error)) => Err(error),
        Err(
            TemplateError::NotText { .. }
            | TemplateError::TextTooLarge { .. }
            | TemplateError::TooManyPlaceholders,
        ) => Ok(true),
        Err(_) => Ok(false),
    }
}

/// Determines the kind of a file by its first bytes.
fn kind(file: &mut File) -> io::Result<Kind> {
    file.rewind()?;
    let start = start(&mut *file)?;
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(Kind::Zip);
    }
    if tar::is_header(&start) {
        return Ok(Kind::Tar);
    }
    if start.starts_with(&[0x1f, 0x8b]) {
        file.rewind()?;
        let unpacked = self::start(MultiGzDecoder::new(file));
        return Ok(match unpacked.is_ok_and(|start| tar::is_header(&start)) {
            true => Kind::TarGz,
            false => Kind::Other,
        });
    }
    Ok(Kind::Other)
}

/// Reads the first bytes.
fn start(from: impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    from.take(START_BYTES as u64).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests;
