//! A solve.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::challenge::ChallengeId;
use crate::contest::{self, Contest};
use crate::entry::TeamId;

/// A team submitted its first correct flag for a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solve {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
}

impl FactKind for Solve {
    fn properties(&self) -> Properties<'_> {
        Properties {
            team: Some(self.team),
            challenge: Some(&self.challenge),
            counts_solve: Some(true),
            ..Properties::of("challenge solved")
        }
    }

    /// A solve hidden by the freeze is visible only to the team itself.
    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let Stamp { seq, at_ms } = at;
        let solve = |team| contest::Solve { seq, at_ms, after: seq, team };
        let is_public = contest.add_solve(self.team, &self.challenge, solve)?;
        let news = News::Solve { team: self.team, challenge: self.challenge.clone(), at_ms };
        Ok(contest.team_change(self.team, is_public, news))
    }
}
