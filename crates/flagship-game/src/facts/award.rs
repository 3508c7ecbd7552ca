//! Points that organizers give, or take.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry::TeamId;

/// Organizers gave a team points, or took them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Award {
    /// Whom.
    pub team: TeamId,
    /// How many; negative ones are a penalty.
    pub points: i64,
    /// Why, for the organizers' record. Empty in newer journals, where the record has it.
    pub reason: String,
}

impl FactKind for Award {
    fn properties(&self) -> Properties<'_> {
        Properties {
            team: Some(self.team),
            stands_without_text: self.reason.is_empty(),
            ..Properties::of("points were awarded")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let team = contest.teams.by_id_mut(self.team)?;
        team.award(self.points)?;
        let is_public = team.counts();
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }

    fn redacted(&self, _: &Contest) -> Option<Self> {
        let has_reason = !self.reason.is_empty();
        has_reason.then(|| Self { reason: String::new(), ..*self })
    }
}
