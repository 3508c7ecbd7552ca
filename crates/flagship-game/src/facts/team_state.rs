//! The eligibility status of a team.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry::TeamId;

/// Organizers changed the status of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamState {
    /// The team.
    pub team: TeamId,
    /// True if the team does not count and cannot log in.
    pub banned: bool,
    /// True if the team can play but does not count.
    pub hidden: bool,
}

impl FactKind for TeamState {
    fn properties(&self) -> Properties<'_> {
        Properties { team: Some(self.team), ..Properties::of("team status changed") }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let team = contest.teams.by_id_mut(self.team)?;
        let counted = team.counts();
        team.banned = self.banned;
        team.hidden = self.hidden;
        let is_public = counted || team.counts();
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }
}
