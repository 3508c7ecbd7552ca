//! The event as its organizers describe it.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry::Phase;
use crate::event;

/// The event's name, times and rules are these from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The whole description; it replaces the one before.
    pub event: event::Event,
}

impl FactKind for Event {
    fn properties(&self) -> Properties<'_> {
        Properties::of("the event changed")
    }

    /// An event that runs again admits the teams that joined after its end.
    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        contest.timeline.set_event(&self.event, at.at_ms);
        if !contest.reached(Phase::End) {
            contest.teams.admit_late();
        }
        Ok(contest.public(News::Snapshot))
    }
}
