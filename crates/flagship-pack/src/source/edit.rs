//! Edits a `challenge.yml` in place: the lines of a key are replaced, all other lines stay
//! unchanged.
//!
//! The result is parsed again before it is returned, to verify that every edited key has its new
//! value and every other key its old one.

use serde_json::{Map, Value};

use super::error::EditError;
use super::same::{self, Budget};
use super::splice::splice;
use crate::files::DESCRIPTOR_BYTES_MAX;
use crate::problem::quote;
use crate::yaml::{self, Document};

/// Maximum nesting depth of a value.
const DEPTH_MAX: usize = 16;

/// Maximum number of keys per edit.
const FIELDS_MAX: usize = 256;

/// Order of keys in a new file; others follow.
const ORDER: [&str; 25] = [
    "name",
    "id",
    "author",
    "attribution",
    "category",
    "categories",
    "type",
    "value",
    "extra",
    "scoring",
    "description",
    "connection_info",
    "hints",
    "flags",
    "logic",
    "attempts",
    "flag_format",
    "files",
    "requirements",
    "tags",
    "difficulty",
    "topics",
    "state",
    "release",
    "position",
];

/// Sets top-level keys of `text`, the content of a `challenge.yml`; `null` removes a key. New keys
/// are added at the end. Comments, order and unknown keys are preserved. A key that already has the
/// value keeps its lines.
///
/// # Errors
/// The text or a value cannot be edited safely.
pub fn edit(text: &str, fields: &Map<String, Value>) -> Result<String, EditError> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    if fields.len() > FIELDS_MAX || fields.values().any(|value| !is_shallow(value, DEPTH_MAX)) {
        return Err(EditError::TooLarge);
    }
    let bad_key = |key: &&String| key.trim().is_empty() || *key == "<<";
    if let Some(key) = fields.keys().find(bad_key) {
        return Err(EditError::Key(quote(key)));
    }
    let (text, before) = yaml::readable(text).map_err(|broken| {
        let yaml::Broken { line, message } = broken;
        EditError::Unreadable { line, message }
    })?;
    if let Some(line) = before.second {
        return Err(EditError::Documents { line });
    }
    let changes = changes(&before, fields);
    if changes.is_empty() {
        return Ok(format!("{mark}{text}"));
    }
    let edited = splice(&text, &before, &changes)?;
    if edited.len() as u64 > DESCRIPTOR_BYTES_MAX {
        return Err(EditError::TooLarge);
    }
    verify(&before, &edited, &changes)?;
    Ok(format!("{mark}{edited}"))
}

/// Creates the text of a new `challenge.yml`, with the keys in a natural order.
///
/// # Errors
/// Same as for [`edit`].
pub fn create(fields: &Map<String, Value>) -> Result<String, EditError> {
    let place = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    let mut sorted: Vec<_> = fields.iter().filter(|(_, value)| !value.is_null()).collect();
    sorted.sort_by_key(|(key, _)| place(key));
    edit("", &sorted.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect())
}

fn is_shallow(value: &Value, levels: usize) -> bool {
    match (value, levels) {
        (Value::Array(_) | Value::Object(_), 0) => false,
        (Value::Array(items), _) => items.iter().all(|item| is_shallow(item, levels - 1)),
        (Value::Object(fields), _) => fields.values().all(|field| is_shallow(field, levels - 1)),
        _ => true,
    }
}

/// Fields whose values differ from the document.
fn changes(before: &Document, fields: &Map<String, Value>) -> Map<String, Value> {
    let mut budget = Budget::new();
    let mut is_same = |key: &str, value: &Value| match before.root.get(key) {
        None => value.is_null(),
        Some(entry) => same::json(&entry.value, value, &mut budget),
    };
    let changed = fields.iter().filter(|(key, value)| !is_same(key, value));
    changed.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Verifies that `edited` differs from `before` only in `changes`.
fn verify(before: &Document, edited: &str, changes: &Map<String, Value>) -> Result<(), EditError> {
    let names = || changes.keys().map(|key| quote(key)).collect::<Vec<_>>().join(", ");
    let after = yaml::parse(edited).map_err(|broken| match broken.message.contains("anchor") {
        true => EditError::Other("another key".to_owned()),
        false => EditError::NotWritten(names()),
    })?;
    let mut budget = Budget::new();
    let mut others = [before, &after].map(|document| {
        document.root.entries().iter().filter(|entry| !changes.contains_key(&entry.key))
    });
    loop {
        let [old, new] = &mut others;
        match (old.next(), new.next()) {
            (None, None) => break,
            (Some(a), Some(b))
                if a.key == b.key && same::nodes(&a.value, &b.value, &mut budget) => {}
            (Some(entry), _) | (None, Some(entry)) => {
                return Err(EditError::Other(quote(&entry.key)));
            }
        }
    }
    for (key, value) in changes {
        let is_written = match after.root.get(key) {
            None => value.is_null(),
            Some(entry) => same::json(&entry.value, value, &mut budget),
        };
        if !is_written || after.second.is_some() {
            return Err(EditError::NotWritten(quote(key)));
        }
    }
    Ok(())
}
