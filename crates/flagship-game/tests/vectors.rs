//! The vectors in `vectors/`, which the site's tests run too: points, ranking, status, live
//! events, views through the freeze, and team names.

use std::collections::BTreeMap;
use std::path::Path;

use flagship_game::contest::Contest;
use flagship_game::division::DivisionId;
use flagship_game::entry::TeamId;
use flagship_game::facts::{self, Entry, Fact, news};
use flagship_game::ranking::{self, Standing};
use flagship_game::view::{self, PublicNotice, Viewer};
use flagship_game::wire::{Message, Seconds, Snapshot};
use flagship_game::{Board, Event, NameError, Reveal, Scoring, Status, StatusKind};
use flagship_game::{ReservedNames, TeamName, name, points};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

mod client;

fn read<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(file);
    let text = std::fs::read_to_string(&path).expect("the vectors are in the repository");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireScoring {
    challenge_type: String,
    max_value: i64,
    min_value: i64,
    speedrun_values: Vec<i64>,
    decay: Option<i64>,
}

impl WireScoring {
    fn scoring(self) -> Scoring {
        let (max, min) = (self.max_value, self.min_value);
        match &*self.challenge_type {
            "static" => Scoring::Static { max },
            "speedrun" => Scoring::Speedrun { values: self.speedrun_values },
            "dynamic" => Scoring::Dynamic { max, min, decay: self.decay.unwrap_or(15) },
            other => panic!("no challenge type: {other}"),
        }
    }
}

#[test]
fn points_match_the_vectors() {
    #[derive(Deserialize)]
    struct Case {
        #[serde(flatten)]
        scoring: WireScoring,
        nsolves: u32,
        position: Option<u32>,
        points: i64,
    }
    let cases: Vec<Case> = read("points.json");
    assert!(cases.len() > 700, "{} cases", cases.len());
    for Case { scoring, nsolves, position, points } in cases {
        let scoring = scoring.scoring();
        let got = points::value(&scoring, nsolves, position);
        assert_eq!(got, points, "{scoring:?}, {nsolves} solves, position {position:?}");
    }
}

#[test]
fn ranking_matches_the_vectors() {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Row {
        team_name: String,
        points: i64,
        #[serde(rename = "last_solve_ts")]
        last_solve_ts: f64,
    }
    #[derive(Deserialize)]
    struct Case {
        name: String,
        teams: Vec<Row>,
        expected: Vec<String>,
    }
    for Case { name, mut teams, expected } in read::<Case>("ranking.json") {
        fn standing(row: &Row) -> Standing<'_> {
            let last_solve_ms = (row.last_solve_ts * 1000.0).round() as i64;
            Standing { points: row.points, last_solve_ms, name: &row.team_name }
        }
        teams.sort_by(|a, b| ranking::compare(&standing(a), &standing(b)));
        let got: Vec<_> = teams.into_iter().map(|row| row.team_name).collect();
        assert_eq!(got, expected, "{name}");
    }
}

#[test]
fn the_status_matches_the_vectors() {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        name: String,
        start_time: Option<i64>,
        end_time: Option<i64>,
        freeze_time: Option<i64>,
        now: i64,
        status: Status,
    }
    for case in read::<Case>("status.json") {
        let event = Event {
            name: String::new(),
            start_ms: case.start_time,
            end_ms: case.end_time,
            freeze_ms: case.freeze_time,
            reveal: Reveal::Manual,
            timezone: String::new(),
            flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        };
        assert_eq!(event.status(case.now), case.status, "{}", case.name);
        let mut contest = Contest::default();
        let entry = Entry { seq: 1, at_ms: 0, fact: Fact::from(facts::Event { event }) };
        contest.fold(&entry).expect("an event is valid after any entry");
        assert_eq!(contest.status(case.now), case.status, "{}, folded", case.name);
    }
}

#[derive(Deserialize)]
struct LiveCase {
    name: String,
    snapshot: Value,
    messages: Vec<Value>,
    expected: Value,
    ranks: Value,
}

/// Tests the client that the property tests use.
#[test]
fn a_client_that_receives_the_live_vectors_ends_with_their_state() {
    for case in read::<LiveCase>("live.json") {
        let mut state = case.snapshot;
        for message in &case.messages {
            client::receive(&mut state, message);
        }
        assert_eq!(client::ranks(&state), case.ranks, "{}", case.name);
        let got = json!({"challenges": state["challenges"], "scoreboard": state["scoreboard"]});
        assert_eq!(got, case.expected, "{}", case.name);
    }
}

#[derive(Deserialize)]
struct FreezeEntry {
    at_ms: i64,
    fact: Fact,
}

