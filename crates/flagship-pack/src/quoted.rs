//! Adds the blanks that the parser wants and PyYAML, which ctfcli reads with, does not.
//!
//! PyYAML lets a quoted text continue at any column; YAML 1.2 wants each line further in than the
//! key. Blanks at the start of such a line are not part of the text, so adding some changes nothing
//! that is read. Nor does a blank between a quoted text and a comment.

use granit_parser::{ErrorKind, Parser, ScanError};

/// The most bytes that are parsed again or written, for one file.
const REPAIRED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// What a repair counts as at least, so that there are at most 4,096.
const REPAIR_BYTES_MIN: usize = 4096;

/// What may still be spent on one file.
pub(crate) struct Budget(usize);

impl Budget {
    pub(crate) fn new() -> Self {
        Self(REPAIRED_BYTES_MAX)
    }

    fn spend(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes.max(REPAIR_BYTES_MIN))?;
        Some(())
    }
}

/// `text` with more blanks, if `error` is about missing ones. Line numbers stay.
pub(crate) fn add_blanks(text: &str, error: &ScanError, budget: &mut Budget) -> Option<String> {
    budget.spend(text.len())?;
    let at = error.marker().byte_offset()?;
    match error.kind() {
        ErrorKind::InvalidQuotedScalarIndent | ErrorKind::TabInIndentation => {
            indent(text, at, budget)
        }
        ErrorKind::CommentNotSeparated => {
            let (before, comment) = text.split_at_checked(at)?;
            comment.starts_with('#').then(|| format!("{before} {comment}"))
        }
        _ => None,
    }
}

/// Indents the lines of the quoted text that `at` is in, from this line on.
fn indent(text: &str, at: usize, budget: &mut Budget) -> Option<String> {
    let from = text.get(..at)?.rfind(['\n', '\r'])? + 1;
    budget.spend(text.len())?;
    let width = width_before(&text[..from]);
    let blanks = text[from..].bytes().take_while(|byte| *byte == b' ').count();
    if blanks >= width {
        return None;
    }
    let to = from + closing_quote(&text[from..], is_double(&text[..from]));
    let lines = text[from..to].matches(['\n', '\r']).count() + 1;
    budget.spend(lines.checked_mul(width)?)?;
    let mut indented = String::with_capacity(text.len() + lines * width);
    indented.push_str(&text[..from]);
    let mut is_start = true;
    for c in text[from..to].chars() {
        let is_break = matches!(c, '\n' | '\r');
        if is_start && !is_break {
            indented.extend(std::iter::repeat_n(' ', width));
        }
        is_start = is_break;
        indented.push(c);
    }
    if is_start {
        indented.extend(std::iter::repeat_n(' ', width));
    }
    indented.push_str(&text[to..]);
    Some(indented)
}

/// A width beyond the column of every block that begins in `text`.
fn width_before(text: &str) -> usize {
    let before_key = |line: &str| line.bytes().take_while(|byte| b" -?:\t".contains(byte)).count();
    1 + text.split(['\n', '\r']).map(before_key).max().unwrap_or(0)
}

/// Whether a text that begins inside a quoted one is inside double quotes.
fn is_double(before: &str) -> bool {
    let closed = format!("{before}\"");
    // Between single quotes, the added quote is one more character in the wrong column.
    let is_open = |error: ScanError| {
        let kind = error.kind();
        matches!(kind, ErrorKind::UnclosedQuotedScalar | ErrorKind::InvalidQuotedScalarIndent)
    };
    !Parser::new_from_str(&closed).filter_map(Result::err).any(is_open)
}

/// Where the quoted text ends whose rest `text` begins with; or the end of `text`.
fn closing_quote(text: &str, is_double: bool) -> usize {
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' if is_double => drop(rest.next()),
            '"' if is_double => return at,
            '\'' if !is_double => match rest.peek() {
                Some((_, '\'')) => drop(rest.next()),
                _ => return at,
            },
            _ => {}
        }
    }
    text.len()
}
