//! Parses YAML into a tree of nodes that know their line and keep their text as written.
//!
//! No file can exhaust memory or the stack: the number and depth of nodes are limited, an alias
//! shares its node instead of copying it, and nothing here recurses.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};

use crate::quoted::{self, Budget};

/// The most nodes in one file.
pub(crate) const NODES_MAX: usize = 50_000;

/// The deepest nesting, through aliases too.
pub(crate) const DEPTH_MAX: usize = 64;

/// The most maps that one key is looked for in: the map itself, those that `<<` names, and theirs.
const MERGED_MAX: usize = 16;

/// A value and the line it begins on.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) value: Value,
    /// Levels of nodes below this one.
    height: usize,
}

/// The content of a node. Scalars are kept as text; callers convert them.
#[derive(Debug)]
pub(crate) enum Value {
    Scalar { text: String, plain: bool },
    List(Vec<Rc<Node>>),
    Map(Vec<Entry>),
}

/// One entry of a map. A key that is not text (as in `{{ template }}`) is stored as empty.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) value: Rc<Node>,
}

/// A file's first document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Rc<Node>,
    /// Duplicate keys of a map: the key, the first line, the later line.
    pub(crate) duplicates: Vec<(String, usize, usize)>,
    /// The line on which a second document begins.
    pub(crate) second: Option<usize>,
}

/// A syntax error and its line.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Node {
    /// Whether this is a null.
    pub(crate) fn is_null(&self) -> bool {
        let nothing = |text: &str| matches!(text, "" | "~" | "null" | "Null" | "NULL");
        matches!(&self.value, Value::Scalar { text, plain: true } if nothing(text))
    }

    /// The text of a scalar, numbers and booleans as they were written.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The entry of `key`, from merged maps (`<<`) too; the last one of duplicates.
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

    /// The entries of a map as written; empty for other nodes.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            Value::Scalar { .. } | Value::List(_) => &[],
        }
    }

    fn own(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().rev().find(|entry| entry.key == key)
    }

    /// The maps that `<<` names.
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

/// Parses the first document of `text`; a file without content is a null.
pub(crate) fn parse(text: &str) -> Result<Document, Broken> {
    readable(text).map(|(_, document)| document)
}

/// Parses the first document of `text`, and returns the text that the parser accepted: `text`
/// itself, or with more blanks where only PyYAML accepts it.
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

/// Why a text gives no tree.
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

/// What is wrong and what to do, in our words, then in the parser's.
fn unreadable(error: &ScanError) -> String {
    let ours = match error.kind() {
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::ExpectedBlockSequenceEntry => {
            "this line is indented unlike the lines that it belongs to, or a quote ended early"
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::SimpleKeyExpected => {
            "a text with a `: ` in it needs quotes, and a key is one line that ends with `:`"
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => "indent with blanks, not with tabs",
        ErrorKind::InvalidQuotedScalarIndent => "indent each line of a text in quotes",
        ErrorKind::UnclosedQuotedScalar => "the closing quote of a text is missing",
        ErrorKind::InvalidColonPlacement => {
            "a `[`, a `{` or a quote has no end, here or in a line above"
        }
        ErrorKind::UnknownAnchor => "a text that begins with `*` needs quotes",
        ErrorKind::UnexpectedCharacter { .. } => {
            "a text that begins with `@`, `%` or a backtick needs quotes"
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            "between double quotes a backslash is written twice; between single quotes once"
        }
        kind if names_brackets(kind) => {
            "a text that begins with a bracket or brace needs quotes; so does a text with braces \
             or commas inside `[...]`; a bracket that is meant needs its end"
        }
        _ if error.info().contains("tag") => "a text that begins with `!` needs quotes",
        _ => return format!("this is not readable as YAML: {}", error.info()),
    };
    format!("this is not readable as YAML: {ours} ({})", error.info())
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

/// A list or map that is still open.
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
    /// Processes one parser event; returns a message if it is an error.
    fn take(&mut self, event: Event<'_>, line: usize) -> Option<&'static str> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return Some("this file has too many values to be a challenge");
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = Value::Scalar { text: text.into_owned(), plain };
                self.add(Rc::new(Node { line, value, height: 0 }), anchor, line)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(node) => self.add(node, 0, line),
                None => Some("an alias cannot stand inside what it names"),
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

    /// Records a complete document. Empty ones, as after a last `---`, do not count.
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

const TOO_DEEP: &str = "this file is nested too deeply to be a challenge";

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
