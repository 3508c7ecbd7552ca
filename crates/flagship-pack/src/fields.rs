//! Typed access to the keys of one YAML mapping. A value of the wrong type is reported with its
//! line; null is the same as an absent key.

use std::rc::Rc;

use flagship_game::name::first_unseen;

use crate::problem::{Report, quote};
use crate::yaml::{Entry, Node, Value};

/// Maximum number of categories, tags and requirements per challenge.
pub const LIST_MAX: usize = 32;

/// A mapping in a descriptor, and the report that collects its problems.
pub(crate) struct Fields<'a> {
    pub(crate) node: &'a Node,
    pub(crate) report: &'a mut Report,
}

/// A string and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// Error for a text with invisible characters, which could imitate another text.
pub(crate) fn unseen_in(called: &str, text: &str) -> Option<String> {
    let code = u32::from(first_unseen(text)?);
    Some(format!(
        "{called} contains U+{code:04X}, which is invisible or changes the text direction; remove \
         it"
    ))
}

impl<'a> Fields<'a> {
    pub(crate) fn new(node: &'a Node, report: &'a mut Report) -> Self {
        Self { node, report }
    }

    /// Returns the entry of `key`; `None` if it is absent or null.
    pub(crate) fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.node.get(key).filter(|entry| !entry.value.is_null())
    }

    /// Returns the line of `key`, or of the mapping if the key is absent.
    pub(crate) fn line(&self, key: &str) -> usize {
        self.node.get(key).map_or(self.node.line, |entry| entry.line)
    }

    /// Returns a scalar as a trimmed string; `None` if it is empty. Numbers and booleans keep their
    /// spelling.
    pub(crate) fn text(&mut self, key: &str) -> Option<Text> {
        let entry = self.entry(key)?;
        let line = entry.line;
        let Some(text) = entry.value.text() else {
            self.report_type(entry, "a string (quotes may be missing)");
            return None;
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(Text { text, line })
    }

    /// Returns a whole number.
    pub(crate) fn integer(&mut self, key: &str) -> Option<i64> {
        let entry = self.entry(key)?;
        let number = entry.value.text().and_then(whole);
        if number.is_none() {
            self.report_type(entry, "a whole number");
        }
        number
    }

    /// Returns the mapping under `key`.
    pub(crate) fn map(&mut self, key: &str) -> Option<&'a Node> {
        let entry = self.entry(key)?;
        if matches!(entry.value.value, Value::Map(_)) {
            return Some(&entry.value);
        }
        self.report_type(entry, "a mapping");
        None
    }

    /// Returns the non-null items of a list; a single scalar or mapping counts as a list of one.
    pub(crate) fn items(&self, key: &str) -> Vec<&'a Node> {
        let Some(entry) = self.entry(key) else {
            return Vec::new();
        };
        let nodes = match &entry.value.value {
            Value::List(items) => items.as_slice(),
            Value::Scalar { .. } | Value::Map(_) => std::slice::from_ref(&entry.value),
        };
        nodes.iter().map(Rc::as_ref).filter(|node| !node.is_null()).collect()
    }

    /// Returns a list of at most `most` strings; a single string counts as a list of one.
    pub(crate) fn texts(&mut self, key: &str, most: usize) -> Vec<Text> {
        let nodes = self.items(key);
        if nodes.len() > most {
            let line = self.line(key);
            self.report.error(line, format!("`{key}` has more than {most} items"));
        }
        let mut texts = Vec::new();
        for node in nodes.into_iter().take(most) {
            match node.text().map(str::trim) {
                Some("") => {}
                Some(text) => texts.push(Text { text: text.to_owned(), line: node.line }),
                None => self.report.error(node.line, format!("`{key}` must be a list of strings")),
            }
        }
        texts
    }

    /// Reports a value of the wrong type.
    fn report_type(&mut self, entry: &Entry, what: &str) {
        let key = &entry.key;
        let found = match &entry.value.value {
            Value::Scalar { text, .. } => quote(text),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        };
        self.report.error(entry.line, format!("`{key}` must be {what}, not {found}"));
    }
}

/// Parses a whole number: digits with an optional sign. Like PyYAML, accepts `1_000`, `0x3e8` and
/// `1000.0`.
pub(crate) fn whole(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = digits.replace('_', "");
    let (digits, radix) = match digits.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None => {
            let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
            (if fraction.bytes().all(|byte| byte == b'0') { whole } else { &*digits }, 10)
        }
    };
    i64::from_str_radix(&format!("{sign}{digits}"), radix).ok()
}
