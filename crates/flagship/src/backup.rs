//! `flagship backup`: writes the whole event into one file, also while `flagship serve` is
//! running.
//!
//! The file is a gzipped tar: `tables/NAME.jsonl` with a line for each row, `files/DIGEST`,
//! `secret`, and last `manifest.json` with size and SHA-256 of the other members.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_game::challenge::is_digest;
use flagship_store::dump::{self, Snapshot};
use flagship_store::{Db, Head, Seal};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::attachments::is_intact;
use crate::cli::Installation;
use crate::installation::{FREE_BYTES_MIN, folder_of, free_bytes, mib};
use crate::say::counted;

/// The version of the file format that is written, and the newest that can be read.
pub const FORMAT: u32 = 1;
/// The member that lists all others.
pub const MANIFEST: &str = "manifest.json";
/// Most members besides the manifest. Their names are kept in memory, and the manifest of so many
/// has 12 MB.
pub const MEMBERS_MAX: usize = 50_000;
/// The member with the event's secret.
pub const SECRET: &str = "secret";

/// The manifest of a backup. It contains no secrets.
#[derive(Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the file format.
    pub format: u32,
    /// The version of Flagship that wrote the backup.
    pub flagship: String,
    /// The version of the database's schema.
    pub schema: i64,
    /// The number of the journal's last entry.
    pub entries: i64,
    /// The hash of that entry, not a head as the glossary has it; empty if there are no entries.
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
    /// The checksum over the tables, which does not depend on the kind of database.
    pub fn tables_checksum(&self) -> String {
        let mut hash = Sha256::new();
        for (name, digest) in self.sha256.iter().filter(|(name, _)| name.starts_with("tables/")) {
            hash.update(format!("{name} {digest}\n"));
        }
        HEXLOWER.encode(&hash.finalize())
    }
}

/// Writes the event to a file, atomically.
pub async fn backup(file: &Path, installation: &Installation) -> Result<()> {
    if fs::symlink_metadata(file).is_ok() {
        bail!(
            "`{}` already exists, and a backup overwrites nothing: give another name",
            file.display()
        );
    }
    let (db, key) = installation.open().await?;
    let seal = Seal::open(&db, &key).await?;
    let folder = folder_of(file);
    let partial = partial(file, folder)
        .with_context(|| format!("create a temporary file in `{}`", folder.display()))?;
    check_free_space(&db, installation, folder).await?;
    let now_ms = db.clock().await?.now_ms();
    let (manifest, damaged) = write(&partial, &db, &seal, installation, folder).await?;
    partial.as_file().sync_all().context("write the backup to the disk")?;
    partial
        .persist_noclobber(file)
        .with_context(|| format!("move the backup to `{}`", file.display()))?;
    fs::File::open(folder).and_then(|it| it.sync_all()).context("write the folder to the disk")?;
    if let Err(error) = dump::note(&db, now_ms).await {
        say_error!(
            "flagship: the backup is whole, but organizers do not see that it was made: {error}"
        );
    }
    db.close().await;
    let entries = counted(manifest.entries, "journal entry", "journal entries");
    say!("{entries}, checksum {}", manifest.checksum);
    let Some(first) = damaged.first() else { return Ok(()) };
    bail!(
        "the backup is written, but {} left out: `{}` is not what its name says, because the disk \
         is damaged or another program wrote it. `flagship apply --event DIR` copies attachments \
         of the event's files again; remove any other",
        counted(damaged.len(), "file was", "files were"),
        first.display()
    )
}

/// A temporary file whose name tells what it is, if the program is killed: `.NAME.….part`.
fn partial(file: &Path, folder: &Path) -> std::io::Result<NamedTempFile> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    tempfile::Builder::new().prefix(&prefix).suffix(".part").tempfile_in(folder)
}

