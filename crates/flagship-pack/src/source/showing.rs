//! Writes into a text whether and when its challenge is shown.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use super::edit::edit;
use super::error::EditError;
use super::keys::fields;
use crate::when::{self, When};

/// The key of ctfcli for the time of release.
const SCHEDULED: &str = "scheduled_at";

/// Whether and when a challenge is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Showing {
    /// Whether it is hidden until an organizer releases it.
    pub hidden: bool,
    /// Time of release in epoch milliseconds; `None` releases at the start.
    pub release_at_ms: Option<i64>,
}

/// The text of a challenge that is shown as `showing` says. What says so already stays as it is
/// written; a time is written in `zone`. The time of a hidden challenge does not count, and stays.
///
/// # Errors
/// The text does not allow it.
pub fn shown_as(text: &str, showing: Showing, zone: &TimeZone) -> Result<String, EditError> {
    let written = fields(text).unwrap_or_default();
    let word = |key: &str| written.get(key).and_then(Value::as_str);
    let is_hidden = word("state").is_some_and(|state| state.eq_ignore_ascii_case("hidden"));
    let mut changes = Map::new();
    if is_hidden != showing.hidden {
        let state = if showing.hidden { "hidden" } else { "visible" };
        changes.insert("state".to_owned(), Value::from(state));
    }
    let time = |key: &str| word(key).and_then(|time| When::parse(time).ok());
    let release = time("release").or_else(|| time(SCHEDULED));
    if !showing.hidden && release.map(|time| time.at_ms) != showing.release_at_ms {
        let at = showing.release_at_ms.map(Timestamp::from_millisecond).transpose();
        let at = at.ok().flatten().map(|at| when::written(at, zone));
        changes.insert("release".to_owned(), Value::from(at));
        // One time of release is enough.
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
        shown_as(text, Showing { hidden, release_at_ms }, &zone).expect("it can be edited")
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
