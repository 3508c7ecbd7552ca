//! The divisions of a team.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::division::DivisionId;
use crate::entry::TeamId;

/// Journal format that contains divisions.
pub(super) const FORMAT: u32 = 5;

/// A team joined or left public divisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamDivisions {
    /// The team.
    pub team: TeamId,
    /// All public divisions of the team; replaces the previous ones.
    pub divisions: Vec<DivisionId>,
}

impl FactKind for TeamDivisions {
    fn properties(&self) -> Properties<'_> {
        Properties { format: FORMAT, team: Some(self.team), ..Properties::of("divisions changed") }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let team = contest.teams.by_id_mut(self.team)?;
        team.divisions.clone_from(&self.divisions);
        let is_public = team.counts();
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }
}
