//! Journal types shared by the fold and the facts: team IDs, phases and formats.

use serde::{Deserialize, Serialize};

/// Newest journal format that this version reads and writes.
///
/// Increase this number when older versions would fold a journal differently: for a new kind of
/// fact, or a changed meaning of one. Facts that need the new format declare it in their own files.
/// Format 2 adds notices, pauses, renamed teams, credited solves, hints and challenge status;
/// format 3 adds teams that leave and expiring urgent notices; format 4 adds hints for points,
/// challenges that need several flags or limit attempts, and practice after the end; format 5 adds
/// divisions.
pub const FORMAT: u32 = 5;

/// Format of a journal that does not declare one.
pub const FORMAT_FIRST: u32 = 1;

/// A team ID: random, internal, never on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TeamId(pub i64);

/// A phase of the event. Once recorded in the journal, the clock cannot undo it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Challenges are visible and submissions count.
    Start,
    /// Solves of other teams are hidden from now on.
    Freeze,
    /// Submissions no longer count.
    End,
    /// Solves hidden by the freeze become visible.
    Reveal,
}
