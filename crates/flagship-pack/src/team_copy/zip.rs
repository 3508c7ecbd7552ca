//! Templates of zip archives. Unchanged members are copied byte for byte; headers and sizes of
//! changed members are rewritten.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder,
};

use super::deflate::Deflate;
use super::error::{MEMBERS_MAX, TEXT_BYTES_MAX, TemplateError, UNPACKED_BYTES_MAX};
use super::input::{Bounded, PIECE_BYTES, read_full};
use super::layout::{Layout, Output, sum_of};
use super::text::{self, Scan};

/// Length of a local header without its name, in bytes.
const LOCAL_BYTES: usize = 30;
/// Length of a directory entry without its name, in bytes.
const DIRECTORY_BYTES: usize = 46;
/// Flag of members whose sizes follow the data.
const SIZES_FOLLOW: u16 = 1 << 3;
/// Extra field with 64-bit sizes.
const ZIP64: u16 = 1;
/// Start of the end of the directory.
const END: [u8; 4] = *b"PK\x05\x06";

/// A member of the archive.
struct Member {
    name: String,
    /// Position of its local header.
    local_at: u64,
    /// Position of its directory entry.
    directory_at: u64,
    method: CompressionMethod,
    is_readable: bool,
    wayfinder: ZipArchiveEntryWayfinder,
    packed_bytes: u64,
    plain_bytes: u64,
    /// Place in the template, once it is written.
    written: Written,
}

/// A member in the template.
#[derive(Default)]
struct Written {
    at: u64,
    /// Set if the member has the flag.
    changed: Option<Changed>,
}

/// Data of a changed member.
struct Changed {
    /// Index of its checksum.
    sum: usize,
    packed_bytes: u32,
    plain_bytes: u32,
}

/// Writes the template of an archive.
pub(super) fn write<W: Write>(from: &File, layout: &mut Layout<W>) -> Result<(), TemplateError> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(from.try_clone()?, &mut buffer).map_err(unreadable)?;
    let mut members = members(&archive, &mut buffer)?;
    let directory_at = archive.directory_offset();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|index| members[*index].local_at);
    let first_at = order.first().map_or(directory_at, |index| members[*index].local_at);
    copy(from, 0, first_at, layout)?;
    let mut bytes_left = UNPACKED_BYTES_MAX;
    for (place, index) in order.iter().enumerate() {
        let end = order.get(place + 1).map_or(directory_at, |next| members[*next].local_at);
        let member = &members[*index];
        let at = layout.at();
        let changed = match find(&archive, member, end, &mut bytes_left)? {
            Some(text) => Some(write_changed(from, member, &text, layout)?),
            None => {
                copy(from, member.local_at, end, layout)?;
                None
            }
        };
        members[*index].written = Written { at, changed };
    }
    let new_directory_at = layout.at();
    for member in &members {
        write_entry(from, member, layout)?;
    }
    let directory_bytes = layout.at() - new_directory_at;
    let count = u16::try_from(members.len()).expect("the members are limited");
    let mut comment = Vec::new();
    archive.comment().read_to_end(&mut comment)?;
    layout.same(&END)?;
    layout.same(&[0; 4])?;
    layout.same(&count.to_le_bytes())?;
    layout.same(&count.to_le_bytes())?;
    layout.same(&short(directory_bytes)?.to_le_bytes())?;
    layout.same(&short(new_directory_at)?.to_le_bytes())?;
    layout.same(&u16::try_from(comment.len()).unwrap_or(0).to_le_bytes())?;
    layout.same(&comment)
}

