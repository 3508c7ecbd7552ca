//! Reads the scoring of a challenge: `type`, `value`, `extra` and Flagship's own key `scoring`.

use flagship_game::challenge::VALUE_MAX;
use flagship_game::{Scoring, points};

use crate::event_toml::{DECAY_MAX, DefaultScoring};
use crate::fields::{Fields, whole};
use crate::offset_time::is_like_time;
use crate::problem::{nearest, quote};
use crate::yaml::Node;

/// Maximum number of values of a speedrun challenge.
pub(crate) const SPEEDRUN_VALUES_MAX: usize = 1000;

/// Keys of `extra` for a dynamic challenge. The last two belong to ctfcli's formula.
const CURVE: [&str; 4] = ["initial", "minimum", "decay", "function"];

/// Reads the scoring; returns `None` after reporting an error.
pub(crate) fn read(fields: &mut Fields<'_>, default: DefaultScoring) -> Option<Scoring> {
    let kind = fields.text("type");
    let kind = match &kind {
        Some(kind) => kind.text.to_lowercase(),
        None => {
            let message = "no `type`: using `standard`";
            fields.report.note(fields.line("type"), message);
            "standard".to_owned()
        }
    };
    match kind.as_str() {
        "standard" | "static" => {
            refuse_times_in_extra(fields);
            standard(fields, default)
        }
        "dynamic" => {
            check_extra(&CURVE, true, fields);
            note_unused_value(fields);
            dynamic(fields, default)
        }
        "speedrun" => {
            check_extra(&["values"], true, fields);
            speedrun(fields)
        }
        other => foreign_type(other, fields, default),
    }
}

/// Maps a type defined by a CTFd plugin, such as `container`, to a built-in type.
fn foreign_type(kind: &str, fields: &mut Fields<'_>, default: DefaultScoring) -> Option<Scoring> {
    let (line, shown) = (fields.line("type"), quote(kind));
    let refuse = |says: &str, fields: &mut Fields<'_>| {
        let message = format!("unknown type {shown}{says}");
        fields.report.error(line, message);
        None
    };
    if let Some((near, true)) = nearest(["standard", "static", "dynamic", "speedrun"], kind) {
        return refuse(&format!("; did you mean `{near}`?"), fields);
    }
    let extra = fields.entry("extra").map(|entry| &entry.value);
    let has_curve = extra.is_some_and(|extra| {
        ["initial", "minimum", "decay"].iter().any(|key| extra.get(key).is_some())
    });
    check_extra(&CURVE, false, fields);
    let (scoring, as_what) = match (has_curve, fields.entry("value").is_some()) {
        (true, _) => (dynamic(fields, default), "`dynamic` because of its `extra`"),
        (false, true) => (standard(fields, default), "`standard` because of its `value`"),
        (false, false) if extra.is_some() => (dynamic(fields, default), "`dynamic`"),
        (false, false) => {
            let says = "; use standard, dynamic or speedrun. There is no `value` either, so the \
                challenge is ignored";
            return refuse(says, fields);
        }
    };
    if scoring.is_some() {
        let message = format!(
            "the type {shown} belongs to another platform: using {as_what}; per-team instances \
            are not supported"
        );
        fields.report.warning(line, message);
    }
    scoring
}

/// Rejects keys of `extra` that look like a release time, which is a separate key.
fn refuse_times_in_extra(fields: &mut Fields<'_>) {
    let Some(extra) = fields.entry("extra") else { return };
    for entry in extra.value.entries() {
        if is_like_time(&entry.key, entry.value.text()) {
            let message = format!(
                "unknown key {} in `extra`; set the release time with `release`, next to `extra`",
                quote(&entry.key)
            );
            fields.report.error(entry.line, message);
        }
    }
}

