//! A hint that a team took.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::TeamId;

/// A team took a hint of a challenge, for points or for free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HintTaken {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
    /// ID of the hint within the challenge.
    pub hint: String,
    /// Points that the team paid. Later changes of the price do not change them.
    pub cost: i64,
}

impl FactKind for HintTaken {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 4,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            ..Properties::of("hint taken")
        }
    }

    /// A cost hidden by the freeze is visible only to the team itself. So is a hint at no cost,
    /// which changes no row.
    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let Self { team: id, challenge, hint, cost } = self;
        contest.take_hint(*id, challenge, hint, *cost, at.at_ms)?;
        let team = contest.team(*id).ok_or("no such team")?;
        let counts = team.counts() && !contest.hides_solves_of(at.at_ms);
        let charged = team.hints.last().map_or(0, |taken| contest.charged(team, taken));
        Ok(contest.award_change(*id, -charged, counts && charged != 0, at.at_ms, true))
    }
}
