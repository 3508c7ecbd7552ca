//! A withdrawn notice.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::News;
use crate::contest::Contest;

/// A notice was withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeWithdrawn {
    /// The notice number.
    pub notice: i64,
}

impl FactKind for NoticeWithdrawn {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            notice: Some(self.notice),
            // Withdrawn notices are not published.
            readers: Readers::Nobody,
            retracts: true,
            ..Properties::of("notice withdrawn")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        contest.notices.withdraw(self.notice, at.at_ms)?;
        Ok(contest.public(News::Notice { notice: self.notice }))
    }
}
