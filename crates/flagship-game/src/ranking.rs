//! The order of the scoreboard.

use std::cmp::Ordering;

/// Ranking criteria of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing<'a> {
    /// Award plus the points of the solves.
    pub points: i64,
    /// Time of the last solve in epoch milliseconds, 0 without one.
    pub last_solve_ms: i64,
    /// The team's name.
    pub name: &'a str,
}

/// Better first: points high to low, then the earlier last solve, then the name by code point
/// (which for UTF-8 is the order of bytes).
pub fn compare(a: &Standing<'_>, b: &Standing<'_>) -> Ordering {
    b.points
        .cmp(&a.points)
        .then(a.last_solve_ms.cmp(&b.last_solve_ms))
        .then_with(|| a.name.cmp(b.name))
}
