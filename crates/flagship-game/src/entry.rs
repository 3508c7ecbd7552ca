//! The entries of the journal: every public fact of an event, one per row, in one total order.

use serde::{Deserialize, Serialize};

use crate::challenge::{Challenge, ChallengeId};
use crate::event::Event;

/// The newest format of the journal that this program reads and writes.
///
/// It grows when an older program would fold a journal to something else: by a new kind of fact, or
/// by another meaning of one. [`Fact::format`] then says which facts need the new format.
pub const FORMAT: u32 = 1;

/// The format of a journal without a [`Fact::Format`].
pub const FORMAT_FIRST: u32 = 1;

/// A team's id: random, internal, never on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TeamId(pub i64);

/// A moment of the event; once the journal says that it was reached, no clock undoes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Challenges are shown and flags count.
    Start,
    /// Solves of others are hidden from here on.
    Freeze,
    /// Flags no longer count.
    End,
    /// What the freeze hid is shown.
    Reveal,
}

/// One fact and when it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Place in the journal, from 1, without gaps.
    pub seq: i64,
    /// Epoch milliseconds; never less than the entry before.
    pub at_ms: i64,
    /// What happened.
    pub fact: Fact,
}

/// The fact of an entry. Its JSON is what is stored, hashed and published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fact {
    /// The journal has this format from now on. Appended before the first entry that needs it, so
    /// that an older program stops before what it would misread.
    Format {
        /// The format, newer than the one before.
        version: u32,
    },
    /// The event's name, times and rules are these from now on.
    Event {
        /// The whole description; it replaces the one before.
        event: Event,
    },
    /// A phase was reached.
    Phase {
        /// Which.
        phase: Phase,
    },
    /// A team confirmed its e-mail address or was imported.
    Team {
        /// Its identity.
        team: TeamId,
        /// Its name, as it is shown.
        name: String,
        /// Two-letter code.
        country: String,
    },
    /// A team's standing with the organizers is this from now on.
    TeamState {
        /// Whose.
        team: TeamId,
        /// Counts nowhere and may not log in.
        banned: bool,
        /// Counts nowhere, but plays.
        hidden: bool,
    },
    /// A challenge was released or changed.
    Challenge {
        /// The whole challenge; it replaces the one before.
        challenge: Challenge,
    },
    /// A challenge was hidden; its solves are kept and come back with it.
    Withdrawn {
        /// Which.
        challenge: ChallengeId,
    },
    /// A team sent a right flag, its first for this challenge.
    Solve {
        /// Who.
        team: TeamId,
        /// What.
        challenge: ChallengeId,
    },
    /// A solve does not count any more; the team may solve the challenge again.
    SolveWithdrawn {
        /// Whose.
        team: TeamId,
        /// Of what.
        challenge: ChallengeId,
    },
    /// Organizers gave a team points, or took them.
    Award {
        /// Whom.
        team: TeamId,
        /// How many; negative ones are a penalty.
        points: i64,
        /// Why, for the organizers' record.
        reason: String,
    },
}

impl Fact {
    /// The oldest format of a journal that this fact may be in.
    pub fn format(&self) -> u32 {
        match self {
            Self::Format { .. }
            | Self::Event { .. }
            | Self::Phase { .. }
            | Self::Team { .. }
            | Self::TeamState { .. }
            | Self::Challenge { .. }
            | Self::Withdrawn { .. }
            | Self::Solve { .. }
            | Self::SolveWithdrawn { .. }
            | Self::Award { .. } => FORMAT_FIRST,
        }
    }
}
