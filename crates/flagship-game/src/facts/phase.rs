//! A phase that was reached.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry;

/// A phase was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Which.
    pub phase: entry::Phase,
}

impl FactKind for Phase {
    fn properties(&self) -> Properties<'_> {
        Properties::of(match self.phase {
            entry::Phase::Start => "the event has started",
            entry::Phase::Freeze => "the scoreboard is frozen",
            entry::Phase::End => "the event is over",
            entry::Phase::Reveal => "everything is revealed",
        })
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        contest.timeline.reach(self.phase, at.at_ms)?;
        Ok(contest.public(News::Snapshot))
    }
}
