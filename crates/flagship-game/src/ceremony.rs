//! The ceremony: from the frozen board to the final one, solve by solve, from the last place up.
//!
//! Points are those of the final board from the first step on, because values fall with each solve
//! and a team must never drop below a place that was announced. Hidden solves then only move teams
//! up: those that add no points are part of the start. Each place that is reached from below, with
//! no hidden solve left, is therefore the final one.

use crate::board::{Board, Row};
use crate::challenge::Challenge;

/// A team of the ceremony.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CeremonyTeam<'a> {
    /// The row on the final board.
    pub row: &'a Row,
    /// Rank on the final board, from 1.
    pub rank: usize,
    /// Points on the frozen board.
    pub frozen_points: i64,
    /// Final points without those of the hidden solves.
    pub start_points: i64,
    /// Time of the last solve at the start in epoch milliseconds, 0 without one.
    pub start_last_ms: i64,
    /// Hidden solves, in chronological order.
    pub solves: Vec<HiddenSolve<'a>>,
}

/// A solve that moves its team up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenSolve<'a> {
    /// The challenge.
    pub challenge: &'a Challenge,
    /// Points on the final board, more than 0.
    pub points: i64,
    /// Epoch milliseconds.
    pub at_ms: i64,
}

/// The teams, in order of the frozen board. Both boards are views of the same contest.
pub fn ceremony<'a>(frozen: &'a Board, last: &'a Board) -> Vec<CeremonyTeam<'a>> {
    let shown = frozen.rows().filter_map(|shown| {
        let (rank, row) = last.row(shown.name())?;
        Some(team(shown, row, rank, last))
    });
    shown.collect()
}

fn team<'a>(shown: &Row, row: &'a Row, rank: usize, last: &'a Board) -> CeremonyTeam<'a> {
    let is_seen = |challenge: u32| shown.marks().iter().any(|mark| mark.challenge == challenge);
    let mut solves = Vec::new();
    let mut start_last_ms = 0;
    for mark in row.marks() {
        let points = last.points_of(mark);
        if points > 0 && !is_seen(mark.challenge) {
            let challenge = last.tallies()[mark.challenge as usize].challenge();
            solves.push(HiddenSolve { challenge, points, at_ms: mark.at_ms });
        } else {
            start_last_ms = start_last_ms.max(mark.at_ms);
        }
    }
    solves.sort_by_key(|solve| solve.at_ms);
    let gained: i64 = solves.iter().map(|solve| solve.points).sum();
    let (frozen_points, start_points) = (shown.points(), row.points() - gained);
    CeremonyTeam { row, rank, frozen_points, start_points, start_last_ms, solves }
}
