//! Actors of operations.

use flagship_game::TeamId;

/// Actor of an operation. Not stored in the journal; the audit log can contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A visitor who signs up.
    Visitor,
    /// A team.
    Team(TeamId),
    /// An organizer through the site.
    Organizer,
    /// A `flagship` command.
    CommandLine,
    /// The program itself, at a scheduled time.
    Clock,
}
