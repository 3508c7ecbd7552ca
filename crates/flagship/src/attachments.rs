//! Copies attachments from the event folder into `files/` of the data folder, named by digest. A
//! failed copy leaves no file behind.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flagship_pack::{Pack, PackFile};
use flagship_server::backup::{FREE_BYTES_MIN, digest, free_bytes, is_intact, mib};

/// Name suffix of unfinished copies.
const PARTIAL: &str = ".part";

/// Returns all attachments of the event files, and the files of `[site]`.
pub fn in_pack(pack: &Pack) -> Vec<&PackFile> {
    let of_challenges = pack.challenges.iter().flat_map(|challenge| &challenge.files);
    of_challenges.chain(&pack.site_files).collect()
}

/// Copies attachments into the data folder; skips existing intact ones. Copies none if they would
/// leave the event too little free space.
pub fn keep(files: &[&PackFile], data: &Path) -> Result<()> {
    let folder = data.join("files");
    fs::create_dir_all(&folder)
        .with_context(|| format!("create the folder `{}`", folder.display()))?;
    remove_partial(&folder)?;
    let missing = files.iter().filter(|file| !is_intact(&folder.join(&file.digest)));
    let missing: BTreeMap<&str, &PackFile> =
        missing.map(|file| (file.digest.as_str(), *file)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    check_space(missing.values().map(|file| file.bytes).sum(), free_bytes(&folder)?)?;
    for file in missing.values() {
        copy(file, &folder).with_context(|| {
            format!("store the attachment `{}`", flagship_pack::place(&file.path))
        })?;
    }
    let synced = File::open(&folder).and_then(|it| it.sync_all());
    synced.with_context(|| format!("sync the folder `{}`", folder.display()))
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

fn check_space(needed: u64, free: u64) -> Result<()> {
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

/// Copies an attachment durably, and checks that it has not changed since the files were read.
fn copy(file: &PackFile, folder: &Path) -> Result<()> {
    // Reads one byte more than expected, to detect a file that has grown.
    let from = file.open()?.take(file.bytes.saturating_add(1));
    let mut partial = tempfile::Builder::new().prefix(".").suffix(PARTIAL).tempfile_in(folder)?;
    // Without lock support in the file system, unfinished copies are just not recognized.
    drop(partial.as_file().lock());
    let digest = digest(from, &mut partial)?;
    ensure!(digest == file.digest, "the file changed while it was being read");
    partial.as_file().sync_all()?;
    partial.persist(folder.join(&file.digest))?;
    Ok(())
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

    #[test]
    fn a_copy_that_fails_leaves_nothing() {
        let (event, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = written(event.path(), "one");
        fs::write(&file.path, "two").unwrap();
        let error = keep(&[&file], data.path()).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("the file changed while it was being read"), "{error}");
        assert_eq!(names(&data.path().join("files")), Vec::<String>::new());
        fs::write(&file.path, "one").unwrap();
        keep(&[&file, &file], data.path()).unwrap();
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
        check_space(10, FREE_BYTES_MIN + 10).unwrap();
        check_space(11, FREE_BYTES_MIN + 10).unwrap_err();
        check_space(u64::MAX, u64::MAX - 1).unwrap_err();
    }
}
