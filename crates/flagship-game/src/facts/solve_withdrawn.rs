//! A withdrawn solve.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::TeamId;

/// A solve no longer counts; the team can solve the challenge again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveWithdrawn {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
}

impl FactKind for SolveWithdrawn {
    fn properties(&self) -> Properties<'_> {
        Properties {
            team: Some(self.team),
            challenge: Some(&self.challenge),
            counts_solve: Some(false),
            ..Properties::of("solve withdrawn")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let is_public = contest.remove_solve(self.team, &self.challenge)?;
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }
}
