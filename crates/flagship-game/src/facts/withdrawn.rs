//! A hidden challenge.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::{Change, News};
use crate::challenge::ChallengeId;
use crate::contest::Contest;

/// A challenge was hidden. Its solves are kept for when it is released again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// The challenge.
    pub challenge: ChallengeId,
}

impl FactKind for Withdrawn {
    fn properties(&self) -> Properties<'_> {
        Properties {
            challenge: Some(&self.challenge),
            readers: Readers::OfReadable(&self.challenge),
            ..Properties::of("challenge hidden")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let was_seen = contest.is_seen(&self.challenge);
        contest.challenges.withdraw(&self.challenge)?;
        if was_seen { Ok(contest.public(News::Snapshot)) } else { Ok(Change::Unseen) }
    }
}
