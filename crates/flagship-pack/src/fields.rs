//! Typed access to the keys of one YAML map. A value of another type is reported as a problem with
//! its line; a null is the same as an absent key.

use std::rc::Rc;

use crate::problem::{Report, quote};
use crate::yaml::{Entry, Node, Value};

/// A map of a descriptor, and the report that collects its problems.
pub(crate) struct Fields<'a> {
    pub(crate) node: &'a Node,
    pub(crate) report: &'a mut Report,
}

/// A text and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(node: &'a Node, report: &'a mut Report) -> Self {
        Self { node, report }
    }

    /// The entry of `key`; `None` if it is absent or null.
    pub(crate) fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.node.get(key).filter(|entry| !entry.value.is_null())
    }

    /// The line of `key`; the line of the map if the key is absent.
    pub(crate) fn line(&self, key: &str) -> usize {
        self.node.get(key).map_or(self.node.line, |entry| entry.line)
    }

    /// A scalar as trimmed text, numbers and booleans as written; `None` for empty text.
    pub(crate) fn text(&mut self, key: &str) -> Option<Text> {
        let entry = self.entry(key)?;
        let line = entry.line;
        let Some(text) = entry.value.text() else {
            self.report_type(entry, "text; quotes around it may be missing");
            return None;
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(Text { text, line })
    }

    /// A whole number.
    pub(crate) fn integer(&mut self, key: &str) -> Option<i64> {
        let entry = self.entry(key)?;
        let number = entry.value.text().and_then(whole);
        if number.is_none() {
            self.report_type(entry, "a whole number");
        }
        number
    }

    /// The map below `key`.
    pub(crate) fn map(&mut self, key: &str) -> Option<&'a Node> {
        let entry = self.entry(key)?;
        if matches!(entry.value.value, Value::Map(_)) {
            return Some(&entry.value);
        }
        self.report_type(entry, "a map of keys and values");
        None
    }

    /// The items of a list that are not null; a lone scalar or map is a list of one.
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

    /// A list of texts, at most `most` of them; a lone text is a list of one.
    pub(crate) fn texts(&mut self, key: &str, most: usize) -> Vec<Text> {
        let nodes = self.items(key);
        if nodes.len() > most {
            let line = self.line(key);
            self.report.error(line, format!("`{key}` lists more than {most} items"));
        }
        let mut texts = Vec::new();
        for node in nodes.into_iter().take(most) {
            match node.text().map(str::trim) {
                Some("") => {}
                Some(text) => texts.push(Text { text: text.to_owned(), line: node.line }),
                None => self.report.error(node.line, format!("`{key}` must be a list of texts")),
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
            Value::Map(_) => "a map".to_owned(),
        };
        self.report.error(entry.line, format!("`{key}` must be {what}, not {found}"));
    }
}

/// Parses a whole number: digits with an optional sign. `1_000`, `0x3e8` and `1000.0` are numbers
/// to PyYAML too.
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
