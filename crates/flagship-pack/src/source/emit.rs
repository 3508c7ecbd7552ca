//! Writes a JSON value as idiomatic YAML: blocks instead of braces, quotes only where required,
//! multi-line strings after `|`.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Indentation per level.
const STEP: usize = 2;

/// Maximum width of a list of numbers on one line, in columns.
const NUMBERS_COLUMNS_MAX: usize = 72;

/// YAML text of a value after `key:` or `-`.
pub(super) struct Written {
    /// Text on the same line.
    pub(super) head: String,
    /// Indented lines that follow.
    pub(super) body: Vec<String>,
    /// True if blank lines after the last line would become part of the value.
    pub(super) keeps: bool,
}

impl Written {
    fn line(head: impl Into<String>) -> Self {
        Self { head: head.into(), body: Vec::new(), keeps: false }
    }
}

/// Writes `value`; lines below its key are indented by at least `indent`.
pub(super) fn value(value: &Value, indent: usize) -> Written {
    match value {
        Value::Null => Written::line("null"),
        Value::Bool(it) => Written::line(it.to_string()),
        Value::Number(it) => Written::line(it.to_string()),
        Value::String(text) if is_block(text) => block(text, indent),
        Value::String(text) => Written::line(scalar(text)),
        Value::Array(items) if items.is_empty() => Written::line("[]"),
        Value::Array(items) => numbers(items).unwrap_or_else(|| list(items, indent)),
        Value::Object(fields) if fields.is_empty() => Written::line("{}"),
        Value::Object(fields) => map(fields, indent),
    }
}

/// Writes a key of a mapping.
pub(super) fn key(text: &str) -> String {
    scalar(text)
}

/// Writes a list of numbers on one line, like `[100, 50, 25]`.
fn numbers(items: &[Value]) -> Option<Written> {
    let texts: Option<Vec<_>> =
        items.iter().map(|item| item.as_number().map(ToString::to_string)).collect();
    let line = format!("[{}]", texts?.join(", "));
    (line.len() <= NUMBERS_COLUMNS_MAX).then(|| Written::line(line))
}

fn list(items: &[Value], indent: usize) -> Written {
    let mut written = Written::line("");
    for item in items {
        let Written { head, body, keeps } = value(item, indent + STEP);
        let mut lines = body.into_iter();
        // The first key of a mapping, or the first item of a list, follows the dash.
        let first = match head.is_empty() {
            true => lines.next().unwrap_or_default().trim_start().to_owned(),
            false => head,
        };
        written.body.push(format!("{}- {first}", blanks(indent)));
        written.body.extend(lines);
        written.keeps = keeps;
    }
    written
}

fn map(fields: &Map<String, Value>, indent: usize) -> Written {
    let mut written = Written::line("");
    for (name, field) in fields {
        let Written { head, body, keeps } = value(field, indent + STEP);
        let gap = if head.is_empty() { "" } else { " " };
        written.body.push(format!("{}{}:{gap}{head}", blanks(indent), key(name)));
        written.body.extend(body);
        written.keeps = keeps;
    }
    written
}

/// True if a string is written after `|`: it has several lines and needs no escapes.
fn is_block(text: &str) -> bool {
    let line_fits = |line: &str| !line.chars().any(needs_escape) && !line.starts_with('\t');
    // Parsers disagree about leading blank lines and about lines that contain only spaces.
    let is_shown = |line: &str| line.is_empty() || !line.trim().is_empty();
    text.contains('\n')
        && !text.starts_with('\n')
        && text.split('\n').all(|line| line_fits(line) && is_shown(line))
}

fn block(text: &str, indent: usize) -> Written {
    let content = text.trim_end_matches('\n');
    let breaks = text.len() - content.len();
    let chomping = ["-", "", "+"][breaks.min(2)];
    // Leading spaces of the first line would count as indentation of the block.
    let indicator = if text.starts_with(' ') { STEP.to_string() } else { String::new() };
    let mut body: Vec<String> = content.split('\n').map(|line| indented(line, indent)).collect();
    body.extend(std::iter::repeat_n(String::new(), breaks.saturating_sub(1)));
    Written { head: format!("|{indicator}{chomping}"), body, keeps: breaks > 1 }
}

fn indented(line: &str, indent: usize) -> String {
    if line.is_empty() { String::new() } else { format!("{}{line}", blanks(indent)) }
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

/// Writes a string on one line: plain, in single quotes, or escaped in double quotes.
fn scalar(text: &str) -> String {
    if text.chars().any(|c| needs_escape(c) || c == '\n') {
        return escaped(text);
    }
    if is_bare(text) { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

/// True if a one-line string needs no quotes.
fn is_bare(text: &str) -> bool {
    let starts_well =
        text.starts_with(|c: char| !c.is_whitespace() && !"-?:,[]{}#&*!|>'\"%@`=<~.+".contains(c));
    starts_well
        && !text.ends_with(|c: char| c.is_whitespace() || c == ':')
        && ![": ", " #", "\t"].iter().any(|piece| text.contains(piece))
        && !is_word(text)
        && !is_like_number(text)
}

/// True if some version of YAML parses the word as a boolean or null.
fn is_word(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// True if some version of YAML could parse the text as a number, a date or a time.
fn is_like_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_hexdigit() || "xXoO_.:+-tTzZ ".contains(c))
}

/// True if a character is not allowed literally in YAML, or is invisible.
fn needs_escape(c: char) -> bool {
    let is_hidden = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    );
    is_hidden || (c.is_control() && c != '\n' && c != '\t')
}

fn escaped(text: &str) -> String {
    let mut line = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            c if needs_escape(c) => {
                write!(line, "\\u{:04x}", u32::from(c)).expect("a text takes more text");
            }
            c => line.push(c),
        }
    }
    line.push('"');
    line
}
