//! Finds the challenge descriptors in `challenges/`: in the same order on every machine, without
//! following links, within limits.

use std::fs;
use std::path::{Path, PathBuf};

use crate::problem::{Problem, Report, Severity, nearest, reason};

/// Maximum folder depth, counted from the event folder.
pub const DEPTH_MAX: usize = 16;

/// Maximum number of files and folders visited.
pub const ENTRIES_MAX: usize = 100_000;

/// Maximum folder depth of the search for descriptors outside `challenges/`.
const OUTSIDE_DEPTH_MAX: usize = 2;

/// Maximum number of files and folders visited outside `challenges/`.
const OUTSIDE_ENTRIES_MAX: usize = 10_000;

/// File name of a descriptor.
pub(crate) const DESCRIPTOR: &str = "challenge.yml";

/// File names of descriptors in any format, in lower case.
const OTHERS: [&str; 2] = ["challenge.yml", "challenge.yaml"];

/// True if a file of this name can be a descriptor, in any format.
pub(crate) fn is_descriptor(name: &str) -> bool {
    OTHERS.contains(&name.to_lowercase().as_str())
}

/// Similarity of a file name to that of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookalike {
    /// Another spelling, with a `challenge.yml` in the same folder.
    Beside,
    /// The name differs only in case or by `.yaml`.
    Named,
    /// The name looks misspelled, like `challange.yml`.
    Near,
    /// The name looks misspelled, with a `challenge.yml` in the same folder.
    NearBeside,
    /// The name has a suffix, like `challenge-2.yml`; the file can be anything.
    Longer,
}

/// Result of the search. Paths are relative to the event folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Files named `challenge.yml`.
    pub(crate) descriptors: Vec<PathBuf>,
    /// Files with similar names.
    pub(crate) others: Vec<(PathBuf, Lookalike)>,
    pub(crate) problems: Vec<Problem>,
}

/// Searches `below`, relative to `root`. Files of a folder come before its subfolders, both sorted
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
                let why = format!("folders nested deeper than {DEPTH_MAX} are ignored");
                found.problem(Severity::Warning, &path, why);
            } else if !name.starts_with('.') && *kind == Kind::Folder {
                folders.push(path);
            }
        }
        for (name, kind) in entries {
            found.take(folder.join(&name), &name, kind, beside);
        }
        if entries_left == 0 {
            let why = format!("more than {ENTRIES_MAX} files; the rest is ignored");
            found.problem(Severity::Error, &folder, why);
            break;
        }
    }
    found
}

/// Finds descriptors in the event folder `root` outside the folders `inside`: the first descriptor
/// per top-level folder, and their number. Only a few levels are searched.
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

/// True if two paths start with the same folder.
fn is_same_top(a: &Path, b: &Path) -> bool {
    a.components().next() == b.components().next()
}

/// True if a lower-case name looks like a misspelled descriptor name.
fn is_near(name: &str) -> bool {
    let name = name.strip_suffix(".txt").unwrap_or(name);
    let Some((stem, "yml" | "yaml")) = name.rsplit_once('.') else { return false };
    stem.starts_with("chal") && stem.len() <= "challenge".len()
        || nearest(["challenge"], stem).is_some_and(|(_, is_close)| is_close)
}

/// True if a lower-case name is a descriptor name with a suffix, as used for several challenges in
/// one folder.
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

/// Returns the sorted entries of a folder, at most `left` of them.
fn entries(path: &Path, left: &mut usize) -> Result<Vec<(String, Kind)>, String> {
    let unreadable = |error: std::io::Error| format!("cannot read the folder: {}", reason(&error));
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
            Kind::File if like && beside => self.others.push((path, Lookalike::Beside)),
            Kind::File if like => self.others.push((path, Lookalike::Named)),
            Kind::File if is_longer(&name_below) => self.others.push((path, Lookalike::Longer)),
            Kind::File if is_near(&name_below) => {
                let like = if beside { Lookalike::NearBeside } else { Lookalike::Near };
                self.others.push((path, like));
            }
            Kind::Link { .. } if name == DESCRIPTOR => {
                let why = "symbolic links are not followed; put the file itself here";
                self.problem(Severity::Error, &path, why);
            }
            Kind::Link { to_folder: true } if !name.starts_with('.') => {
                let why = "symbolic links are not followed; put the folder itself here";
                self.problem(Severity::Warning, &path, why);
            }
            Kind::Other if like => {
                self.problem(Severity::Error, &path, "not a regular file");
            }
            Kind::Folder if like => {
                self.problem(Severity::Warning, &path, "a folder, not a challenge file");
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
