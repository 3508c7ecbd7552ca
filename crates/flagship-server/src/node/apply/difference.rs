//! Formats the changes of applied event files: each change as old → new, and rank changes.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;

use flagship_game::moves::{Move, Place, moves};
use flagship_game::{Division, DivisionRules, Event, Hint, Reveal, Scoring, Viewer, view};
use flagship_pack::{AtStart, Broken};
use flagship_store::challenges::Draft;
use flagship_store::ops::{
    ChallengeChange, Destruction, DivisionChange, OverriddenChallenge, PlanStep, Preview,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value;

/// Maximum length of a text shown in full, in characters. Longer texts are shortened to the part
/// that differs.
const TEXT_CHARS_MAX: usize = 60;
/// Number of characters shown before the first difference.
const CONTEXT_CHARS: usize = 12;
/// Settings that are times, in epoch milliseconds.
const TIME_SETTINGS: [&str; 2] = ["[registration] opens", "[registration] closes"];
/// Maximum number of teams listed with rank changes.
const MOVES_MAX: usize = 20;

/// Formats a count with its noun: `1 entry`, `2 entries`.
pub fn counted(count: impl Display, one: &str, many: &str) -> String {
    match count.to_string().as_str() {
        "1" => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Returns the lines that describe the changes of a plan.
pub fn lines(preview: &Preview) -> Vec<String> {
    let zone = zone(preview.after.event().map(|event| &**event));
    let mut lines = Vec::new();
    for step in &preview.steps {
        let (head, fields) = change(step, &zone);
        lines.push(head);
        lines.extend(fields.iter().map(|field| format!("    {field}")));
    }
    lines.extend(preview.overridden.iter().map(|held| override_line(held, &zone)));
    let board = |contest| view::board(contest, Viewer::Organizer);
    lines.extend(rank_change_lines(&moves(&board(&preview.before), &board(&preview.after))));
    lines.extend(late_hint_lines(preview));
    lines.extend(preview.destructions.iter().map(|it| destruction_line(it, preview)));
    lines
}

/// Returns the headline of a change and the changed fields as `field: old → new`, without secret
/// values.
pub fn change(step: &PlanStep, zone: &TimeZone) -> (String, Vec<String>) {
    match step {
        PlanStep::CreateEvent { name } => (format!("create the event {name:?}"), Vec::new()),
        PlanStep::ChangeEvent { old, new } => {
            let fields = differing(&event_fields(old, zone), &event_fields(new, zone));
            ("change the event".to_owned(), fields)
        }
        PlanStep::Rewrite => {
            let head = "rewrite all challenges and flags: another program changed them";
            (head.to_owned(), Vec::new())
        }
        PlanStep::ChangeSettings { old, new } => {
            let json = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
            let (old, new) = (json(old), json(new));
            let mut fields = settings(&old, &new);
            fields.extend(origins(&old, &new));
            ("change the settings".to_owned(), fields)
        }
        PlanStep::Divisions { changes } => {
            ("change the divisions".to_owned(), changes.iter().flat_map(division_lines).collect())
        }
        PlanStep::Challenge { id, change, old, new } => {
            let head = match change {
                ChallengeChange::Release => format!("release {id}"),
                ChallengeChange::Change => format!("change {id}"),
                ChallengeChange::Hide => format!("hide {id}"),
                ChallengeChange::AddUnseen => format!("add {id} (not visible yet)"),
                ChallengeChange::ChangeUnseen => format!("change {id} (not visible)"),
                ChallengeChange::ChangeFlags => format!("change the flags of {id}"),
                ChallengeChange::Remove => format!("remove {id}"),
            };
            let mut fields = Vec::new();
            if let (Some(old), Some(new)) = (old, new) {
                fields = differing(&draft_fields(old, zone), &draft_fields(new, zone));
                if old.flags != new.flags {
                    fields.push(flags(old.flags.len(), new.flags.len()));
                }
            }
            (head, fields)
        }
    }
}

/// Lines about a changed division: each field as old → new, without the code.
fn division_lines(change: &DivisionChange) -> Vec<String> {
    let id = change.id();
    let teams = counted(change.teams, "team", "teams");
    match (&change.old, &change.new) {
        (None, _) if change.teams > 0 => vec![format!("add {id}, which has {teams} from before")],
        (None, _) => vec![format!("add {id}")],
        (Some(_), None) => vec![format!("remove {id}, which has {teams}")],
        (Some(old), Some(new)) => {
            let mut lines = differing(&division_fields(old), &division_fields(new));
            if old.code != new.code {
                lines.push("code: changed".to_owned());
            }
            let stays = if change.teams > 0 { format!(" ({teams})") } else { String::new() };
            lines.into_iter().map(|line| format!("{id}{stays}: {line}")).collect()
        }
    }
}

fn division_fields(rules: &DivisionRules) -> Vec<Field> {
    let Division { name, group, join, student, .. } = &rules.division;
    vec![
        ("name", format!("{name:?}")),
        ("group", format!("{group:?}")),
        ("join", join.as_str().to_owned()),
        ("domains", listed(rules.domains.iter().cloned())),
        ("private", rules.private.to_string()),
        ("student", student.to_string()),
    ]
}

/// Lines about hints that are added to challenges that a team has already solved.
fn late_hint_lines(preview: &Preview) -> Vec<String> {
    let drafts = preview.steps.iter().filter_map(|step| match step {
        PlanStep::Challenge { new, .. } => new.as_ref(),
        _ => None,
    });
    let late = drafts.flat_map(|draft| {
        let id = &draft.challenge.id;
        preview.before.late_hints(&draft.challenge).into_iter().map(move |hint| {
            format!("warning: adds the hint {} to {id}, which a team has already solved", hint.id)
        })
    });
    late.collect()
}

/// Returns the time zone of an event; UTC if it is unknown.
pub fn zone(event: Option<&Event>) -> TimeZone {
    let zone = event.and_then(|event| TimeZone::get(&event.timezone).ok());
    zone.unwrap_or(TimeZone::UTC)
}

/// Returns the differing settings, as `[table] key: old → new`.
pub fn settings(old: &Value, new: &Value) -> Vec<String> {
    let changed = changed_settings(old, new).into_iter();
    let line = |(key, old, new): (String, &Value, &Value)| {
        let written = |value: &Value| match value.as_i64() {
            Some(ms) if TIME_SETTINGS.contains(&key.as_str()) => time(ms, &TimeZone::UTC),
            _ => written(value),
        };
        arrow(&key, &written(old), &written(new))
    };
    changed.map(line).collect()
}

/// Returns the differing settings, as `[table] key` with both values.
pub fn changed_settings<'v>(old: &'v Value, new: &'v Value) -> Vec<(String, &'v Value, &'v Value)> {
    // `named` is the list of keys present in the files, not a settings table.
    let tables = new.as_object().into_iter().flatten().filter(|(table, _)| *table != "named");
    let values = tables.flat_map(|(table, keys)| {
        let keys = keys.as_object().into_iter().flatten();
        keys.map(move |(key, new)| (format!("[{table}] {key}"), &old[table][key], new))
    });
    values.filter(|(_, old, new)| old != new).collect()
}

/// Returns the settings that only the old or only the new files set, and whose values do not
/// change. Includes settings that need a restart.
fn origins(old: &Value, new: &Value) -> Vec<String> {
    let changed: HashSet<String> =
        changed_settings(old, new).into_iter().map(|(key, ..)| key).collect();
    let (before, after) = (named(old), named(new));
    let now = after.difference(&before).map(|key| (key, "now set in event.toml"));
    let gone = before.difference(&after).map(|key| (key, "no longer set in event.toml"));
    let kept = now.chain(gone).filter(|(key, _)| !changed.contains(*key));
    kept.map(|(key, origin)| format!("{key}: {origin}")).collect()
}

/// Returns the settings that the files set, as `[table] key`.
fn named(settings: &Value) -> BTreeSet<String> {
    let tables = settings["named"].as_object().into_iter().flatten();
    let keys = tables.flat_map(|(table, keys)| {
        let keys = keys.as_array().into_iter().flatten().filter_map(Value::as_str);
        keys.map(move |key| format!("[{table}] {key}"))
    });
    keys.collect()
}

/// Converts settings to JSON.
pub fn json(settings: &impl Serialize) -> Value {
    serde_json::to_value(settings).expect("settings are plain data")
}

/// Returns the settings that take effect after a restart, as old → new. A server started without
/// files does not apply them at a restart either.
pub fn restart_lines(now: &AtStart, next: &AtStart, has_files: bool) -> Vec<String> {
    let what = if has_files { "takes effect after a restart" } else { "not applied" };
    let fields = settings(&json(now), &json(next)).into_iter();
    let mut lines: Vec<String> = fields.map(|field| format!("{what}: {field}")).collect();
    if !has_files && !lines.is_empty() {
        lines.push(
            "the server was started without --event, so it does not read these settings from \
             files: set them on the site, or restart it with `--event DIR`"
                .to_owned(),
        );
    }
    lines
}

/// Returns the line about a skipped challenge file.
pub fn broken_line(broken: &Broken) -> String {
    format!("skipped: {} has errors", flagship_pack::place(&broken.source))
}

fn override_line(held: &OverriddenChallenge, zone: &TimeZone) -> String {
    let OverriddenChallenge { id, shown, at_ms } = held;
    if let Some(ms) = at_ms {
        return format!(
            "{id} stays scheduled for {} (set live); run `flagship action challenge.release \
             --challenges {id}` to release it now, or add `--at TIME`",
            time(*ms, zone)
        );
    }
    let (state, opposite) = match shown {
        true => ("released", "hide"),
        false => ("hidden", "release"),
    };
    format!(
        "{id} stays {state} (set live); run `flagship challenge {opposite} {id}` to change that"
    )
}

fn destruction_line(destruction: &Destruction, preview: &Preview) -> String {
    let words = match destruction {
        Destruction::Removed(id) => {
            let advice = |new| {
                format!(
                    "; if {new} is the same challenge renamed, add `id: {id}` \
                to it"
                )
            };
            let advice = renamed(id.as_str(), preview).map(advice).unwrap_or_default();
            &format!("removes the released challenge {id} with its solves and points{advice}")
        }
        Destruction::Unsolvable(id) => &format!(
            "leaves the released challenge {id} without a flag, so it cannot be solved; check \
             `flags` in its file"
        ),
        Destruction::DivisionRemoved { id, teams } => {
            let teams = counted(teams, "team", "teams");
            &format!(
                "removes the division {id} with {teams}; to undo, apply files that define it again"
            )
        }
        Destruction::DivisionPublished { id, teams } => {
            let teams = counted(teams, "team", "teams");
            &format!(
                "publishes the private division {id} with {teams}; the journal keeps who was in it"
            )
        }
        Destruction::StartMoved => {
            "the event has already started; challenges and points disappear until the new start"
        }
        Destruction::Ended => "the new end is in the past, so the event ends immediately",
        Destruction::CeremonySkipped => {
            "reveals the final scoreboard automatically at the end, without `flagship reveal`"
        }
        Destruction::FreezeLifted => {
            "lifts the freeze and reveals hidden solves to everyone; cannot be undone"
        }
    };
    format!("destructive: {words}")
}

/// Returns the new challenge with the same text as a removed one.
fn renamed<'a>(id: &str, preview: &'a Preview) -> Option<&'a str> {
    let sides = preview.steps.iter().filter_map(|step| match step {
        PlanStep::Challenge { id, old, new, .. } => Some((id.as_str(), old, new)),
        _ => None,
    });
    let (_, old, _) = sides.clone().find(|(other, _, _)| *other == id)?;
    let description = &old.as_ref()?.challenge.description;
    let is_same =
        |new: &Draft| !description.is_empty() && new.challenge.description == *description;
    let mut new =
        sides.filter(|(_, old, new)| old.is_none() && new.as_ref().is_some_and(|it| is_same(it)));
    new.next().map(|(id, _, _)| id)
}

