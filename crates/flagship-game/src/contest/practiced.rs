//! Correct flags of a team after the end, as the contest keeps them.

use serde::{Deserialize, Serialize};

use super::challenge_progress::FoundFlag;

/// Correct flags of a team for one challenge after the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Practice {
    pub(super) solve: Option<PracticeSolve>,
    /// Flags found of several, in order.
    pub(super) found: Vec<FoundFlag>,
}

/// A challenge that a team solved after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PracticeSolve {
    /// Time of the entry, in epoch milliseconds.
    pub at_ms: i64,
    /// Sequence number of the entry.
    pub seq: i64,
}
