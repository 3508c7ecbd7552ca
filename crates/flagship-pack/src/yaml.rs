//! Parses YAML into a tree of nodes with line numbers and the original spelling of scalars.
//!
//! No file can exhaust memory or the stack: the number and depth of nodes are limited, aliases
//! share nodes instead of copying them, and nothing here recurses.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};

use crate::quoted::{self, Budget};

/// Maximum number of nodes per file.
pub(crate) const NODES_MAX: usize = 50_000;

/// Maximum nesting depth, including aliases.
pub(crate) const DEPTH_MAX: usize = 64;

/// Maximum number of mappings searched for one key: the mapping itself, and those merged by `<<`,
/// recursively.
const MERGED_MAX: usize = 16;

/// A value and the line on which it starts.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) value: Value,
    /// Levels of nodes below this one.
    height: usize,
}

/// Content of a node. Scalars are kept as text; callers convert them.
#[derive(Debug)]
pub(crate) enum Value {
    Scalar { text: String, plain: bool },
    List(Vec<Rc<Node>>),
    Map(Vec<Entry>),
}

/// An entry of a mapping. A key that is not a scalar, as in `{{ template }}`, is stored as empty.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) value: Rc<Node>,
}

/// First document of a file.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Rc<Node>,
    /// Duplicate keys in mappings: the key, the first line, the later line.
    pub(crate) duplicates: Vec<(String, usize, usize)>,
    /// The line on which a second document starts.
    pub(crate) second: Option<usize>,
}

/// A syntax error and its line.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Node {
    /// True if this is a null.
    pub(crate) fn is_null(&self) -> bool {
        let nothing = |text: &str| matches!(text, "" | "~" | "null" | "Null" | "NULL");
        matches!(&self.value, Value::Scalar { text, plain: true } if nothing(text))
    }

    /// Returns the text of a scalar. Numbers and booleans keep their spelling.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Returns the entry of `key`, including merged mappings (`<<`); the last of duplicates wins.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        let mut maps = vec![self];
        for _ in 0..MERGED_MAX {
            let map = maps.pop()?;
            if let Some(entry) = map.own(key) {
                return Some(entry);
            }
            let at = maps.len();
            maps.extend(map.merged());
            maps[at..].reverse();
        }
        None
    }

    /// Returns the entries of a mapping as written; empty for other nodes.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            Value::Scalar { .. } | Value::List(_) => &[],
        }
    }

    fn own(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().rev().find(|entry| entry.key == key)
    }

    /// Returns the mappings merged by `<<`.
    pub(crate) fn merged(&self) -> impl Iterator<Item = &Node> {
        self.own("<<")
            .into_iter()
            .flat_map(|entry| match &entry.value.value {
                Value::List(bases) => bases.as_slice(),
                Value::Map(_) | Value::Scalar { .. } => std::slice::from_ref(&entry.value),
            })
            .take(MERGED_MAX)
            .map(AsRef::as_ref)
    }
}

/// Parses the first document of `text`; an empty file is a null.
pub(crate) fn parse(text: &str) -> Result<Document, Broken> {
    readable(text).map(|(_, document)| document)
}

/// Parses the first document of `text` and returns the text that the parser accepted: `text`
/// itself, or with spaces added where only PyYAML accepts it.
pub(crate) fn readable(text: &str) -> Result<(Cow<'_, str>, Document), Broken> {
    let mut text = Cow::Borrowed(text);
    let mut budget = Budget::new();
    loop {
        match build(&text) {
            Ok(document) => return Ok((text, document)),
            Err(Refused::ByUs(broken)) => return Err(broken),
            Err(Refused::ByParser(error)) => match quoted::add_blanks(&text, &error, &mut budget) {
                Some(more) => text = Cow::Owned(more),
                None => {
                    let message = unreadable(&error);
                    return Err(Broken { line: error.marker().line().max(1), message });
                }
            },
        }
    }
}

/// Error returned when a text cannot be parsed.
enum Refused {
    ByParser(ScanError),
    ByUs(Broken),
}

fn build(text: &str) -> Result<Document, Refused> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(Refused::ByParser)?;
        let line = span.start.line().max(1);
        if let Some(message) = builder.take(event, line) {
            return Err(Refused::ByUs(Broken { line, message: message.into() }));
        }
        if builder.second.is_some() {
            break;
        }
    }
    let root = builder.root.unwrap_or_else(|| Rc::new(null(1)));
    Ok(Document { root, duplicates: builder.duplicates, second: builder.second })
}

