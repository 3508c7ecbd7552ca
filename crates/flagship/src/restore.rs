//! `flagship restore`: restores a backup to SQLite or PostgreSQL.
//!
//! The backup is read to its end and checked before anything is written. Then everything is
//! unpacked into a temporary folder inside the data folder, and restored to a SQLite database there
//! to check it. The database is moved or filled last, so that an interrupted restore leaves no
//! event, and a damaged backup leaves a PostgreSQL database empty. A failed restore removes
//! the files it created. Attachments that are stored elsewhere are moved there at the end.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read, Seek, sink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_game::challenge::is_digest;
use flagship_server::backup::{
    FORMAT, Hashing, MANIFEST, MEMBERS_MAX, Manifest, SECRET, free_bytes, mib,
};
use flagship_server::storage::{Location, Storage};
use flagship_store::dump::EmptyDatabase;
use flagship_store::lane::Writer;
use flagship_store::{Db, Key, journal};
use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::attachments::move_files::move_to;
use crate::cli::Installation;
use crate::installation::write_secret;
use crate::output::counted;

const MANIFEST_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Name prefix of the folder that a backup is unpacked into.
const STAGING: &str = ".restore-";
/// Number of copies of the rows on disk: unpacked, in the database, in its indexes, and in its log.
const TABLES_TIMES: u64 = 4;

/// The first bytes of a gzip file.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Restores a backup into an empty installation.
pub async fn restore(file: &Path, installation: &Installation) -> Result<()> {
    let backup = fs::File::open(file).with_context(|| format!("read `{}`", file.display()))?;
    let damaged = || format!("`{}` is not a valid backup; use another one", file.display());
    let manifest = survey(&backup).with_context(damaged)?;
    // This check comes first: a folder with other contents must not be changed.
    refuse_occupied(installation)?;
    let place = installation.location()?;
    installation.make_folder()?;
    check_free_space(&manifest, &installation.data)?;
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(&installation.data);
    let staging = staging.context("create a folder to unpack into")?;
    unpack(&backup, staging.path()).with_context(damaged)?;
    let secret = fs::read(staging.path().join(SECRET)).context("read the backup's secret")?;
    check_secret(&secret, installation)?;
    let key = Key::new(secret.trim_ascii());
    let database = staging.path().join("flagship.db");
    let staged = Db::connect_sqlite(&database).await?;
    if let Err(error) = check_place(&place, installation, &staged).await {
        staged.close().await;
        return Err(error);
    }
    fill(staged, &manifest, &staging, &key).await?;
    ensure!(
        fs::metadata(staging.path().join("flagship.db-wal")).map_or(0, |log| log.len()) == 0,
        "the restored database was not fully checkpointed; run the command again"
    );
    let moving = "move the restored event into the data folder";
    let mut placed = Placed::default();
    place_files(&staging, installation, &mut placed).context(moving)?;
    if installation.database.is_some() {
        // The database server may be shared, so it is filled last: after the backup was restored to
        // SQLite, and after the secret, without which the rows are useless, was stored.
        let db = installation.connect().await?;
        fill(db, &manifest, &staging, &key).await?;
    } else {
        place_database(&database, installation, &mut placed).context(moving)?;
    }
    placed.keep();
    move_attachments(&place, installation).await?;
    let entries = counted(manifest.entries, "journal entry", "journal entries");
    outln!("{entries}, checksum {}", manifest.checksum);
    Ok(())
}

/// Rejects a bucket that is not writable, before anything is restored.
async fn check_place(place: &Location, installation: &Installation, staged: &Db) -> Result<()> {
    let Location::Bucket(_) = place else { return Ok(()) };
    let storage = installation.storage_at(place, staged)?;
    storage.check().await.with_context(|| format!("write to {place}"))
}

/// Moves the restored attachments from the data folder to the place in use. They are moved last,
/// because they can be in the restored database.
async fn move_attachments(place: &Location, installation: &Installation) -> Result<()> {
    let data = &installation.data;
    if let Location::Folder(folder) = place
        && folder.canonicalize().ok() == data.canonicalize().ok()
    {
        return Ok(());
    }
    let db = installation.connect().await?;
    let moved = move_to(place, &Storage::folder(data), installation, &db).await;
    db.close().await;
    moved.map(drop).with_context(|| {
        format!(
            "the event was restored, but some attachments are still in `{0}/files`. Run `flagship \
            attachments move --to {1}` with --attachments {2}",
            data.display(),
            place.argument(),
            Location::Folder(data.clone()).argument()
        )
    })
}

fn refuse_occupied(installation: &Installation) -> Result<()> {
    let data = installation.data.display();
    if installation.is_folder_empty()? {
        return Ok(());
    }
    let inside = fs::read_dir(&installation.data).context("list the data folder")?;
    let mut names = inside.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    if let Some(staging) = names.find(|name| name.starts_with(STAGING)) {
        bail!(
            "a previous restore into `{data}` was interrupted. If `flagship journal verify` \
            succeeds, just delete `{}`; otherwise use a new --data folder (and, with PostgreSQL, \
            an empty database)",
            installation.data.join(staging).display()
        );
    }
    bail!("the data folder `{data}` is not empty; use a new or empty --data folder");
}

