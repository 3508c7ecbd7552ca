//! Where the entries of a document's top-level map stand in its text.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};

/// The top level of a document.
pub(super) enum Top {
    /// No content, or only comments.
    Empty,
    /// A map in lines of keys and values.
    Block(Layout),
    /// A map in braces.
    Flow,
    /// No map.
    Other,
}

/// A map's entries, in the order of the text.
pub(super) struct Layout {
    /// Blanks before each key.
    pub(super) indent: usize,
    pub(super) entries: Vec<Place>,
    /// Where the document ends: at its `...`, at the `---` of the next, or at the end of the text.
    pub(super) end: usize,
}

/// Where one entry stands, in bytes.
pub(super) struct Place {
    pub(super) key: Range<usize>,
    /// From the first character of the value, without its anchor and tag, to the last.
    pub(super) value: Range<usize>,
    pub(super) style: Style,
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Nothing stands after the key's colon.
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
    /// Lists and maps that are open.
    depth: usize,
    key: Option<Range<usize>>,
    /// The key or value that is being read.
    node: Option<(Range<usize>, Style)>,
}

impl Search {
    /// Processes one event of the parser; returns the result when the document is complete.
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
                // The end of a block has no width and stands where the next token begins.
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

    /// Extends the node that is being read.
    fn grow(&mut self, span: Range<usize>, style: Style) {
        match &mut self.node {
            None => self.node = Some((span, style)),
            Some((range, last)) => {
                range.end = range.end.max(span.end);
                *last = Style::Other;
            }
        }
    }

    /// Records a complete node if it is a key or a value of the top-level map.
    fn complete(&mut self) {
        let (1, Some(layout)) = (self.depth, &mut self.layout) else { return };
        let Some((range, style)) = self.node.take() else { return };
        match self.key.take() {
            None => self.key = Some(range),
            Some(key) => layout.entries.push(Place { key, value: range, style }),
        }
    }

    /// An empty document, as after a first `---`, is passed over.
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

/// Where a scalar ends, without the blank lines that are not part of it, and its style.
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
            // A text without lines stands, for the parser, at the start of a later line.
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

/// Where the line begins that `at` is in.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |found| found + 1)
}
