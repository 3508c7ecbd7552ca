//! Compares three versions of a challenge: last applied, in the file, and live. Only parsed values
//! count; comments, quotes and blank lines are ignored.

use std::collections::{BTreeSet, HashMap};

use super::same::{self, Budget};
use crate::problem::quote;
use crate::yaml::{self, Document, Node};

/// Placeholder key for a text that cannot be parsed.
const WHOLE: &str = "(the whole file)";

/// Differences of the file and the live version from the last applied version. The lists contain
/// the sorted top-level keys that differ, never values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Neither version has changed.
    Same,
    /// Only the file has changed.
    FilesChanged(Vec<String>),
    /// Only the live version has changed.
    LiveChanged(Vec<String>),
    /// Both have changed to the same values.
    BothSame(Vec<String>),
    /// Both have changed, and the file contains all live edits. The keys are those that only the
    /// file changes.
    Merged(Vec<String>),
    /// Both have changed to different values.
    Conflict(Conflict),
}

/// Differences if both sides have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Keys changed in the file.
    pub files: Vec<String>,
    /// Keys changed live.
    pub live: Vec<String>,
    /// Keys changed on both sides to different values. If empty, the changes do not overlap.
    pub both: Vec<String>,
}

/// Compares three versions of one `challenge.yml`: last applied, in the folder, and live. `None`
/// means that the challenge does not exist.
pub fn three_way(base: Option<&str>, files: Option<&str>, live: Option<&str>) -> State {
    let [base, files, live] = [base, files, live].map(Side::of);
    let mut budget = Budget::new();
    let by_files = base.difference(&files, &mut budget);
    let by_live = base.difference(&live, &mut budget);
    match (by_files.is_empty(), by_live.is_empty()) {
        (true, true) => return State::Same,
        (false, true) => return State::FilesChanged(by_files),
        (true, false) => return State::LiveChanged(by_live),
        (false, false) => {}
    }
    let between = files.difference(&live, &mut budget);
    if between.is_empty() {
        return State::BothSame(by_files);
    }
    let is_behind = |key: &String| key == WHOLE || by_live.contains(key);
    if !matches!(files, Side::Absent) && !between.iter().any(is_behind) {
        return State::Merged(between);
    }
    let is_whole = |keys: &[String]| keys.iter().any(|key| key == WHOLE);
    let both = match (is_whole(&by_files), is_whole(&by_live)) {
        (true, _) => by_live.clone(),
        (_, true) => by_files.clone(),
        _ => {
            let is_both = |key: &String| by_files.contains(key) && by_live.contains(key);
            between.into_iter().filter(is_both).collect()
        }
    };
    State::Conflict(Conflict { files: by_files, live: by_live, both })
}

/// One of the three versions.
enum Side<'t> {
    Absent,
    Readable(&'t str, Document),
    /// Compared as text.
    Unreadable(&'t str),
}

impl<'t> Side<'t> {
    fn of(text: Option<&'t str>) -> Self {
        let Some(text) = text else { return Self::Absent };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match yaml::parse(text) {
            Ok(document) if document.second.is_none() => Self::Readable(text, document),
            Ok(_) | Err(_) => Self::Unreadable(text),
        }
    }

    /// Returns the sorted keys whose values differ.
    fn difference(&self, other: &Self, budget: &mut Budget) -> Vec<String> {
        let whole = || vec![WHOLE.to_owned()];
        match (self, other) {
            (Self::Absent, Self::Absent) => Vec::new(),
            (Self::Unreadable(one), Self::Unreadable(other)) if one == other => Vec::new(),
            (Self::Readable(one, _), Self::Readable(other, _)) if one == other => Vec::new(),
            (Self::Readable(_, one), Self::Readable(_, other)) => {
                let (one, other) = (&one.root, &other.root);
                if one.entries().is_empty() && other.entries().is_empty() {
                    return if same::nodes(one, other, budget) { Vec::new() } else { whole() };
                }
                keys(one, other, budget)
            }
            (Self::Absent, Self::Readable(_, there)) | (Self::Readable(_, there), Self::Absent) => {
                let keys: BTreeSet<&str> = same::entries(&there.root).into_keys().collect();
                if keys.is_empty() { whole() } else { shown(keys) }
            }
            _ => whole(),
        }
    }
}

/// Keys of two mappings whose values differ; null is the same as a missing key.
fn keys(one: &Node, other: &Node, budget: &mut Budget) -> Vec<String> {
    let (one, other) = (same::entries(one), same::entries(other));
    let all: BTreeSet<&str> = one.keys().chain(other.keys()).copied().collect();
    let differs = |key: &&str| {
        let there = |map: &HashMap<&str, &Node>| map.get(key).is_some_and(|it| !it.is_null());
        match (there(&one), there(&other)) {
            (false, false) => false,
            (true, true) => !same::nodes(one[key], other[key], budget),
            _ => true,
        }
    };
    shown(all.into_iter().filter(differs).collect())
}

/// Sanitizes keys for messages, because keys are written by the author.
fn shown(keys: BTreeSet<&str>) -> Vec<String> {
    keys.into_iter().map(|key| quote(key).trim_matches('`').to_owned()).collect()
}
