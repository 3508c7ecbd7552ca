//! The flags of a challenge: exact texts, or regular expressions that match in linear time.

use flagship_game::Secret;
use regex::{Regex, RegexBuilder};

use crate::fields::Fields;
use crate::problem::{Report, nearest, quote};
use crate::yaml::{Node, Value};

/// The most flags of one challenge.
pub const FLAGS_MAX: usize = 64;

/// The most characters of a flag that a team can submit.
pub const FLAG_CHARS_MAX: usize = 256;

/// The most bytes that one compiled pattern may take.
pub const REGEX_BYTES_MAX: usize = 1024 * 1024;

/// The deepest nesting of a pattern.
const REGEX_NEST_MAX: u32 = 50;

/// A flag of a challenge. `Debug` does not show the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Matches this text.
    Exact {
        /// The flag.
        text: Secret,
        /// Whether case is ignored.
        case_insensitive: bool,
    },
    /// Matches every text that the pattern matches as a whole.
    Regex {
        /// The pattern; see [`compile`].
        pattern: Secret,
        /// Whether case is ignored.
        case_insensitive: bool,
    },
}

/// Compiles a flag's pattern, anchored at both ends and with bounded size. Matching takes linear
/// time; look-around and back-references are not supported.
pub fn compile(pattern: &str, case_insensitive: bool) -> Result<Regex, regex::Error> {
    let build = |pattern: &str| {
        RegexBuilder::new(pattern)
            .case_insensitive(case_insensitive)
            .size_limit(REGEX_BYTES_MAX)
            .dfa_size_limit(REGEX_BYTES_MAX)
            .nest_limit(REGEX_NEST_MAX)
            .build()
    };
    // First without the anchors: `a)|(b` is not a pattern, but would become one inside them.
    build(pattern)?;
    build(&format!(r"\A(?:{pattern})\z"))
}

/// Reads `flags`. Problems never contain a flag.
pub(crate) fn read(fields: &mut Fields<'_>) -> Vec<Flag> {
    let nodes = fields.items("flags");
    if nodes.is_empty() {
        let line = fields.line("flags");
        fields.report.warning(line, "this challenge has no flag, so nobody can solve it");
    }
    if nodes.len() > FLAGS_MAX {
        let line = fields.line("flags");
        fields.report.error(line, format!("a challenge has at most {FLAGS_MAX} flags"));
        return Vec::new();
    }
    nodes.into_iter().filter_map(|node| flag(node, fields.report)).collect()
}

fn flag(node: &Node, report: &mut Report) -> Option<Flag> {
    match &node.value {
        Value::Scalar { text, .. } => exact(text, node.line, false, report),
        Value::Map(_) => described(node, report),
        Value::List(_) => {
            report.error(node.line, "a flag must be text, or a map with `content`");
            None
        }
    }
}

fn described(node: &Node, report: &mut Report) -> Option<Flag> {
    const KEYS: [&str; 3] = ["type", "content", "data"];
    for entry in node.entries() {
        if !KEYS.contains(&entry.key.as_str()) && entry.key != "<<" {
            let near = nearest(KEYS, &entry.key).map_or("content", |(near, _)| near);
            let key = quote(&entry.key);
            let message = format!("a flag has no key {key}; the nearest is `{near}`");
            report.warning(entry.line, message);
        }
    }
    let mut inner = Fields::new(node, report);
    let kind = inner.text("type");
    let data = inner.text("data");
    let content = inner.entry("content").map(|entry| &entry.value);
    let Some(text) = content.and_then(|value| value.text()) else {
        let message = "a flag needs its text as `content`; braces without quotes make a map";
        inner.report.error(node.line, message);
        return None;
    };
    let case_insensitive = match data.as_ref().map(|data| data.text.as_str()) {
        Some("case_insensitive") => true,
        None | Some("case_sensitive") => false,
        Some(other) => {
            let message = format!("`data` is `case_insensitive` or absent, not {}", quote(other));
            inner.report.warning(inner.line("data"), message);
            false
        }
    };
    match kind.as_ref().map_or("static", |kind| kind.text.as_str()) {
        "static" => exact(text, node.line, case_insensitive, inner.report),
        "regex" => pattern(text, node.line, case_insensitive, inner.report),
        other => {
            let message = format!("a flag's `type` is `static` or `regex`, not {}", quote(other));
            inner.report.error(inner.line("type"), message);
            None
        }
    }
}

fn exact(text: &str, line: usize, case_insensitive: bool, report: &mut Report) -> Option<Flag> {
    let text = text.trim();
    if text.is_empty() {
        report.error(line, "a flag must not be empty");
        return None;
    }
    if text.chars().count() > FLAG_CHARS_MAX {
        let message = format!("a flag longer than {FLAG_CHARS_MAX} characters cannot be submitted");
        report.error(line, message);
        return None;
    }
    Some(Flag::Exact { text: Secret::new(text), case_insensitive })
}

fn pattern(text: &str, line: usize, case_insensitive: bool, report: &mut Report) -> Option<Flag> {
    match compile(text, case_insensitive) {
        Ok(found) if found.is_match("") => {
            report.error(line, "this regex flag also matches the empty text");
            None
        }
        Ok(_) => Some(Flag::Regex { pattern: Secret::new(text), case_insensitive }),
        Err(error) => {
            let why = match error {
                regex::Error::CompiledTooBig(_) => "it grows too large",
                _ => "it is no pattern, or uses look-around or back-references",
            };
            report.error(line, format!("this regex flag cannot be used: {why}"));
            None
        }
    }
}
