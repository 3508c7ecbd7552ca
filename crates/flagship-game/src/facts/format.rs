//! A newer format of the journal.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::Change;
use crate::contest::Contest;

/// The journal has this format from now on. Appended before the first entry that needs it, so that
/// an older program stops before what it would misread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The format, newer than the one before.
    pub version: u32,
}

impl FactKind for Format {
    fn properties(&self) -> Properties<'_> {
        Properties::of("the journal's format changed")
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        if self.version <= contest.format() {
            return Err("its format is not newer");
        }
        contest.format_said = self.version;
        Ok(Change::Unseen)
    }
}
