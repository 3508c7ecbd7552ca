//! The entries of the journal: every public fact of an event, one per row, in one total order.

use serde::{Deserialize, Serialize};

use crate::challenge::{Challenge, ChallengeId, StatusKind};
use crate::event::Event;

/// The newest format of the journal that this program reads and writes.
///
/// It grows when an older program would fold a journal to something else: by a new kind of fact, or
/// by another meaning of one. [`Fact::format`] then says which facts need the new format.
pub const FORMAT: u32 = 3;

/// The format of a journal without a [`Fact::Format`].
pub const FORMAT_FIRST: u32 = 1;

/// The format with notices, pauses, renamed teams, counted solves, and hints and the status of
/// challenges.
const FORMAT_ACTS: u32 = 2;

/// The format with teams that leave.
const FORMAT_LEFT: u32 = 3;
/// The format with urgent notices that have an end.
const FORMAT_URGENT_UNTIL: u32 = 3;

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
        /// Whether it is hidden from its first moment, as a test team of organizers is.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hidden: bool,
    },
    /// A team left as if it had never joined, since the import that it came with was undone. It has
    /// no solve, and its name is free.
    TeamLeft {
        /// Its identity, which no team ever has again.
        team: TeamId,
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
        /// Why, for the organizers' record. Empty in newer journals, where the record has it.
        reason: String,
    },
    /// A solve counts as if it had come at a given time and place: one that was withdrawn by
    /// mistake, or a flag that was refused by mistake.
    SolveCounted {
        /// Who.
        team: TeamId,
        /// What.
        challenge: ChallengeId,
        /// The time that counts, in epoch milliseconds; not after the entry's own.
        at_ms: i64,
        /// Its place: behind what this earlier entry put in the order of solves.
        after: i64,
    },
    /// A team has this name and country from now on. One that is not known joins by it: its
    /// `team` entry is withheld from a published journal.
    TeamNamed {
        /// Its identity.
        team: TeamId,
        /// Its name, as it is shown.
        name: String,
        /// Two-letter code.
        country: String,
    },
    /// Organizers posted a notice, corrected it, or put it back.
    Notice {
        /// Its number.
        notice: i64,
        /// Its title: plain text.
        title: String,
        /// Its text: sanitised HTML.
        html: String,
        /// The challenge that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        challenge: Option<ChallengeId>,
        /// Whether it interrupts players.
        urgent: bool,
        /// Time from which it does not interrupt players any more, in epoch milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        urgent_until_ms: Option<i64>,
    },
    /// A notice was taken back.
    NoticeWithdrawn {
        /// Its number.
        notice: i64,
    },
    /// Organizers say how a challenge is doing.
    Status {
        /// Which.
        challenge: ChallengeId,
        /// How it is doing.
        status: StatusKind,
        /// More about it: one line of plain text, perhaps empty.
        note: String,
    },
    /// No flag counts until the pause ends.
    Paused {
        /// True where the pause begins.
        on: bool,
    },
}

impl Fact {
    /// The oldest format of a journal that this fact may be in.
    pub fn format(&self) -> u32 {
        match self {
            Self::Format { .. }
            | Self::Event { .. }
            | Self::Phase { .. }
            | Self::Team { hidden: false, .. }
            | Self::TeamState { .. }
            | Self::Withdrawn { .. }
            | Self::Solve { .. }
            | Self::SolveWithdrawn { .. }
            | Self::Award { .. } => FORMAT_FIRST,
            Self::Challenge { challenge } => {
                let has_more = !challenge.hints.is_empty()
                    || challenge.connection.is_some()
                    || challenge.closes_ms.is_some();
                if has_more { FORMAT_ACTS } else { FORMAT_FIRST }
            }
            Self::Notice { urgent_until_ms: Some(_), .. } => FORMAT_URGENT_UNTIL,
            Self::Team { hidden: true, .. }
            | Self::SolveCounted { .. }
            | Self::TeamNamed { .. }
            | Self::Notice { .. }
            | Self::NoticeWithdrawn { .. }
            | Self::Status { .. }
            | Self::Paused { .. } => FORMAT_ACTS,
            Self::TeamLeft { .. } => FORMAT_LEFT,
        }
    }

    /// The team that the fact is about.
    pub fn team(&self) -> Option<TeamId> {
        match self {
            Self::Team { team, .. }
            | Self::TeamLeft { team }
            | Self::TeamState { team, .. }
            | Self::TeamNamed { team, .. }
            | Self::Solve { team, .. }
            | Self::SolveWithdrawn { team, .. }
            | Self::SolveCounted { team, .. }
            | Self::Award { team, .. } => Some(*team),
            Self::Format { .. }
            | Self::Event { .. }
            | Self::Phase { .. }
            | Self::Challenge { .. }
            | Self::Withdrawn { .. }
            | Self::Notice { .. }
            | Self::NoticeWithdrawn { .. }
            | Self::Status { .. }
            | Self::Paused { .. } => None,
        }
    }
}