/// Lists the members, in the order of the directory.
fn members<R: ReaderAt>(
    archive: &ZipArchive<R>,
    buffer: &mut [u8],
) -> Result<Vec<Member>, TemplateError> {
    let mut members = Vec::new();
    let mut entries = archive.entries(buffer);
    while let Some(entry) = entries.next_entry().map_err(unreadable)? {
        if members.len() == MEMBERS_MAX {
            return Err(TemplateError::TooManyMembers);
        }
        members.push(Member {
            name: String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned(),
            local_at: entry.local_header_offset(),
            directory_at: entry.central_directory_offset(),
            method: entry.compression_method(),
            is_readable: !entry.flags().is_encrypted() && !entry.is_dir(),
            wayfinder: entry.wayfinder(),
            packed_bytes: entry.compressed_size_hint(),
            plain_bytes: entry.uncompressed_size_hint(),
            written: Written::default(),
        });
    }
    Ok(members)
}

/// Returns the text of a member with placeholders. Encrypted members, and those with other
/// compression methods, are not searched.
fn find<R: ReaderAt>(
    archive: &ZipArchive<R>,
    member: &Member,
    end: u64,
    bytes_left: &mut u64,
) -> Result<Option<Vec<u8>>, TemplateError> {
    let entry = archive.get_entry(member.wayfinder).map_err(unreadable)?;
    if entry.compressed_data_range().1 > end {
        let message = format!("the member `{}` overlaps another one", member.name);
        return Err(TemplateError::Unreadable(message));
    }
    let is_known = [CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&member.method);
    if !member.is_readable || !is_known {
        return Ok(None);
    }
    let is_packed = member.method == CompressionMethod::DEFLATE;
    let open = || -> Box<dyn Read + '_> {
        match is_packed {
            true => Box::new(DeflateDecoder::new(entry.reader())),
            false => Box::new(entry.reader()),
        }
    };
    let mut reader = Bounded { from: open(), bytes_left };
    let mut scan = Scan::default();
    let mut buffer = vec![0; PIECE_BYTES];
    let mut bytes = 0;
    loop {
        let n = read_full(&mut reader, &mut buffer)?;
        scan.add(&buffer[..n]);
        bytes += n as u64;
        if n < buffer.len() {
            break;
        }
    }
    if !scan.has_placeholder {
        return Ok(None);
    }
    if bytes > TEXT_BYTES_MAX {
        return Err(TemplateError::TextTooLarge { member: member.name.clone() });
    }
    let mut text = Vec::new();
    open().take(TEXT_BYTES_MAX).read_to_end(&mut text)?;
    Ok(Some(text))
}

/// Writes a member with the flag.
fn write_changed<W: Write>(
    from: &File,
    member: &Member,
    data: &[u8],
    layout: &mut Layout<W>,
) -> Result<Changed, TemplateError> {
    let pieces = text::pieces(data, &member.name)?.expect("the text has a placeholder");
    let flags = (pieces.len() - 1) * layout.flag_bytes();
    let plain_bytes = pieces.iter().map(|piece| piece.len()).sum::<usize>() + flags;
    let plain_bytes = short(plain_bytes as u64)?;
    let is_packed = member.method == CompressionMethod::DEFLATE;
    // The length of the data is only known once it is written.
    let packed_bytes = match is_packed {
        true => {
            let mut draft = Layout::new(std::io::sink(), layout.flag_bytes());
            write_packed(&pieces, &mut draft)?;
            short(draft.at())?
        }
        false => plain_bytes,
    };
    let sum = layout.add_sum(sum_of(&pieces));
    let changed = Changed { sum, packed_bytes, plain_bytes };
    let mut header = read(from, member.local_at, LOCAL_BYTES)?;
    let name_bytes = usize::from(get(&header, 26));
    let rest_bytes = name_bytes + usize::from(get(&header, 28));
    let rest = read(from, member.local_at + LOCAL_BYTES as u64, rest_bytes)?;
    let extra = without_zip64(&rest[name_bytes..]);
    let flags = get(&header, 6) & !SIZES_FOLLOW;
    put(&mut header, 6, flags);
    put(&mut header, 28, u16::try_from(extra.len()).expect("it is not longer than before"));
    layout.same(&header[..14])?;
    write_sizes(&changed, layout)?;
    layout.same(&header[26..])?;
    layout.same(&rest[..name_bytes])?;
    layout.same(&extra)?;
    match is_packed {
        true => write_packed(&pieces, layout)?,
        false => layout.text(&pieces)?,
    }
    Ok(changed)
}

