//! Placeholders in text, and files that are not archives.

use std::io::Read;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::error::{PLACEHOLDER, TEXT_BYTES_MAX, TemplateError};
use super::input::{PIECE_BYTES, read_full};
use super::layout::Output;

/// Searches for the placeholder.
static FOUND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&regex::escape(PLACEHOLDER)).expect("an escaped text"));

/// True if the bytes contain the placeholder.
pub(super) fn has_placeholder(bytes: &[u8]) -> bool {
    FOUND.is_match(bytes)
}

/// The pieces around the placeholders of a text; `None` if it has no placeholder.
pub(super) fn pieces<'a>(
    bytes: &'a [u8],
    member: &str,
) -> Result<Option<Vec<&'a [u8]>>, TemplateError> {
    if !has_placeholder(bytes) {
        return Ok(None);
    }
    if std::str::from_utf8(bytes).is_err() || bytes.contains(&0) {
        return Err(TemplateError::NotText { member: member.to_owned() });
    }
    Ok(Some(FOUND.split(bytes).collect()))
}

/// Searches bytes that arrive in pieces.
#[derive(Default)]
pub(super) struct Scan {
    /// The last bytes of the previous piece.
    end: Vec<u8>,
    pub(super) has_placeholder: bool,
}

impl Scan {
    pub(super) fn add(&mut self, piece: &[u8]) {
        let overlap = PLACEHOLDER.len() - 1;
        let both = [&self.end, &piece[..piece.len().min(overlap)]].concat();
        self.has_placeholder |= has_placeholder(&both) || has_placeholder(piece);
        let last = if piece.len() < overlap { &both } else { piece };
        self.end = last[last.len().saturating_sub(overlap)..].to_owned();
    }
}

/// Writes the bytes of a file that is not an archive.
pub(super) fn write(mut from: impl Read, to: &mut impl Output) -> Result<(), TemplateError> {
    let mut start = Vec::new();
    from.by_ref().take(TEXT_BYTES_MAX + 1).read_to_end(&mut start).map_err(TemplateError::Io)?;
    let is_whole = start.len() as u64 <= TEXT_BYTES_MAX;
    if is_whole && let Some(pieces) = pieces(&start, "")? {
        return to.text(&pieces);
    }
    let mut scan = Scan::default();
    scan.add(&start);
    to.same(&start)?;
    drop(start);
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        let n = read_full(&mut from, &mut buffer).map_err(TemplateError::Io)?;
        scan.add(&buffer[..n]);
        to.same(&buffer[..n])?;
        if n < buffer.len() {
            break;
        }
    }
    match scan.has_placeholder {
        true => Err(TemplateError::TextTooLarge { member: String::new() }),
        false => Ok(()),
    }
}
