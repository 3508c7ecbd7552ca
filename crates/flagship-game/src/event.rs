//! The event: its times, and what phase it is in.

use serde::{Deserialize, Serialize};

/// When the solves that the freeze hides are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reveal {
    /// At the end of the event, by itself.
    Auto,
    /// When an organizer reveals them.
    Manual,
}

/// An event as its organizers describe it. Times are epoch milliseconds; a missing one is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its name, and the title of the site.
    pub name: String,
    /// From here on flags count.
    pub start_ms: Option<i64>,
    /// From here on no flag counts.
    pub end_ms: Option<i64>,
    /// From here on the solves of others are hidden until the reveal.
    pub freeze_ms: Option<i64>,
    /// When the reveal comes.
    pub reveal: Reveal,
    /// IANA name of the time zone in which times are shown.
    pub timezone: String,
    /// What a flag looks like, shown to players.
    pub flag_format: String,
    /// The rules page: sanitised HTML whose `{placeholders}` are filled when it is served.
    pub rules: String,
}

/// The status of an event. `/ctf` and the status banner use these words.
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
