//! The flags of a challenge: exact texts, texts that differ by team, or regular expressions that
//! match in linear time; and decoys, which are wrong.

mod flag;
mod format;
mod search;

use std::borrow::Cow;

use flagship_game::flag_text;
use flagship_game::team_flag::{CODE_CHARS, PLACEHOLDER};
use flagship_game::{Secret, TeamFlag};

use crate::fields::Fields;
use crate::html::warnings::{InFlag, in_flag};
use crate::problem::{Report, nearest, quote};
use crate::yaml::{Entry, Node, Value};
pub use flag::{Flag, REGEX_BYTES_MAX, compile};
use flag::{PATTERN_BYTES_MAX, anchored, build};
pub(crate) use format::Wrapper;
pub use search::FlagSearch;

/// The most flags of one challenge.
pub const FLAGS_MAX: usize = 64;

/// The most characters of a flag that a team can submit.
pub const FLAG_CHARS_MAX: usize = 256;

/// What to do about patterns that are too large.
const SMALLER: &str = ": repeat less (`{...}`), write `[A-Za-z0-9_]` for `\\w` and `[0-9]` for \
                       `\\d`, or use static flags";

/// What is said of a challenge without a flag that counts.
pub(crate) const NO_FLAG: &str = "this challenge has no flag, so nobody can solve it";

/// Reads `flags`, and the format that players are shown of them; `misspelled` is what stands in
/// place of `flags`. Problems never contain a flag.
pub(crate) fn read(
    fields: &mut Fields<'_>,
    misspelled: Option<&Entry>,
    event: Option<&Wrapper>,
) -> (Vec<Flag>, Option<String>) {
    let nodes = fields.items("flags");
    if let Some(entry) = misspelled {
        let message = format!(
            "the key is `flags`, not {}: write `flags: [...]`; \
             without it nobody can solve this challenge",
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
        fields.report.error(line, format!("a challenge has at most {FLAGS_MAX} flags"));
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
        let message = format!("the regex flags of this challenge are together too large{SMALLER}");
        fields.report.error(fields.line("flags"), message);
    }
    (flags, format)
}

/// Reports decoys that are right; each flag has its line.
fn refuse_right_decoys(flags: &[(usize, Flag)], report: &mut Report) {
    for (line, decoy) in flags {
        if let Flag::Decoy(text) = decoy
            && flags.iter().any(|(_, flag)| flag.is_right(text.expose()))
        {
            let message = "this decoy is also a right flag of the challenge, or is one in other \
                           case: choose another text";
            report.error(*line, message);
        }
    }
}

/// Whether the patterns, each of which compiles, exceed the limit together.
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
            report.error(node.line, "a flag must be text, or a map with `content`");
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
        "regex" => {
            let Some(left) = bytes_left.checked_sub(text.len()) else {
                let message = "this regex flag is too long: those of a challenge have at most \
                               4 KiB together; use fewer or static flags";
                inner.report.error(node.line, message);
                return None;
            };
            *bytes_left = left;
            pattern(text, node.line, case_insensitive, inner.report)
        }
        "team" => {
            if case_insensitive {
                let message = "a team's flag is compared with regard to case: remove `data`";
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
                "a flag's `type` is `static`, `regex`, `team` or `decoy`, not {}",
                quote(other)
            );
            inner.report.error(inner.line("type"), message);
            None
        }
    }
}

fn exact(text: &str, line: usize, case_insensitive: bool, report: &mut Report) -> Option<Flag> {
    let text = compared(text, 0, line, report)?;
    match in_flag(&text) {
        InFlag::Whole => {
            let message = "this flag is a template that is not filled in, such as `${FLAG}`: \
                           whoever sends the template itself would solve the challenge";
            report.error(line, message);
            return None;
        }
        InFlag::Part => {
            let message = "a part of this flag is a template that is not filled in";
            report.warning(line, message);
        }
        InFlag::None => {}
    }
    let text = Secret::new(text);
    Some(Flag::Exact { text, case_insensitive })
}

fn team(text: &str, line: usize, report: &mut Report) -> Option<Flag> {
    let text = compared(text, CODE_CHARS - PLACEHOLDER.len(), line, report)?;
    let flag = TeamFlag::parse(&text);
    if flag.is_none() {
        let message = format!("a team's flag has `{PLACEHOLDER}` once, where its code is to be");
        report.error(line, message);
    }
    flag.map(Flag::Team)
}

/// Returns the text of a flag as it is compared, if it can be sent with `more` characters.
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
        let message = "a flag has blanks or invisible characters at its ends, which do not count: \
                       remove them";
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
        let message = "a regex flag has blanks at its ends, so it matches nothing: what teams send \
                       is trimmed; remove them";
        report.warning(line, message);
    }
    match compile(text, case_insensitive) {
        Ok(found) if found.is_match("") => {
            report.error(line, "this regex flag also matches the empty text");
            None
        }
        Ok(_) => Some(Flag::Regex { pattern: Secret::new(text), case_insensitive }),
        Err(error) => {
            let why = match error {
                regex::Error::CompiledTooBig(_) => format!("it grows too large{SMALLER}"),
                error => of_syntax(text, &error.to_string()),
            };
            report.error(line, format!("this regex flag cannot be used: {why}"));
            None
        }
    }
}

/// What is wrong with a pattern that does not compile. The library's text has the pattern in it, so
/// only its last part is used.
fn of_syntax(pattern: &str, said: &str) -> String {
    let cause = said.lines().rev().find_map(|line| line.strip_prefix("error: "));
    let cause = cause.unwrap_or("it cannot be read");
    let is_named = ["look-around", "backreferences"].iter().any(|word| cause.contains(word));
    // The library takes these for groups with an unknown option.
    match is_named || ["(?P=", "(?P>", r"\k<", "(?("].iter().any(|it| pattern.contains(it)) {
        true => "it uses look-around or back-references, as `\\1` or `(?P=name)`, which can take \
                 for ever"
            .to_owned(),
        false => format!("it is no pattern ({cause})"),
    }
}
