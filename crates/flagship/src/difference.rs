//! What applying an event's files changes, in words: every change as old → new, and the teams
//! that move.

use flagship_game::moves::{Move, Place, moves};
use flagship_game::{Event, Hint, Reveal, Scoring, Viewer, view};
use flagship_pack::{AtStart, Broken};
use flagship_store::challenges::Draft;
use flagship_store::ops::{ChallengeChange, Destruction, Held, PlanStep, Preview};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value;

use crate::say::counted;

/// Longest text that is shown whole, in characters; of longer ones the place that differs is shown.
const TEXT_CHARS_MAX: usize = 60;
/// Characters shown before the first that differs.
const CONTEXT_CHARS: usize = 12;
/// Most teams that are listed.
const MOVES_MAX: usize = 20;

/// The lines that show what applying a plan changes.
pub fn lines(preview: &Preview) -> Vec<String> {
    let zone = zone(preview.after.event().map(|event| &**event));
    let mut lines = Vec::new();
    for step in &preview.steps {
        let (head, fields) = change(step, &zone);
        lines.push(head);
        lines.extend(fields.iter().map(|field| format!("    {field}")));
    }
    lines.extend(preview.held.iter().map(|held| of_held(held, &zone)));
    let board = |contest| view::board(contest, Viewer::Organizer);
    lines.extend(of_moves(&moves(&board(&preview.before), &board(&preview.after))));
    lines.extend(preview.destructions.iter().map(|it| of_destruction(it, preview)));
    lines
}

/// A headline of a difference, and the fields that differ, as `field: old → new`, without values
/// that must stay secret.
pub fn change(step: &PlanStep, zone: &TimeZone) -> (String, Vec<String>) {
    match step {
        PlanStep::CreateEvent { name } => (format!("create the event {name:?}"), Vec::new()),
        PlanStep::ChangeEvent { old, new } => {
            let fields = differing(&event_fields(old, zone), &event_fields(new, zone));
            ("change the event".to_owned(), fields)
        }
        PlanStep::Rewrite => {
            let head = "write all challenges and flags anew: another program changed them";
            (head.to_owned(), Vec::new())
        }
        PlanStep::ChangeSettings { old, new } => {
            let json = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
            ("change the settings".to_owned(), settings(&json(old), &json(new)))
        }
        PlanStep::Challenge { id, change, old, new } => {
            let head = match change {
                ChallengeChange::Release => format!("release {id}"),
                ChallengeChange::Change => format!("change {id}"),
                ChallengeChange::Hide => format!("hide {id}"),
                ChallengeChange::AddUnseen => format!("add {id}, not shown yet"),
                ChallengeChange::ChangeUnseen => format!("change {id}, not shown"),
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

pub fn zone(event: Option<&Event>) -> TimeZone {
    let zone = event.and_then(|event| TimeZone::get(&event.timezone).ok());
    zone.unwrap_or(TimeZone::UTC)
}

/// The fields in which two settings differ, as `[table] key: old → new`.
pub fn settings(old: &Value, new: &Value) -> Vec<String> {
    let changed = changed_settings(old, new).into_iter();
    changed.map(|(key, old, new)| arrow(&key, &written(old), &written(new))).collect()
}

/// The settings that differ, as `[table] key`, with both values.
pub fn changed_settings<'v>(old: &'v Value, new: &'v Value) -> Vec<(String, &'v Value, &'v Value)> {
    // Which keys are given is no setting.
    let tables = new.as_object().into_iter().flatten().filter(|(table, _)| *table != "named");
    let values = tables.flat_map(|(table, keys)| {
        let keys = keys.as_object().into_iter().flatten();
        keys.map(move |(key, new)| (format!("[{table}] {key}"), &old[table][key], new))
    });
    values.filter(|(_, old, new)| old != new).collect()
}

pub fn json(settings: &impl Serialize) -> Value {
    serde_json::to_value(settings).expect("settings are plain data")
}

/// The settings that wait for a restart, from those in use now to those after it. A server that was
/// started without files reads none of them at a restart either.
pub fn of_waiting(now: &AtStart, next: &AtStart, has_files: bool) -> Vec<String> {
    let what = if has_files { "waits for a restart" } else { "not taken over" };
    let fields = settings(&json(now), &json(next)).into_iter();
    let mut lines: Vec<String> = fields.map(|field| format!("{what}: {field}")).collect();
    if !has_files && !lines.is_empty() {
        lines.push(
            "the server was started without --event, so it reads these settings from no file: set \
             them on the site, or restart it with `--event DIR`"
                .to_owned(),
        );
    }
    lines
}

pub fn of_broken(broken: &Broken) -> String {
    format!("left out: {} has errors", flagship_pack::place(&broken.source))
}

fn of_held(held: &Held, zone: &TimeZone) -> String {
    let Held { id, shown, at_ms } = held;
    if let Some(ms) = at_ms {
        return format!(
            "{id} is shown at {}, as a command said; \
             `flagship action challenge.release --challenges {id}` shows it, with \
             `--at TIME` at another time",
            time(*ms, zone)
        );
    }
    let (state, back, becomes) = match shown {
        true => ("released", "hide", "hides"),
        false => ("hidden", "release", "shows"),
    };
    format!(
        "{id} stays {state}, as a command left it; `flagship challenge {back} {id}` {becomes} it"
    )
}

fn of_destruction(destruction: &Destruction, preview: &Preview) -> String {
    let words = match destruction {
        Destruction::Removed(id) => {
            let advice = |new| format!("; if {new} is the same challenge, give it `id: {id}`");
            let advice = renamed(id.as_str(), preview).map(advice).unwrap_or_default();
            &format!("{id} is released, and goes with its solves and points{advice}")
        }
        Destruction::Unsolvable(id) => &format!(
            "{id} is released, and would have no flag: nobody could solve it; look at `flags` in \
             its file"
        ),
        Destruction::StartMoved => {
            "the event has started; until the new start there are no challenges and no points"
        }
        Destruction::Ended => "the new end is past, so the event ends at once",
        Destruction::CeremonySkipped => {
            "the final scoreboard waits for the reveal; this shows it at the end by itself"
        }
        Destruction::FreezeLifted => {
            "the scoreboard is frozen; this shows everyone what the freeze hides, and cannot be \
             undone"
        }
    };
    format!("destructive: {words}")
}

/// The new challenge that has the text of a removed one.
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

pub fn of_moves(moves: &[Move]) -> Vec<String> {
    if moves.is_empty() {
        return Vec::new();
    }
    let has_moved = |it: &&Move| it.from.map(|it| it.rank) != it.to.map(|it| it.rank);
    let moved = moves.iter().filter(has_moved).count();
    let teams = match moves.len() {
        all if all == moved => counted(all, "team moves", "teams move"),
        all => {
            let all = counted(all, "team has other points", "teams have other points");
            format!("{all} or another rank, {moved} of them another rank")
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
        format!("{} ({} bytes, {})", file.name, file.bytes, file.digest.get(..8).unwrap_or(""))
    };
    let hint = |Hint { id, html, at_ms }: &Hint| {
        let at = at_ms.map_or_else(String::new, |at_ms| format!(" at {}", time(at_ms, zone)));
        format!("{id}{at} {:?}", html.as_deref().unwrap_or_default())
    };
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
        ("flag_format", or_none(it.flag_format.as_ref().map(|it| format!("{it:?}")))),
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

/// `label: old → new`; of long texts, the place that differs.
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
        let line = of_broken(&Broken { source, id: None });
        assert_eq!(line, "left out: challenges/?[2Jx?/challenge.yml has errors");
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
}
