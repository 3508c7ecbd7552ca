//! A credited solve, which counts from a time before its entry.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::challenge::ChallengeId;
use crate::contest::{self, Contest};
use crate::entry::TeamId;

/// A solve is credited at a given time and position, because it was withdrawn or its flag was
/// rejected by mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveCounted {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
    /// Effective time in epoch milliseconds; not later than that of the entry.
    pub at_ms: i64,
    /// The earlier entry after which the solve is ordered.
    pub after: i64,
}

impl FactKind for SolveCounted {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            counts_solve: Some(true),
            ..Properties::of("solve credited")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let (seq, at_ms, after) = (at.seq, self.at_ms, self.after);
        if !(0..seq).contains(&after) {
            return Err("its place is not behind an earlier entry");
        }
        if !(0..=at.at_ms).contains(&at_ms) {
            return Err("the time that counts is not before");
        }
        let solve = |team| contest::Solve { seq, at_ms, after, team };
        let is_public = contest.add_solve(self.team, &self.challenge, solve)?;
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }
}
