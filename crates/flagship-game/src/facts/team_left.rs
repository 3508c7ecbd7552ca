//! A removed team.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry::TeamId;

/// A team was removed because its import was undone. It has no solves, and its name is free again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamLeft {
    /// The team ID, which is never reused.
    pub team: TeamId,
}

impl FactKind for TeamLeft {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 3,
            team: Some(self.team),
            // Teams imported by mistake are not published.
            readers: Readers::Nobody,
            retracts: true,
            ..Properties::of("a team left")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let is_public = contest.teams.leave(self.team)?;
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }
}
