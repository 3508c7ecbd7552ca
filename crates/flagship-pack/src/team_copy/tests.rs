use std::io::{Seek, SeekFrom, Write};

use ::tar::{Archive, Builder, EntryType, Header};
use flate2::Compression;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter};

use super::*;

const FLAGS: [&str; 2] = ["flag{pier_0123456789abcdef}", "flag{pier_fedcba9876543210}"];

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

/// The copy with a flag, applied in pieces of `piece` bytes.
fn copy_in(bytes: &[u8], flag: &str, piece: usize) -> Result<Vec<u8>, TemplateError> {
    let mut to = tempfile::tempfile().unwrap();
    let template = Template::write(&mut file(bytes), &mut to, flag.len())?;
    let mut copy = Vec::new();
    to.seek(SeekFrom::Start(0)).unwrap();
    to.read_to_end(&mut copy).unwrap();
    assert_eq!(copy.len() as u64, template.bytes());
    let filling = template.fill(flag).unwrap();
    for (index, piece_of_copy) in copy.chunks_mut(piece).enumerate() {
        template.apply(&filling, (index * piece) as u64, piece_of_copy);
    }
    Ok(copy)
}

fn copy(bytes: &[u8], flag: &str) -> Vec<u8> {
    let whole = copy_in(bytes, flag, usize::MAX).unwrap();
    for piece in [1, 7, 4096] {
        assert_eq!(copy_in(bytes, flag, piece).unwrap(), whole, "in pieces of {piece} bytes");
    }
    whole
}

fn error(bytes: &[u8]) -> TemplateError {
    copy_in(bytes, FLAGS[0], 4096).expect_err("the file cannot have copies")
}

/// Text with placeholders at both ends, in a row, and across read sizes.
fn text() -> String {
    let long = "ahoy ".repeat(30_000);
    format!("{PLACEHOLDER}a{PLACEHOLDER}{PLACEHOLDER}{long}é{PLACEHOLDER}{long}{PLACEHOLDER}")
}

fn zip_of(members: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, data, is_packed) in members {
        let method = if *is_packed { CompressionMethod::DEFLATE } else { CompressionMethod::STORE };
        let (mut entry, config) =
            archive.new_file(name).compression_method(method).start().unwrap();
        let output = match is_packed {
            true => {
                let mut writer =
                    config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
                writer.write_all(data).unwrap();
                let (encoder, output) = writer.finish().unwrap();
                encoder.finish().unwrap();
                output
            }
            false => {
                let mut writer = config.wrap(&mut entry);
                writer.write_all(data).unwrap();
                writer.finish().unwrap().1
            }
        };
        entry.finish(output).unwrap();
    }
    archive.finish().unwrap()
}

/// The members of a zip archive, with verified checksums.
fn unzipped(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = ZipArchive::from_slice(bytes).unwrap();
    let mut members = Vec::new();
    for entry in archive.entries() {
        let entry = entry.unwrap();
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        let member = archive.get_entry(entry.wayfinder()).unwrap();
        let mut data = Vec::new();
        match entry.compression_method() {
            CompressionMethod::STORE => {
                member.verifying_reader(member.data()).read_to_end(&mut data).unwrap()
            }
            _ => {
                let decoder = DeflateDecoder::new(member.data());
                member.verifying_reader(decoder).read_to_end(&mut data).unwrap()
            }
        };
        members.push((name, data));
    }
    members
}

fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (name, data) in members {
        let mut header = Header::new_gnu();
        header.set_size(data.len() as u64);
        header.set_mode(0o640);
        header.set_mtime(1_700_000_000);
        archive.append_data(&mut header, name, *data).unwrap();
    }
    archive.into_inner().unwrap()
}

fn untarred(bytes: impl Read) -> Vec<(String, Vec<u8>)> {
    let mut archive = Archive::new(bytes);
    let members = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        assert_eq!(entry.header().mtime().unwrap(), 1_700_000_000);
        let name = entry.path().unwrap().to_string_lossy().into_owned();
        let mut data = Vec::new();
        entry.read_to_end(&mut data).unwrap();
        (name, data)
    });
    members.collect()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_text_has_the_flag_in_each_place() {
    for text in [text(), PLACEHOLDER.to_owned(), format!("{PLACEHOLDER}\n"), "no flag".to_owned()] {
        for flag in FLAGS {
            let expected = text.replace(PLACEHOLDER, flag);
            assert!(copy(text.as_bytes(), flag) == expected.as_bytes());
        }
    }
    assert_eq!(copy(b"", FLAGS[0]), b"");
    let binary = [&[0, 0xff, 0x80][..], &b"{{team_fla".repeat(100)].concat();
    assert_eq!(copy(&binary, FLAGS[0]), binary, "a file without a placeholder is unchanged");
}

