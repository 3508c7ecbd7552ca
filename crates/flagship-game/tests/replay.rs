//! Replays of real events: `FLAGSHIP_TEST_DATA` has their solves, the expected rankings at the end
//! and at the freeze, and names of real teams. The data is not in the repository. Without it these
//! tests print `NOT CHECKED` and pass.

use std::collections::BTreeMap;
use std::process::Command;

use flagship_control::shared_data;
use flagship_game::contest::Contest;
use flagship_game::entry::{Phase, TeamId};
use flagship_game::facts::{self, Entry, Fact, news};
use flagship_game::view::{self, Viewer};
use flagship_game::{
    Board, Challenge, ChallengeId, Division, DivisionId, Event, Hint, Join, NameError, Reveal,
    Scoring, TeamName,
};
use flagship_game::{Status, name};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The parsed file; `None` without test data.
fn read<T: DeserializeOwned>(file: &str) -> Option<T> {
    let text = std::fs::read_to_string(shared_data(file)?).expect("the file can be read");
    Some(serde_json::from_str(&text).expect("the file has the expected shape"))
}

#[derive(Deserialize)]
struct Past {
    start_ms: i64,
    end_ms: i64,
    replay_freeze_ms: i64,
    challenges: Vec<PastChallenge>,
    teams: Vec<Named>,
    events: Vec<(i64, String, String, bool)>,
    expected_spec_dynamic: Vec<Place>,
    expected_spec_dynamic_frozen: Vec<Place>,
}

#[derive(Deserialize)]
struct PastChallenge {
    id: String,
    name: String,
    category: String,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Place {
    pos: usize,
    team: String,
    score: i64,
    last_ms: Option<i64>,
}

impl Past {
    fn event(&self) -> Fact {
        Fact::from(facts::Event {
            event: Event {
                name: "A past event".to_owned(),
                start_ms: Some(self.start_ms),
                end_ms: Some(self.end_ms),
                freeze_ms: Some(self.replay_freeze_ms),
                reveal: Reveal::Manual,
                timezone: "UTC".to_owned(),
                flag_format: String::new(),
                rules: String::new(),
                hint_debt: false,
                practice: false,
                divisions: divisions(),
            },
        })
    }

    fn challenge(&self, past: &PastChallenge) -> Fact {
        Fact::from(facts::Challenge {
            challenge: Challenge {
                id: ChallengeId::parse(&past.id).expect("real ids are ids"),
                name: past.name.clone(),
                scoring: Scoring::Dynamic { max: 500, min: 50, decay: 15 },
                categories: vec![past.category.clone()],
                description: String::new(),
                attachments: vec![],
                requirements: vec![],
                position: None,
                hints: vec![Hint {
                    id: "one".to_owned(),
                    html: Some("<p>Look.</p>".to_owned()),
                    cost: 30,
                    ..Hint::default()
                }],
                connection: None,
                closes_ms: None,
                flag_format: None,
                rules: Default::default(),
                labels: Default::default(),
            },
        })
    }

    /// Divisions of a team by the rule of `vectors/replay.py`.
    fn divisions_of(team: &str) -> Vec<DivisionId> {
        let total: usize = team.bytes().map(usize::from).sum();
        let of_team = divisions().into_iter().enumerate();
        of_team.filter(|(at, _)| *at == total % 3).map(|(_, it)| it.id).collect()
    }

    /// Purchases of hints by the rule of `vectors/replay.py`.
    fn purchases(&self, ids: &BTreeMap<&str, TeamId>) -> Vec<(i64, Fact)> {
        let solves = self.events.iter();
        let bought = solves.filter_map(|(at_ms, team, challenge, _)| {
            let total: i64 = team.bytes().chain(challenge.bytes()).map(i64::from).sum();
            let at_ms = (at_ms - 1_000).max(self.start_ms);
            let taken = facts::HintTaken {
                team: ids[team.as_str()],
                challenge: ChallengeId::parse(challenge).expect("real ids are ids"),
                hint: "one".to_owned(),
                cost: 5 + total % 50,
            };
            (total % 4 == 0).then(|| (at_ms, taken.into()))
        });
        bought.collect()
    }

