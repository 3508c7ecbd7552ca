//! `event.times`

use flagship_game::{Event, facts};
use flagship_store::ops::undo_data::{Moments, TimesUndo};
use flagship_store::ops::{ActionError, ActionResult, Context};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{needs_proof, objects, present};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule, UndoData};
use crate::desk::Desk;
use crate::lists::{List, OF_EVENT};
use crate::messages::{Part, Phrase};
use crate::rejection::{ArgumentError, Rejection};
use crate::text::Time;

/// Moves the times of the event. A missing one stays.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Time from which flags count, with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start: Option<Time>,
    /// Time from which the solves of others are hidden, with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub freeze: Option<Time>,
    /// Time from which no flag counts, with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub end: Option<Time>,
    /// True if the actor means what takes something from players, or shows what the freeze hides.
    #[serde(skip)]
    pub is_confirmed: bool,
}

impl Action for Times {
    const RULE: Rule = Rule { name: "event.times", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = TimesUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        if self.start.is_none() && self.freeze.is_none() && self.end.is_none() {
            return Err(ArgumentError::Shape.into());
        }
        self.is_confirmed = desk.is_confirmed;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<TimesUndo>> {
        let objects = objects(context).await?;
        let (contest, now_ms) = (context.contest(), context.now_ms());
        let before = present(contest).ok_or(ActionError::NoEvent)?;
        let event = self.applied_to(&before);
        if event == before {
            return Err(ActionError::Unchanged.into());
        }
        if !are_in_order(&event) {
            return Err(ActionError::Times.into());
        }
        if !self.is_confirmed && needs_proof(contest, &before, &event, now_ms) {
            return Err(ActionError::Destructive.into());
        }
        let undo = TimesUndo { before: Moments::of(&before), left: Moments::of(&event) };
        context.add_details(json!({"before": undo.before, "timezone": before.timezone}));
        context.append(facts::Event { event })?;
        Ok(Done::undone_by(objects, undo))
    }

    fn phrase(arguments: &Value) -> Phrase {
        match Phrase::list(moved(arguments)) {
            Some(moved) => Phrase::bare("event.times.moved").part("times", moved),
            None => Phrase::new(Self::RULE.name, arguments),
        }
    }
}

impl Times {
    /// The event with these times.
    fn applied_to(&self, event: &Event) -> Event {
        let ms = |time: Option<Time>| time.map(|time| time.ms);
        Event {
            start_ms: ms(self.start).or(event.start_ms),
            freeze_ms: ms(self.freeze).or(event.freeze_ms),
            end_ms: ms(self.end).or(event.end_ms),
            ..event.clone()
        }
    }
}

/// True if start, freeze and end follow each other; those that are missing do not matter.
fn are_in_order(event: &Event) -> bool {
    let Event { start_ms, freeze_ms, end_ms, .. } = event;
    let times: Vec<i64> = [start_ms, freeze_ms, end_ms].into_iter().flatten().copied().collect();
    let is_empty = start_ms.is_some() && start_ms == end_ms;
    times.is_sorted() && !is_empty
}

impl UndoData for TimesUndo {
    async fn undo(self, context: &mut Context<'_>, is_confirmed: bool) -> ActionResult<()> {
        put(context, self.before, self.left, is_confirmed)
    }
}

/// Moves the times back, unless they are not those that an action left.
pub fn put(
    context: &mut Context<'_>,
    before: Moments,
    left: Moments,
    is_confirmed: bool,
) -> ActionResult<()> {
    let (contest, now_ms) = (context.contest(), context.now_ms());
    let present = present(contest).ok_or(ActionError::Times)?;
    if Moments::of(&present) != left {
        return Err(ActionError::Touched.into());
    }
    let event = before.applied_to(present.clone());
    if event == present {
        return Ok(());
    }
    if !is_confirmed && needs_proof(contest, &present, &event, now_ms) {
        return Err(ActionError::Destructive.into());
    }
    context.try_append(facts::Event { event }, ActionError::Times)
}

/// The moved times, old → new, in the event's zone: `end 12:00 → 12:15`. Records without the times
/// before have none.
fn moved(arguments: &Value) -> Vec<Phrase> {
    let Some(before) = arguments.get("before") else { return Vec::new() };
    let timezone = arguments.get("timezone").and_then(Value::as_str).unwrap_or_default();
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    let time = |of: &Value, name: &str| of.get(name).and_then(Value::as_i64);
    let times = [
        ("start", "start_ms", "event.times.start"),
        ("freeze", "freeze_ms", "event.times.freeze"),
        ("end", "end_ms", "event.times.end"),
    ];
    let moved = times.into_iter().filter_map(|(name, old_name, key)| {
        let new = time(arguments, name)?;
        let old = time(before, old_name);
        let change = || old_and_new(old, new, &zone);
        (old != Some(new)).then(|| Phrase::bare(key).part("change", change()))
    });
    moved.collect()
}

/// Two times: with their dates unless they are less than a day apart.
fn old_and_new(old: Option<i64>, new: i64, zone: &TimeZone) -> Phrase {
    const MINUTE_MS: i64 = 60_000;
    const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
    let has_seconds = [old.unwrap_or_default(), new].iter().any(|ms| ms % MINUTE_MS != 0);
    let clock = if has_seconds { "%H:%M:%S" } else { "%H:%M" };
    let is_near = old.is_some_and(|old| (new - old).abs() < DAY_MS);
    let form = if is_near { clock.to_owned() } else { format!("%Y-%m-%d {clock}") };
    let text = |ms: i64| {
        let at = Timestamp::from_millisecond(ms).unwrap_or_default();
        Part::from(at.to_zoned(zone.clone()).strftime(&form).to_string())
    };
    let old = old.map_or_else(|| Phrase::bare("event.times.none").into(), text);
    Phrase::change(old, text(new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::language::Language;

    #[test]
    fn a_record_names_each_time_that_changes_in_the_events_zone() {
        let said = |arguments: Value| Times::phrase(&arguments).in_language(Language::default());
        let of = |start: Option<i64>, freeze: Option<i64>, end: i64| {
            let before = json!({"start_ms": null, "freeze_ms": 60_000, "end_ms": 3_600_000});
            said(json!({"start": start, "freeze": freeze, "end": end, "before": before,
                "timezone": "Europe/Rome"}))
        };
        let moved = "moved the times of the event";
        assert_eq!(of(None, None, 3_660_000), format!("{moved}: end 02:00 → 02:01"));
        assert_eq!(
            of(Some(1_000), Some(60_000), 90_000_000),
            format!(
                "{moved}: start none → 1970-01-01 01:00:01, \
                 end 1970-01-01 02:00 → 1970-01-02 02:00"
            )
        );
        assert_eq!(of(None, None, 3_600_000), moved);
        assert_eq!(said(json!({"end": 1})), moved, "of an older version");
    }
}
