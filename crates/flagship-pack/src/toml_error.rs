//! Explains TOML syntax errors, based on the shape of the line.

use crate::problem::{nearest, quote};

/// Advice on the syntax of values.
const VALUES: &str = "use straight quotes \"…\" for strings, true or false for switches, and \
    times like 2026-11-24T18:00:00+01:00";

/// Quotes that word processors insert instead of straight ones.
const CURLY: [char; 9] = ['“', '”', '„', '‟', '‘', '’', '‚', '«', '»'];

/// Explains the error on `line`, followed by the parser's message.
pub(crate) fn message(line: &str, parser: &str) -> String {
    let parser = parser.replace('\n', ", ");
    match ours(line.trim(), &parser) {
        Some(ours) => format!("{ours} (invalid TOML: {parser})"),
        None => format!("invalid TOML: {parser}"),
    }
}

/// Parser messages about unclosed lists and inline tables.
const UNENDED: [&str; 3] = ["missing comma", "unclosed array", "unclosed inline table"];

fn ours(line: &str, parser: &str) -> Option<String> {
    if UNENDED.iter().any(|words| parser.contains(words)) {
        let message = "unclosed `[`, `{` or quote, here or above, or a missing comma";
        return Some(message.to_owned());
    }
    let is_twice = parser.contains("duplicate key");
    if let Some(name) = line.strip_prefix('[') {
        let name = quote(name.split(']').next().unwrap_or_default());
        return Some(match (is_twice, line.contains(']')) {
            (true, _) => format!("duplicate table {name}: merge its keys into one"),
            (false, true) => return None,
            (false, false) => format!("missing `]` after the table name {name}"),
        });
    }
    let Some((key, value)) = line.split_once('=') else {
        if let Some(item) = line.strip_suffix(',') {
            return explain_value(item.trim());
        }
        let is_text = !line.is_empty() && !line.starts_with(['#', '"', ']', '}']);
        return is_text.then(|| {
            let line = quote(line);
            format!("{line} is neither `key = value` nor `[table]`; comments start with `#`")
        });
    };
    let key = quote(key);
    if is_twice {
        return Some(format!("duplicate key {key}"));
    }
    explain_value(value.trim()).map(|says| format!("{key}: {says}"))
}

/// Explains an error in a value.
fn explain_value(value: &str) -> Option<String> {
    let bare = value.split('#').next().unwrap_or_default().trim();
    let shown = quote(bare);
    let first = bare.chars().next();
    Some(match first {
        None => "missing value after `=`".to_owned(),
        Some(_) if bare.contains(CURLY) => format!("{shown} uses curly quotes: {VALUES}"),
        Some(mark @ ('"' | '\'')) if value.matches(mark).count() < 2 => {
            format!("missing closing `{mark}`")
        }
        Some(c) if c.is_ascii_digit() && bare.contains(['.', ':', '/', '-']) => {
            format!("{shown} is neither a time nor a number: {VALUES}")
        }
        Some(c) if c.is_alphanumeric() => match nearest(["true", "false"], bare) {
            Some((near, true)) => format!("{shown} is not a valid value; did you mean `{near}`?"),
            _ => format!("{shown} is not a valid value: {VALUES}"),
        },
        Some(_) => return None,
    })
}
