//! Which teams a change of the contest moves: two boards compared.

use std::collections::HashMap;

use crate::board::Board;

/// A team whose rank differs between two boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its name.
    pub team: String,
    /// Where it was; `None` if it was not on the board.
    pub from: Option<Place>,
    /// Where it is; `None` if it is not on the board any more.
    pub to: Option<Place>,
}

/// A place on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Counted from 1.
    pub rank: usize,
    /// The points of the team.
    pub points: i64,
}

/// The teams whose rank changes from `before` to `after`, the top of the new board first, then
/// those that are not on it any more.
pub fn moves(before: &Board, after: &Board) -> Vec<Move> {
    let places = |board: &Board| -> Vec<(String, Place)> {
        let ranked = board.rows().zip(1..);
        ranked
            .map(|(row, rank)| (row.name().to_owned(), Place { rank, points: row.points() }))
            .collect()
    };
    let before = places(before);
    let mut left: HashMap<&str, Place> =
        before.iter().map(|(team, place)| (team.as_str(), *place)).collect();
    let mut moves = Vec::new();
    for (team, to) in places(after) {
        let from = left.remove(team.as_str());
        if from.map(|from| from.rank) != Some(to.rank) {
            moves.push(Move { team, from, to: Some(to) });
        }
    }
    let gone = before.iter().filter(|(team, _)| left.contains_key(team.as_str()));
    moves.extend(gone.map(|(team, from)| Move { team: team.clone(), from: Some(*from), to: None }));
    moves
}
