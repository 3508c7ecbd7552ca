//! A notice from the organizers.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::News;
use crate::challenge::ChallengeId;
use crate::contest::{self, Contest};

/// Organizers posted, edited or restored a notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The notice number.
    pub notice: i64,
    /// The title, in plain text.
    pub title: String,
    /// The text, as sanitized HTML.
    pub html: String,
    /// The related challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<ChallengeId>,
    /// True if the notice interrupts players.
    pub urgent: bool,
    /// Time after which the notice no longer interrupts players, in epoch milliseconds.
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
            // Earlier versions of an edited notice are not published.
            retracts: true,
            ..Properties::of("notice posted")
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
