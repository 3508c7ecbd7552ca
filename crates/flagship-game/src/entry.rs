//! Terms of the journal that its fold and its facts share: teams, phases and formats.

use serde::{Deserialize, Serialize};

/// The newest format of the journal that this program reads and writes.
///
/// It grows when an older program would fold a journal to something else: by a new kind of fact, or
/// by another meaning of one. The file of the fact then says that it needs the new format. Format 2
/// has notices, pauses, renamed teams, counted solves, and hints and the status of challenges;
/// format 3 has teams that leave and urgent notices that have an end.
pub const FORMAT: u32 = 3;

/// The format of a journal that does not say one.
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
