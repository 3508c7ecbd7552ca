//! Edits the times and practice in `event.toml` in place; nothing else changes.

use std::ops::Range;

use flagship_game::Event;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use toml::Spanned;

use crate::offset_time::{self, OffsetTime};

/// Error returned when the times in a file cannot be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventTimesError {
    /// The file is not valid.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// A time is outside the supported range.
    #[error("a time is out of range")]
    Range,
}

#[derive(Deserialize)]
struct File {
    event: Times,
}

#[derive(Deserialize)]
struct Times {
    name: Option<Spanned<toml::Value>>,
    practice: Option<Spanned<bool>>,
    start: Option<Spanned<toml::Value>>,
    freeze: Option<Spanned<toml::Value>>,
    end: Option<Spanned<toml::Value>>,
}

/// Getter for one of an event's times, in epoch milliseconds.
type TimeGetter = fn(&Event) -> Option<i64>;

/// The live times to write, and which times in the file to keep.
#[derive(Clone, Copy, Debug)]
pub struct TimesUpdate<'a> {
    /// The live event.
    pub event: &'a Event,
    /// Earlier states of the event: one from the last apply, and one per change of the times since.
    /// A time in the file that matches none of them was edited in the file.
    pub former: &'a [Event],
    /// True to also replace times that were edited in the file.
    pub overwrite: bool,
}

/// Writes the times and the setting of practice that changed live since the last apply into the
/// text of an `event.toml`, in the given time zone. Returns the new text and the names of changed
/// keys that were not written because the file has its own value, or no place for one.
///
/// # Errors
/// The text cannot be read, or a time is out of range.
pub fn event_times(
    text: &str,
    moved: TimesUpdate<'_>,
    zone: &TimeZone,
) -> Result<(String, Vec<&'static str>), EventTimesError> {
    let unreadable = |error: toml::de::Error| EventTimesError::Unreadable(error.to_string());
    let File { event: Times { start, freeze, end, name, practice } } =
        toml::from_str(text).map_err(unreadable)?;
    let times: [(_, _, TimeGetter); 3] = [
        ("start", start, |event| event.start_ms),
        ("freeze", freeze, |event| event.freeze_ms),
        ("end", end, |event| event.end_ms),
    ];
    let mut edits = Vec::new();
    let mut kept = Vec::new();
    for (name, written, time) in times {
        let is_moved = moved.former.iter().any(|event| time(event) != time(moved.event));
        let Some(ms) = time(moved.event).filter(|_| is_moved) else { continue };
        let Some(written) = written else {
            kept.push(name);
            continue;
        };
        let range = written.span();
        let (is_text, present) = match written.get_ref() {
            toml::Value::String(text) => (true, text.clone()),
            other => (false, other.to_string()),
        };
        let present = OffsetTime::parse(&present).ok().map(|when| when.at_ms);
        if present == Some(ms) {
            continue;
        }
        if !moved.overwrite && !moved.former.iter().any(|event| time(event) == present) {
            kept.push(name);
            continue;
        }
        let at = Timestamp::from_millisecond(ms).map_err(|_| EventTimesError::Range)?;
        let at = offset_time::written(at, zone);
        edits.push((range, if is_text { format!("\"{at}\"") } else { at }));
    }
    let live = moved.event.practice;
    if moved.former.first().is_some_and(|applied| applied.practice != live) {
        match practice_edit(text, live, practice, name) {
            Some(edit) => edits.extend(edit),
            None => kept.push("practice"),
        }
    }
    // From last to first, so that earlier ranges stay valid.
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut edited = text.to_owned();
    for (range, time) in edits {
        edited.replace_range(range, &time);
    }
    Ok((edited, kept))
}

/// Returns the edit that sets practice, or an empty one if the file has the value; `None` if there
/// is no line after which the key can be added.
fn practice_edit(
    text: &str,
    live: bool,
    written: Option<Spanned<bool>>,
    name: Option<Spanned<toml::Value>>,
) -> Option<Option<(Range<usize>, String)>> {
    if let Some(written) = written {
        let is_same = *written.get_ref() == live;
        return Some((!is_same).then(|| (written.span(), live.to_string())));
    }
    let from = name?.span().end;
    let end = text[from..].find('\n').map_or(text.len(), |at| from + at);
    let line = format!("\npractice = {live}");
    let with = format!("{}{line}{}", &text[..end], &text[end..]);
    // A dotted or inline table has no separate lines.
    let File { event } = toml::from_str(&with).ok()?;
    let is_set = event.practice.is_some_and(|practice| *practice.get_ref() == live);
    is_set.then_some(Some((end..end, line)))
}

