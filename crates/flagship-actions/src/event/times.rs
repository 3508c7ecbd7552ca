//! `event.times`

use flagship_game::Event;
use flagship_store::ops::undo_data::{EventTimes, TimesUndo};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{OBJECT, check_proof, present};
use crate::messages::{Part, known};
use crate::prelude::*;

/// Changes the event times. Missing ones stay unchanged.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Time at which flags start being accepted, with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start: Option<Time>,
    /// Time at which the scoreboard freezes, with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub freeze: Option<Time>,
    /// Time at which flags stop being accepted, with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub end: Option<Time>,
}

impl Action for Times {
    const RULE: Rule = Rule { name: "event.times", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = TimesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        if self.start.is_none() && self.freeze.is_none() && self.end.is_none() {
            return Err(ArgumentError::Shape.into());
        }
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<TimesUndo>> {
        context.touch([OBJECT]).await?;
        let before = present(context.contest()).ok_or(ActionError::NoEvent)?;
        let event = self.applied_to(&before);
        if event == before {
            return Err(ActionError::Unchanged.into());
        }
        if !are_in_order(&event) {
            return Err(ActionError::Times.into());
        }
        check_proof(context, &event)?;
        let undo = TimesUndo { before: EventTimes::of(&before), left: EventTimes::of(&event) };
        context.add_details(json!({"before": undo.before, "timezone": before.timezone}));
        context.append(facts::Event { event })?;
        Ok(Some(undo))
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

/// True if start, freeze and end are in order. Missing ones are ignored.
fn are_in_order(event: &Event) -> bool {
    let Event { start_ms, freeze_ms, end_ms, .. } = event;
    let times: Vec<i64> = [start_ms, freeze_ms, end_ms].into_iter().flatten().copied().collect();
    let is_empty = start_ms.is_some() && start_ms == end_ms;
    times.is_sorted() && !is_empty
}

impl UndoData for TimesUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        put(context, self.before, self.left)
    }
}

/// Restores the times, unless they have changed since the action.
pub fn put(context: &mut Context<'_>, before: EventTimes, left: EventTimes) -> ActionResult<()> {
    let present = present(context.contest()).ok_or(ActionError::Times)?;
    if EventTimes::of(&present) != left {
        return Err(ActionError::Touched.into());
    }
    let event = before.applied_to(present.clone());
    if event == present {
        return Ok(());
    }
    check_proof(context, &event)?;
    context.try_append(facts::Event { event }, ActionError::Times)
}

/// Changed times, old → new, in the event's time zone: `end 12:00 → 12:15`. Empty for records
/// without the previous times.
fn moved(arguments: &Value) -> Vec<Phrase> {
    let Some(before) = arguments.get("before") else { return Vec::new() };
    let timezone = arguments["timezone"].as_str().unwrap_or_default();
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    let moved = ["start", "freeze", "end"].into_iter().filter_map(|name| {
        let key = known(&format!("event.times.{name}"))?;
        let new = arguments[name].as_i64()?;
        let old = before[format!("{name}_ms")].as_i64();
        let change = || old_and_new(old, new, &zone);
        (old != Some(new)).then(|| Phrase::bare(key).part("change", change()))
    });
    moved.collect()
}

/// Old and new time, with dates unless they are less than a day apart.
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
        let moved = "changed the event times";
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
