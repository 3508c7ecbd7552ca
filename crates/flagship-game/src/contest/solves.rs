//! Solves and attempts, as the fold keeps them.

use serde::{Deserialize, Serialize};

/// The index of a team or a challenge in the fold's lists, by order of arrival.
pub(crate) type Index = u32;

/// A solve that counts: it was not withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(i64, i64, Index)", into = "(i64, i64, Index)")]
pub struct Solve {
    /// Sequence number of its entry.
    pub seq: i64,
    /// Time of its entry, in epoch milliseconds.
    pub at_ms: i64,
    pub(crate) team: Index,
}

impl From<(i64, i64, Index)> for Solve {
    fn from((seq, at_ms, team): (i64, i64, Index)) -> Self {
        Self { seq, at_ms, team }
    }
}

impl From<Solve> for (i64, i64, Index) {
    fn from(Solve { seq, at_ms, team }: Solve) -> Self {
        (seq, at_ms, team)
    }
}

/// Whether a right flag is the team's first for its challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// It is.
    First,
    /// The team has solved the challenge before.
    Again,
}

/// Why a right flag does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The start is in the future, or the event has no times.
    #[error("the event has not started")]
    NotStarted,
    /// The end has passed.
    #[error("the event has ended")]
    Ended,
    /// There is no such challenge, or players may not see it yet.
    #[error("players see no such challenge")]
    UnknownChallenge,
    /// The team has not solved all requirements.
    #[error("the challenge is locked for the team")]
    Locked,
    /// The team is banned, or the journal has no such team.
    #[error("the team may not play")]
    NoTeam,
}
