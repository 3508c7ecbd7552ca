//! A phase of the event.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry;

/// A phase was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// The phase.
    pub phase: entry::Phase,
}

impl FactKind for Phase {
    fn properties(&self) -> Properties<'_> {
        Properties::of(match self.phase {
            entry::Phase::Start => "event started",
            entry::Phase::Freeze => "scoreboard frozen",
            entry::Phase::End => "event ended",
            entry::Phase::Reveal => "scoreboard revealed",
        })
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        contest.timeline.reach(self.phase, at.at_ms)?;
        Ok(contest.public(News::Snapshot))
    }
}
