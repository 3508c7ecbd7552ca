//! A new journal format.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::Change;
use crate::contest::Contest;

/// The journal uses this format from now on. Appended before the first entry that requires it, so
/// that older versions stop before an entry they would misread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The format, newer than the previous one.
    pub version: u32,
}

impl FactKind for Format {
    fn properties(&self) -> Properties<'_> {
        Properties::of("journal format changed")
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        if self.version <= contest.format() {
            return Err("the format is not newer");
        }
        contest.format_said = self.version;
        Ok(Change::Unseen)
    }
}
