//! Reads `hints`: strings, or mappings with `content`, `id`, `at` and ctfcli's `cost`. Hints are
//! free; a hint with a cost is ignored.

use std::collections::HashSet;

use flagship_game::{ChallengeId, Hint};
use jiff::tz::TimeZone;

use crate::fields::Fields;
use crate::html::{self, Rendered, warnings};
use crate::offset_time::{OffsetTime, is_like_time};
use crate::problem::{nearest, quote};
use crate::search::Search;
use crate::yaml::{Node, Value};

/// Maximum number of hints per challenge.
pub const HINTS_MAX: usize = 32;

/// Keys of a hint. The last two belong to ctfcli and are ignored.
const KEYS: [&str; 6] = ["content", "id", "at", "cost", "title", "requirements"];

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
        let Some(hint) = one(node, place, fields, zone, search) else { continue };
        if taken.insert(hint.id.clone()) {
            hints.push(hint);
        } else {
            let message = format!("duplicate hint ID {}", quote(&hint.id));
            fields.report.error(node.line, message);
        }
    }
    hints
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
) -> Option<Hint> {
    let (content, id, at_ms) = match &node.value {
        Value::Scalar { text, .. } => (text.trim().to_owned(), place.to_string(), None),
        Value::Map(_) => map(node, place, &mut Fields::new(node, fields.report), zone)?,
        Value::List(_) => {
            let message = "a hint must be a string or a mapping like `{content: ..., at: ...}`";
            fields.report.error(node.line, message);
            return None;
        }
    };
    let shown = quote(&id);
    if content.is_empty() {
        fields.report.warning(node.line, format!("the hint {shown} is empty and is ignored"));
        return None;
    }
    if search.is_in(content.as_bytes()) {
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
            Some(Hint { id, html: Some(html), at_ms })
        }
        Err(why) => {
            fields.report.error(node.line, format!("the hint {shown} cannot be displayed: {why}"));
            None
        }
    }
}

/// Reads the text, ID and time of a hint written as a mapping; `None` if the hint is ignored.
fn map(
    node: &Node,
    place: usize,
    fields: &mut Fields<'_>,
    zone: Option<&TimeZone>,
) -> Option<(String, String, Option<i64>)> {
    let errors_before = fields.report.errors();
    note_unknown_keys(node, fields);
    let id = match fields.text("id") {
        None => place.to_string(),
        Some(id) => {
            if let Err(error) = ChallengeId::parse(&id.text) {
                fields.report.error(id.line, format!("invalid ID {}: {error}", quote(&id.text)));
            }
            id.text
        }
    };
    let cost = fields.integer("cost");
    let at = fields.text("at");
    let at_ms = at.and_then(|at| {
        let when = OffsetTime::parse(&at.text)
            .inspect_err(|says| fields.report.error(at.line, format!("`at` {says}")))
            .ok()?;
        if let Some(says) = zone.and_then(|zone| when.offset_mismatch(zone)) {
            fields.report.warning(at.line, format!("`at` {says}"));
        }
        Some(when.at_ms)
    });
    let content = fields.text("content").map(|content| content.text).unwrap_or_default();
    if fields.report.errors() > errors_before {
        return None;
    }
    if let Some(cost) = cost.filter(|cost| *cost > 0) {
        let message = format!(
            "the hint {} costs {cost} points and is ignored: hint costs are not supported; remove \
             `cost` to show it for free",
            quote(&id)
        );
        fields.report.warning(node.line, message);
        return None;
    }
    Some((content, id, at_ms))
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
