//! Who asks for an operation.

use flagship_game::TeamId;

/// Who asks for an operation. The journal does not say; an organizers' record may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Someone without a team, who signs up.
    Visitor,
    /// A team.
    Team(TeamId),
    /// An organizer through the site.
    Organizer,
    /// A `flagship` command.
    CommandLine,
    /// The program itself, because a time has come.
    Clock,
}
