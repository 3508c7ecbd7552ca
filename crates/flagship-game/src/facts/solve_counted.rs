//! A solve that counts from a time before its entry.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use crate::challenge::ChallengeId;
use crate::contest::{self, Contest};
use crate::entry::TeamId;

/// A solve counts as if it had come at a given time and place: one that was withdrawn by mistake,
/// or a flag that was refused by mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveCounted {
    /// Who.
    pub team: TeamId,
    /// What.
    pub challenge: ChallengeId,
    /// The time that counts, in epoch milliseconds; not after the entry's own.
    pub at_ms: i64,
    /// Its place: behind what this earlier entry put in the order of solves.
    pub after: i64,
}

impl FactKind for SolveCounted {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            counts_solve: Some(true),
            ..Properties::of("a solve was counted")
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
