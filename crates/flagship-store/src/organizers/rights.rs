//! Roles, and the challenges of authors.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use flagship_game::ChallengeId;

use crate::engine::names::names;

/// Role of an organizer. Roles can be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees the public view, counts and health.
    Observer,
    /// Writes the challenges assigned to the author.
    Author,
    /// Helps teams.
    Support,
    /// Runs the contest.
    Organizer,
    /// Manages the organizers.
    Owner,
}

names!(Role; Observer = "observer", Author = "author", Support = "support",
    Organizer = "organizer", Owner = "owner");

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Error returned for an unknown role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is observer, author, support, organizer or owner")]
pub struct UnknownRole;

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(UnknownRole)
    }
}

/// Roles, and the challenges of authors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The roles.
    pub roles: BTreeSet<Role>,
    /// Challenges of an author.
    pub challenges: BTreeSet<ChallengeId>,
}

impl Rights {
    /// Parses the two columns; `None` if they are corrupt.
    pub(super) fn of_columns(roles: &str, challenges: &str) -> Option<Self> {
        let roles: Option<_> = parts(roles).map(|it| it.parse().ok()).collect();
        let challenges: Option<_> =
            parts(challenges).map(|it| ChallengeId::parse(it).ok()).collect();
        Some(Self { roles: roles?, challenges: challenges? })
    }

    /// Returns the two columns.
    pub(super) fn columns(&self) -> (String, String) {
        let (roles, challenges) = self.lists();
        (roles.join(","), challenges.join(","))
    }

    /// Names of the roles, and ids of the challenges.
    pub(super) fn lists(&self) -> (Vec<&str>, Vec<&str>) {
        let roles = self.roles.iter().map(|role| role.as_str());
        (roles.collect(), self.challenges.iter().map(ChallengeId::as_str).collect())
    }
}

fn parts(column: &str) -> impl Iterator<Item = &str> {
    column.split(',').filter(|part| !part.is_empty())
}
