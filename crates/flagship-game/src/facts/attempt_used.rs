//! An incorrect submission for a challenge that limits attempts.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use crate::challenge::ChallengeId;
use crate::contest::{ChallengeProgress, Contest};
use crate::entry::TeamId;

/// A team used one of its attempts for a challenge that limits them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptUsed {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
    /// Keyed digest of the submitted text. The same text uses no other attempt.
    pub text: String,
}

impl FactKind for AttemptUsed {
    /// Only the team and the organizers see the fact.
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 4,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            readers: Readers::Nobody,
            ..Properties::of("attempt used")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        if contest.solve(self.team, &self.challenge).is_some() {
            return Err("the team has already solved the challenge");
        }
        let text = ChallengeProgress::text_number(&self.text)?;
        contest.challenge_progress_to_change(self.team, &self.challenge)?.use_attempt(text)?;
        Ok(contest.progress_change(self.team, &self.challenge))
    }
}