#[test]
fn a_zip_archive_has_the_flag_in_its_text_members() {
    let text = text();
    let binary = [0xff, 0, 1].repeat(1000);
    let archive = zip_of(&[
        ("a.bin", &binary, true),
        ("text.txt", text.as_bytes(), true),
        ("stored.txt", text.as_bytes(), false),
        ("b.bin", &binary, false),
        ("dir/empty.txt", b"", true),
        ("tiny.txt", PLACEHOLDER.as_bytes(), true),
        ("{{team_flag}}", b"in the name", true),
    ]);
    for flag in FLAGS {
        let members = unzipped(&copy(&archive, flag));
        let filled = text.replace(PLACEHOLDER, flag).into_bytes();
        let expected: [(&str, &[u8]); 7] = [
            ("a.bin", &binary),
            ("text.txt", &filled),
            ("stored.txt", &filled),
            ("b.bin", &binary),
            ("dir/empty.txt", b""),
            ("tiny.txt", flag.as_bytes()),
            ("{{team_flag}}", b"in the name"),
        ];
        for ((name, data), (known, wanted)) in members.iter().zip(expected) {
            assert!(name == known && data == wanted, "{name} is wrong");
        }
        assert_eq!(members.len(), expected.len());
    }
    let packed = copy(&archive, FLAGS[0]);
    assert!(packed.len() < archive.len() + text.len() / 10, "packed members stay packed");
}

#[test]
fn a_tar_archive_has_the_flag_in_its_text_members() {
    let text = text();
    let long_name = format!("{}/notes.txt", "deep".repeat(40));
    let binary = [0xff, 0, 1].repeat(1000);
    let plain = tar_of(&[
        ("a.bin", &binary),
        (&long_name, text.as_bytes()),
        ("tiny.txt", PLACEHOLDER.as_bytes()),
        ("empty.txt", b""),
    ]);
    for flag in FLAGS {
        let filled = text.replace(PLACEHOLDER, flag).into_bytes();
        let expected = [
            ("a.bin".to_owned(), binary.clone()),
            (long_name.clone(), filled),
            ("tiny.txt".to_owned(), flag.as_bytes().to_owned()),
            ("empty.txt".to_owned(), Vec::new()),
        ];
        assert!(untarred(&*copy(&plain, flag)) == expected);
        // The decoder verifies the checksum and the length.
        let packed = copy(&gzipped(&plain), flag);
        assert!(untarred(MultiGzDecoder::new(&*packed)) == expected);
        assert!(packed.len() < plain.len() / 10, "the copy is compressed");
    }
}

#[test]
fn copies_are_reproducible_and_differ_only_in_the_flag() {
    let text = text();
    let archives = [
        zip_of(&[("a.txt", text.as_bytes(), true)]),
        tar_of(&[("a.txt", text.as_bytes())]),
        gzipped(&tar_of(&[("a.txt", text.as_bytes())])),
    ];
    for archive in archives {
        let [one, other] = FLAGS.map(|flag| copy(&archive, flag));
        assert!(one == copy(&archive, FLAGS[0]), "each copy is the same");
        assert_eq!(one.len(), other.len());
        let differing = one.iter().zip(&other).filter(|(a, b)| a != b).count();
        // Five flags, and checksums in two places.
        assert!((1..=5 * FLAGS[0].len() + 8).contains(&differing), "{differing} bytes differ");
    }
}

#[test]
fn a_placeholder_outside_text_is_an_error() {
    let binary = [b"\0", PLACEHOLDER.as_bytes()].concat();
    let latin = [b"\xe9", PLACEHOLDER.as_bytes()].concat();
    for data in [&binary, &latin] {
        assert!(matches!(error(data), TemplateError::NotText { member } if member.is_empty()));
        let is_named = |found| matches!(found, TemplateError::NotText { member } if member == "b");
        assert!(is_named(error(&zip_of(&[("b", data, true)]))));
        assert!(is_named(error(&zip_of(&[("b", data, false)]))));
        assert!(is_named(error(&tar_of(&[("b", data)]))));
        assert!(is_named(error(&gzipped(&tar_of(&[("b", data)])))));
    }
}

