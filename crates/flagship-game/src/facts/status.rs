//! The status of a challenge.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::{Change, News};
use crate::challenge::{ChallengeId, ChallengeStatus, StatusKind};
use crate::contest::Contest;

/// Organizers changed the status of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The status.
    pub status: StatusKind,
    /// A note: one line of plain text; can be empty.
    pub note: String,
}

impl FactKind for Status {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            challenge: Some(&self.challenge),
            readers: Readers::OfReadable(&self.challenge),
            ..Properties::of("challenge status changed")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let note = self.note.clone();
        let at_ms = Some(at.at_ms);
        let status = ChallengeStatus { kind: self.status, note, at_ms };
        contest.challenges.set_status(&self.challenge, status)?;
        if !contest.is_seen(&self.challenge) {
            return Ok(Change::Unseen);
        }
        Ok(contest.public(News::Status { challenge: self.challenge.clone() }))
    }
}
