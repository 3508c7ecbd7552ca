//! Copies of the data of real events, and a Python that has PyYAML.

use std::fs;
use std::io::Result;
use std::path::Path;
use std::process::{Command, Stdio};

use flagship_control::not_checked;

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
        not_checked("challenges against PyYAML: no Python has it");
    }
    found
}
