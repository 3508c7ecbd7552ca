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
    /// A time is missing, so that it has no place.
    #[error("the file has no `{0}`; write one")]
    Missing(&'static str),
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

/// The text of an `event.toml` with the times of an event, written in a time zone. A time that is
/// the same stays as it is written.
///
/// # Errors
/// The text cannot be read, or has no place for a time.
pub fn event_times(text: &str, event: &Event, zone: &TimeZone) -> Result<String, EventTimesError> {
    let unreadable = |error: toml::de::Error| EventTimesError::Unreadable(error.to_string());
    let File { event: Times { start, freeze, end } } = toml::from_str(text).map_err(unreadable)?;
    let wanted = [
        ("start", start, event.start_ms),
        ("freeze", freeze, event.freeze_ms),
        ("end", end, event.end_ms),
    ];
    let mut edits = Vec::new();
    for (name, written, time) in wanted {
        let Some(ms) = time else { continue };
        let written = written.ok_or(EventTimesError::Missing(name))?;
        let range = written.span();
        let (is_text, present) = match written.get_ref() {
            toml::Value::String(text) => (true, text.clone()),
            other => (false, other.to_string()),
        };
        if When::parse(&present).is_ok_and(|when| when.at_ms == ms) {
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
    Ok(edited)
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
        let same = event([Some(start), Some(start + 4 * hour), Some(start + 5 * hour)]);
        assert_eq!(event_times(text, &same, &zone).as_deref(), Ok(text));
        let later = event([Some(start), Some(start + 5 * hour), Some(start + 6 * hour + 500)]);
        let edited = event_times(text, &later, &zone).expect("it is edited");
        let expected = text
            .replace("\"2026-11-25T18:00:00+01:00\"", "\"2026-11-25T19:00:00+01:00\"")
            .replace("2026-11-25T18:00:00Z", "2026-11-25T20:00:00.5+01:00");
        assert_eq!(edited, expected);
        let missing = event_times("[event]\n", &same, &zone);
        assert_eq!(missing, Err(EventTimesError::Missing("start")));
        assert!(event_times("[event", &same, &zone).is_err());
    }
}