/// Reads a backup to its end and checks it; returns the manifest with the actual sizes.
pub fn survey(backup: &fs::File) -> Result<Manifest> {
    read(backup, |_, content| Ok(std::io::copy(content, &mut sink())?))
}

fn unpack(backup: &fs::File, into: &Path) -> Result<()> {
    for folder in ["tables", "files"] {
        fs::create_dir(into.join(folder))?;
    }
    read(backup, |name, content| {
        let mut out = fs::File::create_new(into.join(name))?;
        let bytes = std::io::copy(content, &mut out)?;
        out.sync_all()?;
        Ok(bytes)
    })?;
    Ok(())
}

/// Passes each member to `take`, like `read_members`. Replaces library errors about invalid or
/// truncated backups with our own messages.
fn read(
    mut backup: &fs::File,
    take: impl FnMut(&str, &mut dyn Read) -> Result<u64>,
) -> Result<Manifest> {
    backup.rewind().context("seek to its start")?;
    let mut begin = Vec::new();
    backup.take(GZIP.len() as u64).read_to_end(&mut begin)?;
    ensure!(begin == GZIP, "it was not written by Flagship");
    read_members(backup, take).map_err(|error| {
        let causes = || error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
        let is_of_system = causes().any(|cause| cause.raw_os_error().is_some());
        match causes().next() {
            Some(_) if !is_of_system => anyhow!("it is truncated or damaged"),
            _ => error,
        }
    })
}

/// Passes each member to `take`, which reads it and returns its size; then checks all members
/// against the manifest. Rejects members that do not belong in a backup.
fn read_members(
    mut backup: &fs::File,
    mut take: impl FnMut(&str, &mut dyn Read) -> Result<u64>,
) -> Result<Manifest> {
    backup.rewind().context("seek to its start")?;
    let mut archive = tar::Archive::new(GzDecoder::new(BufReader::new(backup)));
    let mut sha256 = BTreeMap::new();
    let mut bytes = BTreeMap::new();
    let mut manifest = None;
    // Reads raw members: otherwise the library would read names of any length into memory.
    for member in archive.entries()?.raw(true) {
        let member = member?;
        let name = String::from_utf8(member.path_bytes().into_owned())?;
        ensure!(manifest.is_none(), "unexpected data after the manifest");
        ensure!(
            member.header().entry_type().is_file(),
            "the member {name:?} is not a regular file"
        );
        if name == MANIFEST {
            manifest = Some(serde_json::from_reader(member.take(MANIFEST_BYTES_MAX))?);
            continue;
        }
        ensure!(is_member(&name), "the member {name:?} does not belong in a backup");
        ensure!(!sha256.contains_key(&name), "duplicate member {name:?}");
        ensure!(
            sha256.len() < MEMBERS_MAX,
            "it has more than {MEMBERS_MAX} members, the maximum for a backup"
        );
        let mut content = Hashing { inner: member, hash: Sha256::new() };
        let taken = take(&name, &mut content);
        bytes.insert(name.clone(), taken.with_context(|| format!("the member {name:?}"))?);
        sha256.insert(name, HEXLOWER.encode(&content.hash.finalize()));
    }
    // Reads to the end, where gzip's checksum is verified.
    std::io::copy(&mut archive.into_inner(), &mut sink())?;
    let mut manifest: Manifest = manifest.context("the end of the file is missing")?;
    check_manifest(&manifest, &sha256, &bytes)?;
    manifest.bytes = bytes;
    Ok(manifest)
}

/// Checks that this version can read the backup, and that the manifest matches the members.
fn check_manifest(
    manifest: &Manifest,
    sha256: &BTreeMap<String, String>,
    bytes: &BTreeMap<String, u64>,
) -> Result<()> {
    ensure!(
        manifest.format <= FORMAT,
        "it was written by a newer Flagship ({:?}); use that version or a later one",
        manifest.flagship
    );
    let has_sizes = manifest.bytes.is_empty() || manifest.bytes == *bytes;
    ensure!(
        manifest.sha256 == *sha256 && manifest.checksum == manifest.tables_checksum() && has_sizes,
        "the members differ from the manifest"
    );
    ensure!(sha256.contains_key(SECRET), "the secret is missing");
    for (name, digest) in sha256 {
        let attachment = name.strip_prefix("files/");
        ensure!(
            attachment.is_none_or(|name| name == digest),
            "the attachment {name:?} does not match its checksum"
        );
    }
    Ok(())
}

/// Refuses a backup that does not fit on the disk.
fn check_free_space(manifest: &Manifest, data: &Path) -> Result<()> {
    let (needed, free) = (needed_bytes(&manifest.bytes), free_bytes(data)?);
    ensure!(
        needed <= free,
        "not enough disk space: the backup needs {} MiB, {} MiB are free; free some space or use \
         another --data folder",
        mib(needed),
        mib(free)
    );
    Ok(())
}

