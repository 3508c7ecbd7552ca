//! Attempts that organizers gave back to a team.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::TeamId;

/// Organizers set the number of attempts that a team has used: 0 to give them back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptsSet {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
    /// Number of used attempts.
    pub used: u32,
}

impl FactKind for AttemptsSet {
    /// Only the team and the organizers see the fact.
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 4,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            readers: Readers::Nobody,
            ..Properties::of("attempts given back")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let known = contest
            .challenge_progress(self.team, &self.challenge)
            .map_or(0, |progress| progress.used);
        if known == self.used {
            return Err("the team has used as many attempts");
        }
        contest.challenge_progress_to_change(self.team, &self.challenge)?.used = self.used;
        Ok(contest.progress_change(self.team, &self.challenge))
    }
}