/// Warns about misspelled keys of `extra`. Other unknown keys get a note for built-in types only,
/// because other platforms have their own keys.
fn check_extra(known: &[&'static str], is_ours: bool, fields: &mut Fields<'_>) {
    if is_ours {
        refuse_times_in_extra(fields);
    }
    let Some(extra) = fields.entry("extra") else { return };
    for entry in extra.value.entries() {
        if known.contains(&entry.key.as_str()) || entry.key == "<<" {
            continue;
        }
        let key = quote(&entry.key);
        let near = match fields.report.is_full() {
            true => None,
            false => nearest(known.iter().copied(), &entry.key),
        };
        match near {
            Some((near, true)) => {
                let message = format!("unknown key {key} in `extra`; did you mean `{near}`?");
                fields.report.warning(entry.line, message);
            }
            _ if is_ours => {
                fields.report.note(entry.line, format!("the key {key} in `extra` is ignored"));
            }
            _ => {}
        }
    }
}

/// Notes that the `value` of a dynamic challenge is ignored, unless it equals the initial value.
fn note_unused_value(fields: &mut Fields<'_>) {
    let Some(entry) = fields.entry("value") else { return };
    let number = |node: &Node| node.text().and_then(whole);
    let value = number(&entry.value);
    let extra = fields.entry("extra");
    let initial = extra.and_then(|extra| number(&extra.value.get("initial")?.value));
    let is_unused = initial != value && (initial.is_some() || value.is_some_and(|it| it <= 0));
    if is_unused {
        let message = "`value` is ignored: a dynamic challenge starts at `extra.initial`";
        fields.report.note(entry.line, message);
    }
}

fn standard(fields: &mut Fields<'_>, default: DefaultScoring) -> Option<Scoring> {
    let there = fields.entry("value").is_some();
    let max = match fields.integer("value") {
        Some(value) => value,
        None if there => return None,
        None => {
            let message = format!("no `value`: using {}, the `max` in [scoring]", default.max);
            fields.report.note(fields.line("value"), message);
            default.max
        }
    };
    in_range("value", max, fields.line("value"), fields)?;
    Some(Scoring::Static { max })
}

fn dynamic(fields: &mut Fields<'_>, default: DefaultScoring) -> Option<Scoring> {
    let errors_before = fields.report.errors();
    let value = fields.integer("value").filter(|value| *value > 0);
    let extra = fields.map("extra");
    let own = fields.map("scoring");
    let mut max = value;
    let mut min = None;
    if let Some(extra) = extra {
        let mut inner = Fields::new(extra, fields.report);
        max = inner.integer("initial").or(max);
        min = inner.integer("minimum");
        for (key, number) in [("initial", max), ("minimum", min)] {
            if let Some(number) = number {
                in_range(key, number, inner.line(key), &mut inner);
            }
        }
    }
    let max = max.unwrap_or(default.max);
    let line = fields.line("extra");
    if min.is_some_and(|min| min > max) {
        fields.report.error(line, format!("`minimum` must be at most `initial`, which is {max}"));
    }
    let decay = own.map_or(default.decay, |own| decay(own, default, fields));
    let usable = fields.report.errors() == errors_before;
    let min = min.unwrap_or(default.min.min(max));
    let scoring = usable.then_some(Scoring::Dynamic { max, min, decay })?;
    if let Some(extra) = extra {
        note_other_curves(extra, &scoring, fields);
    }
    Some(scoring)
}

/// Notes how the points fall if `extra` specifies a different curve.
fn note_other_curves(extra: &Node, scoring: &Scoring, fields: &mut Fields<'_>) {
    let Some(entry) = ["decay", "function"].iter().find_map(|key| extra.get(key)) else { return };
    let points: Vec<String> =
        [1, 2, 3].map(|solves| points::value(scoring, solves, None).to_string()).into();
    let message = format!(
        "points fall differently than on CTFd: {} ... after 1, 2, 3 solves; `extra.{}` is \
         ignored, use `scoring: {{decay: ...}}` to set how fast they fall",
        points.join(", "),
        entry.key
    );
    fields.report.note(entry.line, message);
}

fn decay(own: &Node, default: DefaultScoring, fields: &mut Fields<'_>) -> i64 {
    for entry in own.entries().iter().filter(|entry| entry.key != "decay") {
        let key = quote(&entry.key);
        let message = format!("unknown key {key} in `scoring`; did you mean `decay`?");
        fields.report.error(entry.line, message);
    }
    let mut inner = Fields::new(own, fields.report);
    let decay = inner.integer("decay").unwrap_or(default.decay);
    if !(1..=DECAY_MAX).contains(&decay) {
        let message = format!("`decay` must be between 1 and {DECAY_MAX}");
        inner.report.error(inner.line("decay"), message);
    }
    decay
}

fn speedrun(fields: &mut Fields<'_>) -> Option<Scoring> {
    let line = fields.line("extra");
    let says = "a speedrun requires points by position: `extra: {values: [100, 50, 25]}`";
    let Some(extra) = fields.map("extra") else {
        fields.report.error(line, says);
        return None;
    };
    let inner = Fields::new(extra, fields.report);
    let nodes = inner.items("values");
    if nodes.is_empty() {
        inner.report.error(inner.line("values"), says);
        return None;
    }
    if nodes.len() > SPEEDRUN_VALUES_MAX {
        let message = format!(
            "a speedrun can award points to at most {SPEEDRUN_VALUES_MAX} \
            positions"
        );
        inner.report.error(inner.line("values"), message);
        return None;
    }
    let number = |node: &&Node| node.text().and_then(whole);
    let fits = |value: &i64| (0..=VALUE_MAX).contains(value);
    let mut values = Vec::new();
    for node in nodes {
        match number(&node).filter(fits) {
            Some(value) => values.push(value),
            None => {
                let message = format!("`values` must be whole numbers from 0 to {VALUE_MAX}");
                inner.report.error(node.line, message);
                return None;
            }
        }
    }
    Some(Scoring::Speedrun { values })
}

fn in_range(key: &str, number: i64, line: usize, fields: &mut Fields<'_>) -> Option<()> {
    if (0..=VALUE_MAX).contains(&number) {
        return Some(());
    }
    fields.report.error(line, format!("`{key}` must be between 0 and {VALUE_MAX}"));
    None
}
