//! The event: its times, and what phase it is in.

use serde::{Deserialize, Serialize};

/// When the solves hidden by the freeze are shown again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reveal {
    /// At the end of the event.
    Auto,
    /// When an organizer says so.
    Manual,
}

/// An event as its organizers describe it. Times are epoch milliseconds; a missing one is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its name, and the title of the site.
    pub name: String,
    /// The first instant at which a flag counts.
    pub start_ms: Option<i64>,
    /// The first instant at which no flag counts any more.
    pub end_ms: Option<i64>,
    /// From here on the solves of others are hidden until the reveal.
    pub freeze_ms: Option<i64>,
    /// When that ends.
    pub reveal: Reveal,
    /// IANA name of the zone in which times are written for people.
    pub timezone: String,
    /// What a flag looks like, for people.
    pub flag_format: String,
    /// The rules page: sanitised HTML whose `{placeholders}` are filled when it is served.
    pub rules: String,
}

/// What the clock says of an event. `/ctf` and the status banner speak these words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No event is loaded, or it has no times.
    Unknown,
    /// The start is in the future.
    NotStarted,
    /// Flags count and everyone sees everything.
    Running,
    /// Flags count; others' solves are hidden.
    Frozen,
    /// No flag counts any more.
    Ended,
}

impl Event {
    /// The status at `now_ms`: end passed, ended; freeze passed, frozen; start in the future, not
    /// started; else running. A missing time's test is skipped; without any time it is unknown.
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