fn write_packed<W: Write>(pieces: &[&[u8]], layout: &mut Layout<W>) -> Result<(), TemplateError> {
    let mut deflate = Deflate::new(layout);
    deflate.text(pieces)?;
    deflate.finish()
}

/// Writes the checksum and the sizes of a changed member.
fn write_sizes<W: Write>(changed: &Changed, layout: &mut Layout<W>) -> Result<(), TemplateError> {
    layout.sum(changed.sum)?;
    layout.same(&changed.packed_bytes.to_le_bytes())?;
    layout.same(&changed.plain_bytes.to_le_bytes())
}

/// Writes the directory entry of a member.
fn write_entry<W: Write>(
    from: &File,
    member: &Member,
    layout: &mut Layout<W>,
) -> Result<(), TemplateError> {
    let mut entry = read(from, member.directory_at, DIRECTORY_BYTES)?;
    let lengths = [28, 30, 32].map(|at| usize::from(get(&entry, at)));
    let rest_at = member.directory_at + DIRECTORY_BYTES as u64;
    let rest = read(from, rest_at, lengths.iter().sum())?;
    let (name, rest) = rest.split_at(lengths[0]);
    let (extra, comment) = rest.split_at(lengths[1]);
    let extra = without_zip64(extra);
    put(&mut entry, 30, u16::try_from(extra.len()).expect("it is not longer than before"));
    // The number of the disk.
    put(&mut entry, 34, 0);
    entry[42..46].copy_from_slice(&short(member.written.at)?.to_le_bytes());
    match &member.written.changed {
        Some(changed) => {
            let flags = get(&entry, 8) & !SIZES_FOLLOW;
            put(&mut entry, 8, flags);
            layout.same(&entry[..16])?;
            write_sizes(changed, layout)?;
        }
        None => {
            entry[20..24].copy_from_slice(&short(member.packed_bytes)?.to_le_bytes());
            entry[24..28].copy_from_slice(&short(member.plain_bytes)?.to_le_bytes());
            layout.same(&entry[..28])?;
        }
    }
    layout.same(&entry[28..])?;
    layout.same(name)?;
    layout.same(&extra)?;
    layout.same(comment)
}

/// Copies bytes of the archive.
fn copy<W: Write>(
    from: &File,
    mut at: u64,
    end: u64,
    layout: &mut Layout<W>,
) -> Result<(), TemplateError> {
    while at < end {
        let length = usize::try_from(end - at).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
        layout.same(&read(from, at, length)?)?;
        at += length as u64;
    }
    Ok(())
}

fn read(from: &File, at: u64, length: usize) -> Result<Vec<u8>, TemplateError> {
    let mut bytes = vec![0; length];
    from.read_exact_at(&mut bytes, at)?;
    Ok(bytes)
}

/// Extra fields without 64-bit sizes.
fn without_zip64(mut extra: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    while extra.len() >= 4 {
        let length = (4 + usize::from(get(extra, 2))).min(extra.len());
        if get(extra, 0) != ZIP64 {
            kept.extend_from_slice(&extra[..length]);
        }
        extra = &extra[length..];
    }
    kept.extend_from_slice(extra);
    kept
}

fn get(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn put(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// A size or position as the format without extensions has it.
fn short(value: u64) -> Result<u32, TemplateError> {
    let message = "a member is larger than 4 GiB";
    u32::try_from(value).map_err(|_| TemplateError::Unreadable(message.to_owned()))
}

fn unreadable(error: rawzip::Error) -> TemplateError {
    TemplateError::Unreadable(error.to_string())
}