/// Refuses a backup that may fill the disk, and one on the disk of the event that may leave it too
/// little space.
async fn check_free_space(db: &Db, installation: &Installation, folder: &Path) -> Result<()> {
    let sizes = attachments(&installation.data)?.into_iter();
    let sizes = sizes.map(|(_, path)| fs::metadata(path).map_or(0, |about| about.len()));
    let needed = db.bytes().await?.saturating_add(sizes.sum());
    let device = |folder: &Path| fs::metadata(folder).ok().map(|about| about.dev());
    let is_shared = device(folder) == device(&installation.data);
    let (free, kept) = (free_bytes(folder)?, if is_shared { FREE_BYTES_MIN } else { 0 });
    ensure!(
        needed.saturating_add(kept) <= free,
        "the backup may need {} MiB, and of {} MiB that are free the event needs {}: free some \
         space, as by moving old backups to another machine, or name a file on another disk",
        mib(needed) + 1,
        mib(free),
        mib(kept)
    );
    Ok(())
}

/// Writes the archive; returns also the files that it leaves out. A backup with a file whose name
/// is not its digest could not be restored.
async fn write(
    partial: &NamedTempFile,
    db: &Db,
    seal: &Seal,
    installation: &Installation,
    folder: &Path,
) -> Result<(Manifest, Vec<PathBuf>)> {
    let gzip = GzEncoder::new(BufWriter::new(partial), Compression::fast());
    let mut archive = Archive::new(gzip);
    let mut snapshot = Snapshot::take(db).await?;
    for table in snapshot.tables().await? {
        // The header of a tar member contains the size, so the rows go to a temporary file first.
        let rows = tempfile::tempfile_in(folder);
        let context = || format!("create a temporary file in `{}`", folder.display());
        let mut rows = BufWriter::new(rows.with_context(context)?);
        snapshot.write(&table, &mut rows).await?;
        let mut rows = rows.into_inner().context("write the rows to a temporary file")?;
        rows.rewind().context("read the rows again")?;
        archive.add(&format!("tables/{}.jsonl", table.name), rows)?;
    }
    let head = snapshot.head().await?.map(|(seq, hash)| seal.head(seq, &hash));
    let schema = snapshot.schema().await?;
    drop(snapshot);
    // An attachment is stored before a journal entry refers to it, and is never deleted. So every
    // attachment that the snapshot refers to exists.
    let attachments = attachments(&installation.data)?;
    ensure!(
        archive.sha256.len() + attachments.len() < MEMBERS_MAX,
        "the data folder has {} attachments, and a backup holds at most {MEMBERS_MAX} files; \
         move those that no challenge uses out of `{}`",
        attachments.len(),
        installation.data.join("files").display()
    );
    let mut damaged = Vec::new();
    for (name, path) in attachments {
        if !is_intact(&path) {
            damaged.push(path);
            continue;
        }
        let file = fs::File::open(&path).with_context(|| format!("read `{}`", path.display()))?;
        archive.add(&format!("files/{name}"), file)?;
    }
    let secret = installation.secret_path();
    let file = fs::File::open(&secret).with_context(|| format!("read `{}`", secret.display()))?;
    archive.add(SECRET, file)?;
    Ok((archive.finish(schema, head)?, damaged))
}

/// The names and paths of the attachments in a data folder, sorted.
fn attachments(data: &Path) -> Result<Vec<(String, PathBuf)>> {
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
        let mut header = file_header(text.len() as u64);
        self.tar.append_data(&mut header, MANIFEST, text.as_slice())?;
        let gzip = self.tar.into_inner().context("finish the archive")?;
        gzip.finish().and_then(|mut it| it.flush()).context("finish writing the backup")?;
        Ok(manifest)
    }
}

/// A tar header with a size, readable by the owner alone.
fn file_header(size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o600);
    header
}

/// A reader that hashes what is read through it.
pub struct Hashing<R> {
    /// The source.
    pub inner: R,
    /// The hash of everything read so far.
    pub hash: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}
