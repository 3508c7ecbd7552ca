//! Archive of a backup: a gzipped tar. The last member, `manifest.json`, has the size and the
//! SHA-256 of every other member.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read, Write};

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use flagship_store::Head;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Version of the file format that this program writes, and the newest version that it can read.
pub const FORMAT: u32 = 1;
/// Name of the member that lists all others.
pub const MANIFEST: &str = "manifest.json";
/// Maximum number of members besides the manifest. Their names are in memory. A manifest with this
/// many members has 12 MB.
pub const MEMBERS_MAX: usize = 50_000;
/// Name of the member with the event's secret.
pub const SECRET: &str = "secret";

/// The manifest of a backup. It contains no secrets.
#[derive(Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the file format.
    pub format: u32,
    /// Version of Flagship that wrote the backup.
    pub flagship: String,
    /// Version of the database schema.
    pub schema: i64,
    /// Number of the journal's last entry.
    pub entries: i64,
    /// Hash of the journal's last entry; empty without entries. Unlike a head in the glossary's
    /// sense, it has no number and no HMAC.
    pub head: String,
    /// SHA-256 over names and digests of `tables/*`; the same for SQLite and PostgreSQL.
    pub checksum: String,
    /// The journal's head with its HMAC; empty without entries and in backups of older versions.
    #[serde(default)]
    pub signed_head: String,
    /// SHA-256 of each other member.
    pub sha256: BTreeMap<String, String>,
    /// Size of each other member; empty in backups of older versions.
    #[serde(default)]
    pub bytes: BTreeMap<String, u64>,
}

impl Manifest {
    /// Returns the checksum over the tables, which is the same for both database engines.
    pub fn tables_checksum(&self) -> String {
        let mut hash = Sha256::new();
        for (name, digest) in self.sha256.iter().filter(|(name, _)| name.starts_with("tables/")) {
            hash.update(format!("{name} {digest}\n"));
        }
        HEXLOWER.encode(&hash.finalize())
    }
}

/// An archive in progress.
pub struct Archive<W: Write> {
    tar: tar::Builder<GzEncoder<W>>,
    sha256: BTreeMap<String, String>,
    bytes: BTreeMap<String, u64>,
}

impl<W: Write> Archive<W> {
    /// Creates an archive without members that is written to `to`.
    pub fn new(to: W) -> Self {
        let gzip = GzEncoder::new(to, Compression::fast());
        Self { tar: tar::Builder::new(gzip), sha256: BTreeMap::new(), bytes: BTreeMap::new() }
    }

    /// Returns the number of members.
    pub fn members(&self) -> usize {
        self.sha256.len()
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, file: fs::File) -> Result<()> {
        let size = file.metadata().with_context(|| format!("read the size of `{name}`"))?.len();
        let mut content = Hashing { inner: BufReader::new(file).take(size), hash: Sha256::new() };
        let mut header = file_header(size);
        self.tar
            .append_data(&mut header, name, &mut content)
            .with_context(|| format!("add `{name}` to the backup"))?;
        let digest = HEXLOWER.encode(&content.hash.finalize());
        self.sha256.insert(name.to_owned(), digest);
        self.bytes.insert(name.to_owned(), size);
        Ok(())
    }

    /// Adds the manifest and completes the archive.
    pub fn finish(mut self, schema: i64, head: Option<Head>) -> Result<Manifest> {
        let mut manifest = Manifest {
            format: FORMAT,
            flagship: env!("CARGO_PKG_VERSION").to_owned(),
            schema,
            entries: head.as_ref().map_or(0, |head| head.seq),
            head: head.as_ref().map(|head| head.hash.clone()).unwrap_or_default(),
            checksum: String::new(),
            signed_head: head.map(|head| head.to_string()).unwrap_or_default(),
            sha256: std::mem::take(&mut self.sha256),
            bytes: std::mem::take(&mut self.bytes),
        };
        manifest.checksum = manifest.tables_checksum();
        let text = serde_json::to_vec_pretty(&manifest)?;
        let mut header = file_header(text.len() as u64);
        self.tar.append_data(&mut header, MANIFEST, text.as_slice())?;
        let gzip = self.tar.into_inner().context("finish the archive")?;
        gzip.finish().and_then(|mut it| it.flush()).context("finish writing the backup")?;
        Ok(manifest)
    }
}

/// Returns a tar header for a file of this size that only the owner can read.
fn file_header(size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    header
}

/// A reader that hashes the bytes passing through it.
pub struct Hashing<R> {
    /// The source.
    pub inner: R,
    /// Hash of all bytes read so far.
    pub hash: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}
