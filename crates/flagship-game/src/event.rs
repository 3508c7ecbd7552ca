//! The event: its times and status.

use serde::{Deserialize, Serialize};

use crate::division::Division;

/// Reveal mode: time at which solves hidden by the freeze become visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reveal {
    /// Automatically at the end of the event.
    Auto,
    /// Manually by an organizer.
    Manual,
}

/// An event as defined by its organizers. Times are in epoch milliseconds; a missing time is
/// unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Name of the event, and title of the site.
    pub name: String,
    /// Start: submissions count from this time.
    pub start_ms: Option<i64>,
    /// End: submissions no longer count from this time.
    pub end_ms: Option<i64>,
    /// Freeze: solves of other teams are hidden from this time until the reveal.
    pub freeze_ms: Option<i64>,
    /// The reveal mode.
    pub reveal: Reveal,
    /// IANA name of the time zone for displayed times.
    pub timezone: String,
    /// Flag format shown to players.
    pub flag_format: String,
    /// The rules page: sanitized HTML with `{placeholders}` that are filled in when it is served.
    pub rules: String,
    /// True if a team can take a hint that costs more points than it has.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hint_debt: bool,
    /// True if teams can practice after the end and the reveal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub practice: bool,
    /// The public divisions, in the order in which they are displayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divisions: Vec<Division>,
}

/// Status of an event, as used by `/ctf` and the status banner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No event is loaded, or it has no times.
    Unknown,
    /// The start is in the future.
    NotStarted,
    /// Submissions count and all solves are visible.
    Running,
    /// Submissions count; solves of other teams are hidden.
    Frozen,
    /// Submissions no longer count.
    Ended,
}

impl Event {
    /// Status at `now_ms`: ended after the end, frozen after the freeze, not started before the
    /// start, otherwise running. Missing times are skipped; without any time, the status is
    /// unknown.
    pub fn status(&self, now_ms: i64) -> Status {
        let passed = |time: Option<i64>| time.is_some_and(|time| now_ms >= time);
        if self.start_ms.is_none() && self.end_ms.is_none() && self.freeze_ms.is_none() {
            Status::Unknown
        } else if passed(self.end_ms) {
            Status::Ended
        } else if passed(self.freeze_ms) {
            Status::Frozen
        } else if self.start_ms.is_some_and(|start| now_ms < start) {
            Status::NotStarted
        } else {
            Status::Running
        }
    }
}
