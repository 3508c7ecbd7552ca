//! Solves and attempts in the fold.

use serde::{Deserialize, Serialize};

/// Index of a team or a challenge in the lists of the fold, in order of arrival.
pub(crate) type Index = u32;

/// A solve that counts, because it was not withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(i64, i64, i64, Index)", into = "(i64, i64, i64, Index)")]
pub struct Solve {
    /// Sequence number of its entry.
    pub seq: i64,
    /// Effective time in epoch milliseconds: that of its entry, or the one given by
    /// `solve_counted`.
    pub at_ms: i64,
    /// The entry that determines the position: its own, or the earlier one given by
    /// `solve_counted`.
    pub after: i64,
    pub(crate) team: Index,
}

impl Solve {
    /// Sort key of solves. A credited solve comes after the entry it refers to; ties are broken by
    /// time, then by entry.
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

/// Result of a correct flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The team's first correct flag for the challenge.
    First,
    /// The team has already solved the challenge.
    Again,
    /// The team's first correct flag for the challenge, after the end.
    Practice,
    /// The event is over, and the team has already solved the challenge, before or after the end.
    PracticeAgain,
}

impl Attempt {
    /// True if a correct flag is the team's first for the challenge.
    pub fn is_first(self) -> bool {
        matches!(self, Self::First | Self::Practice)
    }

    /// True if the flag was submitted after the end.
    pub fn is_practice(self) -> bool {
        matches!(self, Self::Practice | Self::PracticeAgain)
    }
}

/// Reason why a correct flag does not count.
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
    /// The challenge does not exist, or players cannot see it yet.
    #[error("players see no such challenge")]
    UnknownChallenge,
    /// The team has not solved all requirements.
    #[error("the challenge is locked for the team")]
    Locked,
    /// The closing time of the challenge has passed.
    #[error("the challenge is closed")]
    Closed,
    /// The team has used all attempts for the challenge.
    #[error("the team has no attempts left")]
    AttemptsUsed,
    /// The team is banned, or the journal has no such team.
    #[error("the team may not play")]
    NoTeam,
}
