//! Roles, and the challenges of an author.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use flagship_game::ChallengeId;

use crate::engine::names::names;

/// What an organizer may do, named as organizers know it. Roles add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees what the public sees, counts and health.
    Observer,
    /// Writes the challenges that are named with it.
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

/// A text that names no role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is observer, author, support, organizer or owner")]
pub struct NoRole;

impl FromStr for Role {
    type Err = NoRole;

    fn from_str(text: &str) -> std::result::Result<Self, NoRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(NoRole)
    }
}

/// Roles, and the challenges of an author.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The roles.
    pub roles: BTreeSet<Role>,
    /// The challenges that an author writes.
    pub challenges: BTreeSet<ChallengeId>,
}

impl Rights {
    /// Reads the two columns; `None` if they are corrupt.
    pub(super) fn of_columns(roles: &str, challenges: &str) -> Option<Self> {
        let roles: Option<_> = parts(roles).map(|it| it.parse().ok()).collect();
        let challenges: Option<_> =
            parts(challenges).map(|it| ChallengeId::parse(it).ok()).collect();
        Some(Self { roles: roles?, challenges: challenges? })
    }

    /// The two columns.
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
