//! Locates the entries of a document's top-level mapping in its text.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};

/// Top level of a document.
pub(super) enum Top {
    /// No content, or only comments.
    Empty,
    /// A mapping in block style.
    Block(Layout),
    /// A mapping in braces.
    Flow,
    /// Not a mapping.
    Other,
}

/// Entries of a mapping, in text order.
pub(super) struct Layout {
    /// Spaces before each key.
    pub(super) indent: usize,
    pub(super) entries: Vec<Place>,
    /// End of the document: its `...`, the `---` of the next document, or the end of the text.
    pub(super) end: usize,
}

/// Byte ranges of one entry.
pub(super) struct Place {
    pub(super) key: Range<usize>,
    /// From the first character of the value, without its anchor and tag, to the last.
    pub(super) value: Range<usize>,
    pub(super) style: Style,
}

/// Layout of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Nothing follows the colon of the key.
    Absent,
    /// Text after `|` or `>`.
    Text,
    Other,
}

/// Finds the entries of `text`, which the parser accepts.
pub(super) fn find(text: &str) -> Top {
    let mut search = Search::default();
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { return Top::Other };
        let Some(range) = bytes(span) else { return Top::Other };
        if let Some(top) = search.take(&event, range, span.start.col(), text) {
            return top;
        }
    }
    Top::Empty
}

fn bytes(span: Span) -> Option<Range<usize>> {
    Some(span.start.byte_offset()?..span.end.byte_offset()?)
}

#[derive(Default)]
struct Search {
    layout: Option<Layout>,
    /// Number of open lists and mappings.
    depth: usize,
    key: Option<Range<usize>>,
    /// The key or value being read.
    node: Option<(Range<usize>, Style)>,
}

impl Search {
    /// Processes one parser event; returns the result when the document is complete.
    fn take(
        &mut self,
        event: &Event<'_>,
        span: Range<usize>,
        column: usize,
        text: &str,
    ) -> Option<Top> {
        match event {
            Event::DocumentEnd => return self.finish(span.start),
            Event::MappingStart(style, ..) if self.layout.is_none() => {
                if *style == StructureStyle::Flow {
                    return Some(Top::Flow);
                }
                self.layout = Some(Layout { indent: column, entries: Vec::new(), end: 0 });
                self.depth = 1;
            }
            Event::MappingStart(..) | Event::SequenceStart(..) if self.layout.is_some() => {
                self.grow(span, Style::Other);
                self.depth += 1;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                self.depth = self.depth.saturating_sub(1);
                // The end event of a block is empty and positioned at the next token.
                if !span.is_empty() {
                    self.grow(span, Style::Other);
                }
                self.complete();
            }
            Event::Scalar(content, style, ..) if self.layout.is_some() => {
                let (span, style) = scalar(content, *style, span, text);
                self.grow(span, style);
                self.complete();
            }
            Event::Alias(_) if self.layout.is_some() => {
                self.grow(span, Style::Other);
                self.complete();
            }
            Event::Scalar(content, ScalarStyle::Plain, _, None)
                if matches!(&**content, "" | "~" | "null" | "Null" | "NULL") => {}
            Event::SequenceStart(..) | Event::Scalar(..) | Event::Alias(_) => {
                return Some(Top::Other);
            }
            _ => {}
        }
        None
    }

    /// Extends the node being read.
    fn grow(&mut self, span: Range<usize>, style: Style) {
        match &mut self.node {
            None => self.node = Some((span, style)),
            Some((range, last)) => {
                range.end = range.end.max(span.end);
                *last = Style::Other;
            }
        }
    }

    /// Records a complete node if it is a key or a value of the top-level mapping.
    fn complete(&mut self) {
        let (1, Some(layout)) = (self.depth, &mut self.layout) else { return };
        let Some((range, style)) = self.node.take() else { return };
        match self.key.take() {
            None => self.key = Some(range),
            Some(key) => layout.entries.push(Place { key, value: range, style }),
        }
    }

    /// Finishes a document. Empty documents, as after a leading `---`, are skipped.
    fn finish(&mut self, end: usize) -> Option<Top> {
        let mut layout = self.layout.take()?;
        layout.end = end;
        for Place { key, value, .. } in &mut layout.entries {
            value.start = value.start.max(key.end);
            value.end = value.end.max(value.start);
        }
        Some(Top::Block(layout))
    }
}

/// Range of a scalar, without trailing blank lines that are not part of it, and its style.
fn scalar(
    content: &str,
    style: ScalarStyle,
    span: Range<usize>,
    text: &str,
) -> (Range<usize>, Style) {
    match style {
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let keeps = content.ends_with("\n\n");
            let written = text.get(span.clone()).unwrap_or_default();
            let kept = match keeps {
                true => written.strip_suffix('\n').unwrap_or(written),
                false => written.trim_end_matches([' ', '\t', '\r', '\n']),
            };
            // The parser places an empty block scalar at the start of a later line.
            let start = match kept.is_empty() {
                true => text[..span.start].trim_end().len(),
                false => span.start,
            };
            (start..start + kept.len(), Style::Text)
        }
        ScalarStyle::Plain if span.is_empty() => (span, Style::Absent),
        _ => (span, Style::Other),
    }
}

/// Start of the line that contains `at`.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |found| found + 1)
}