#[derive(Deserialize)]
struct FreezeView {
    viewer: String,
    team: Option<TeamId>,
    snapshot: Value,
    ranks: Value,
    cards: Option<Value>,
    #[serde(default)]
    divisions: BTreeMap<String, DivisionView>,
}

/// A division in the view of a viewer.
#[derive(Deserialize)]
struct DivisionView {
    ranks: Value,
}

#[derive(Deserialize)]
struct FreezeCase {
    name: String,
    journal: Vec<FreezeEntry>,
    views: Vec<FreezeView>,
}

impl FreezeView {
    fn viewer(&self) -> Viewer {
        match (&*self.viewer, self.team) {
            ("public", None) => Viewer::Public,
            ("organizer", None) => Viewer::Organizer,
            ("team", Some(team)) => Viewer::Team(team),
            other => panic!("no viewer: {other:?}"),
        }
    }
}

fn ranks(board: &Board) -> Value {
    ranks_of(board.rows())
}

fn ranks_of<'a>(rows: impl Iterator<Item = &'a flagship_game::Row>) -> Value {
    let rows = rows.zip(1..);
    rows.map(|(row, rank)| json!({"teamName": row.name(), "points": row.points(), "rank": rank}))
        .collect()
}

fn cards(public: &Board, contest: &Contest, team: TeamId) -> Value {
    let cards = view::cards(public, contest, team).into_iter();
    cards
        .map(|card| {
            let id = card.challenge.id.as_str();
            let first = Seconds(card.first_ms);
            json!({"id": id, "locked": card.is_locked, "nsolves": card.nsolves, "fbTs": first})
        })
        .collect()
}

#[test]
fn every_viewers_board_matches_the_freeze_vectors() {
    for case in read::<FreezeCase>("freeze.json") {
        let mut contest = Contest::default();
        let mut public = Board::default();
        for (FreezeEntry { at_ms, fact }, seq) in case.journal.into_iter().zip(1..) {
            let change = contest.fold(&Entry { seq, at_ms, fact }).expect("a valid journal");
            if !news::advance(&mut public, &contest, [&change]) {
                public = view::board(&contest, Viewer::Public);
            }
        }
        for expected in case.views {
            let viewer = expected.viewer();
            let about = format!("{}, {viewer:?}", case.name);
            let board = view::board(&contest, viewer);
            let snapshot =
                Snapshot { board: &board, seq: contest.public_seq(), generation: "vectors" };
            let snapshot = serde_json::to_value(snapshot).expect("a snapshot is JSON");
            assert_eq!(snapshot, expected.snapshot, "{about}");
            assert_eq!(ranks(&board), expected.ranks, "{about}");
            for (id, of) in expected.divisions {
                let members = board.members(&id);
                let rows = board.rows().filter(|row| members.contains(row.name()));
                assert_eq!(ranks_of(rows), of.ranks, "{about}, {id}");
            }
            match viewer {
                Viewer::Public => assert_eq!(public, board, "{about}"),
                Viewer::Team(team) => {
                    let cards = cards(&public, &contest, team);
                    assert_eq!(Some(cards), expected.cards, "{about}");
                }
                Viewer::Organizer => {}
            }
        }
    }
}

/// The JSON of facts is stored and hashed, so it must not change by accident.
#[test]
fn facts_serialize_as_in_the_vectors() {
    #[derive(Deserialize)]
    struct Case {
        journal: Vec<Raw>,
    }
    #[derive(Deserialize)]
    struct Raw {
        fact: Value,
    }
    let mut kinds = std::collections::BTreeSet::new();
    for raw in read::<Case>("freeze.json").into_iter().flat_map(|case| case.journal) {
        let fact: Fact = serde_json::from_value(raw.fact.clone()).expect("a fact");
        let text = serde_json::to_string(&fact).expect("a fact is JSON");
        assert_eq!(text, raw.fact.to_string());
        kinds.insert(raw.fact["type"].as_str().expect("a fact has a type").to_owned());
    }
    assert_eq!(kinds.len(), 18, "{kinds:?}");
}

