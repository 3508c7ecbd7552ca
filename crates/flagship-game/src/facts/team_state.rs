//! The standing of a team with the organizers.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry::TeamId;

/// A team's standing with the organizers is this from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamState {
    /// Whose.
    pub team: TeamId,
    /// Counts nowhere and may not log in.
    pub banned: bool,
    /// Counts nowhere, but plays.
    pub hidden: bool,
}

impl FactKind for TeamState {
    fn properties(&self) -> Properties<'_> {
        Properties { team: Some(self.team), ..Properties::of("a team's standing changed") }
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
