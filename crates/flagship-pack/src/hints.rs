//! Reads `hints`: strings, or mappings with ctfcli's `content`, `title`, `cost` and `requirements`,
//! and Flagship's `key` (or `id`) and `at`.

use std::collections::{HashMap, HashSet};

use flagship_game::{ChallengeId, Hint};
use jiff::tz::TimeZone;

use crate::fields::{Fields, Text};
use crate::html::{self, Rendered, warnings};
use crate::offset_time::{OffsetTime, is_like_time};
use crate::problem::{nearest, quote};
use crate::search::Search;
use crate::yaml::{Node, Value};

/// Maximum number of hints per challenge.
pub const HINTS_MAX: usize = 32;

/// Maximum length of a title, in characters.
const TITLE_CHARS_MAX: usize = 128;

/// Keys of a hint. `id` is another name of `key`.
const KEYS: [&str; 7] = ["content", "key", "id", "at", "cost", "title", "requirements"];

/// A hint with its unresolved requirements.
struct Read {
    hint: Hint,
    line: usize,
    requirements: Vec<Text>,
}

/// Reads the hints. The default ID of a hint is its position, counted from 1.
pub(crate) fn read(fields: &mut Fields<'_>, zone: Option<&TimeZone>, search: &Search) -> Vec<Hint> {
    let nodes = fields.items("hints");
    if nodes.len() > HINTS_MAX {
        let line = fields.line("hints");
        fields.report.error(line, format!("a challenge can have at most {HINTS_MAX} hints"));
        return Vec::new();
    }
    let mut taken = HashSet::new();
    let mut hints = Vec::new();
    for (place, node) in (1..).zip(nodes) {
        let Some(read) = one(node, place, fields, zone, search) else { continue };
        if taken.insert(read.hint.id.clone()) {
            hints.push(read);
        } else {
            let message = format!("duplicate hint key {}", quote(&read.hint.id));
            fields.report.error(node.line, message);
        }
    }
    check_requirements(&hints, fields);
    hints.into_iter().map(|read| read.hint).collect()
}

/// Raw text of a hint.
pub(crate) fn content(node: &Node) -> Option<&str> {
    node.text().or_else(|| node.get("content")?.value.text())
}

fn one(
    node: &Node,
    place: usize,
    fields: &mut Fields<'_>,
    zone: Option<&TimeZone>,
    search: &Search,
) -> Option<Read> {
    let (content, mut read) = match &node.value {
        Value::Scalar { text, .. } => {
            let hint = Hint { id: place.to_string(), ..Hint::default() };
            let read = Read { hint, line: node.line, requirements: Vec::new() };
            (text.trim().to_owned(), read)
        }
        Value::Map(_) => map(node, place, &mut Fields::new(node, fields.report), zone)?,
        Value::List(_) => {
            let message = "a hint must be a string or a mapping like `{content: ..., at: ...}`";
            fields.report.error(node.line, message);
            return None;
        }
    };
    let shown = quote(&read.hint.id);
    if content.is_empty() {
        fields.report.warning(node.line, format!("the hint {shown} is empty and is ignored"));
        return None;
    }
    let title = read.hint.title.as_deref().unwrap_or_default();
    if search.is_in(content.as_bytes()) || search.is_in(title.as_bytes()) {
        let message = format!("the hint {shown} contains a flag of this challenge");
        fields.report.warning(node.line, message);
    }
    warnings::warn_about_templates(
        &format!("the hint {shown}"),
        &content,
        node.line,
        fields.report,
    );
    match html::render_with(&content, |_| None) {
        Ok(Rendered { html, lost_links }) => {
            let what = format!("the hint {shown}");
            warnings::warn_about_lost_links(&what, &lost_links, node.line, fields.report);
            read.hint.html = Some(html);
            Some(read)
        }
        Err(why) => {
            fields.report.error(node.line, format!("the hint {shown} cannot be displayed: {why}"));
            None
        }
    }
}

/// Reads a hint written as a mapping, and its text; `None` if the hint has errors.
fn map(
    node: &Node,
    place: usize,
    fields: &mut Fields<'_>,
    zone: Option<&TimeZone>,
) -> Option<(String, Read)> {
    let errors_before = fields.report.errors();
    note_unknown_keys(node, fields);
    let key = key(fields);
    let id = key.clone().unwrap_or_else(|| place.to_string());
    let cost = cost(fields, &id);
    if cost > 0 && key.is_none() {
        let message = format!(
            "the hint {} costs points and has no `key`: teams that took it would get another hint \
             if its place in the list changes",
            quote(&id)
        );
        fields.report.note(node.line, message);
    }
    let at_ms = at(fields, zone);
    let title = title(fields);
    let requirements = requirements(fields);
    let content = fields.text("content").map(|content| content.text).unwrap_or_default();
    if fields.report.errors() > errors_before {
        return None;
    }
    let names = requirements.iter().map(|required| required.text.clone()).collect();
    let hint = Hint { id, html: None, at_ms, title, cost, requirements: names };
    Some((content, Read { hint, line: node.line, requirements }))
}

