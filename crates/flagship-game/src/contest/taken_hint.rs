//! A hint that a team took, as the contest keeps it.

use serde::{Deserialize, Serialize};

use super::solves::Index;

/// A hint that a team took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenHint {
    pub(crate) challenge: Index,
    /// ID of the hint within its challenge.
    pub hint: String,
    /// Points that the team paid.
    pub cost: i64,
    /// Time of the entry, in epoch milliseconds.
    pub at_ms: i64,
}