/// Returns the lines that describe rank changes; empty if there are none.
pub fn rank_change_lines(moves: &[Move]) -> Vec<String> {
    if moves.is_empty() {
        return Vec::new();
    }
    let has_moved = |it: &&Move| it.from.map(|it| it.rank) != it.to.map(|it| it.rank);
    let moved = moves.iter().filter(has_moved).count();
    let teams = match moves.len() {
        all if all == moved => counted(all, "team changes rank", "teams change rank"),
        all => {
            let all = counted(all, "team changes points", "teams change points");
            format!("{all} or rank, {moved} of them rank")
        }
    };
    let place = |place: &Option<Place>| match place {
        Some(Place { rank, points }) => (rank.to_string(), points.to_string()),
        None => ("none".to_owned(), "none".to_owned()),
    };
    let line = |it: &Move| {
        let ((from, from_points), (to, to_points)) = (place(&it.from), place(&it.to));
        format!("    rank {from} → {to}: {:?}, points {from_points} → {to_points}", it.team)
    };
    let mut lines = vec![teams];
    lines.extend(moves.iter().take(MOVES_MAX).map(line));
    if moves.len() > MOVES_MAX {
        lines.push(format!("    and {} more", moves.len() - MOVES_MAX));
    }
    lines
}

type Field = (&'static str, String);

fn differing(old: &[Field], new: &[Field]) -> Vec<String> {
    let pairs = old.iter().zip(new).filter(|(old, new)| old != new);
    pairs.map(|((label, old), (_, new))| arrow(label, old, new)).collect()
}

fn event_fields(event: &Event, zone: &TimeZone) -> Vec<Field> {
    let reveal = match event.reveal {
        Reveal::Auto => "auto",
        Reveal::Manual => "manual",
    };
    let time = |ms: Option<i64>| or_none(ms.map(|ms| time(ms, zone)));
    vec![
        ("name", format!("{:?}", event.name)),
        ("start", time(event.start_ms)),
        ("freeze", time(event.freeze_ms)),
        ("end", time(event.end_ms)),
        ("reveal", reveal.to_owned()),
        ("timezone", event.timezone.clone()),
        ("flag_format", format!("{:?}", event.flag_format)),
        ("rules", format!("{:?}", event.rules)),
        ("hint_debt", event.hint_debt.to_string()),
        ("practice", event.practice.to_string()),
    ]
}

fn draft_fields(draft: &Draft, zone: &TimeZone) -> Vec<Field> {
    let it = &draft.challenge;
    let points = match &it.scoring {
        Scoring::Static { max } => max.to_string(),
        Scoring::Speedrun { values } => listed(values.iter().map(ToString::to_string)),
        Scoring::Dynamic { max, min, decay } => format!("{max} to {min}, decay {decay}"),
    };
    let state = match (draft.hidden, draft.release_at_ms) {
        (true, _) => "hidden".to_owned(),
        (false, None) => "visible".to_owned(),
        (false, Some(at_ms)) => format!("released at {}", time(at_ms, zone)),
    };
    let file = |file: &flagship_game::Attachment| {
        let copies = if file.per_team { ", a copy for each team" } else { "" };
        let digest = file.digest.get(..8).unwrap_or("");
        format!("{} ({} bytes, {digest}{copies})", file.name, file.bytes)
    };
    let hint = |Hint { id, html, at_ms, title, cost, requirements }: &Hint| {
        let at = at_ms.map_or_else(String::new, |at_ms| format!(" at {}", time(at_ms, zone)));
        let title = title.as_ref().map_or_else(String::new, |title| format!(" {title:?}"));
        let cost = if *cost > 0 { format!(" for {cost} points") } else { String::new() };
        let after = match requirements.is_empty() {
            true => String::new(),
            false => format!(" after {}", requirements.join(", ")),
        };
        format!("{id}{title}{at}{cost}{after} {:?}", html.as_deref().unwrap_or_default())
    };
    let logic = if it.rules.needed_flags.is_empty() { "any" } else { "all" };
    let text = |text: &Option<String>| or_none(text.as_ref().map(|it| format!("{it:?}")));
    vec![
        ("name", format!("{:?}", it.name)),
        ("points", points),
        ("categories", listed(it.categories.iter().cloned())),
        ("description", format!("{:?}", it.description)),
        ("connection", or_none(it.connection.as_ref().map(|it| format!("{it:?}")))),
        ("hints", listed(it.hints.iter().map(hint))),
        ("files", listed(it.attachments.iter().map(file))),
        ("requirements", listed(it.requirements.iter().map(ToString::to_string))),
        ("position", or_none(it.position.map(|it| it.to_string()))),
        ("flag_format", text(&it.flag_format)),
        ("logic", logic.to_owned()),
        ("attempts", or_none(it.rules.attempts_max.map(|it| it.to_string()))),
        ("difficulty", text(&it.labels.difficulty)),
        ("tags", listed(it.labels.tags.iter().cloned())),
        ("author", text(&it.labels.author)),
        ("attribution", text(&it.labels.attribution)),
        ("closes", it.closes_ms.map_or_else(|| "at the end".to_owned(), |ms| time(ms, zone))),
        ("state", state),
    ]
}

fn flags(old: usize, new: usize) -> String {
    match old == new {
        true => "flags: changed".to_owned(),
        false => format!("flags: {old} → {new}"),
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    or_none((!items.is_empty()).then(|| items.join(", ")))
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "none".to_owned())
}

/// Formats a time, given in epoch milliseconds, in a time zone.
pub fn time(ms: i64, zone: &TimeZone) -> String {
    let time = Timestamp::from_millisecond(ms).map(|time| time.to_zoned(zone.clone()));
    time.map_or_else(
        |_| format!("{ms} ms"),
        |time| time.strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string(),
    )
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Array(items) => listed(items.iter().map(written)),
        other => other.to_string(),
    }
}

