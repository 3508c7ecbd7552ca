//! Copies attachments from the event folder into their storage, named by digest. A failed copy
//! leaves no file behind.

pub mod move_files;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flagship_pack::{Pack, PackFile};
use flagship_server::backup::{FREE_BYTES_MIN, digest, free_bytes, mib};
use flagship_server::storage::{Condition, Location, Storage};

/// Name suffix of unfinished copies.
const PARTIAL: &str = ".part";

/// Returns all attachments of the event files, and the files of `[site]`.
pub fn in_pack(pack: &Pack) -> Vec<&PackFile> {
    let of_challenges = pack.challenges.iter().flat_map(|challenge| &challenge.files);
    of_challenges.chain(&pack.site_files).collect()
}

/// Comparison of a stored file with the event files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Size only, unless the file is in a folder: reading all files of a bucket would delay a
    /// start.
    Size,
    /// Digest of the content.
    Digest,
}

/// Stores attachments; skips existing intact ones, and replaces damaged ones. Stores none if their
/// copies would leave the event too little free space.
pub async fn keep(files: &[&PackFile], storage: &Storage, comparison: Comparison) -> Result<()> {
    let folder = storage.partials();
    fs::create_dir_all(folder)
        .with_context(|| format!("create the folder `{}`", folder.display()))?;
    remove_partial(folder)?;
    let mut missing: BTreeMap<&str, &PackFile> = BTreeMap::new();
    for file in files {
        if !is_stored(file, storage, comparison).await? {
            missing.insert(&file.digest, file);
        }
    }
    check_space(missing.values().map(|file| file.bytes).sum(), || free_bytes(folder))?;
    for file in missing.values() {
        let stored = store(file, storage).await;
        stored.with_context(|| {
            format!("store the attachment `{}`", flagship_pack::place(&file.path))
        })?;
    }
    Ok(())
}

/// True if the storage has the file.
async fn is_stored(file: &PackFile, storage: &Storage, comparison: Comparison) -> Result<bool> {
    let PackFile { digest, bytes, .. } = file;
    if comparison == Comparison::Size && storage.is_shared() {
        let stored = storage.bytes(digest).await.context("look up an attachment")?;
        return Ok(stored == Some(*bytes));
    }
    let condition = storage.condition(digest).await.context("read an attachment")?;
    Ok(condition == Condition::Intact)
}

/// Logs a warning if the data folder has attachments that are not in the storage in use.
pub async fn warn_about_others(storage: &Storage, data: &Path) -> Result<()> {
    if !storage.is_shared() {
        return Ok(());
    }
    let stored = storage.list().await.context("list the attachments")?;
    let in_folder = Storage::folder(data).list().await.context("list the data folder")?;
    let missing = in_folder.iter().filter(|file| !stored.contains(file)).count();
    if missing > 0 {
        let argument = Location::Folder(data.to_owned()).argument();
        tracing::warn!(
            "{missing} attachments are in `{}/files` and not in the storage in use: stop the \
            servers, and run `flagship attachments move` with --attachments {argument} and --to \
            with the storage in use",
            data.display()
        );
    }
    Ok(())
}

/// Removes unfinished copies left by killed processes. Copies in progress are locked.
fn remove_partial(folder: &Path) -> Result<()> {
    let listed = || format!("list `{}`", folder.display());
    for entry in fs::read_dir(folder).with_context(listed)? {
        let path = entry.with_context(listed)?.path();
        if !path.to_string_lossy().ends_with(PARTIAL) {
            continue;
        }
        // Another program may remove it first.
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            drop(fs::remove_file(&path));
        }
    }
    Ok(())
}

fn check_space(needed: u64, free: impl Fn() -> Result<u64>) -> Result<()> {
    if needed == 0 {
        return Ok(());
    }
    let free = free()?;
    ensure!(
        needed.saturating_add(FREE_BYTES_MIN) <= free,
        "not enough disk space: the attachments need {} MiB, but of {} MiB free, {} MiB are \
        reserved for the event; free some space or remove attachments",
        mib(needed) + 1,
        mib(free),
        mib(FREE_BYTES_MIN)
    );
    Ok(())
}

/// Stores an attachment durably, and checks that it has not changed since the files were read.
async fn store(file: &PackFile, storage: &Storage) -> Result<()> {
    let mut partial = storage.new_partial()?;
    let source = file.clone();
    let copied = tokio::task::spawn_blocking(move || {
        // Reads one byte more than expected, to detect a file that has grown.
        let from = source.open()?.take(source.bytes.saturating_add(1));
        let digest = digest(from, &mut partial)?;
        Ok::<_, std::io::Error>((partial, digest))
    });
    let (partial, digest) = copied.await??;
    ensure!(digest == file.digest, "the file changed while it was being read");
    Ok(storage.put(partial, &digest).await?)
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;
    use sha2::{Digest, Sha256};

    use super::*;

    /// A file with `content`, in the form that reading an event folder returns.
    fn written(folder: &Path, content: &str) -> PackFile {
        let path = folder.join("file");
        fs::write(&path, content).expect("it can be written");
        let digest = HEXLOWER.encode(&Sha256::digest(content));
        PackFile {
            link: None,
            digest,
            path,
            bytes: content.len() as u64,
            event: folder.to_owned(),
            picture: None,
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("it is there");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.map(|it| it.file_name());
        entries.map(|it| name(it).expect("it can be read").to_string_lossy().into_owned()).collect()
    }

    #[tokio::test]
    async fn a_copy_that_fails_leaves_nothing() {
        let (event, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = written(event.path(), "one");
        fs::write(&file.path, "two").unwrap();
        let storage = Storage::folder(data.path());
        let error = keep(&[&file], &storage, Comparison::Digest).await.unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("the file changed while it was being read"), "{error}");
        assert_eq!(names(&data.path().join("files")), Vec::<String>::new());
        fs::write(&file.path, "one").unwrap();
        keep(&[&file, &file], &storage, Comparison::Digest).await.unwrap();
        assert_eq!(names(&data.path().join("files")), [file.digest]);
    }

    #[test]
    fn an_unfinished_copy_is_removed_unless_it_is_in_progress() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path(".old.part"), "x").unwrap();
        fs::write(path("abc"), "x").unwrap();
        let going_on = File::create(path(".new.part")).unwrap();
        going_on.lock().unwrap();
        remove_partial(folder.path()).unwrap();
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".new.part", "abc"]);
    }

    #[test]
    fn attachments_leave_the_event_its_space() {
        check_space(10, || Ok(FREE_BYTES_MIN + 10)).unwrap();
        check_space(11, || Ok(FREE_BYTES_MIN + 10)).unwrap_err();
        check_space(u64::MAX, || Ok(u64::MAX - 1)).unwrap_err();
        // Nothing is checked when nothing is copied.
        check_space(0, || Ok(0)).unwrap();
    }
}
