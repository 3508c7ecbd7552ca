//! A pause of the event.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;

/// The event was paused or resumed. Submissions do not count during a pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// True if the pause starts, false if it ends.
    pub on: bool,
}

impl FactKind for Paused {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            ..Properties::of(if self.on { "event paused" } else { "event resumed" })
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        if self.on == contest.is_paused() {
            return Err("the event is already paused, or not paused");
        }
        contest.paused_at_ms = self.on.then_some(at.at_ms);
        Ok(contest.public(News::Snapshot))
    }
}