    /// The event as a journal up to its end; the test adds the reveal.
    fn journal(&self, has_hints: bool) -> Vec<Entry> {
        let mut facts = vec![(self.start_ms, self.event())];
        facts.extend(self.challenges.iter().map(|past| (self.start_ms, self.challenge(past))));
        let mut ids = BTreeMap::new();
        for (team, id) in self.teams.iter().zip((1..).map(TeamId)) {
            ids.insert(team.name.as_str(), id);
            let name = team.name.clone();
            let country = "UN".to_owned();
            let divisions = Self::divisions_of(&team.name);
            facts.push((
                self.start_ms,
                Fact::from(facts::Team { team: id, name, country, hidden: false, divisions }),
            ));
        }
        facts.push((self.start_ms, Fact::from(facts::Phase { phase: Phase::Start })));
        for (at_ms, team, challenge, correct) in &self.events {
            let challenge = ChallengeId::parse(challenge).expect("real ids are ids");
            assert!(*correct && (self.start_ms..self.end_ms).contains(at_ms));
            facts.push((*at_ms, Fact::from(facts::Solve { team: ids[team.as_str()], challenge })));
        }
        if has_hints {
            facts.extend(self.purchases(&ids));
            facts.sort_by_key(|(at_ms, _)| *at_ms);
        }
        let freeze = facts.partition_point(|(at_ms, _)| *at_ms < self.replay_freeze_ms);
        facts.insert(
            freeze,
            (self.replay_freeze_ms, Fact::from(facts::Phase { phase: Phase::Freeze })),
        );
        facts.push((self.end_ms, Fact::from(facts::Phase { phase: Phase::End })));
        let numbered = facts.into_iter().zip(1..);
        numbered.map(|((at_ms, fact), seq)| Entry { seq, at_ms, fact }).collect()
    }
}

fn places(board: &Board) -> Vec<Place> {
    let place = |(row, pos): (&flagship_game::Row, usize)| Place {
        pos,
        team: row.name().to_owned(),
        score: row.points(),
        last_ms: Some(row.last_solve_ms()).filter(|last_ms| *last_ms != 0),
    };
    board.rows().zip(1..).map(place).collect()
}

fn assert_same(board: &Board, expected: &[Place], about: &str) {
    let got = places(board);
    assert_eq!(got.len(), expected.len(), "{about}");
    for (got, expected) in got.iter().zip(expected) {
        assert_eq!(got, expected, "{about}");
    }
}

fn replay(file: &str, teams: usize, solves: usize) {
    let Some(past) = read::<Past>(file) else { return };
    assert_eq!((past.teams.len(), past.events.len()), (teams, solves), "{file}");
    let mut contest = Contest::default();
    let mut public = Board::default();
    let mut truth = Board::default();
    let mut rebuilt = 0;
    let journal = past.journal(false);
    for entry in &journal {
        let change = contest.fold(entry).expect("a real event is a valid journal");
        if !news::advance(&mut public, &contest, [&change]) {
            public = view::board(&contest, Viewer::Public);
            rebuilt += 1;
        }
        if !news::advance_organizers(&mut truth, &contest, [&change]) {
            truth = view::board(&contest, Viewer::Organizer);
            rebuilt += 1;
        }
    }
    assert!(rebuilt < 50, "only changes without a delta need a new board, not {rebuilt}");
    assert_eq!(contest.status(past.end_ms), Status::Ended);
    let (last, frozen) = (&past.expected_spec_dynamic, &past.expected_spec_dynamic_frozen);
    assert_same(&public, frozen, "frozen, updated");
    assert_same(&view::board(&contest, Viewer::Public), frozen, "frozen, folded");
    assert_same(&truth, last, "the organizers' board, updated");
    assert_same(&view::board(&contest, Viewer::Organizer), last, "the organizers' board, folded");

    let seq = contest.seq() + 1;
    let reveal =
        Entry { seq, at_ms: past.end_ms, fact: Fact::from(facts::Phase { phase: Phase::Reveal }) };
    let change = contest.fold(&reveal).expect("the reveal follows the end");
    assert!(!news::advance(&mut public, &contest, [&change]), "a reveal needs a new board");
    assert_same(&view::board(&contest, Viewer::Public), last, "revealed");

    // The same event without a freeze, in which `advance` handles every solve, and with the journal
    // parsed from its stored text.
    let mut contest = Contest::default();
    let mut public = Board::default();
    for entry in
        journal.iter().filter(|e| e.fact != Fact::from(facts::Phase { phase: Phase::Freeze }))
    {
        let text = serde_json::to_string(&entry.fact).expect("a fact is JSON");
        let mut fact: Fact = serde_json::from_str(&text).expect("a fact");
        if let Fact::Event(facts::Event { event }) = &mut fact {
            event.freeze_ms = None;
        }
        let entry = Entry { seq: contest.seq() + 1, at_ms: entry.at_ms, fact };
        let change = contest.fold(&entry).expect("a real event is a valid journal");
        if !news::advance(&mut public, &contest, [&change]) {
            public = view::board(&contest, Viewer::Public);
        }
    }
    assert_same(&public, last, "no freeze, updated");
}

#[test]
fn defcon_quals_2019_ranks_as_expected_at_the_freeze_and_at_the_end() {
    replay("scoreboards/defcon-quals-2019.json", 1262, 3459);
}

#[test]
fn olicyber_2024_ranks_as_expected_at_the_freeze_and_at_the_end() {
    replay("scoreboards/olicyber-2024-regional.json", 179, 817);
}

/// The ranking of the independent script: teams and points.
#[derive(Deserialize)]
struct Rankings {
    frozen: Vec<(String, i64)>,
    revealed: Vec<(String, i64)>,
    #[serde(default)]
    divisions: BTreeMap<String, Rankings>,
}

fn divisions() -> Vec<Division> {
    let division = |id: &str| Division {
        id: DivisionId::parse(id).expect("an ID"),
        name: id.to_owned(),
        group: "Division".to_owned(),
        join: Join::Open,
        student: false,
    };
    ["low", "high"].map(division).to_vec()
}

#[test]
fn real_events_with_hints_and_divisions_rank_as_by_the_independent_script() {
    for file in ["scoreboards/defcon-quals-2019.json", "scoreboards/olicyber-2024-regional.json"] {
        let Some(past) = read::<Past>(file) else { return };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/replay.py");
        let path = shared_data(file).expect("it was read");
        let run = Command::new("python3").arg(script).arg(path).output().expect("Python runs");
        let expected: Rankings = serde_json::from_slice(&run.stdout).expect("rankings");
        let ranking = |board: &Board| -> Vec<(String, i64)> {
            board.rows().map(|row| (row.name().to_owned(), row.points())).collect()
        };
        let mut contest = Contest::default();
        let mut public = Board::default();
        let journal = past.journal(true);
        for entry in &journal {
            let change = contest.fold(entry).expect("a real event with hints is a valid journal");
            if !news::advance(&mut public, &contest, [&change]) {
                public = view::board(&contest, Viewer::Public);
            }
        }
        let taken = journal.iter().filter(|entry| matches!(entry.fact, Fact::HintTaken(_)));
        assert!(taken.count() > past.events.len() / 5, "{file}: many hints are taken");
        assert_ne!(expected.frozen, expected.revealed, "{file}");
        assert_eq!(ranking(&public), expected.frozen, "{file}: frozen, updated");
        assert_eq!(ranking(&view::board(&contest, Viewer::Public)), expected.frozen, "{file}");
        let organizers = view::board(&contest, Viewer::Organizer);
        assert_eq!(ranking(&organizers), expected.revealed, "{file}: revealed");
        assert_eq!(expected.divisions.len(), 2);
        for (id, expected) in &expected.divisions {
            let within = |board: &Board| -> Vec<(String, i64)> {
                let members = board.members(id);
                ranking(board).into_iter().filter(|(team, _)| members.contains(team)).collect()
            };
            assert!(expected.frozen.len() > past.teams.len() / 5, "{file}: {id} has teams");
            assert_eq!(within(&public), expected.frozen, "{file}: {id}, frozen");
            assert_eq!(within(&organizers), expected.revealed, "{file}: {id}, revealed");
        }
    }
}

/// The numbers were reviewed by hand: rejected names are too short, too long or not readable;
/// colliding names differ only in case, whitespace, 0 and O, 1 and l, or rn and m.
#[test]
fn real_team_names_fold_and_the_rules_refuse_few() {
    let Some(names) = read::<Vec<Named>>("team-names.json") else { return };
    let names: Vec<_> = names.into_iter().map(|named| named.name).collect();
    let mut contest = Contest::default();
    for (name, seq) in names.iter().zip(1..) {
        let name = name.clone();
        let country = "UN".to_owned();
        let fact = Fact::from(facts::Team {
            team: TeamId(seq),
            name,
            country,
            hidden: false,
            divisions: vec![],
        });
        contest.fold(&Entry { seq, at_ms: 0, fact }).expect("the fold accepts any name");
    }
    assert_eq!(view::board(&contest, Viewer::Public).rows().len(), names.len());

    let mut refused = BTreeMap::new();
    let mut by_key = BTreeMap::new();
    for text in &names {
        match TeamName::parse(text) {
            Err(NameError::Length) => *refused.entry("length").or_insert(0) += 1,
            Err(error) => {
                println!("{text:?}: {error}");
                let reason = if error == NameError::Invisible { "invisible" } else { "other" };
                *refused.entry(reason).or_insert(0) += 1;
            }
            Ok(name) => {
                assert_eq!(TeamName::parse(name.as_str()).as_ref(), Ok(&name), "{text:?}");
                for key in name.keys() {
                    by_key.entry(key).or_insert_with(Vec::new).push(text);
                }
            }
        }
        assert!(name::keys(text).len() <= 4, "{text:?}");
    }
    let alike: std::collections::BTreeSet<_> =
        by_key.into_values().filter(|names| names.len() > 1).collect();
    for names in alike.iter().step_by(20) {
        println!("alike: {names:?}");
    }
    println!("of {} refused: {refused:?}; alike: {} groups", names.len(), alike.len());
    let expected = [("invisible", 3), ("length", 205), ("other", 2)];
    assert_eq!(refused, BTreeMap::from(expected));
    assert_eq!(alike.len(), 212);
}
