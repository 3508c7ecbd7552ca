//! Recognises descriptors of other formats, so that the problem can name the format.

use crate::problem::Report;
use crate::walk::Like;
use crate::yaml::{self, Node};

/// Other formats and the keys that identify them; all keys of a row must be present.
const FORMATS: [(&str, &[&str]); 5] = [
    ("kCTF", &["apiVersion", "kind"]),
    ("kCTF", &["deploy", "powDifficultySeconds"]),
    ("potluck", &["title", "challenge_id"]),
    ("rcds", &["flag", "description"]),
    ("rcds", &["provide"]),
];

/// Keys that only a ctfcli file has.
const CTFCLI: [&str; 4] = ["type", "extra", "state", "connection_info"];

/// Keys that only an rcds file has.
const RCDS: [&str; 3] = ["provide", "expose", "containers"];

/// The name of the format of `root`, if it is a known one other than ctfcli's.
pub(crate) fn format(root: &Node) -> Option<&'static str> {
    let has = |key: &&str| root.get(key).is_some();
    // A file with `flag` for `flags` is in the ctfcli format all the same.
    let is_ctfcli = has(&"flags") || (CTFCLI.iter().any(has) && !RCDS.iter().any(has));
    if has(&"name") && is_ctfcli {
        return None;
    }
    FORMATS.iter().find(|(_, keys)| keys.iter().all(has)).map(|(format, _)| *format)
}

/// What is wrong with a descriptor of another format.
pub(crate) fn message(format: &str) -> String {
    let advice = match format {
        "rcds" => "; the ctfcli format has a list `flags` in place of `flag`",
        _ => "",
    };
    format!("not the ctfcli format: this is a {format} descriptor{advice}")
}

/// Reports why a file with almost the name of a descriptor is not read. It is `alone` if no other
/// one is in its folder.
pub(crate) fn explain(text: Option<&str>, like: Like, alone: bool, report: &mut Report) {
    if like == Like::Beside {
        let message = "not the ctfcli format: only the `challenge.yml` beside it is read";
        report.note(1, message);
        return;
    }
    if like == Like::NearBeside {
        let message = "this file is not read, only the `challenge.yml` beside it: remove it, or \
                       give it a folder of its own, as `challenge.yml`";
        report.warning(1, message);
        return;
    }
    let Some(text) = text else { return };
    let document = match yaml::parse(text) {
        Ok(document) => document,
        Err(_) if like == Like::Longer => return,
        Err(broken) => {
            let message = format!("not the ctfcli format, and {}", broken.message);
            report.error(broken.line, message);
            return;
        }
    };
    let root = &document.root;
    let line = root.entries().first().map_or(1, |entry| entry.line);
    let keys = ["flags", "flag", "value", "extra", "category"];
    let is_ctfcli = root.get("name").is_some() && keys.iter().any(|key| root.get(key).is_some());
    match format(root) {
        _ if like == Like::Longer && !is_ctfcli => {}
        Some(format) => report.error(line, message(format)),
        None if is_ctfcli && !alone => {
            let message = "only `challenge.yml` is read, and there are several challenges in this \
                           folder: give each a folder of its own, with its files, and its \
                           descriptor there as `challenge.yml`";
            report.error(line, message);
        }
        None if is_ctfcli => {
            report.error(line, "only `challenge.yml` is read: rename this file to it");
        }
        None if like == Like::Near => {
            report.warning(line, "this file is not read; is it meant to be `challenge.yml`?");
        }
        None => report.error(line, "not the ctfcli format: this descriptor is of no known kind"),
    }
}
