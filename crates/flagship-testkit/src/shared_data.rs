//! Real challenges and scoreboards, which are no part of the repository: `FLAGSHIP_TEST_DATA`, or
//! the folder `shared/data` beside the checkout.

use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

/// A file or folder of the data; without the data, nothing, and a line that says so.
///
/// # Panics
/// When it is not there and `CI=true`.
#[must_use]
pub fn shared_data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("FLAGSHIP_TEST_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = root.join(path);
    if path.exists() {
        return Some(path);
    }
    let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!ci, "{} is not here, and CI=true: set FLAGSHIP_TEST_DATA", path.display());
    eprintln!("passed over: {} is not here", path.display());
    None
}

/// Copies a folder with all that is below it.
///
/// # Errors
/// Whatever reading or writing gives.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
