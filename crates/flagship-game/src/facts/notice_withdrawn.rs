//! A notice that was taken back.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::News;
use crate::contest::Contest;

/// A notice was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeWithdrawn {
    /// Its number.
    pub notice: i64,
}

impl FactKind for NoticeWithdrawn {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            notice: Some(self.notice),
            // What was withdrawn was to be read no more.
            readers: Readers::Nobody,
            retracts: true,
            ..Properties::of("a notice was withdrawn")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        contest.notices.withdraw(self.notice, at.at_ms)?;
        Ok(contest.public(News::Notice { notice: self.notice }))
    }
}
