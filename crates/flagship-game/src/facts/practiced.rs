//! A correct flag after the end.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::TeamId;

/// A team submitted a correct flag after the end of an event with practice. No score counts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Practiced {
    /// The team.
    pub team: TeamId,
    /// The challenge.
    pub challenge: ChallengeId,
    /// ID of the flag if the challenge needs further ones; `None` if the challenge is solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<String>,
}

impl FactKind for Practiced {
    /// Only the team and the organizers see the fact.
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 4,
            team: Some(self.team),
            challenge: Some(&self.challenge),
            readers: Readers::Nobody,
            ..Properties::of("challenge practiced")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let Stamp { seq, at_ms } = at;
        contest.practice(self.team, &self.challenge, self.flag.as_deref(), (at_ms, seq))?;
        Ok(contest.progress_change(self.team, &self.challenge))
    }
}
