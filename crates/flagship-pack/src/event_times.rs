//! Edits the times of `event.toml` in place: only their values are replaced.

use flagship_game::Event;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use toml::Spanned;

use crate::when::{self, When};

/// Why the times of a file are not edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventTimesError {
    /// It is not readable.
    #[error("the file is not readable: {0}")]
    Unreadable(String),
    /// A time is out of the range of calendars.
    #[error("a time is out of range")]
    Range,
}

#[derive(Deserialize)]
struct File {
    event: Times,
}

#[derive(Deserialize)]
struct Times {
    start: Option<Spanned<toml::Value>>,
    freeze: Option<Spanned<toml::Value>>,
    end: Option<Spanned<toml::Value>>,
}

/// A time of an event, in epoch milliseconds.
type OfEvent = fn(&Event) -> Option<i64>;

/// What of the times of an event is written.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// The event as it is.
    pub event: &'a Event,
    /// As it was when files were applied, and each time since. A time that is in none of them is
    /// the file's own.
    pub former: &'a [Event],
    /// Whether times of the file's own are replaced, too.
    pub overwrite: bool,
}

/// The text of an `event.toml` with the times that were moved since files were applied, written in
/// a time zone, and the names of those that the file has otherwise and keeps.
///
/// # Errors
/// The text cannot be read, or a time is out of range.
pub fn event_times(
    text: &str,
    moved: Moved<'_>,
    zone: &TimeZone,
) -> Result<(String, Vec<&'static str>), EventTimesError> {
    let unreadable = |error: toml::de::Error| EventTimesError::Unreadable(error.to_string());
    let File { event: Times { start, freeze, end } } = toml::from_str(text).map_err(unreadable)?;
    let times: [(_, _, OfEvent); 3] = [
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
        let present = When::parse(&present).ok().map(|when| when.at_ms);
        if present == Some(ms) {
            continue;
        }
        if !moved.overwrite && !moved.former.iter().any(|event| time(event) == present) {
            kept.push(name);
            continue;
        }
        let at = Timestamp::from_millisecond(ms).map_err(|_| EventTimesError::Range)?;
        let at = when::written(at, zone);
        edits.push((range, if is_text { format!("\"{at}\"") } else { at }));
    }
    // From the last to the first, so that places before stay.
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut edited = text.to_owned();
    for (range, time) in edits {
        edited.replace_range(range, &time);
    }
    Ok((edited, kept))
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
            event_times(text, Moved { event, former: &applied, overwrite }, &zone)
        };
        assert_eq!(written(text, &applied[0], false), Ok((text.to_owned(), Vec::new())));
        let later = event([Some(start), Some(start + 5 * hour), Some(start + 6 * hour + 500)]);
        let (edited, kept) = written(text, &later, false).expect("it is edited");
        let expected = text
            .replace("\"2026-11-25T18:00:00+01:00\"", "\"2026-11-25T19:00:00+01:00\"")
            .replace("2026-11-25T18:00:00Z", "2026-11-25T20:00:00.5+01:00");
        assert_eq!((edited, kept), (expected, Vec::new()));
        assert!(written("[event", &later, false).is_err());
        // What the file has of its own stays, unless it is overwritten.
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
}