#[test]
fn large_archives_and_many_placeholders_are_refused() {
    let zeros = vec![0; 16 * 1024 * 1024];
    let names: Vec<String> = (0..17).map(|number| number.to_string()).collect();
    let bombs: Vec<_> = names.iter().map(|name| (name.as_str(), &zeros[..], true)).collect();
    let bomb = zip_of(&bombs);
    assert!(bomb.len() < 1024 * 1024);
    assert!(matches!(error(&bomb), TemplateError::UnpacksTooLarge));
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    for name in &names {
        let member = tar_of(&[(name, &zeros)]);
        bomb.write_all(&member[..member.len() - 1024]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 4 * 1024 * 1024);
    assert!(matches!(error(&bomb), TemplateError::UnpacksTooLarge));

    let many = PLACEHOLDER.repeat(PLACEHOLDERS_MAX + 1);
    assert!(matches!(error(many.as_bytes()), TemplateError::TooManyPlaceholders));
    assert!(matches!(
        error(&zip_of(&[("a", many.as_bytes(), true)])),
        TemplateError::TooManyPlaceholders
    ));
    let mut large = vec![b' '; usize::try_from(TEXT_BYTES_MAX).unwrap()];
    large.extend(PLACEHOLDER.as_bytes());
    for archive in [large.clone(), zip_of(&[("a", &large, true)]), tar_of(&[("a", &large)])] {
        assert!(matches!(error(&archive), TemplateError::TextTooLarge { .. }));
    }
}

#[test]
fn broken_and_hostile_archives_are_errors() {
    let text = PLACEHOLDER.as_bytes();
    let zip = zip_of(&[("a", text, true), ("b", text, false)]);
    let tar = tar_of(&[("a", text), ("b", text)]);
    let packed = gzipped(&tar);
    for whole in [&zip, &tar, &packed] {
        for length in 0..whole.len() {
            // Errors or copies, but no panic.
            drop(copy_in(&whole[..length], FLAGS[0], 4096));
        }
        for at in 0..whole.len() {
            for change in [0xff, 0x80, 1] {
                let mut broken = whole.clone();
                broken[at] ^= change;
                drop(copy_in(&broken, FLAGS[0], 4096));
            }
        }
    }
    // Both directory entries refer to the same data.
    let mut overlapping = zip.clone();
    let directory = overlapping.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    overlapping[directory + 42..directory + 46].fill(0);
    assert!(matches!(error(&overlapping), TemplateError::Unreadable(_)));

    let mut sparse = tar_of(&[("a", text)]);
    let mut header = Header::from_byte_slice(&sparse[..512]).clone();
    header.set_entry_type(EntryType::GNUSparse);
    header.set_cksum();
    sparse[..512].copy_from_slice(header.as_bytes());
    assert!(matches!(error(&sparse), TemplateError::Unreadable(_)));
}

#[test]
fn an_encrypted_member_is_not_changed() {
    let mut archive = zip_of(&[("a", PLACEHOLDER.as_bytes(), false)]);
    for (start, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = archive.windows(4).position(|it| it == start).unwrap();
        archive[at + flags] |= 1;
    }
    let found = copy(&archive, FLAGS[0]);
    assert!(found.windows(PLACEHOLDER.len()).any(|it| it == PLACEHOLDER.as_bytes()));
}

#[test]
fn a_placeholder_is_found_in_any_kind_of_file() {
    let with = PLACEHOLDER.as_bytes();
    for (bytes, expected) in [
        (with.to_owned(), true),
        ([b"\0", with].concat(), true),
        (zip_of(&[("a", with, true)]), true),
        (gzipped(&tar_of(&[("a", with)])), true),
        (zip_of(&[("a", b"a", true)]), false),
        (gzipped(&tar_of(&[("a", b"a")])), false),
        (b"PK\x03\x04 is not an archive".to_vec(), false),
        (Vec::new(), false),
    ] {
        assert_eq!(has_placeholder(&mut file(&bytes)).unwrap(), expected);
    }
}

#[test]
fn a_file_without_the_placeholder_is_unfilled() {
    for (text, expected) in [(PLACEHOLDER, CopyCheck::Filled), ("a", CopyCheck::Unfilled)] {
        let tar = tar_of(&[("a", text.as_bytes())]);
        for bytes in [
            text.as_bytes().to_owned(),
            zip_of(&[("a", text.as_bytes(), true)]),
            gzipped(&tar),
            tar,
        ] {
            assert_eq!(CopyCheck::of(&mut file(&bytes), 5).unwrap(), expected);
        }
    }
}

#[test]
fn a_text_of_the_maximum_size_has_the_flag() {
    let mut text = vec![b' '; usize::try_from(TEXT_BYTES_MAX).unwrap() - PLACEHOLDER.len()];
    text.extend(PLACEHOLDER.as_bytes());
    assert!(copy(&text, FLAGS[0]).ends_with(FLAGS[0].as_bytes()));
}

#[test]
fn only_a_size_in_an_extended_header_is_refused() {
    let tar = |key: &str, value: &str| {
        let mut archive = Builder::new(Vec::new());
        archive.append_pax_extensions([(key, value.as_bytes())]).unwrap();
        let member = tar_of(&[("a", PLACEHOLDER.as_bytes())]);
        [archive.get_ref().as_slice(), &member].concat()
    };
    let length = PLACEHOLDER.len().to_string();
    assert!(matches!(error(&tar("size", &length)), TemplateError::Unreadable(_)));
    assert!(!copy(&tar("comment", "a photo size=2"), FLAGS[0]).is_empty());
}
