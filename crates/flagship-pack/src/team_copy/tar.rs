//! Templates of tar archives, also gzipped. All members keep their order and headers; only the
//! sizes and checksums of changed members differ.

use std::io::{self, Read, Write};

use ::tar::{Archive, Entry, EntryType, Header, PaxExtensions};
use crc32fast::Hasher;
use flate2::read::MultiGzDecoder;

use super::deflate::Deflate;
use super::error::{MEMBERS_MAX, TEXT_BYTES_MAX, TemplateError, UNPACKED_BYTES_MAX};
use super::input::{Bounded, PIECE_BYTES, read_full};
use super::layout::{Layout, Output};
use super::template::SumPart;
use super::text::{self, Scan};

/// Size of a block, in bytes.
const BLOCK_BYTES: usize = 512;

/// Header of a gzip file (RFC 1952) without a time and a name.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Place of the checksum in a header.
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// True if the bytes start with the header of a member.
pub(super) fn is_header(start: &[u8]) -> bool {
    if start.len() < BLOCK_BYTES {
        return false;
    }
    let header = Header::from_byte_slice(&start[..BLOCK_BYTES]);
    let byte = |(at, byte): (usize, &u8)| {
        if CHECKSUM.contains(&at) { u32::from(b' ') } else { u32::from(*byte) }
    };
    let sum: u32 = start[..BLOCK_BYTES].iter().enumerate().map(byte).sum();
    header.cksum().is_ok_and(|said| said == sum)
}

/// Writes the bytes of an archive.
pub(super) fn write(from: impl Read, to: &mut impl Output) -> Result<(), TemplateError> {
    let mut bytes_left = UNPACKED_BYTES_MAX;
    let mut archive = Archive::new(Bounded { from, bytes_left: &mut bytes_left });
    // The size of the next member is in an extended header.
    let mut has_size_record = false;
    for (index, entry) in archive.entries()?.raw(true).enumerate() {
        if index == MEMBERS_MAX {
            return Err(TemplateError::TooManyMembers);
        }
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        let is_file = kind == EntryType::Regular || kind == EntryType::Continuous;
        if kind == EntryType::GNUSparse {
            let message = "sparse members are not supported; use `tar` without `--sparse`";
            return Err(TemplateError::Unreadable(message.to_owned()));
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.size() > TEXT_BYTES_MAX {
            copy_large(&mut entry, to, is_file, &name)?;
            has_size_record = false;
            continue;
        }
        let mut data = Vec::new();
        entry.read_to_end(&mut data)?;
        let pieces = if is_file { text::pieces(&data, &name)? } else { None };
        if pieces.is_some() && has_size_record {
            let message = format!("the size of `{name}` is in an extended header");
            return Err(TemplateError::Unreadable(message));
        }
        match kind {
            EntryType::XHeader => has_size_record = has_size(&data)?,
            _ if is_file => has_size_record = false,
            _ => {}
        }
        match pieces {
            Some(pieces) => write_text(entry.header(), &pieces, to)?,
            None => {
                to.same(entry.header().as_bytes())?;
                to.same(&data)?;
                pad(data.len() as u64, to)?;
            }
        }
    }
    to.same(&[0; 2 * BLOCK_BYTES])
}

/// Gzipped bytes (RFC 1952) that are being written to a template.
struct Gzip<'a, W> {
    deflate: Deflate<'a, W>,
    /// Parts of the checksum before the last flag.
    parts: Vec<SumPart>,
    /// Checksum of the bytes since the last flag.
    sum: Hasher,
    /// Number of bytes before compression.
    bytes: u64,
}

impl<W: Write> Output for Gzip<'_, W> {
    fn flag_bytes(&self) -> usize {
        self.deflate.flag_bytes()
    }

    fn same(&mut self, bytes: &[u8]) -> Result<(), TemplateError> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.deflate.same(bytes)
    }

    fn flag(&mut self) -> Result<(), TemplateError> {
        self.parts.push(SumPart::Same(std::mem::take(&mut self.sum)));
        self.parts.push(SumPart::Flag);
        self.bytes += self.flag_bytes() as u64;
        self.deflate.flag()
    }
}

/// Writes the template of a gzipped archive.
pub(super) fn write_gzipped<W: Write>(
    from: impl Read,
    layout: &mut Layout<W>,
) -> Result<(), TemplateError> {
    layout.same(&GZIP)?;
    let deflate = Deflate::new(layout);
    let mut gzip = Gzip { deflate, parts: Vec::new(), sum: Hasher::new(), bytes: 0 };
    write(MultiGzDecoder::new(from), &mut gzip)?;
    let Gzip { deflate, mut parts, sum, bytes } = gzip;
    deflate.finish()?;
    parts.push(SumPart::Same(sum));
    let sum = layout.add_sum(parts);
    layout.sum(sum)?;
    // The length modulo 2^32, as the format requires.
    layout.same(&bytes.to_le_bytes()[..4])
}

/// Writes a changed member.
fn write_text(
    header: &Header,
    pieces: &[&[u8]],
    to: &mut impl Output,
) -> Result<(), TemplateError> {
    let mut header = header.clone();
    let flags = (pieces.len() - 1) * to.flag_bytes();
    let bytes = (pieces.iter().map(|piece| piece.len()).sum::<usize>() + flags) as u64;
    header.set_size(bytes);
    header.set_cksum();
    to.same(header.as_bytes())?;
    to.text(pieces)?;
    pad(bytes, to)
}

/// Writes a member that is too large for a text with placeholders.
fn copy_large<R: Read>(
    entry: &mut Entry<'_, R>,
    to: &mut impl Output,
    is_file: bool,
    name: &str,
) -> Result<(), TemplateError> {
    to.same(entry.header().as_bytes())?;
    let mut scan = Scan::default();
    let mut buffer = vec![0; PIECE_BYTES];
    let mut bytes = 0;
    loop {
        let n = read_full(entry, &mut buffer)?;
        scan.add(&buffer[..n]);
        to.same(&buffer[..n])?;
        bytes += n as u64;
        if n < buffer.len() {
            break;
        }
    }
    if is_file && scan.has_placeholder {
        return Err(TemplateError::TextTooLarge { member: name.to_owned() });
    }
    pad(bytes, to)
}

/// Fills the last block of a member of `bytes` bytes.
fn pad(bytes: u64, to: &mut impl Output) -> Result<(), TemplateError> {
    let rest = usize::try_from(bytes % BLOCK_BYTES as u64).expect("less than a block");
    to.same(&[0; BLOCK_BYTES][..(BLOCK_BYTES - rest) % BLOCK_BYTES])
}

/// True if an extended header has a size.
fn has_size(data: &[u8]) -> io::Result<bool> {
    for record in PaxExtensions::new(data) {
        if record?.key_bytes() == b"size" {
            return Ok(true);
        }
    }
    Ok(false)
}
