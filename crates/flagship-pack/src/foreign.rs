//! Recognises descriptors of other formats, so that the problem can name the format.

use crate::problem::Report;
use crate::yaml::{self, Node};

/// Other formats and the keys that identify them; all keys of a row must be present.
const FORMATS: [(&str, &[&str]); 5] = [
    ("kCTF", &["apiVersion", "kind"]),
    ("kCTF", &["deploy", "powDifficultySeconds"]),
    ("potluck", &["title", "challenge_id"]),
    ("rcds", &["flag", "description"]),
    ("rcds", &["provide"]),
];

/// The name of the format of `root`, if it is a known one other than ctfcli's.
pub(crate) fn format(root: &Node) -> Option<&'static str> {
    if root.get("flags").is_some() && root.get("name").is_some() {
        return None;
    }
    let all = |keys: &[&str]| keys.iter().all(|key| root.get(key).is_some());
    FORMATS.iter().find(|(_, keys)| all(keys)).map(|(format, _)| *format)
}

/// Reports why a file with almost the name of a descriptor is not read. `beside`: whether a
/// `challenge.yml` is in the same folder.
pub(crate) fn explain(text: Option<&str>, beside: bool, report: &mut Report) {
    if beside {
        let message = "not the ctfcli format: only the `challenge.yml` beside it is read";
        report.note(1, message);
        return;
    }
    let Some(text) = text else { return };
    match yaml::parse(text) {
        Err(broken) => {
            let message = format!("not the ctfcli format, and {}", broken.message);
            report.error(broken.line, message);
        }
        Ok(document) => {
            let line = document.root.entries().first().map_or(1, |entry| entry.line);
            let ctfcli = document.root.get("name").is_some()
                && ["flags", "value", "extra", "category"]
                    .iter()
                    .any(|key| document.root.get(key).is_some());
            let message = match format(&document.root) {
                Some(format) => format!("not the ctfcli format: this is a {format} descriptor"),
                None if ctfcli => "only `challenge.yml` is read: rename this file".to_owned(),
                None => "not the ctfcli format: this descriptor is of no known kind".to_owned(),
            };
            report.error(line, message);
        }
    }
}
