//! Points awarded or deducted by organizers.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use crate::contest::Contest;
use crate::entry::TeamId;

/// Organizers awarded points to a team or deducted them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Award {
    /// The team.
    pub team: TeamId,
    /// The points; negative for a deduction.
    pub points: i64,
    /// The reason, for organizers. Empty in newer journals, where the audit log contains it.
    pub reason: String,
}

impl FactKind for Award {
    fn properties(&self) -> Properties<'_> {
        Properties {
            team: Some(self.team),
            stands_without_text: self.reason.is_empty(),
            ..Properties::of("points awarded")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let team = contest.teams.by_id_mut(self.team)?;
        team.award(self.points)?;
        let is_public = team.counts();
        Ok(contest.award_change(self.team, self.points, is_public, at.at_ms, false))
    }

    fn redacted(&self, _: &Contest) -> Option<Self> {
        let has_reason = !self.reason.is_empty();
        has_reason.then(|| Self { reason: String::new(), ..*self })
    }
}