/// Space that a restore needs for members of these sizes: files once, tables several times.
fn needed_bytes(sizes: &BTreeMap<String, u64>) -> u64 {
    let times = |name: &str| if name.starts_with("tables/") { TABLES_TIMES } else { 1 };
    let needed = sizes.iter().map(|(name, size)| size.saturating_mul(times(name)));
    needed.fold(0, u64::saturating_add)
}

/// True if a backup may contain a member of this name.
fn is_member(name: &str) -> bool {
    let is_table = |name: &str| {
        name.strip_suffix(".jsonl")
            .is_some_and(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    };
    match name.split_once('/') {
        Some(("tables", name)) => is_table(name),
        Some(("files", name)) => is_digest(name),
        _ => name == SECRET,
    }
}

/// Fills an empty database, checks the result and closes the database.
async fn fill(db: Db, manifest: &Manifest, staging: &TempDir, key: &Key) -> Result<()> {
    let filled = async {
        let tables = staging.path().join("tables");
        let lines_of = |table: &str| {
            let file = fs::File::open(tables.join(format!("{table}.jsonl")))?;
            Ok(BufReader::new(file))
        };
        let blank = EmptyDatabase::new(db.clone(), manifest.schema).await?;
        let db = blank.fill(lines_of).await.context("fill the database")?;
        check(&db, key, manifest).await?;
        // Closing would ignore a full disk and leave rows in a log that is not moved.
        db.checkpoint().await.context("write the restored database to the disk")
    };
    let filled = filled.await;
    // The database is closed even after an error: otherwise it could write to the folder during its
    // removal.
    db.close().await;
    filled
}

/// Checks that an existing secret file has the same content as the backup's secret.
fn check_secret(secret: &[u8], installation: &Installation) -> Result<()> {
    let path = installation.secret_path();
    if path.exists() {
        let there = fs::read(&path).with_context(|| format!("read `{}`", path.display()))?;
        ensure!(
            there.trim_ascii() == secret.trim_ascii(),
            "`{}` contains a different secret from the backup's; move that file away",
            path.display()
        );
    }
    Ok(())
}

/// Verifies the restored journal with the backup's secret, and compares its head with the manifest.
async fn check(db: &Db, key: &Key, manifest: &Manifest) -> Result<()> {
    let writer = Writer::open(db.clone(), key, db.clock().await?).await?;
    if manifest.entries != writer.contest().seq()
        || manifest.entries > 0 && manifest.head != writer.head()
    {
        bail!("the restored journal differs from the one that was backed up");
    }
    Ok(journal::check_solves(db).await?)
}

/// Files placed by a restore. Removed on drop unless `keep` was called, so that the restore can be
/// repeated.
#[derive(Default)]
struct Placed(Vec<PathBuf>);

impl Placed {
    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        for path in self.0.drain(..) {
            let removed =
                if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            if let Err(error) = removed {
                errln!("`{}` could not be removed ({error}); delete it", path.display());
            }
        }
    }
}

/// Moves the unpacked attachments and the secret into the data folder.
fn place_files(staging: &TempDir, installation: &Installation, placed: &mut Placed) -> Result<()> {
    let (from, data) = (staging.path(), &installation.data);
    let files = data.join("files");
    fs::rename(from.join("files"), &files)?;
    placed.0.push(files);
    let secret = installation.secret_path();
    if !secret.exists() {
        // A rename would fail if the secret is on another file system than the data folder.
        let put = write_secret(&secret, &fs::read(from.join(SECRET))?);
        if secret.exists() {
            placed.0.push(secret);
        }
        put?;
    }
    Ok(fs::File::open(data)?.sync_all()?)
}

/// Moves the SQLite database, which is complete in one file, into the data folder.
fn place_database(from: &Path, installation: &Installation, placed: &mut Placed) -> Result<()> {
    fs::File::open(from)?.sync_all()?;
    let to = installation.database_file();
    fs::rename(from, &to)?;
    placed.0.push(to);
    Ok(fs::File::open(&installation.data)?.sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expected_members_are_unpacked() {
        let digest = "ab".repeat(32);
        let file = format!("files/{digest}");
        for name in ["secret", "tables/journal.jsonl", "tables/mail_tokens.jsonl", &file] {
            assert!(is_member(name), "{name}");
        }
        let up = format!("files/../{digest}");
        let upper = file.to_uppercase();
        for name in ["../secret", "/secret", "tables/../secret", "tables/x.jsonl/y", "files/x"]
            .into_iter()
            .chain([up.as_str(), &upper, "", "flagship.db", "mail/x.eml", "tables/", "secret/"])
        {
            assert!(!is_member(name), "{name}");
        }
    }

    #[test]
    fn tables_need_their_size_several_times() {
        let sizes = [("tables/journal.jsonl", 10), ("files/ab", 100), ("secret", 1)];
        let sizes = sizes.map(|(name, size)| (name.to_owned(), size));
        assert_eq!(needed_bytes(&sizes.into()), 141);
        assert_eq!(needed_bytes(&[("tables/x.jsonl".to_owned(), u64::MAX)].into()), u64::MAX);
    }
}
