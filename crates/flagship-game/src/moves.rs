//! Comparison of two boards: teams whose rank or points change, and first bloods that are lost.

use std::collections::HashMap;

use crate::board::{Board, Tally};
use crate::challenge::ChallengeId;

/// A team whose rank or points differ between two boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The team name.
    pub team: String,
    /// Previous rank and points; `None` if the team was not on the board.
    pub from: Option<Place>,
    /// New rank and points; `None` if the team is no longer on the board.
    pub to: Option<Place>,
}

/// Rank and points on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The rank, from 1.
    pub rank: usize,
    /// The points of the team.
    pub points: i64,
}

/// Returns the teams whose rank or points change from `before` to `after`: first those no longer on
/// the new board, then the others by new rank.
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
    let mut moved = Vec::new();
    for (team, to) in places(after) {
        let from = left.remove(team.as_str());
        if from != Some(to) {
            moved.push(Move { team, from, to: Some(to) });
        }
    }
    let gone = before.iter().filter(|(team, _)| left.contains_key(team.as_str()));
    let gone = gone.map(|(team, from)| Move { team: team.clone(), from: Some(*from), to: None });
    gone.chain(moved).collect()
}

/// A first blood lost by a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstBlood {
    /// The challenge name.
    pub challenge: String,
    /// The team that had it.
    pub from: String,
    /// The team that has it now; `None` if the challenge is no longer solved.
    pub to: Option<String>,
}

/// Returns the first bloods that teams lose from `before` to `after`, for challenges on both
/// boards, in the order of the new board.
pub fn first_bloods(before: &Board, after: &Board) -> Vec<FirstBlood> {
    let held = |tally: &Tally| Some((tally.challenge.id.clone(), before.first_solver(tally)?));
    let held: HashMap<ChallengeId, &str> = before.tallies().iter().filter_map(held).collect();
    let lost = |tally: &Tally| {
        let (from, to) = (*held.get(&tally.challenge.id)?, after.first_solver(tally));
        (to != Some(from)).then(|| FirstBlood {
            challenge: tally.challenge.name.clone(),
            from: from.to_owned(),
            to: to.map(str::to_owned),
        })
    };
    after.tallies().iter().filter_map(lost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::ChallengeId;
    use crate::contest::Contest;
    use crate::entry::{Phase, TeamId};
    use crate::facts::{self, Entry, Fact};
    use crate::view::{self, Viewer};
    use crate::{Challenge, Scoring};

    /// Rank and points of a team; `None` if it is not on the board.
    type RankAndPoints = Option<(usize, i64)>;

    fn challenge(max: i64) -> Fact {
        let challenge = Challenge {
            id: ChallengeId::from_name("Heap"),
            name: "Heap".to_owned(),
            scoring: Scoring::Static { max },
            categories: Vec::new(),
            description: String::new(),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
            rules: Default::default(),
            labels: Default::default(),
        };
        Fact::from(facts::Challenge { challenge })
    }

    fn fold(contest: &mut Contest, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            let seq = contest.seq() + 1;
            contest.fold(&Entry { seq, at_ms: seq, fact }).expect("it follows");
        }
    }

    /// A contest with Ants, Bees and Cats, in which Ants and Bees solved the only challenge for 500
    /// points.
    fn contest() -> Contest {
        let mut contest = Contest::default();
        let team = |(id, name): (i64, &str)| {
            let name = name.to_owned();
            let country = "IT".to_owned();
            Fact::from(facts::Team {
                team: TeamId(id),
                name,
                country,
                hidden: false,
                divisions: vec![],
            })
        };
        fold(&mut contest, [(1, "Ants"), (2, "Bees"), (3, "Cats")].map(team));
        fold(&mut contest, [Fact::from(facts::Phase { phase: Phase::Start }), challenge(500)]);
        let solve = |id| {
            Fact::from(facts::Solve { team: TeamId(id), challenge: ChallengeId::from_name("Heap") })
        };
        fold(&mut contest, [solve(1), solve(2)]);
        contest
    }

    /// Team name, with rank and points before and after, in order.
    fn moved(fact: Fact) -> Vec<(String, RankAndPoints, RankAndPoints)> {
        let before = contest();
        let mut after = before.clone();
        fold(&mut after, [fact]);
        let board = |contest: &Contest| view::board(contest, Viewer::Public);
        let place = |place: Option<Place>| place.map(|it| (it.rank, it.points));
        let moves = moves(&board(&before), &board(&after)).into_iter();
        moves.map(|it| (it.team, place(it.from), place(it.to))).collect()
    }

    #[test]
    fn a_team_with_other_points_is_listed_though_it_keeps_its_rank() {
        let expected = [("Ants", 1), ("Bees", 2)];
        let expected =
            expected.map(|(team, rank)| (team.to_owned(), Some((rank, 500)), Some((rank, 300))));
        assert_eq!(moved(challenge(300)), expected);
        let award = Fact::from(facts::Award { team: TeamId(1), points: 25, reason: String::new() });
        assert_eq!(moved(award), [("Ants".to_owned(), Some((1, 500)), Some((1, 525)))]);
    }

    /// Challenge, with the team that had first blood and the team that has it now.
    fn bloods(facts: impl IntoIterator<Item = Fact>) -> Vec<(String, String, Option<String>)> {
        let before = contest();
        let mut after = before.clone();
        fold(&mut after, facts);
        let board = |contest: &Contest| view::board(contest, Viewer::Public);
        let bloods = first_bloods(&board(&before), &board(&after)).into_iter();
        bloods.map(|it| (it.challenge, it.from, it.to)).collect()
    }

    #[test]
    fn a_first_blood_that_is_taken_away_is_told_with_who_had_it_and_who_has_it() {
        let ban =
            |id| Fact::from(facts::TeamState { team: TeamId(id), banned: true, hidden: false });
        let moves =
            |to: Option<&str>| vec![("Heap".to_owned(), "Ants".to_owned(), to.map(str::to_owned))];
        assert_eq!(bloods([ban(1)]), moves(Some("Bees")));
        assert_eq!(bloods([ban(1), ban(2)]), moves(None));
        assert_eq!(bloods([ban(2)]), Vec::new(), "the second loses none");
        let team = TeamId(3);
        let challenge = ChallengeId::from_name("Heap");
        let counted = Fact::from(facts::SolveCounted { team, challenge, at_ms: 1, after: 0 });
        assert_eq!(bloods([counted]), moves(Some("Cats")));
    }

    #[test]
    fn a_team_that_leaves_comes_first_then_the_top_of_the_board() {
        let ban = Fact::from(facts::TeamState { team: TeamId(2), banned: true, hidden: false });
        let expected = [
            ("Bees".to_owned(), Some((2, 500)), None),
            ("Cats".to_owned(), Some((3, 0)), Some((2, 0))),
        ];
        assert_eq!(moved(ban), expected);
    }
}
