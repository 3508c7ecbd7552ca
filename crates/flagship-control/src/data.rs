//! Optional data of real events, which tests compare with and which is not in the repository:
//! challenges, scoreboards and team names. This module does not read the data.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Variable with the folder of the data. While it is unset, the data is optional.
pub const DATA: &str = "FLAGSHIP_TEST_DATA";
/// Variable with a file to which tests append lines about checks that they skipped. A test runner
/// hides the output of tests that pass, so `cargo xtask test` reads them there.
pub const NOT_CHECKED: &str = "FLAGSHIP_NOT_CHECKED";

/// Path of a file or folder of the data. Without the data, reports the skipped check and returns
/// `None`. The default folder is `shared/data` beside the checkout.
///
/// # Panics
/// If `FLAGSHIP_TEST_DATA` is set and its folder does not have `path`.
#[must_use]
pub fn shared_data(path: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = find(std::env::var_os(DATA), &beside, path);
    if found.is_none() {
        not_checked(&format!("tests with {path} of real events: set {DATA} to their folder"));
    }
    found
}

fn find(configured: Option<OsString>, beside: &Path, path: &str) -> Option<PathBuf> {
    let is_required = configured.is_some();
    let found = configured.map_or_else(|| beside.to_owned(), PathBuf::from).join(path);
    let exists = found.exists();
    assert!(exists || !is_required, "{DATA} is set, and {} does not exist", found.display());
    exists.then_some(found)
}

/// Prints `NOT CHECKED: ` and the text, also for the summary of `cargo xtask test`.
///
/// # Panics
/// If the file of `FLAGSHIP_NOT_CHECKED` cannot be written.
pub fn not_checked(what: &str) {
    let line = format!("NOT CHECKED: {what}");
    eprintln!("{line}");
    let Some(file) = std::env::var_os(NOT_CHECKED) else { return };
    let opened = OpenOptions::new().create(true).append(true).open(file);
    let written = opened.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    written.expect("the file of skipped checks can be written");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_with_nothing_beside_it_has_no_data() {
        assert_eq!(find(None, Path::new("/nonexistent"), "team-names.json"), None);
    }

    #[test]
    fn data_beside_the_checkout_is_found() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(find(None, here, "Cargo.toml"), Some(here.join("Cargo.toml")));
    }

    #[test]
    fn the_configured_folder_wins() {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let found = find(Some(here.clone().into()), Path::new("/nonexistent"), "Cargo.toml");
        assert_eq!(found, Some(here.join("Cargo.toml")));
    }

    #[test]
    #[should_panic(expected = "FLAGSHIP_TEST_DATA is set, and /nonexistent/a does not exist")]
    fn a_file_that_a_configured_folder_does_not_have_is_a_failure() {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR"));
        let _found = find(Some("/nonexistent".into()), beside, "a");
    }
}
