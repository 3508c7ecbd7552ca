//! The flags of a challenge: exact strings, per-team strings, or regular expressions that match in
//! linear time; and decoys, which are incorrect.

mod flag;
mod format;
mod search;

use std::borrow::Cow;

use flagship_game::flag_text;
use flagship_game::team_flag::{CODE_CHARS, PLACEHOLDER};
use flagship_game::{Secret, TeamFlag};

use crate::fields::Fields;
use crate::html::warnings::{TemplateExtent, template_extent};
use crate::problem::{Report, nearest, quote};
use crate::yaml::{Entry, Node, Value};
pub use flag::{Flag, REGEX_BYTES_MAX, compile};
use flag::{PATTERN_BYTES_MAX, anchored, build};
pub(crate) use format::Wrapper;
pub use search::FlagSearch;

/// Maximum number of flags per challenge.
pub const FLAGS_MAX: usize = 64;

/// Maximum length of a submitted flag, in characters.
pub const FLAG_CHARS_MAX: usize = 256;

/// Advice for patterns that are too large.
const SMALLER: &str = ": repeat less (`{...}`), write `[A-Za-z0-9_]` for `\\w` and `[0-9]` for \
                       `\\d`, or use static flags";

/// Message for a challenge without a flag that can be correct.
pub(crate) const NO_FLAG: &str = "this challenge has no flag, so it cannot be solved";

/// Reads `flags` and the flag format shown to players. `misspelled` is a key that is used instead
/// of `flags`. Problems never contain a flag.
pub(crate) fn read(
    fields: &mut Fields<'_>,
    misspelled: Option<&Entry>,
    event: Option<&Wrapper>,
) -> (Vec<Flag>, Option<String>) {
    let nodes = fields.items("flags");
    if let Some(entry) = misspelled {
        let message = format!(
            "use `flags: [...]` instead of {}; without it, the challenge cannot be solved",
            quote(&entry.key)
        );
        fields.report.error(entry.line, message);
        return (Vec::new(), None);
    }
    if nodes.is_empty() {
        fields.report.warning(fields.line("flags"), NO_FLAG);
    }
    if nodes.len() > FLAGS_MAX {
        let line = fields.line("flags");
        fields.report.error(line, format!("a challenge can have at most {FLAGS_MAX} flags"));
        return (Vec::new(), None);
    }
    let mut flags = Vec::new();
    let mut bytes_left = PATTERN_BYTES_MAX;
    for node in nodes {
        let Some(flag) = flag(node, &mut bytes_left, fields.report) else { continue };
        flags.push((node.line, flag));
    }
    refuse_right_decoys(&flags, fields.report);
    let format = format::read(fields, &flags, event);
    let flags: Vec<Flag> = flags.into_iter().map(|(_, flag)| flag).collect();
    if !flags.is_empty() && !flags.iter().any(Flag::counts) {
        fields.report.warning(fields.line("flags"), NO_FLAG);
    }
    if are_too_large(&flags) {
        let message = format!("the regex flags of this challenge are too large in total{SMALLER}");
        fields.report.error(fields.line("flags"), message);
    }
    (flags, format)
}

/// Reports decoys that are also correct flags. Each flag comes with its line.
fn refuse_right_decoys(flags: &[(usize, Flag)], report: &mut Report) {
    for (line, decoy) in flags {
        if let Flag::Decoy(text) = decoy
            && flags.iter().any(|(_, flag)| flag.is_right(text.expose()))
        {
            let message = "this decoy is also a correct flag (ignoring case): choose another";
            report.error(*line, message);
        }
    }
}

/// True if the patterns, each of which compiles, exceed the limit in total.
fn are_too_large(flags: &[Flag]) -> bool {
    let patterns = flags.iter().filter_map(|flag| match flag {
        Flag::Exact { .. } | Flag::Team(_) | Flag::Decoy(_) => None,
        Flag::Regex { pattern, case_insensitive } => {
            Some(anchored(pattern.expose(), *case_insensitive))
        }
    });
    let patterns: Vec<String> = patterns.collect();
    patterns.len() > 1 && build(&patterns).is_err()
}

fn flag(node: &Node, bytes_left: &mut usize, report: &mut Report) -> Option<Flag> {
    match &node.value {
        Value::Scalar { text, .. } => exact(text, node.line, false, report),
        Value::Map(_) => described(node, bytes_left, report),
        Value::List(_) => {
            report.error(node.line, "a flag must be a string or a mapping with `content`");
            None
        }
    }
}