/// Explains an error with advice, followed by the parser's message.
fn unreadable(error: &ScanError) -> String {
    let ours = match error.kind() {
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::ExpectedBlockSequenceEntry => {
            "inconsistent indentation, or a quote closed too early"
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::SimpleKeyExpected => {
            "quote a value that contains `: `; a key must be one line ending in `:`"
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => "indent with spaces, not tabs",
        ErrorKind::InvalidQuotedScalarIndent => "indent every line of a quoted string",
        ErrorKind::UnclosedQuotedScalar => "missing closing quote",
        ErrorKind::InvalidColonPlacement => "unclosed `[`, `{` or quote, here or above",
        ErrorKind::UnknownAnchor => "quote a value that starts with `*`",
        ErrorKind::UnexpectedCharacter { .. } => {
            "quote a value that starts with `@`, `%` or a backtick"
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "in double quotes, write a backslash as `\\\\`; single quotes need no escaping"
        }
        kind if names_brackets(kind) => {
            "quote a value that starts with a bracket or brace, or contains braces or commas \
            inside `[...]`; close every bracket"
        }
        _ if error.info().contains("tag") => "quote a value that starts with `!`",
        _ => return format!("invalid YAML: {}", error.info()),
    };
    format!("invalid YAML: {ours} ({})", error.info())
}

fn names_brackets(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ExpectedFlowMappingSeparator
            | ErrorKind::ExpectedFlowSequenceSeparator
            | ErrorKind::MisplacedFlowCollectionEnd
            | ErrorKind::MismatchedFlowCollectionEnd { .. }
            | ErrorKind::UnclosedFlowCollection { .. }
            | ErrorKind::UnexpectedEofFlowSequence
            | ErrorKind::UnexpectedEofFlowMapping
            | ErrorKind::UnexpectedEofImplicitFlowMapping
    )
}

fn null(line: usize) -> Node {
    Node { line, value: Value::Scalar { text: String::new(), plain: true }, height: 0 }
}

/// A list or mapping that is still open.
struct Open {
    line: usize,
    anchor: usize,
    height: usize,
    content: Content,
}

enum Content {
    List(Vec<Rc<Node>>),
    Map { entries: Vec<Entry>, key: Option<(String, usize)> },
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, Rc<Node>>,
    nodes: usize,
    root: Option<Rc<Node>>,
    second: Option<usize>,
    duplicates: Vec<(String, usize, usize)>,
}

impl Builder {
    /// Processes one parser event; returns a message on error.
    fn take(&mut self, event: Event<'_>, line: usize) -> Option<&'static str> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return Some("this file has too many values");
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = Value::Scalar { text: text.into_owned(), plain };
                self.add(Rc::new(Node { line, value, height: 0 }), anchor, line)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(node) => self.add(node, 0, line),
                None => Some("an alias cannot refer to an ancestor"),
            },
            Event::SequenceStart(_, anchor, _) => {
                self.push(line, anchor, Content::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, _) => {
                self.push(line, anchor, Content::Map { entries: Vec::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            _ => None,
        }
    }

    fn push(&mut self, line: usize, anchor: usize, content: Content) -> Option<&'static str> {
        self.open.push(Open { line, anchor, height: 0, content });
        (self.open.len() > DEPTH_MAX).then_some(TOO_DEEP)
    }

    fn close(&mut self) -> Option<&'static str> {
        let Open { line, anchor, height, content } = self.open.pop()?;
        let value = match content {
            Content::List(items) => Value::List(items),
            Content::Map { entries, .. } => {
                self.note_duplicates(&entries);
                Value::Map(entries)
            }
        };
        self.add(Rc::new(Node { line, value, height: height + 1 }), anchor, line)
    }

    fn add(&mut self, node: Rc<Node>, anchor: usize, line: usize) -> Option<&'static str> {
        if self.open.len() + node.height > DEPTH_MAX {
            return Some(TOO_DEEP);
        }
        if anchor != 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        let Some(parent) = self.open.last_mut() else {
            self.document(node, line);
            return None;
        };
        parent.height = parent.height.max(node.height);
        match &mut parent.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, key } => match key.take() {
                Some((key, line)) => entries.push(Entry { key, line, value: node }),
                None => *key = Some((node.text().unwrap_or_default().to_owned(), line)),
            },
        }
        None
    }

    /// Records a complete document. Empty ones, as after a trailing `---`, are ignored.
    fn document(&mut self, node: Rc<Node>, line: usize) {
        if node.is_null() {
            return;
        }
        match self.root {
            None => self.root = Some(node),
            Some(_) => self.second = Some(line),
        }
    }

    fn note_duplicates(&mut self, entries: &[Entry]) {
        let mut seen = HashSet::new();
        for entry in entries {
            if seen.insert(entry.key.as_str()) || entry.key.is_empty() {
                continue;
            }
            let first = entries.iter().find(|other| other.key == entry.key);
            let first = first.map_or(entry.line, |first| first.line);
            self.duplicates.push((entry.key.clone(), first, entry.line));
            if self.duplicates.len() >= crate::problem::PROBLEMS_PER_FILE_MAX {
                return;
            }
        }
    }
}

