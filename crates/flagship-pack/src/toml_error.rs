//! Says what is wrong with a line that is not TOML, by what the line looks like.

use crate::problem::{nearest, quote};

/// How values are written.
const VALUES: &str = "texts stand in straight quotes \"…\", switches are true or false, times are \
                      like 2026-11-24T18:00:00+01:00";

/// Quotes that word processors make of straight ones.
const CURLY: [char; 9] = ['“', '”', '„', '‟', '‘', '’', '‚', '«', '»'];

/// What is wrong with `line`, in our words, then in the parser's.
pub(crate) fn message(line: &str, parser: &str) -> String {
    let parser = parser.replace('\n', ", ");
    match ours(line.trim(), &parser) {
        Some(ours) => format!("{ours} (this is not readable as TOML: {parser})"),
        None => format!("this is not readable as TOML: {parser}"),
    }
}

/// The parser's words about a list or an inline table that does not end.
const UNENDED: [&str; 3] = ["missing comma", "unclosed array", "unclosed inline table"];

fn ours(line: &str, parser: &str) -> Option<String> {
    if UNENDED.iter().any(|words| parser.contains(words)) {
        let message = "a `[`, a `{` or a quote has no end, here or in a line above, or a comma is \
                       missing between two values";
        return Some(message.to_owned());
    }
    let is_twice = parser.contains("duplicate key");
    if let Some(name) = line.strip_prefix('[') {
        let name = quote(name.split(']').next().unwrap_or_default());
        return Some(match (is_twice, line.contains(']')) {
            (true, _) => format!("the table {name} is there twice: put all its keys below one"),
            (false, true) => return None,
            (false, false) => format!("the name of the table {name} needs its `]`"),
        });
    }
    let Some((key, value)) = line.split_once('=') else {
        if let Some(item) = line.strip_suffix(',') {
            return of_value(item.trim());
        }
        let is_text = !line.is_empty() && !line.starts_with(['#', '"', ']', '}']);
        return is_text.then(|| {
            let line = quote(line);
            format!("{line} is neither `key = value` nor `[table]`; a comment begins with `#`")
        });
    };
    let key = quote(key);
    if is_twice {
        return Some(format!("the key {key} is there twice in its table: keep one"));
    }
    of_value(value.trim()).map(|says| format!("{key}: {says}"))
}

/// What is wrong with a value.
fn of_value(value: &str) -> Option<String> {
    let bare = value.split('#').next().unwrap_or_default().trim();
    let shown = quote(bare);
    let first = bare.chars().next();
    Some(match first {
        None => "there is no value after the `=`; without one, remove the line".to_owned(),
        Some(_) if bare.contains(CURLY) => format!("{shown} has curly quotes: {VALUES}"),
        Some(mark @ ('"' | '\'')) if value.matches(mark).count() < 2 => {
            format!("the closing `{mark}` of the text is missing")
        }
        Some(c) if c.is_ascii_digit() && bare.contains(['.', ':', '/', '-']) => {
            format!("{shown} is no time and no number: {VALUES}")
        }
        Some(c) if c.is_alphanumeric() => match nearest(["true", "false"], bare) {
            Some((near, true)) => format!("{shown} is no value; is `{near}` meant?"),
            _ => format!("{shown} is no value: {VALUES}"),
        },
        Some(_) => return None,
    })
}
