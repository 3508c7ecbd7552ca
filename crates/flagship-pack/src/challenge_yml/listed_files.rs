//! Reads `files`: paths, or mappings with a path and `per_team`.

use flagship_game::team_flag::CODE_CHARS;

use crate::fields::{Fields, Text};
use crate::files::{ATTACHMENTS_MAX, ListedFile};
use crate::flags::Flag;
use crate::problem::{nearest, quote};
use crate::yaml::{Node, Value};

/// Keys of a mapping.
const KEYS: [&str; 2] = ["path", "per_team"];

/// Reads the files. Files with a copy for each team need a per-team flag.
pub(super) fn read(fields: &mut Fields<'_>, flags: &[Flag]) -> Vec<ListedFile> {
    let nodes = fields.items("files");
    if nodes.len() > ATTACHMENTS_MAX {
        let message = format!("`files` has more than {ATTACHMENTS_MAX} items");
        fields.report.error(fields.line("files"), message);
    }
    let flag_bytes = flags.iter().find_map(|flag| match flag {
        Flag::Team(flag) => Some(flag.with(&"0".repeat(CODE_CHARS)).len()),
        _ => None,
    });
    let nodes = nodes.into_iter().take(ATTACHMENTS_MAX);
    nodes.filter_map(|node| file(fields, node, flag_bytes)).collect()
}

fn file(fields: &mut Fields<'_>, node: &Node, flag_bytes: Option<usize>) -> Option<ListedFile> {
    let line = node.line;
    let path = |text: &str| {
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(Text { text, line })
    };
    match &node.value {
        Value::Scalar { text, .. } => path(text).map(|path| ListedFile { path, flag_bytes: None }),
        Value::List(_) => {
            let message = "`files` must be a list of paths, or of mappings with `path`";
            fields.report.error(line, message);
            None
        }
        Value::Map(entries) => {
            for entry in entries.iter().filter(|it| !KEYS.contains(&it.key.as_str())) {
                let near = nearest(KEYS, &entry.key).map_or("per_team", |(near, _)| near);
                let key = quote(&entry.key);
                let message = format!("unknown key {key} of a file; did you mean `{near}`?");
                fields.report.error(entry.line, message);
            }
            let mut inner = Fields::new(node, fields.report);
            let is_per_team = is_per_team(&mut inner);
            let Some(Text { text, .. }) = inner.text("path") else {
                inner.report.error(line, "a file requires a `path`");
                return None;
            };
            if is_per_team && flag_bytes.is_none() {
                let message = "`per_team` requires a flag with `type: team`";
                inner.report.error(inner.line("per_team"), message);
            }
            let flag_bytes = flag_bytes.filter(|_| is_per_team);
            path(&text).map(|path| ListedFile { path, flag_bytes })
        }
    }
}

fn is_per_team(inner: &mut Fields<'_>) -> bool {
    let Some(Text { text, line }) = inner.text("per_team") else { return false };
    match text.to_lowercase().as_str() {
        "true" => true,
        "false" => false,
        _ => {
            let message = format!("`per_team` must be `true` or `false`, not {}", quote(&text));
            inner.report.error(line, message);
            false
        }
    }
}
