//! A flag of a challenge that needs several.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use crate::challenge::ChallengeId;
use crate::contest::{Contest, FoundFlag};
use crate::entry::TeamId;

/// A team found one of several flags that a challenge needs, and has not solved it yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagFound {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
    /// ID of the flag among the flags of the challenge.
    pub flag: String,
}

impl FactKind for FlagFound {
    /// Only the team and the organizers see the fact.
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 4,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            readers: Readers::Nobody,
            ..Properties::of("flag found")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let Stamp { seq, at_ms } = at;
        if contest.solve(self.team, &self.challenge).is_some() {
            return Err("the team has already solved the challenge");
        }
        if contest
            .challenge_progress(self.team, &self.challenge)
            .is_some_and(|it| it.has_found(&self.flag))
        {
            return Err("the team has already found the flag");
        }
        let progress = contest.challenge_progress_to_change(self.team, &self.challenge)?;
        progress.found.push(FoundFlag { flag: self.flag.clone(), at_ms, seq });
        Ok(contest.progress_change(self.team, &self.challenge))
    }
}
