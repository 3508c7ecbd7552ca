//! Adds spaces that the parser requires and PyYAML, which ctfcli uses, does not.
//!
//! PyYAML allows a quoted string to continue at any column; YAML 1.2 requires each line to be
//! indented more than the key. Leading spaces on such a line are not part of the string, so adding
//! some does not change the value. Neither does a space between a quoted string and a comment.

use granit_parser::{ErrorKind, Parser, ScanError};

/// Maximum number of bytes parsed again or written per file.
const REPAIRED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Minimum cost of a repair, which limits repairs to 4,096.
const REPAIR_BYTES_MIN: usize = 4096;

/// Remaining repair budget for one file, in bytes.
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

/// Adds spaces to `text` if `error` is about missing ones. Line numbers do not change.
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

/// Indents the lines of the quoted string around `at`, from that line on.
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

/// Indentation greater than the column of every block that starts in `text`.
fn width_before(text: &str) -> usize {
    let before_key = |line: &str| line.bytes().take_while(|byte| b" -?:\t".contains(byte)).count();
    1 + text.split(['\n', '\r']).map(before_key).max().unwrap_or(0)
}

/// True if the end of `before` is inside double quotes, given that it is inside a quoted string.
fn is_double(before: &str) -> bool {
    let closed = format!("{before}\"");
    // Inside single quotes, the added quote is just another character in the wrong column.
    let is_open = |error: ScanError| {
        let kind = error.kind();
        matches!(kind, ErrorKind::UnclosedQuotedScalar | ErrorKind::InvalidQuotedScalarIndent)
    };
    !Parser::new_from_str(&closed).filter_map(Result::err).any(is_open)
}

/// Position of the closing quote of the string that `text` starts in, or the end of `text`.
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