fn described(node: &Node, bytes_left: &mut usize, report: &mut Report) -> Option<Flag> {
    const KEYS: [&str; 3] = ["type", "content", "data"];
    for entry in node.entries() {
        if !KEYS.contains(&entry.key.as_str()) && entry.key != "<<" {
            let near = nearest(KEYS, &entry.key).map_or("content", |(near, _)| near);
            let key = quote(&entry.key);
            let message = format!("unknown flag key {key}; did you mean `{near}`?");
            report.warning(entry.line, message);
        }
    }
    let mut inner = Fields::new(node, report);
    let kind = inner.text("type");
    let data = inner.text("data");
    let content = inner.entry("content").map(|entry| &entry.value);
    let Some(text) = content.and_then(|value| value.text()) else {
        let message = "missing `content`; a flag with braces must be quoted";
        inner.report.error(node.line, message);
        return None;
    };
    let case_insensitive = match data.as_ref().map(|data| data.text.as_str()) {
        Some("case_insensitive") => true,
        None | Some("case_sensitive") => false,
        Some(other) => {
            let message =
                format!("`data` must be `case_insensitive` or absent, not {}", quote(other));
            inner.report.warning(inner.line("data"), message);
            false
        }
    };
    match kind.as_ref().map_or("static", |kind| kind.text.as_str()) {
        "static" => exact(text, node.line, case_insensitive, inner.report),
        "regex" => {
            let Some(left) = bytes_left.checked_sub(text.len()) else {
                let message = "the regex flags of a challenge can be at most 4 KiB in total; \
                    shorten them or use static flags";
                inner.report.error(node.line, message);
                return None;
            };
            *bytes_left = left;
            pattern(text, node.line, case_insensitive, inner.report)
        }
        "team" => {
            if case_insensitive {
                let message = "per-team flags are case-sensitive: remove `data`";
                inner.report.warning(inner.line("data"), message);
            }
            team(text, node.line, inner.report)
        }
        "decoy" => {
            let text = compared(text, 0, node.line, inner.report)?;
            Some(Flag::Decoy(Secret::new(text)))
        }
        other => {
            let message = format!(
                "flag `type` must be `static`, `regex`, `team` or `decoy`, not {}",
                quote(other)
            );
            inner.report.error(inner.line("type"), message);
            None
        }
    }
}

fn exact(text: &str, line: usize, case_insensitive: bool, report: &mut Report) -> Option<Flag> {
    let text = compared(text, 0, line, report)?;
    match template_extent(&text) {
        TemplateExtent::Whole => {
            let message = "this flag is an unfilled template like `${FLAG}`: submitting the \
                           template itself would solve the challenge";
            report.error(line, message);
            return None;
        }
        TemplateExtent::Part => {
            let message = "part of this flag is an unfilled template";
            report.warning(line, message);
        }
        TemplateExtent::None => {}
    }
    let text = Secret::new(text);
    Some(Flag::Exact { text, case_insensitive })
}

fn team(text: &str, line: usize, report: &mut Report) -> Option<Flag> {
    let text = compared(text, CODE_CHARS - PLACEHOLDER.len(), line, report)?;
    let flag = TeamFlag::parse(&text);
    if flag.is_none() {
        let message = format!("a per-team flag must contain `{PLACEHOLDER}` exactly once");
        report.error(line, message);
    }
    flag.map(Flag::Team)
}

/// Returns the normalized text of a flag, if it can be submitted with `more` additional characters.
fn compared<'a>(
    text: &'a str,
    more: usize,
    line: usize,
    report: &mut Report,
) -> Option<Cow<'a, str>> {
    let ends = text.trim_matches(flag_text::is_invisible);
    let has_ends = ends.len() < text.len();
    let text = flag_text::compared(ends);
    if text.is_empty() {
        report.error(line, "a flag must not be empty");
        return None;
    }
    if has_ends {
        let message = "leading and trailing spaces and invisible characters in a flag are \
                       ignored: remove them";
        report.warning(line, message);
    }
    if text.chars().count() + more > FLAG_CHARS_MAX {
        let message = format!("a flag longer than {FLAG_CHARS_MAX} characters cannot be submitted");
        report.error(line, message);
        return None;
    }
    Some(text)
}

fn pattern(text: &str, line: usize, case_insensitive: bool, report: &mut Report) -> Option<Flag> {
    if text.trim_matches(flag_text::is_invisible).len() < text.len() {
        let message = "leading or trailing spaces in a regex never match, because submissions are \
            trimmed: remove them";
        report.warning(line, message);
    }
    match compile(text, case_insensitive) {
        Ok(found) if found.is_match("") => {
            report.error(line, "this regex also matches an empty string");
            None
        }
        Ok(_) => Some(Flag::Regex { pattern: Secret::new(text), case_insensitive }),
        Err(error) => {
            let why = match error {
                regex::Error::CompiledTooBig(_) => {
                    format!("it is too large when compiled{SMALLER}")
                }
                error => syntax_message(text, &error.to_string()),
            };
            report.error(line, format!("this regex flag cannot be used: {why}"));
            None
        }
    }
}

/// Describes a pattern that does not compile. The library's message contains the pattern, so only
/// its last part is used.
fn syntax_message(pattern: &str, said: &str) -> String {
    let cause = said.lines().rev().find_map(|line| line.strip_prefix("error: "));
    let cause = cause.unwrap_or("it cannot be parsed");
    let is_named = ["look-around", "backreferences"].iter().any(|word| cause.contains(word));
    // The library reports these as groups with an unknown option.
    match is_named || ["(?P=", "(?P>", r"\k<", "(?("].iter().any(|it| pattern.contains(it)) {
        true => "look-around and backreferences, such as `\\1` or `(?P=name)`, are not supported"
            .to_owned(),
        false => format!("invalid regex ({cause})"),
    }
}
