//! `flagship backup`: the whole event in one file, taken while it runs.
//!
//! The file is a gzipped tar: `tables/NAME.jsonl` with a line for each row, `files/DIGEST`,
//! `secret`, and `manifest.json`, which comes last and knows size and SHA-256 of all others.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use data_encoding::HEXLOWER;
use flagship_store::dump::Snapshot;
use flagship_store::{Db, Head, Seal};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::cli::Place;
use crate::place::folder_of;

/// The form of the file that this program writes, and the newest that it reads.
pub const FORMAT: u32 = 1;
/// The entry that says what the others are.
pub const MANIFEST: &str = "manifest.json";
/// The entry with the event's secret.
pub const SECRET: &str = "secret";

/// What a backup says of itself: nothing of it is secret.
#[derive(Serialize, Deserialize)]
pub struct Manifest {
    /// The form of the file.
    pub format: u32,
    /// The program that wrote it.
    pub flagship: String,
    /// The version of the database's schema.
    pub schema: i64,
    /// The number of the journal's last entry.
    pub entries: i64,
    /// The hash of that entry, empty without one.
    pub head: String,
    /// SHA-256 over names and digests of `tables/*`: the same from either database.
    pub checksum: String,
    /// The journal's head, signed; older backups have none.
    #[serde(default)]
    pub signed_head: String,
    /// SHA-256 of each other entry.
    pub sha256: BTreeMap<String, String>,
    /// Size of each other entry; older backups have none.
    #[serde(default)]
    pub bytes: BTreeMap<String, u64>,
}

impl Manifest {
    /// The checksum over the tables, of whichever database they are.
    pub fn tables_checksum(&self) -> String {
        let mut hash = Sha256::new();
        for (name, digest) in self.sha256.iter().filter(|(name, _)| name.starts_with("tables/")) {
            hash.update(format!("{name} {digest}\n"));
        }
        HEXLOWER.encode(&hash.finalize())
    }
}

/// Writes the event to a file that is there whole or not at all.
pub async fn backup(file: &Path, place: &Place) -> Result<()> {
    if fs::symlink_metadata(file).is_ok() {
        bail!("`{}` is there already; a backup overwrites nothing", file.display());
    }
    let (db, key) = place.open().await?;
    let seal = Seal::open(&db, &key).await?;
    let folder = folder_of(file);
    let draft = NamedTempFile::new_in(folder)
        .with_context(|| format!("write into the folder `{}`", folder.display()))?;
    let manifest = write(&draft, &db, &seal, place, folder).await?;
    db.close().await;
    draft.as_file().sync_all().context("write the backup to the disk")?;
    draft.persist_noclobber(file).with_context(|| format!("make `{}`", file.display()))?;
    fs::File::open(folder).and_then(|it| it.sync_all()).context("write the folder to the disk")?;
    println!("{} journal entries, checksum {}", manifest.entries, manifest.checksum);
    Ok(())
}

async fn write(
    draft: &NamedTempFile,
    db: &Db,
    seal: &Seal,
    place: &Place,
    folder: &Path,
) -> Result<Manifest> {
    let gzip = GzEncoder::new(BufWriter::new(draft), Compression::fast());
    let mut archive = Archive::new(gzip);
    let mut snapshot = Snapshot::take(db).await?;
    for table in snapshot.tables().await? {
        // The head of an entry tells its size, so the rows are laid aside first.
        let mut aside = BufWriter::new(tempfile::tempfile_in(folder).context("make a file")?);
        snapshot.write(&table, &mut aside).await?;
        let mut aside = aside.into_inner().context("lay the rows aside")?;
        aside.rewind().context("read the rows again")?;
        archive.add(&format!("tables/{}.jsonl", table.name), aside)?;
    }
    let head = snapshot.head().await?.map(|(seq, hash)| seal.head(seq, &hash));
    let schema = snapshot.schema().await?;
    drop(snapshot);
    // Attachments are kept before an entry names them and are never taken away: all that the
    // snapshot names are there.
    for (name, path) in attachments(&place.data)? {
        let file = fs::File::open(&path).with_context(|| format!("read `{}`", path.display()))?;
        archive.add(&format!("files/{name}"), file)?;
    }
    let secret = place.secret_path();
    let file = fs::File::open(&secret).with_context(|| format!("read `{}`", secret.display()))?;
    archive.add(SECRET, file)?;
    archive.finish(schema, head)
}

/// Names and paths of the attachments in a data folder.
fn attachments(data: &Path) -> Result<Vec<(String, std::path::PathBuf)>> {
    let folder = data.join("files");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let listed = || format!("list `{}`", folder.display());
    for entry in fs::read_dir(&folder).with_context(listed)? {
        let entry = entry.with_context(listed)?;
        if let Some(name) = entry.file_name().to_str().filter(|name| is_digest(name)) {
            found.push((name.to_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a name is a SHA-256 in hex.
pub fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

struct Archive<W: Write> {
    tar: tar::Builder<GzEncoder<W>>,
    sha256: BTreeMap<String, String>,
    bytes: BTreeMap<String, u64>,
}

impl<W: Write> Archive<W> {
    fn new(gzip: GzEncoder<W>) -> Self {
        Self { tar: tar::Builder::new(gzip), sha256: BTreeMap::new(), bytes: BTreeMap::new() }
    }

    fn add(&mut self, name: &str, file: fs::File) -> Result<()> {
        let size = file.metadata().with_context(|| format!("look at `{name}`"))?.len();
        let mut content = Hashing { inner: BufReader::new(file).take(size), hash: Sha256::new() };
        let mut header = plain_header(size);
        self.tar
            .append_data(&mut header, name, &mut content)
            .with_context(|| format!("add `{name}` to the backup"))?;
        let digest = HEXLOWER.encode(&content.hash.finalize());
        self.sha256.insert(name.to_owned(), digest);
        self.bytes.insert(name.to_owned(), size);
        Ok(())
    }

    fn finish(mut self, schema: i64, head: Option<Head>) -> Result<Manifest> {
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
        let mut header = plain_header(text.len() as u64);
        self.tar.append_data(&mut header, MANIFEST, text.as_slice())?;
        let gzip = self.tar.into_inner().context("end the archive")?;
        gzip.finish().and_then(|mut it| it.flush()).context("end the backup")?;
        Ok(manifest)
    }
}

fn plain_header(size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    header
}

/// Reads and hashes what it reads.
pub struct Hashing<R> {
    /// From where.
    pub inner: R,
    /// Of all that was read.
    pub hash: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}
