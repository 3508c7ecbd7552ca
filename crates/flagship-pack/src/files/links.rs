//! Resolves symbolic links inside a challenge folder. Links cannot lead out of it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of links in one path.
const LINKS_MAX: usize = 8;

/// Resolves the links in `relative`, a path inside the challenge folder `root`. Returns `None` if a
/// link leads out of the folder. Callers must open the result without following links, because the
/// folder can change in between.
pub(super) fn followed(root: &Path, relative: &Path) -> Option<PathBuf> {
    let mut left: VecDeque<OsString> = relative.iter().map(OsString::from).collect();
    let mut path = PathBuf::new();
    let mut links = 0;
    while let Some(name) = left.pop_front() {
        if name == "." {
            continue;
        }
        if name == ".." {
            if !path.pop() {
                return None;
            }
            continue;
        }
        let Ok(target) = fs::read_link(root.join(&path).join(&name)) else {
            path.push(name);
            continue;
        };
        links += 1;
        if links > LINKS_MAX || target.is_absolute() {
            return None;
        }
        for part in target.iter().rev() {
            left.push_front(part.to_owned());
        }
    }
    Some(path)
}
