//! Writes the visibility of a challenge into its source.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use super::edit::edit;
use super::error::EditError;
use super::keys::fields;
use crate::offset_time::{self, OffsetTime};

/// ctfcli's key for the release time.
const SCHEDULED: &str = "scheduled_at";

/// Visibility of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visibility {
    /// True if the challenge is hidden until an organizer releases it.
    pub hidden: bool,
    /// Release time in epoch milliseconds; `None` releases at the start.
    pub release_at_ms: Option<i64>,
}

/// Returns the text of a challenge with the given visibility. Keys that already match keep their
/// spelling; times are written in `zone`. The release time of a hidden challenge has no effect and
/// is kept.
///
/// # Errors
/// The text cannot be edited.
pub fn with_visibility(
    text: &str,
    visibility: Visibility,
    zone: &TimeZone,
) -> Result<String, EditError> {
    let written = fields(text).unwrap_or_default();
    let word = |key: &str| written.get(key).and_then(Value::as_str);
    let is_hidden = word("state").is_some_and(|state| state.eq_ignore_ascii_case("hidden"));
    let mut changes = Map::new();
    if is_hidden != visibility.hidden {
        let state = if visibility.hidden { "hidden" } else { "visible" };
        changes.insert("state".to_owned(), Value::from(state));
    }
    let time = |key: &str| word(key).and_then(|time| OffsetTime::parse(time).ok());
    let release = time("release").or_else(|| time(SCHEDULED));
    if !visibility.hidden && release.map(|time| time.at_ms) != visibility.release_at_ms {
        let at = visibility.release_at_ms.map(Timestamp::from_millisecond).transpose();
        let at = at.ok().flatten().map(|at| offset_time::written(at, zone));
        changes.insert("release".to_owned(), Value::from(at));
        // Keep only one release time.
        changes.insert(SCHEDULED.to_owned(), Value::Null);
    }
    edit(text, &changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASE_MS: i64 = 1_795_698_000_000;

    fn shown(text: &str, hidden: bool, release_at_ms: Option<i64>) -> String {
        let zone = TimeZone::get("Europe/Rome").expect("it is known");
        with_visibility(text, Visibility { hidden, release_at_ms }, &zone)
            .expect("it can be edited")
    }

    #[test]
    fn what_is_so_stays_as_it_is_written() {
        for (text, hidden, at_ms) in [
            ("name: A # a\n", false, None),
            ("name: A\nstate: Hidden # until noon\n", true, None),
            ("state: hidden\nrelease: 2026-11-26T14:00:00+01:00\n", true, None),
            ("state: visible\nscheduled_at: 2026-11-26 13:00Z\n", false, Some(RELEASE_MS)),
            ("state: \"visible\"\nrelease: 2026-11-26 13:00Z\n", false, Some(RELEASE_MS)),
        ] {
            assert_eq!(shown(text, hidden, at_ms), text);
        }
    }

    #[test]
    fn what_was_done_live_is_written() {
        let hidden = "name: A\nstate: hidden\n";
        let visible = "name: A\nstate: visible\n";
        assert_eq!(shown(hidden, false, None), visible);
        assert_eq!(shown(visible, true, Some(1)), hidden);
        let timed = shown(hidden, false, Some(RELEASE_MS));
        assert_eq!(timed, format!("{visible}release: '2026-11-26T14:00:00+01:00'\n"));
        assert_eq!(shown(&timed, false, None), visible);
        let scheduled = "name: A\nscheduled_at: 2099-01-02T09:00:00+00:00\n";
        assert_eq!(shown(scheduled, false, None), "name: A\n");
        let moved = shown(scheduled, false, Some(RELEASE_MS));
        assert_eq!(moved, "name: A\nrelease: '2026-11-26T14:00:00+01:00'\n");
    }
}
