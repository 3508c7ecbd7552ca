//! The definition of the event.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use super::team_divisions;
use crate::contest::Contest;
use crate::entry::{FORMAT_FIRST, Phase};
use crate::event;

/// The name, times or rules of the event changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The complete definition; replaces the previous one.
    pub event: event::Event,
}

impl FactKind for Event {
    /// The format of practice begins with the setting, so that the first practice solve adds no
    /// published entry.
    fn properties(&self) -> Properties<'_> {
        let format = match (self.event.divisions.is_empty(), self.event.practice) {
            (false, _) => team_divisions::FORMAT,
            (true, true) => 4,
            (true, false) => FORMAT_FIRST,
        };
        Properties { format, ..Properties::of("event changed") }
    }

    /// If the event resumes, teams that joined after its end are admitted.
    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        contest.timeline.set_event(&self.event, at.at_ms);
        if !contest.reached(Phase::End) {
            contest.teams.admit_late();
        }
        Ok(contest.public(News::Snapshot))
    }
}