const TOO_DEEP: &str = "this file is nested too deeply";

#[cfg(test)]
mod tests {
    use super::*;

    fn root(text: &str) -> Rc<Node> {
        parse(text).expect(text).root
    }

    fn line_of(text: &str, key: &str) -> usize {
        root(text).get(key).expect(key).line
    }

    #[test]
    fn nodes_have_line_numbers_with_any_line_ending() {
        assert_eq!(line_of("# top\nname: a\nvalue: 1\n", "value"), 3);
        assert_eq!(line_of("# top\r\nname: a\r\nvalue: 1\r\n", "value"), 3);
        assert_eq!(line_of("a: |\n  x\n\n  y\nb: 1\n", "b"), 5);
        let list = root("flags:\n  - a\n\n  - b\n");
        let Value::List(items) = &list.get("flags").expect("flags").value.value else {
            panic!("a list")
        };
        assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn scalars_keep_their_text() {
        let node = root("a: 0x41\nb: 1.10\nc: ~\nd: '~'\ne: !!str null\nf:\ng: yes\n");
        let text = |key| node.get(key).map(|entry| entry.value.text().unwrap_or("-"));
        assert_eq!((text("a"), text("b"), text("g")), (Some("0x41"), Some("1.10"), Some("yes")));
        let null = |key| node.get(key).is_some_and(|entry| entry.value.is_null());
        assert_eq!(["a", "c", "d", "e", "f"].map(null), [false, true, false, false, true]);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts_and_both_lines_are_known() {
        let document = parse("a: 1\nb: 2\na: 3\n").expect("readable");
        assert_eq!(document.root.get("a").and_then(|entry| entry.value.text()), Some("3"));
        assert_eq!(document.duplicates, [("a".to_owned(), 1, 3)]);
    }

    #[test]
    fn aliases_and_merge_keys_are_followed() {
        let node =
            root("base: &b {minimum: 5, decay: 9}\nextra:\n  <<: *b\n  decay: 2\nv: &v 7\nw: *v\n");
        let extra = &node.get("extra").expect("extra").value;
        let text = |key| extra.get(key).and_then(|entry| entry.value.text());
        assert_eq!((text("minimum"), text("decay")), (Some("5"), Some("2")));
        assert_eq!(node.get("w").and_then(|entry| entry.value.text()), Some("7"));
    }

    #[test]
    fn hostile_files_are_refused_at_once() {
        let laughs = (1..60).fold("a0: &a0 [x]\n".to_owned(), |text, i| {
            let below = i - 1;
            text + &format!("a{i}: &a{i} [*a{below}, *a{below}, *a{below}]\n")
        });
        assert!(parse(&laughs).is_ok(), "shared, not copied");
        let deep = (1..99).fold("a0: &a0 [x]\n".to_owned(), |text, i| {
            text + &format!("a{i}: &a{i} [*a{}]\n", i - 1)
        });
        for text in [
            "[".repeat(100_000),
            "- ".repeat(100_000),
            "{a: ".repeat(100_000),
            "? ".repeat(100_000),
            "- a\n".repeat(100_000),
            "a: &a [*a]".to_owned(),
            "a: *b".to_owned(),
            "a: \"\n".to_owned(),
            "a: '\nb".to_owned(),
            format!("a: \"\n{}", "\t\nb\n".repeat(100_000)),
            "a: \"\nb\"\n".repeat(100_000),
            deep,
        ] {
            assert!(parse(&text).is_err(), "{}", &text[..text.len().min(20)]);
        }
    }

    #[test]
    fn a_second_document_is_detected_unless_it_is_empty() {
        assert_eq!(parse("---\na: 1\n---\nb: 2\n").expect("readable").second, Some(4));
        for text in ["---\na: 1\n---\n", "---\na: 1\n...\n", "a: 1\n", "", "# only a comment\n"] {
            assert_eq!(parse(text).expect(text).second, None, "{text}");
        }
    }

    #[test]
    fn a_syntax_error_has_a_line_number() {
        assert_eq!(parse("a: 1\nb: [1\nc: 2\n").expect_err("broken").line, 3);
        assert_eq!(parse("a: |\n    x\n   y: z\n").expect_err("broken").line, 3);
        assert_eq!(parse("a: 1\nextra:\n\tb: 2\n").expect_err("broken").line, 3);
    }
}
