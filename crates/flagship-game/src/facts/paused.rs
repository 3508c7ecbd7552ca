//! A pause of the event.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;

/// No flag counts until the pause ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// True where the pause begins.
    pub on: bool,
}

impl FactKind for Paused {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            ..Properties::of(if self.on { "the event is paused" } else { "the event goes on" })
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        if self.on == contest.is_paused() {
            return Err("the event is paused already, or not paused");
        }
        contest.paused_at_ms = self.on.then_some(at.at_ms);
        Ok(contest.public(News::Snapshot))
    }
}
