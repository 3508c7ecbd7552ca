//! Solves and attempts, as the fold keeps them.

use serde::{Deserialize, Serialize};

/// The index of a team or a challenge in the fold's lists, by order of arrival.
pub(crate) type Index = u32;

/// A solve that counts: it was not withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(i64, i64, i64, Index)", into = "(i64, i64, i64, Index)")]
pub struct Solve {
    /// Sequence number of its entry.
    pub seq: i64,
    /// The time that counts, in epoch milliseconds: of its entry, or the one that a `solve_counted`
    /// names.
    pub at_ms: i64,
    /// The entry behind whose place it comes: its own, or the one that a `solve_counted` names.
    pub after: i64,
    pub(crate) team: Index,
}

impl Solve {
    /// What solves are ordered by: a counted one comes behind the entry that it names; of several
    /// behind the same one, the one with the later time comes later, then the later entry.
    pub fn place(&self) -> (i64, i64, i64) {
        (self.after, self.at_ms, self.seq)
    }
}

impl From<(i64, i64, i64, Index)> for Solve {
    fn from((seq, at_ms, after, team): (i64, i64, i64, Index)) -> Self {
        Self { seq, at_ms, after, team }
    }
}

impl From<Solve> for (i64, i64, i64, Index) {
    fn from(Solve { seq, at_ms, after, team }: Solve) -> Self {
        (seq, at_ms, after, team)
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
    /// Organizers paused the event.
    #[error("the event is paused")]
    Paused,
    /// There is no such challenge, or players may not see it yet.
    #[error("players see no such challenge")]
    UnknownChallenge,
    /// The team has not solved all requirements.
    #[error("the challenge is locked for the team")]
    Locked,
    /// The challenge took flags until a time that has passed.
    #[error("the challenge is closed")]
    Closed,
    /// The team is banned, or the journal has no such team.
    #[error("the team may not play")]
    NoTeam,
}
