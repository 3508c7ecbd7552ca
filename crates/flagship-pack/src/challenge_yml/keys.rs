//! Keys of a `challenge.yml`: those that are read, and those of ctfcli that are ignored. All others
//! are reported as problems. A key that affects who can see or solve the challenge is never ignored
//! silently.

use crate::offset_time::OffsetTime;
use crate::problem::{Report, nearest, quote};
use crate::yaml::{Entry, Node, Value};

/// Keys that are read.
const READ: [&str; 26] = [
    "name",
    "id",
    "category",
    "categories",
    "description",
    "value",
    "type",
    "extra",
    "scoring",
    "flags",
    "flag_format",
    "files",
    "requirements",
    "state",
    "connection_info",
    "hints",
    "position",
    "release",
    "scheduled_at",
    "closes",
    "logic",
    "attempts",
    "tags",
    "difficulty",
    "author",
    "attribution",
];

/// ctfcli keys that are ignored without a note, because no platform shows them to players.
const IGNORED: [&str; 9] =
    ["topics", "version", "protocol", "host", "healthcheck", "next", "solution", "module", "<<"];

/// Key with its own message.
const IMAGE: &str = "image";

/// Keys that belong under another key.
const HOMES: [(&str, &str); 4] = [
    ("initial", "extra: {initial: ...}"),
    ("minimum", "extra: {minimum: ...}"),
    ("values", "extra: {values: [...]}"),
    ("decay", "scoring: {decay: ...}"),
];

/// Keys that hide a challenge in other formats.
const HIDING: [&str; 4] = ["hidden", "visible", "visibility", "published"];

/// Words in key names that indicate a release time.
const FIRST: [&str; 16] = [
    "available",
    "open",
    "opens",
    "publish",
    "published",
    "release",
    "released",
    "releases",
    "reveal",
    "schedule",
    "scheduled",
    "show",
    "start",
    "starts",
    "unlock",
    "visible",
];

/// Words in key names that indicate an end time.
const LAST: [&str; 9] =
    ["close", "closed", "closes", "deadline", "end", "ends", "expires", "hide", "until"];

/// Words in key names that describe the file's history.
const PAST: [&str; 5] = ["created", "modified", "tested", "updated", "written"];

/// True if a key of a `challenge.yml` is read. Players never see the values of other keys.
pub fn is_read(key: &str) -> bool {
    READ.contains(&key)
}

fn known() -> impl Iterator<Item = &'static str> {
    READ.into_iter().chain(IGNORED).chain([IMAGE])
}

/// Reports keys that are ignored.
pub(super) fn check(root: &Node, report: &mut Report) {
    let flags_line = misspelled_flags(root).map(|entry| entry.line);
    for entry in root.entries() {
        if flags_line == Some(entry.line) || known().any(|key| key == entry.key) {
            continue;
        }
        if !check_time(entry, report) {
            check_unknown(entry, report);
        }
    }
    let says = |key: &str| root.get(key).filter(|entry| says_something(entry));
    if let Some(entry) = says(IMAGE).filter(|_| root.get("connection_info").is_none()) {
        let message = "`image` is ignored: Flagship does not start services; describe a running \
                       one in `connection_info`";
        report.note(entry.line, message);
    }
}

fn check_unknown(entry: &Entry, report: &mut Report) {
    let key = quote(&entry.key);
    if let Some((_, home)) = HOMES.iter().find(|(word, _)| *word == entry.key) {
        report.note(entry.line, format!("{key} is ignored here: it belongs in `{home}`"));
        return;
    }
    if HIDING.contains(&entry.key.to_lowercase().as_str()) {
        let message = format!("{key} is ignored: use `state: hidden` to hide a challenge");
        report.warning(entry.line, message);
        return;
    }
    let near = if report.is_full() { None } else { nearest(known(), &entry.key) };
    match near {
        Some((near, true)) => {
            let message = format!("unknown key {key}; did you mean `{near}`?");
            report.warning(entry.line, message);
        }
        _ => report.note(entry.line, format!("the key {key} is ignored")),
    }
}

fn says_something(entry: &Entry) -> bool {
    match &entry.value.value {
        Value::Scalar { text, .. } => !entry.value.is_null() && !text.trim().is_empty(),
        Value::List(items) => items.iter().any(|item| !item.is_null()),
        Value::Map(entries) => !entries.is_empty(),
    }
}

/// Reports an unknown key that looks like a time, because ignoring it would show the challenge or
/// accept flags at the wrong time. Returns true if it does.
fn check_time(entry: &Entry, report: &mut Report) -> bool {
    let Some(value) = entry.value.text().map(str::trim) else { return false };
    let key = entry.key.to_lowercase();
    let has =
        |of: &[&str]| key.split(|c: char| !c.is_alphanumeric()).any(|word| of.contains(&word));
    if has(&PAST) {
        return false;
    }
    let is_of_time = has(&FIRST) || has(&LAST);
    let meant = match has(&LAST) {
        true => "use `closes` for the time when submissions close",
        false => "use `release` for the time when players can see the challenge",
    };
    let message = format!("unknown key {}, which looks like a time: {meant}", quote(&entry.key));
    let is_time = has_date(value) && (value.contains(':') || OffsetTime::parse(value).is_ok());
    if is_time || (is_of_time && (has_date(value) || has_clock(value))) {
        report.error(entry.line, message);
    } else if has_date(value) {
        report.warning(entry.line, message);
    } else {
        return false;
    }
    true
}

/// True if a text starts with a date like 2026-11-28 or 28.11.2026.
fn has_date(text: &str) -> bool {
    let mut parts = text.split(|c: char| !c.is_ascii_digit());
    let lengths = [(); 3].map(|()| parts.next().map_or(0, str::len));
    let separator = text.chars().find(|c| !c.is_ascii_digit());
    let is_date = matches!(lengths, [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4]);
    is_date && separator.is_some_and(|c| "-./".contains(c))
}

/// True if a text is a time of day, or seconds or milliseconds since 1970.
fn has_clock(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_day = text.split_once(':').is_some_and(|(hour, minute)| {
        hour.len() <= 2 && is_digits(hour) && minute.get(..2).is_some_and(is_digits)
    });
    is_of_day || (is_digits(text) && matches!(text.len(), 10 | 13))
}

/// First key that looks like a misspelled `flags`, such as `flag`, in a challenge without flags.
pub(super) fn misspelled_flags(root: &Node) -> Option<&Entry> {
    let has_flags = root.get("flags").is_some_and(|entry| match &entry.value.value {
        Value::List(items) => items.iter().any(|item| !item.is_null()),
        Value::Scalar { .. } | Value::Map(_) => !entry.value.is_null(),
    });
    let is_meant = |entry: &&Entry| {
        // Skip long keys: a file can have very many.
        let is_short = entry.key.len() <= 2 * "flags".len();
        let is_other = || known().any(|key| key == entry.key);
        is_short && !is_other() && nearest(known(), &entry.key) == Some(("flags", true))
    };
    root.entries().iter().find(is_meant).filter(|_| !has_flags)
}
