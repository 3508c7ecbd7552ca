//! Replaces, removes and adds the lines of a mapping's entries. The caller must verify the result.

use std::ops::Range;

use serde_json::{Map, Value};

use super::emit::{self, Written};
use super::error::EditError;
use super::spans::{self, Layout, Place, Style, Top, line_start};
use crate::problem::quote;
use crate::yaml::Document;

/// Indentation of the lines below a key.
const INDENT: usize = 2;

/// Applies `changes` to `text`, whose parsed form is `document`.
pub(super) fn splice(
    text: &str,
    document: &Document,
    changes: &Map<String, Value>,
) -> Result<String, EditError> {
    let has_end = text.is_empty() || text.ends_with(['\n', '\r']);
    let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let text = if has_end { text.to_owned() } else { format!("{text}{break_}") };
    let layout = match spans::find(&text) {
        Top::Block(layout) => layout,
        Top::Empty => Layout { indent: 0, entries: Vec::new(), end: text.len() },
        Top::Flow => return Err(EditError::Braces),
        Top::Other => return Err(EditError::NoMap),
    };
    let lines = Lines { text: &text, layout: &layout, break_ };
    let keys: Vec<&str> = document.root.entries().iter().map(|entry| &*entry.key).collect();
    if keys.len() != layout.entries.len() {
        return Err(EditError::NoMap);
    }
    let mut edits = Vec::new();
    let mut added = String::new();
    for (key, value) in changes {
        let places: Vec<usize> = (0..keys.len()).filter(|&i| keys[i] == key).collect();
        // Removing the key would expose the value from `<<`, so set it to null.
        let is_merged = document.root.merged().any(|base| base.get(key).is_some());
        match places.last() {
            _ if value.is_null() && !is_merged => {
                for i in places {
                    edits.push((lines.removed(key, i)?, None));
                }
            }
            Some(&i) => {
                let (range, new) = lines.replaced(key, i, value)?;
                edits.push((range, Some(new)));
            }
            None => added.push_str(&lines.added(key, value)),
        }
    }
    if !added.is_empty() {
        edits.push((layout.end..layout.end, Some(added)));
    }
    edits.sort_by_key(|(range, _)| range.start);
    Ok(lines.apply(&edits))
}

/// A text that ends with a line break, and its entries.
struct Lines<'t> {
    text: &'t str,
    layout: &'t Layout,
    break_: &'static str,
}

impl<'t> Lines<'t> {
    /// Returns the lines of a new entry.
    fn added(&self, key: &str, value: &Value) -> String {
        let written = emit::value(value, INDENT);
        self.entry(&emit::key(key), written, None) + self.break_
    }

    /// Returns the lines of entry `i` and their replacement. A comment on the same line is kept.
    fn replaced(
        &self,
        key: &str,
        i: usize,
        value: &Value,
    ) -> Result<(Range<usize>, String), EditError> {
        let (start, colon) = self.head(key, i)?;
        let place = &self.layout.entries[i];
        let mut end = self.next_line(self.line_end(self.content_end(i, colon)));
        let written = emit::value(value, INDENT);
        if written.keeps {
            end = self.after_blank_lines(end);
        }
        let comment = self.comment(place, colon);
        let new = self.entry(&self.text[place.key.clone()], written, comment);
        Ok((start..end, new + self.break_))
    }

    /// Returns the lines of entry `i`, including the line break.
    fn removed(&self, key: &str, i: usize) -> Result<Range<usize>, EditError> {
        let (start, colon) = self.head(key, i)?;
        let end = self.line_end(self.content_end(i, colon));
        Ok(start..self.next_line(end))
    }

    /// Returns the text with each range replaced or removed. Blank lines below a removed range are
    /// removed too if there are also some above, because they could become part of the string
    /// above.
    fn apply(&self, edits: &[(Range<usize>, Option<String>)]) -> String {
        let mut edited = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, new) in edits {
            edited.push_str(self.text.get(at..range.start).unwrap_or_default());
            at = at.max(range.end);
            match new {
                Some(new) => edited.push_str(new),
                None if ends_blank(&edited) => at = self.after_blank_lines(at),
                None => {}
            }
        }
        edited.push_str(&self.text[at..]);
        edited
    }

    /// Start of the first line of entry `i`, and end of its colon.
    fn head(&self, key: &str, i: usize) -> Result<(usize, usize), EditError> {
        let Place { key: at, .. } = &self.layout.entries[i];
        let start = line_start(self.text, at.start);
        let is_alone = self.text[start..at.start].bytes().all(|byte| byte == b' ');
        let rest = &self.text[at.end..];
        let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if !is_alone || !rest[gap..].starts_with(':') || self.text[at.clone()].contains('\n') {
            let line = 1 + self.text[..at.start].matches('\n').count();
            return Err(EditError::Layout { key: quote(key), line });
        }
        Ok((start, at.end + gap + 1))
    }

    /// End of the value of entry `i`. Indicators such as `-` can follow its last scalar and are
    /// included; comments are not.
    fn content_end(&self, i: usize, colon: usize) -> usize {
        let is_content = |rest: &str| !rest.is_empty() && !rest.starts_with('#');
        let next = self.layout.entries.get(i + 1);
        let limit = next.map_or(self.layout.end, |next| line_start(self.text, next.key.start));
        let mut end = self.layout.entries[i].value.end.max(colon);
        let mut at = end;
        while at < limit {
            let line_end = self.line_end(at).min(limit);
            if is_content(self.text[at..line_end].trim()) {
                end = line_end;
            }
            at = self.next_line(line_end);
        }
        end
    }

    /// Returns the comment on the line of the key.
    fn comment(&self, place: &Place, colon: usize) -> Option<&'t str> {
        let line = &self.text[colon..self.line_end(colon)];
        let after_value = place.value.end.checked_sub(colon).and_then(|at| line.get(at..));
        let rest = match (place.style, after_value) {
            (Style::Text, _) => {
                let found = line.find(" #").or_else(|| line.find("\t#"));
                found.map_or("", |at| &line[at..])
            }
            (Style::Other, Some(rest)) => rest,
            (Style::Other | Style::Absent, _) => line,
        };
        let rest = rest.trim();
        rest.starts_with('#').then_some(rest)
    }

    /// Returns the lines of an entry without the final line break.
    fn entry(&self, key: &str, written: Written, comment: Option<&str>) -> String {
        let indent = " ".repeat(self.layout.indent);
        let mut entry = format!("{indent}{key}:");
        let head = Some(&*written.head).filter(|head| !head.is_empty());
        for part in head.into_iter().chain(comment) {
            entry.push(' ');
            entry.push_str(part);
        }
        for line in &written.body {
            entry.push_str(self.break_);
            if !line.is_empty() {
                entry.push_str(&indent);
                entry.push_str(line);
            }
        }
        entry
    }

    /// End of the line that contains `at`, before the line break.
    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find(['\n', '\r']).map_or(self.text.len(), |found| at + found)
    }

    /// Start of the line after the line break at `end`.
    fn next_line(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let length = if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
        end + length
    }

    /// Start of the first non-blank line at or after the line that starts at `at`.
    fn after_blank_lines(&self, mut at: usize) -> usize {
        while at < self.text.len() && self.text[at..self.line_end(at)].trim().is_empty() {
            at = self.next_line(self.line_end(at));
        }
        at
    }
}

/// True if a text is empty, or if its last line, terminated by a line break, is blank.
fn ends_blank(text: &str) -> bool {
    let last = text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
    last.is_none_or(|text| text[line_start(text, text.len())..].trim().is_empty())
}
