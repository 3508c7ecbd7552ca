//! What tests compare with and the repository does not have: challenges and scoreboards of real
//! events, in the folder `FLAGSHIP_TEST_DATA`, by default `shared/data` beside the checkout; and
//! PyYAML.

use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of a file or folder of the data. If it does not exist, prints a line and returns
/// `None`.
///
/// # Panics
/// If it does not exist and `CI=true`.
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
    eprintln!("skipped: {} is not here", path.display());
    None
}

/// Copies a folder recursively.
///
/// # Errors
/// Reading or writing fails.
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

/// A Python that has PyYAML. If there is none, prints a line and returns `None`.
///
/// # Panics
/// If there is none and `CI=true`.
#[must_use]
pub fn python_with_yaml() -> Option<&'static str> {
    let has_yaml = |python: &&str| {
        let run = Command::new(python).args(["-c", "import yaml"]).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has_yaml);
    let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(found.is_some() || !ci, "no Python has PyYAML, and CI=true: install python3-yaml");
    if found.is_none() {
        eprintln!("skipped: no Python has PyYAML");
    }
    found
}