#[cfg(test)]
mod tests {
    use flagship_game::Reveal;

    use super::*;

    fn event(times: [Option<i64>; 3]) -> Event {
        let [start_ms, freeze_ms, end_ms] = times;
        Event {
            name: String::new(),
            start_ms,
            end_ms,
            freeze_ms,
            reveal: Reveal::Auto,
            timezone: String::new(),
            flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        }
    }

    #[test]
    fn times_are_replaced_and_all_else_stays() {
        let text = "# Ours\n[event]\nname = \"A\" # the name\nstart = 2026-11-25T14:00:00+01:00\n\
                    freeze = \"2026-11-25T18:00:00+01:00\"   # an hour before\n\
                    end = 2026-11-25T18:00:00Z\n[site]\n";
        let zone = TimeZone::get("Europe/Rome").expect("a zone");
        let start = 1_795_611_600_000;
        let hour = 3_600_000;
        let applied = [event([Some(start), Some(start + 4 * hour), Some(start + 5 * hour)])];
        let written = |text, event, overwrite| {
            event_times(text, TimesUpdate { event, former: &applied, overwrite }, &zone)
        };
        assert_eq!(written(text, &applied[0], false), Ok((text.to_owned(), Vec::new())));
        let later = event([Some(start), Some(start + 5 * hour), Some(start + 6 * hour + 500)]);
        let (edited, kept) = written(text, &later, false).expect("it is edited");
        let expected = text
            .replace("\"2026-11-25T18:00:00+01:00\"", "\"2026-11-25T19:00:00+01:00\"")
            .replace("2026-11-25T18:00:00Z", "2026-11-25T20:00:00.5+01:00");
        assert_eq!((edited, kept), (expected, Vec::new()));
        assert!(written("[event", &later, false).is_err());
        // Edits made in the file stay unless `overwrite` is set.
        let own = text.replace("start = 2026-11-25T14", "start = 2026-11-25T13");
        let own = own.replace("end = 2026-11-25T18:00:00Z", "end = 2026-11-25T21:00:00Z");
        let (edited, kept) = written(&own, &later, false).expect("it is edited");
        assert!(edited.contains("T13:00:00+01:00") && edited.contains("T21:00:00Z"), "{edited}");
        assert!(edited.contains("\"2026-11-25T19:00:00+01:00\""), "{edited}");
        assert_eq!(kept, ["end"]);
        let (edited, kept) = written(&own, &later, true).expect("it is edited");
        assert!(edited.contains("T13:00:00+01:00") && !edited.contains("T21"), "{edited}");
        assert_eq!(kept, [""; 0]);
        let without = written("[event]\n", &later, true);
        assert_eq!(without, Ok(("[event]\n".to_owned(), vec!["freeze", "end"])));
    }

    #[test]
    fn practice_that_was_set_live_is_written() {
        let applied = [event([None; 3])];
        let on = Event { practice: true, ..event([None; 3]) };
        let written = |text: &str| {
            let moved = TimesUpdate { event: &on, former: &applied, overwrite: false };
            event_times(text, moved, &TimeZone::UTC).expect("it is edited")
        };
        let none = Vec::<&str>::new();
        for (text, expected) in [
            (
                "[event]\nname = \"A\" # ours\n\n[site]\n",
                "[event]\nname = \"A\" # ours\npractice = true\n\n[site]\n",
            ),
            ("[event]\nname = \"A\"", "[event]\nname = \"A\"\npractice = true"),
            ("[event]\npractice = false # later\n", "[event]\npractice = true # later\n"),
            ("[event]\npractice = true\n", "[event]\npractice = true\n"),
        ] {
            assert_eq!(written(text), (expected.to_owned(), none.clone()));
        }
        for text in ["[event]\n", "event = {name = \"A\"}\n", "event.name = \"A\"\n[a]\n"] {
            assert_eq!(written(text), (text.to_owned(), vec!["practice"]), "{text}");
        }
        let off =
            TimesUpdate { event: &applied[0], former: std::slice::from_ref(&on), overwrite: false };
        let text = "[event]\npractice = true\n";
        let edited = event_times(text, off, &TimeZone::UTC).expect("it is edited");
        assert_eq!(edited, ("[event]\npractice = false\n".to_owned(), none));
    }
}
