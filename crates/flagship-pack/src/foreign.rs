//! Detects descriptors in other formats, so that the problem can name the format.

use crate::problem::Report;
use crate::walk::Lookalike;
use crate::yaml::{self, Node};

/// Other formats and the keys that identify them. All keys of a row must be present.
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

/// Returns the name of the format of `root` if it is a known format other than ctfcli's.
pub(crate) fn format(root: &Node) -> Option<&'static str> {
    let has = |key: &&str| root.get(key).is_some();
    // A file with `flag` instead of `flags` is still in the ctfcli format.
    let is_ctfcli = has(&"flags") || (CTFCLI.iter().any(has) && !RCDS.iter().any(has));
    if has(&"name") && is_ctfcli {
        return None;
    }
    FORMATS.iter().find(|(_, keys)| keys.iter().all(has)).map(|(format, _)| *format)
}

/// Message for a descriptor in another format.
pub(crate) fn message(format: &str) -> String {
    let advice = match format {
        "rcds" => "; ctfcli uses a `flags` list instead of `flag`",
        _ => "",
    };
    format!("not ctfcli format: this looks like a {format} challenge file{advice}")
}

/// Reports why a file with a name similar to a descriptor is ignored. `alone` is true if it is the
/// only such file in its folder.
pub(crate) fn explain(text: Option<&str>, like: Lookalike, alone: bool, report: &mut Report) {
    if like == Lookalike::Beside {
        let message = "not ctfcli format: only the `challenge.yml` in this folder is read";
        report.note(1, message);
        return;
    }
    if like == Lookalike::NearBeside {
        let message = "ignored: only the `challenge.yml` in this folder is read; remove this \
                       file, or move it to its own folder as `challenge.yml`";
        report.warning(1, message);
        return;
    }
    let Some(text) = text else { return };
    let document = match yaml::parse(text) {
        Ok(document) => document,
        Err(_) if like == Lookalike::Longer => return,
        Err(broken) => {
            let message = format!("not ctfcli format: {}", broken.message);
            report.error(broken.line, message);
            return;
        }
    };
    let root = &document.root;
    let line = root.entries().first().map_or(1, |entry| entry.line);
    let keys = ["flags", "flag", "value", "extra", "category"];
    let is_ctfcli = root.get("name").is_some() && keys.iter().any(|key| root.get(key).is_some());
    match format(root) {
        _ if like == Lookalike::Longer && !is_ctfcli => {}
        Some(format) => report.error(line, message(format)),
        None if is_ctfcli && !alone => {
            let message = "only `challenge.yml` is read, but this folder contains several \
                           challenges: move each, with its files, to its own folder as \
                           `challenge.yml`";
            report.error(line, message);
        }
        None if is_ctfcli => {
            report.error(line, "ignored: rename this file to `challenge.yml`");
        }
        None if like == Lookalike::Near => {
            report.warning(line, "ignored; did you mean `challenge.yml`?");
        }
        None => report.error(line, "not ctfcli format: unknown challenge file format"),
    }
}
