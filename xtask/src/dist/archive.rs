//! The archive of a release. The same entries always give the same bytes: entries are sorted,
//! owners and times are fixed, and the gzip header has neither a name nor a time.

use std::collections::BTreeMap;
use std::io::Read;

use anyhow::{Context, Result, ensure};
use data_encoding::HEXLOWER;
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, EntryType, Header};

/// Value of the gzip header for an unknown operating system.
const UNKNOWN_SYSTEM: u8 = 255;

/// A file of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path below the top folder.
    pub path: String,
    pub is_executable: bool,
    pub content: Vec<u8>,
}

impl Entry {
    /// A file that is not executable.
    pub fn file(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.to_owned(), is_executable: false, content: content.into() }
    }
}

/// Packs the entries below one top folder, each with the modification time `time_s`.
///
/// # Errors
/// Two entries have the same path.
pub fn pack(folder: &str, mut entries: Vec<Entry>, time_s: u64) -> Result<Vec<u8>> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    for pair in entries.windows(2) {
        ensure!(pair[0].path != pair[1].path, "`{}` is in the archive twice", pair[0].path);
    }
    let gzip = GzBuilder::new().mtime(0).operating_system(UNKNOWN_SYSTEM);
    let mut archive = Builder::new(gzip.write(Vec::new(), Compression::best()));
    for entry in &entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(entry.content.len().try_into().context("the size of a file")?);
        header.set_mode(if entry.is_executable { 0o755 } else { 0o644 });
        header.set_uid(0);
        header.set_gid(0);
        header.set_username("root")?;
        header.set_groupname("root")?;
        header.set_mtime(time_s);
        let path = format!("{folder}/{}", entry.path);
        archive.append_data(&mut header, &path, entry.content.as_slice()).context(path)?;
    }
    Ok(archive.into_inner()?.finish()?)
}

/// The content of each file of an archive, by path.
pub fn unpack(packed: &[u8]) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut archive = Archive::new(GzDecoder::new(packed));
    let mut files = BTreeMap::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).with_context(|| format!("read {path}"))?;
        files.insert(path, content);
    }
    Ok(files)
}

/// Paths of the files that differ between two archives.
pub fn differences(one: &[u8], other: &[u8]) -> Result<Vec<String>> {
    let (one, other) = (unpack(one)?, unpack(other)?);
    let paths = one.keys().chain(other.keys().filter(|path| !one.contains_key(*path)));
    let differs = |path: &&String| one.get(*path) != other.get(*path);
    Ok(paths.filter(differs).cloned().collect())
}

/// A line that `sha256sum -c` checks.
pub fn checksum(name: &str, content: &[u8]) -> String {
    format!("{}  {name}\n", HEXLOWER.encode(&Sha256::digest(content)))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::process::output;

    fn entries() -> Vec<Entry> {
        let program = Entry { is_executable: true, ..Entry::file("bin/flagship", "program") };
        vec![
            Entry::file("README.md", "read"),
            program,
            Entry::file(&format!("{}deep", "long/".repeat(40)), "x"),
        ]
    }

    #[test]
    fn the_same_entries_give_the_same_archive() {
        let packed = pack("flagship-1", entries(), 1_700_000_000).unwrap();
        let mut reversed = entries();
        reversed.reverse();
        assert_eq!(pack("flagship-1", reversed, 1_700_000_000).unwrap(), packed);
        assert_eq!(packed[3..8], [0; 5], "neither a name nor a time");
        let mut archive = Archive::new(GzDecoder::new(packed.as_slice()));
        let mut paths = Vec::new();
        for entry in archive.entries().unwrap() {
            let entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 1_700_000_000);
            paths.push((entry.path().unwrap().display().to_string(), header.mode().unwrap()));
        }
        assert_eq!(paths[0], ("flagship-1/README.md".to_owned(), 0o644));
        assert_eq!(paths[1], ("flagship-1/bin/flagship".to_owned(), 0o755));
        assert_eq!(paths[2].0.len(), "flagship-1/deep".len() + 200);
        assert!(pack("x", [entries(), entries()].concat(), 0).is_err(), "each path once");
    }

    #[test]
    fn a_differing_file_is_named() {
        let packed = pack("a", entries(), 1).unwrap();
        assert_eq!(differences(&packed, &packed).unwrap(), Vec::<String>::new());
        let mut changed = entries();
        changed[0].content.push(b'!');
        changed.push(Entry::file("more", ""));
        let changed = pack("a", changed, 1).unwrap();
        assert_eq!(differences(&packed, &changed).unwrap(), ["a/README.md", "a/more"]);
    }

    #[test]
    fn sha256sum_accepts_the_checksum() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.tar.gz"), "content").unwrap();
        let check = |content: &[u8]| {
            std::fs::write(folder.path().join("sum"), checksum("a.tar.gz", content)).unwrap();
            output(Command::new("sha256sum").args(["-c", "sum"]).current_dir(folder.path()))
        };
        assert_eq!(check(b"content").unwrap(), "a.tar.gz: OK\n");
        assert!(check(b"other").is_err());
    }
}