#[test]
fn live_messages_have_the_members_of_the_contract() {
    let said = |message: Message<'_>| serde_json::to_string(&message).expect("a message is JSON");
    let solve = |seq, ms| Message::Solve {
        challenge_id: "heap",
        team_name: "A\"<b>",
        ts: Seconds(ms),
        seq,
    };
    let start = r#"{"event":"solve","challengeId":"heap","teamName":"A\"<b>","ts":"#;
    assert_eq!(said(solve(None, 1_700_920_000_000)), format!("{start}1700920000}}"));
    let decimals = format!("{start}1700920000.007,\"seq\":9}}");
    assert_eq!(said(solve(Some(9), 1_700_920_000_007)), decimals);
    assert_eq!(
        said(Message::NewTeam { team_name: "Ants", country: "IT", divisions: vec![], seq: 3 }),
        r#"{"event":"newteam","teamName":"Ants","country":"IT","seq":3}"#
    );
    let divisions = ["school", "human"].map(|id| DivisionId::parse(id).expect("an ID")).into();
    assert_eq!(
        said(Message::NewTeam { team_name: "Ants", country: "IT", divisions, seq: 3 }),
        concat!(
            r#"{"event":"newteam","teamName":"Ants","country":"IT","#,
            r#""divisions":["school","human"],"seq":3}"#,
        )
    );
    let award = |seq| Message::Award { team_name: "Ants", award: -20, seq };
    let start = r#"{"event":"award","teamName":"Ants","award":-20"#;
    assert_eq!(said(award(Some(4))), format!("{start},\"seq\":4}}"));
    assert_eq!(said(award(None)), format!("{start}}}"));
    let id = 7;
    let at_ms = 1_700_920_000_007;
    let urgent = true;
    let challenge = None;
    let title = "Lunch";
    let html = "<p>x</p>";
    let corrected_at_ms = None;
    let withdrawn_at_ms = None;
    let notice = PublicNotice {
        id,
        at_ms,
        title,
        html,
        challenge,
        urgent,
        urgent_until_ms: Some(1_700_920_300_007),
        corrected_at_ms,
        withdrawn_at_ms,
    };
    assert_eq!(
        said(Message::Notice { notice: notice.into(), seq: 5 }),
        r#"{"event":"notice","id":7,"at":1700920000007,"title":"Lunch","html":"<p>x</p>","#
            .to_owned()
            + r#""challengeId":null,"urgent":true,"correctedAt":null,"withdrawn":false,"#
            + r#""withdrawnAt":null,"urgentUntil":1700920300007,"seq":5}"#
    );
    let challenge_id = "heap";
    let status = StatusKind::LookedAt;
    let note = "we look";
    assert_eq!(
        said(Message::Status { challenge_id, status, note, seq: 6 }),
        r#"{"event":"status","challengeId":"heap","status":"looked_at","note":"we look","seq":6}"#
    );
    assert_eq!(
        said(Message::Changed { seq: 4, within_ms: 100 }),
        r#"{"event":"changed","seq":4,"withinMs":100}"#
    );
    assert_eq!(
        said(Message::Error { code: "no", message: "No." }),
        r#"{"event":"error","code":"no","message":"No."}"#
    );
}

#[test]
fn times_keep_their_milliseconds_in_at_most_three_decimals() {
    for ms in (0..1000).map(|ms| 1_700_920_000_000 + ms).chain([0, 1, 999, 4_102_444_799_999]) {
        let text = serde_json::to_string(&Seconds(ms)).expect("a number is JSON");
        let seconds: f64 = text.parse().expect("a number");
        assert_eq!((seconds * 1000.0).round() as i64, ms);
        assert!(text.split('.').nth(1).is_none_or(|decimals| decimals.len() <= 3), "{text}");
    }
}

#[test]
fn team_name_rules_match_the_vectors() {
    #[derive(Deserialize)]
    struct Names {
        alike: Vec<(String, String)>,
        distinct: Vec<(String, String)>,
        allowed: Vec<(String, String)>,
        refused: Vec<(String, String)>,
        reserved: Vec<String>,
        free: Vec<String>,
    }
    let names: Names = read("names.json").pop().expect("one object");
    let alike = |a: &str, b: &str| !name::keys(a).is_disjoint(&name::keys(b));
    for (a, b) in &names.alike {
        assert!(alike(a, b) && alike(b, a), "{a:?} and {b:?} are alike");
    }
    for (a, b) in &names.distinct {
        assert!(!alike(a, b), "{a:?} and {b:?} are not alike");
    }
    for (text, becomes) in &names.allowed {
        let name = TeamName::parse(text).map_err(|error| format!("{text:?}: {error}"));
        let name = name.expect("an allowed name");
        assert_eq!(name.as_str(), becomes);
        assert_eq!(TeamName::parse(becomes), Ok(name), "the normalized name is allowed");
    }
    for (text, reason) in &names.refused {
        let got = TeamName::parse(text).expect_err(&format!("{text:?} is refused"));
        let word = match got {
            NameError::Length => "length",
            NameError::Invisible => "invisible",
            NameError::Unknown => "unknown",
            NameError::Marks => "marks",
        };
        assert_eq!(word, reason, "{text:?}");
    }
    let kept = ReservedNames::new([]);
    for (texts, reserved) in [(names.reserved, true), (names.free, false)] {
        for text in texts {
            let name = TeamName::parse(&text).expect("the name is valid");
            assert_eq!(kept.contains(&name), reserved, "{text:?}");
        }
    }
}
