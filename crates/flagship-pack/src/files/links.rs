//! Follows symbolic links inside a challenge's folder. A link is no way out of it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The most links of one path.
const LINKS_MAX: usize = 8;

/// The path of `relative`, below the challenge's folder `root`, without links; `None` if one leads
/// out of the folder, or nowhere. Whoever opens it has to refuse links: it may change meanwhile.
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
