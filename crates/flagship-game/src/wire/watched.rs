//! A board as organizers watch it: whole, or what changed between two of them. The columns and rows
//! are those of a snapshot.

use serde::Serialize;

use super::{Column, Columns, Rows, WireRow};
use crate::board::{Board, Row, Tally};

/// Whose view of the event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// With what the freeze hides.
    Truth,
    /// As players see it.
    Public,
}

/// A whole board as a message.
pub fn whole(board: &Board, view: Sight) -> impl Serialize + '_ {
    let (challenges, scoreboard) = (Columns(board.tallies()), Rows(board));
    Message { event: "board", view, whole: true, challenges, scoreboard, gone: Vec::new() }
}

/// What changed since a board, as a message: challenges and rows that replace those of the same id
/// and name, and the names of rows that are gone. `None` if the challenges are others, or in
/// another order: the indexes in all rows changed then.
pub fn change<'a>(before: &'a Board, after: &'a Board, view: Sight) -> Option<Change<'a>> {
    let ids = |board: &'a Board| board.tallies().iter().map(|tally| &tally.challenge.id);
    if !ids(before).eq(ids(after)) {
        return None;
    }
    let is_other = |(a, b): &(&Tally, &Tally)| {
        (a.nsolves(), a.first_ms()) != (b.nsolves(), b.first_ms()) || a.challenge != b.challenge
    };
    let both = before.tallies().iter().zip(after.tallies());
    let challenges = both.filter(is_other).map(|(_, tally)| Column::from(tally)).collect();
    // The points follow from the challenges.
    let sent = |row: &'a Row| (row.country(), row.award(), row.last_solve_ms(), row.marks());
    let is_kept =
        |row: &&'a Row| before.row(row.name()).is_some_and(|(_, old)| sent(old) == sent(row));
    let scoreboard = after.rows().filter(|row| !is_kept(row)).map(WireRow).collect();
    let is_gone = |row: &&Row| after.row(row.name()).is_none();
    let gone = before.rows().filter(is_gone).map(Row::name).collect();
    Some(Change(Message { event: "board", view, whole: false, challenges, scoreboard, gone }))
}

/// What changed.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Change<'a>(Message<'a, Vec<Column<'a>>, Vec<WireRow<'a>>>);

impl Change<'_> {
    /// Whether nothing did.
    pub fn is_empty(&self) -> bool {
        let Message { challenges, scoreboard, gone, .. } = &self.0;
        challenges.is_empty() && scoreboard.is_empty() && gone.is_empty()
    }
}

#[derive(Serialize)]
struct Message<'a, C, R> {
    event: &'static str,
    view: Sight,
    whole: bool,
    challenges: C,
    scoreboard: R,
    gone: Vec<&'a str>,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json, to_value};

    use super::*;
    use crate::challenge::{Challenge, ChallengeId, Scoring};
    use crate::contest::Contest;
    use crate::entry::{Phase, TeamId};
    use crate::event::{Event, Reveal};
    use crate::facts::{self, Entry, Fact};
    use crate::view::{self, Viewer};

    fn fold(contest: &mut Contest, fact: Fact) {
        let entry = Entry { seq: contest.seq() + 1, at_ms: 1_000, fact };
        contest.fold(&entry).expect("the entry has the next number");
    }

    fn challenge(name: &str) -> Fact {
        let challenge = Challenge {
            id: ChallengeId::from_name(name),
            name: name.to_owned(),
            scoring: Scoring::Static { max: 1 },
            categories: Vec::new(),
            description: String::new(),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
        };
        Fact::from(facts::Challenge { challenge })
    }

    fn joins(id: i64) -> Fact {
        let (name, country) = (format!("Team {id}"), "UN".to_owned());
        Fact::from(facts::Team { team: TeamId(id), name, country, hidden: false })
    }

    fn playing() -> Contest {
        let event = Event {
            name: String::new(),
            start_ms: Some(0),
            end_ms: None,
            freeze_ms: None,
            reveal: Reveal::Manual,
            timezone: "UTC".to_owned(),
            flag_format: String::new(),
            rules: String::new(),
        };
        let mut contest = Contest::default();
        let start =
            [Fact::from(facts::Event { event }), Fact::from(facts::Phase { phase: Phase::Start })];
        let all = start.into_iter().chain([challenge("a"), joins(1), joins(2), joins(3)]);
        all.for_each(|fact| fold(&mut contest, fact));
        contest
    }

    /// What changes by a fact; null if the board has to be sent whole.
    fn changed_by(contest: &mut Contest, fact: Fact) -> Value {
        let before = view::board(contest, Viewer::Organizer);
        fold(contest, fact);
        let after = view::board(contest, Viewer::Organizer);
        to_value(change(&before, &after, Sight::Truth)).expect("it is plain data")
    }

    #[test]
    fn a_change_has_the_rows_and_challenges_that_differ_and_no_others() {
        let mut contest = playing();
        let solve =
            Fact::from(facts::Solve { team: TeamId(2), challenge: ChallengeId::from_name("a") });
        let solved = changed_by(&mut contest, solve);
        let row = json!(["Team 2", "UN", {"0": [1, 1]}, 1]);
        assert_eq!((&solved["scoreboard"], &solved["gone"]), (&json!([row]), &json!([])));
        assert_eq!(solved["challenges"][0]["nsolves"], 1);
        assert_eq!((&solved["event"], &solved["view"]), (&json!("board"), &json!("truth")));
        let hidden = changed_by(
            &mut contest,
            Fact::from(facts::TeamState { team: TeamId(1), banned: false, hidden: true }),
        );
        assert_eq!((&hidden["scoreboard"], &hidden["gone"]), (&json!([]), &json!(["Team 1"])));
        assert_eq!(hidden["challenges"], json!([]));
        let joined = changed_by(&mut contest, joins(4));
        assert_eq!(joined["scoreboard"], json!([["Team 4", "UN", {}, 0]]));
        assert_eq!(changed_by(&mut contest, challenge("b")), Value::Null, "it is sent whole");
        let board = view::board(&contest, Viewer::Organizer);
        assert!(change(&board, &board, Sight::Public).is_some_and(|it| it.is_empty()));
        let whole = to_value(whole(&board, Sight::Public)).expect("it is plain data");
        assert_eq!((&whole["whole"], &whole["scoreboard"][0][0]), (&json!(true), &json!("Team 2")));
    }
}