/// Formats `label: old → new`; long texts are shortened to the part that differs.
fn arrow(label: &str, old: &str, new: &str) -> String {
    let is_short = |text: &str| text.chars().nth(TEXT_CHARS_MAX).is_none();
    if is_short(old) && is_short(new) {
        return format!("{label}: {old} → {new}");
    }
    let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let from = same.saturating_sub(CONTEXT_CHARS);
    let part = |text: &str| {
        let shown: String = text.chars().skip(from).take(TEXT_CHARS_MAX).collect();
        let before = if from > 0 { "…" } else { "" };
        let after = if text.chars().nth(from + TEXT_CHARS_MAX).is_some() { "…" } else { "" };
        format!("{before}{shown}{after}")
    };
    format!("{label}: {} → {}", part(old), part(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_long_texts_is_shown_with_context() {
        let (same, tail) = ("a".repeat(100), "z".repeat(100));
        let shown = arrow("rules", &format!("{same}b{tail}"), &format!("{same}c{tail}"));
        let part = |c| format!("…{}{c}{}…", &same[..CONTEXT_CHARS], &tail[..47]);
        assert_eq!(shown, format!("rules: {} → {}", part('b'), part('c')));
        assert_eq!(arrow("end", "a", "b"), "end: a → b");
    }

    #[test]
    fn control_characters_of_a_path_are_replaced() {
        let source = "challenges/\u{1b}[2Jx\n/challenge.yml".into();
        let line = broken_line(&Broken { source, id: None });
        assert_eq!(line, "skipped: challenges/?[2Jx?/challenge.yml has errors");
    }

    #[test]
    fn settings_are_compared_by_table_and_key() {
        let old = serde_json::json!({"site": {"banner": null}, "limits": {"a": 1, "b": []}});
        let new = serde_json::json!({"site": {"banner": "x"}, "limits": {"a": 1, "b": ["n"]}});
        assert_eq!(
            settings(&old, &new),
            ["[site] banner: none → \"x\"", "[limits] b: none → \"n\""]
        );
        assert!(settings(&new, &new).is_empty());
    }

    #[test]
    fn a_setting_that_only_changes_its_place_is_named() {
        let site = |banner: &str| serde_json::json!({"banner": banner});
        let settings =
            |banner, named: Value| serde_json::json!({"site": site(banner), "named": named});
        let before = settings("x", serde_json::json!({"limits": ["a"]}));
        let after = settings("x", serde_json::json!({"site": ["banner"], "mail": ["from"]}));
        let expected = [
            "[mail] from: now set in event.toml",
            "[site] banner: now set in event.toml",
            "[limits] a: no longer set in event.toml",
        ];
        assert_eq!(origins(&before, &after), expected);
        assert!(origins(&after, &after).is_empty());
        let other = settings("y", serde_json::json!({"limits": ["a"], "site": ["banner"]}));
        assert!(origins(&before, &other).is_empty(), "its values are shown");
    }
}
