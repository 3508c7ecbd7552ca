//! A notice of the organizers.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::News;
use crate::challenge::ChallengeId;
use crate::contest::{self, Contest};

/// Organizers posted a notice, corrected it, or put it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Its number.
    pub notice: i64,
    /// Its title: plain text.
    pub title: String,
    /// Its text: sanitised HTML.
    pub html: String,
    /// The challenge that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<ChallengeId>,
    /// Whether it interrupts players.
    pub urgent: bool,
    /// Time from which it does not interrupt players any more, in epoch milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urgent_until_ms: Option<i64>,
}

impl FactKind for Notice {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: if self.urgent_until_ms.is_some() { 3 } else { 2 },
            challenge: self.challenge.as_ref(),
            notice: Some(self.notice),
            readers: self.challenge.as_ref().map_or(Readers::Everyone, Readers::OfSeen),
            // What was corrected was to be read no more.
            retracts: true,
            ..Properties::of("a notice was posted")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let Self { notice, title, html, challenge, urgent, urgent_until_ms } = self.clone();
        contest.notices.post(contest::Notice {
            id: notice,
            at_ms: at.at_ms,
            title,
            html,
            challenge,
            urgent,
            urgent_until_ms,
            corrected_at_ms: None,
            withdrawn_at_ms: None,
        });
        Ok(contest.public(News::Notice { notice }))
    }
}
