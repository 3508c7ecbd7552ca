//! Finds the challenge descriptors below `challenges/`: in the same order on every machine, without
//! following links, within limits.

use std::fs;
use std::path::{Path, PathBuf};

use crate::problem::{Problem, Report, Severity, nearest, reason};

/// The deepest folder, counted from the event folder.
pub const DEPTH_MAX: usize = 16;

/// The most files and folders that are visited.
pub const ENTRIES_MAX: usize = 100_000;

/// The deepest folder that is searched for descriptors outside their place.
const OUTSIDE_DEPTH_MAX: usize = 2;

/// The most files and folders that are visited there.
const OUTSIDE_ENTRIES_MAX: usize = 10_000;

/// The file name of a descriptor.
pub(crate) const DESCRIPTOR: &str = "challenge.yml";

/// Names, compared without case, of descriptors in another format.
const OTHERS: [&str; 2] = ["challenge.yml", "challenge.yaml"];

/// Whether a file of this name may be a descriptor, in any format.
pub(crate) fn is_descriptor(name: &str) -> bool {
    OTHERS.contains(&name.to_lowercase().as_str())
}

/// How a file is like a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Like {
    /// A `challenge.yml` is in the same folder.
    Beside,
    /// It has the name but for case or `yaml`.
    Named,
    /// Its name may be a misspelled one, as `challange.yml`.
    Near,
    /// The same, with a `challenge.yml` in the same folder.
    NearBeside,
    /// It has more in its name, as `challenge-2.yml`, and may be anything.
    Longer,
}

/// The result of the search; paths are relative to the event folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Files called `challenge.yml`.
    pub(crate) descriptors: Vec<PathBuf>,
    /// Files with almost this name.
    pub(crate) others: Vec<(PathBuf, Like)>,
    pub(crate) problems: Vec<Problem>,
}

/// Searches `below`, relative to `root`. A folder's files come before its subfolders, both sorted
/// by name.
pub(crate) fn descriptors(root: &Path, below: &Path) -> Found {
    let mut found = Found::default();
    let mut folders = vec![below.to_owned()];
    let mut entries_left = ENTRIES_MAX;
    while let Some(folder) = folders.pop() {
        let entries = match entries(&root.join(&folder), &mut entries_left) {
            Ok(entries) => entries,
            Err(why) => {
                found.problem(Severity::Error, &folder, why);
                continue;
            }
        };
        let beside = entries.iter().any(|(name, kind)| name == DESCRIPTOR && *kind == Kind::File);
        for (name, kind) in entries.iter().rev().filter(|(_, kind)| *kind == Kind::Folder) {
            let path = folder.join(name);
            if path.components().count() > DEPTH_MAX {
                let why = format!("folders deeper than {DEPTH_MAX} are not looked into");
                found.problem(Severity::Warning, &path, why);
            } else if !name.starts_with('.') && *kind == Kind::Folder {
                folders.push(path);
            }
        }
        for (name, kind) in entries {
            found.take(folder.join(&name), &name, kind, beside);
        }
        if entries_left == 0 {
            let why = format!("there are more than {ENTRIES_MAX} files; the rest is not read");
            found.problem(Severity::Error, &folder, why);
            break;
        }
    }
    found
}

/// The folders of the event folder `root` that hold descriptors although they are not below
/// `inside`: the first descriptor in each, and how many there are. Only a few levels are looked at.
pub(crate) fn outside(root: &Path, inside: &[&str]) -> Vec<(PathBuf, usize)> {
    let mut found: Vec<(PathBuf, usize)> = Vec::new();
    let mut left = OUTSIDE_ENTRIES_MAX;
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let entries = entries(&root.join(&folder), &mut left).unwrap_or_default();
        for (name, kind) in entries.iter().rev() {
            let path = folder.join(name);
            let is_deep = path.components().count() > OUTSIDE_DEPTH_MAX;
            let is_inside = folder.as_os_str().is_empty() && inside.contains(&name.as_str());
            match kind {
                Kind::Folder if !is_deep && !is_inside && !name.starts_with('.') => {
                    folders.push(path);
                }
                Kind::File if name == DESCRIPTOR => match found.last_mut() {
                    Some((first, count)) if is_same_top(first, &path) => *count += 1,
                    _ => found.push((path, 1)),
                },
                _ => {}
            }
        }
    }
    found
}

/// Whether two paths begin with the same folder.
fn is_same_top(a: &Path, b: &Path) -> bool {
    a.components().next() == b.components().next()
}

/// Whether a name in lower case may be a misspelled one of a descriptor.
fn is_near(name: &str) -> bool {
    let name = name.strip_suffix(".txt").unwrap_or(name);
    let Some((stem, "yml" | "yaml")) = name.rsplit_once('.') else { return false };
    stem.starts_with("chal") && stem.len() <= "challenge".len()
        || nearest(["challenge"], stem).is_some_and(|(_, is_close)| is_close)
}

/// Whether a name in lower case is that of a descriptor with more behind it, as several in one
/// folder have.
fn is_longer(name: &str) -> bool {
    let stem = name.rsplit_once('.').filter(|(_, end)| ["yml", "yaml"].contains(end));
    let more = stem.and_then(|(stem, _)| stem.strip_prefix("challenge"));
    more.is_some_and(|more| more.starts_with(['-', '_', '.', ' ']) || is_number(more))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Link { to_folder: bool },
    Other,
}

/// The sorted entries of a folder, at most `left` of them.
fn entries(path: &Path, left: &mut usize) -> Result<Vec<(String, Kind)>, String> {
    let unreadable = |error: std::io::Error| format!("cannot be looked into: {}", reason(&error));
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let kind = entry.file_type().map_err(unreadable)?;
        let kind = if kind.is_symlink() {
            Kind::Link { to_folder: entry.path().is_dir() }
        } else if kind.is_dir() {
            Kind::Folder
        } else if kind.is_file() {
            Kind::File
        } else {
            Kind::Other
        };
        entries.push((name, kind));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

impl Found {
    fn take(&mut self, path: PathBuf, name: &str, kind: Kind, beside: bool) {
        let name_below = name.to_lowercase();
        let like = is_descriptor(name);
        match kind {
            Kind::File if name == DESCRIPTOR => self.descriptors.push(path),
            Kind::File if like && beside => self.others.push((path, Like::Beside)),
            Kind::File if like => self.others.push((path, Like::Named)),
            Kind::File if is_longer(&name_below) => self.others.push((path, Like::Longer)),
            Kind::File if is_near(&name_below) => {
                let like = if beside { Like::NearBeside } else { Like::Near };
                self.others.push((path, like));
            }
            Kind::Link { .. } if name == DESCRIPTOR => {
                let why =
                    "this is a symbolic link, which is not followed; put the file itself here";
                self.problem(Severity::Error, &path, why);
            }
            Kind::Link { to_folder: true } if !name.starts_with('.') => {
                let why = "this folder is a symbolic link and is not looked into";
                self.problem(Severity::Warning, &path, why);
            }
            Kind::Other if like => {
                self.problem(Severity::Error, &path, "this is not an ordinary file");
            }
            Kind::Folder if like => {
                self.problem(Severity::Warning, &path, "this is a folder, not a descriptor");
            }
            Kind::File | Kind::Folder | Kind::Link { .. } | Kind::Other => {}
        }
    }

    fn problem(&mut self, severity: Severity, path: &Path, message: impl Into<String>) {
        let mut report = Report::new(path);
        match severity {
            Severity::Error => report.error(1, message),
            Severity::Warning => report.warning(1, message),
            Severity::Note => report.note(1, message),
        }
        self.problems.extend(report.finish());
    }
}
