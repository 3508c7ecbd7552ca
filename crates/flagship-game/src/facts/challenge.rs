//! A released challenge.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::{Change, News};
use crate::challenge::{self, Hint};
use crate::contest::Contest;
use crate::entry::FORMAT_FIRST;

/// A challenge was released or changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// The complete challenge; replaces the previous version.
    pub challenge: challenge::Challenge,
}

impl FactKind for Challenge {
    fn properties(&self) -> Properties<'_> {
        let challenge::Challenge { id, hints, connection, closes_ms, rules, attachments, .. } =
            &self.challenge;
        let has_more = !hints.is_empty() || connection.is_some() || closes_ms.is_some();
        // Older versions would show the text of a hint to everyone, count any flag as a solve, or
        // send all teams the same file.
        let has_rules = !rules.are_default()
            || hints.iter().any(Hint::must_be_taken)
            || attachments.iter().any(|attachment| attachment.per_team);
        let format = match (has_rules, has_more) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => FORMAT_FIRST,
        };
        Properties {
            format,
            challenge: Some(id),
            readers: Readers::OfVersion(id),
            ..Properties::of("challenge released or changed")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let id = &self.challenge.id;
        let was_seen = contest.is_seen(id);
        contest.challenges.release(&self.challenge, at.at_ms)?;
        if !was_seen && !contest.is_seen(id) {
            return Ok(Change::Unseen);
        }
        Ok(contest.public(News::Snapshot))
    }
}