/// Reads `key`, or its other name `id`.
fn key(fields: &mut Fields<'_>) -> Option<String> {
    let (key, id) = (fields.text("key"), fields.text("id"));
    if let (Some(key), Some(id)) = (&key, &id)
        && key.text != id.text
    {
        let message = format!(
            "the hint has the key {} and the ID {}; `id` is another name of `key`, so \
            remove one",
            quote(&key.text),
            quote(&id.text)
        );
        fields.report.error(id.line, message);
    }
    let key = key.or(id)?;
    if let Err(error) = ChallengeId::parse(&key.text) {
        let message = format!("invalid hint key {}: {error}", quote(&key.text));
        fields.report.error(key.line, message);
    }
    Some(key.text)
}

fn cost(fields: &mut Fields<'_>, id: &str) -> i64 {
    let cost = fields.integer("cost").unwrap_or_default();
    if !(0..=Hint::COST_MAX).contains(&cost) {
        let most = Hint::COST_MAX;
        let message = format!("the hint {} must cost 0 to {most} points, not {cost}", quote(id));
        fields.report.error(fields.line("cost"), message);
    }
    cost
}

fn at(fields: &mut Fields<'_>, zone: Option<&TimeZone>) -> Option<i64> {
    let at = fields.text("at")?;
    let when = OffsetTime::parse(&at.text)
        .inspect_err(|says| fields.report.error(at.line, format!("`at` {says}")))
        .ok()?;
    if let Some(says) = zone.and_then(|zone| when.offset_mismatch(zone)) {
        fields.report.warning(at.line, format!("`at` {says}"));
    }
    Some(when.at_ms)
}

fn title(fields: &mut Fields<'_>) -> Option<String> {
    let Text { text, line } = fields.text("title")?;
    let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.chars().count() > TITLE_CHARS_MAX || title.chars().any(char::is_control) {
        let message = format!(
            "a hint's `title` must be one line of at most {TITLE_CHARS_MAX} \
            characters"
        );
        fields.report.error(line, message);
    }
    Some(title)
}

/// Reads `requirements`: a list of keys, or CTFd's `{prerequisites: [...]}`.
fn requirements(fields: &mut Fields<'_>) -> Vec<Text> {
    let is_map = |entry: &&crate::yaml::Entry| matches!(entry.value.value, Value::Map(_));
    let Some(entry) = fields.entry("requirements").filter(is_map) else {
        return fields.texts("requirements", HINTS_MAX);
    };
    let mut inner = Fields::new(&entry.value, fields.report);
    let requirements = inner.texts("prerequisites", HINTS_MAX);
    for other in entry.value.entries() {
        if !["prerequisites", "anonymize", "<<"].contains(&other.key.as_str()) {
            let message = format!("unknown key {} in a hint's `requirements`", quote(&other.key));
            fields.report.error(other.line, message);
        }
    }
    requirements
}

/// Reports requirements that no team could ever meet.
fn check_requirements(hints: &[Read], fields: &mut Fields<'_>) {
    let by_id: HashMap<&str, &Read> =
        hints.iter().map(|read| (read.hint.id.as_str(), read)).collect();
    for required in hints.iter().flat_map(|read| &read.requirements) {
        if !by_id.contains_key(required.text.as_str()) {
            let keys = by_id.keys().copied();
            let near = nearest(keys, &required.text).filter(|(_, is_near)| *is_near);
            let near = near.map(|(near, _)| format!("; did you mean `{near}`?"));
            let message = format!(
                "unknown hint {} in `requirements`; name the `key` of another hint of this \
                 challenge{}",
                quote(&required.text),
                near.unwrap_or_default()
            );
            fields.report.error(required.line, message);
        }
    }
    // The hints that can be taken, as a growing set.
    let mut open: HashSet<&str> = HashSet::new();
    loop {
        let is_open = |read: &&Read| {
            let is_met = |it: &Text| {
                open.contains(it.text.as_str()) || !by_id.contains_key(it.text.as_str())
            };
            !open.contains(read.hint.id.as_str()) && read.requirements.iter().all(is_met)
        };
        let more: Vec<&str> = hints.iter().filter(is_open).map(|it| it.hint.id.as_str()).collect();
        if more.is_empty() {
            break;
        }
        open.extend(more);
    }
    for read in hints.iter().filter(|read| !open.contains(read.hint.id.as_str())) {
        let message = format!(
            "the hint {} can never be taken, because its `requirements` form a circle",
            quote(&read.hint.id)
        );
        fields.report.error(read.line, message);
    }
}

fn note_unknown_keys(node: &Node, fields: &mut Fields<'_>) {
    for entry in node.entries().iter().filter(|entry| entry.key != "<<") {
        if KEYS.contains(&entry.key.as_str()) || fields.report.is_full() {
            continue;
        }
        let key = quote(&entry.key);
        if is_like_time(&entry.key, entry.value.text()) {
            let message = format!(
                "unknown hint key {key}, so the hint would be shown immediately; set its time \
                 with `at: 2026-11-25T14:00:00+01:00`, or remove the key"
            );
            fields.report.error(entry.line, message);
            continue;
        }
        match nearest(KEYS, &entry.key) {
            Some((near, true)) => {
                let message = format!("unknown hint key {key}; did you mean `{near}`?");
                fields.report.warning(entry.line, message);
            }
            _ => fields.report.note(entry.line, format!("the hint key {key} is ignored")),
        }
    }
}
