//! Replay of a real event with a mistaken flag: after the flag is corrected and the challenge
//! rejudged, the state equals that of the event without the mistake. Without the data this test
//! prints a line and passes, but fails with `CI=true`.

use std::collections::BTreeMap;

use flagship_actions::challenge::rejudge::Rejudge;
use flagship_game::facts::{self, Entry, Fact};
use flagship_game::wire::Snapshot;
use flagship_game::{Board, Contest, Event, Reveal, Scoring, TeamId, Viewer, chain, view};
use flagship_store::challenges::Draft;
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Imported, Op, Outcome, Plan};
use flagship_store::wrong_flags::{self, WrongFlag};
use flagship_store::{Clock, Db};
use flagship_testkit::fixtures::{challenge_id, draft, exact, key};
use flagship_testkit::{
    TestDb, commands, numbered_team, on_both_engines, shared_data, short_event,
};
use serde_json::Value;

/// Challenges whose flags are wrong at first: the most solved one, and one more.
const MISTAKEN: [&str; 2] = ["12", "9"];

/// A correct submission of the event.
struct Sent {
    at_ms: i64,
    /// Index of the team.
    team: usize,
    challenge: String,
}

/// A real event.
struct Past {
    event: Event,
    challenges: Vec<String>,
    teams: usize,
    sent: Vec<Sent>,
}

impl Past {
    fn read() -> Option<Self> {
        let file = shared_data("scoreboards/olicyber-2024-regional.json")?;
        let text = std::fs::read_to_string(file).expect("it is read");
        let past: Value = serde_json::from_str(&text).expect("JSON");
        let list = |name: &str| past[name].as_array().expect("a list");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let time = |name: &str| past[name].as_i64();
        let teams: BTreeMap<String, usize> =
            list("teams").iter().map(|team| text(&team["name"])).zip(0..).collect();
        let sent = |row: &Value| Sent {
            at_ms: row[0].as_i64().expect("a time"),
            team: teams[row[1].as_str().expect("a name")],
            challenge: text(&row[2]),
        };
        let (start_ms, end_ms, freeze_ms) =
            (time("start_ms"), time("end_ms"), time("replay_freeze_ms"));
        Some(Self {
            event: Event { start_ms, end_ms, freeze_ms, reveal: Reveal::Manual, ..short_event(0) },
            challenges: list("challenges").iter().map(|it| text(&it["id"])).collect(),
            teams: teams.len(),
            sent: list("events").iter().map(sent).collect(),
        })
    }

    fn drafts(&self, is_right: impl Fn(&str) -> bool) -> Vec<Draft> {
        let draft = |id: &String| {
            let mut draft = draft(id);
            draft.challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 15 };
            draft.flags = vec![exact(id, if is_right(id) { "right" } else { "wrong" })];
            draft
        };
        self.challenges.iter().map(draft).collect()
    }

    /// A writer at a time of the event, after teams have joined.
    async fn open(&self, test: &TestDb, clock: &Clock) -> (Writer, Vec<TeamId>) {
        let mut writer = open(test.reopen().await, clock).await;
        let is_right = |id: &str| !MISTAKEN.contains(&id);
        let plan = Plan::new(self.event.clone(), self.drafts(is_right));
        perform(&mut writer, Op::Apply(Box::new(plan))).await;
        let teams = Op::import((0..self.teams).map(numbered_team).collect());
        let Outcome::Import(Ok(Imported { ids, .. })) = perform(&mut writer, teams).await else {
            panic!("the teams join")
        };
        writer.step(&[]).await.expect("the start is written");
        (writer, ids.into_iter().map(TeamId).collect())
    }

    /// Records the correct submissions: as solves, or as incorrect submissions for challenges with
    /// a mistaken flag. `of` contains the ids of the teams.
    async fn play(&self, test: &TestDb, head: (i64, String), of: &[TeamId]) {
        let is_mistaken = |sent: &&Sent| MISTAKEN.contains(&sent.challenge.as_str());
        let wrong = |sent: &Sent| WrongFlag {
            account_id: of[sent.team].0,
            challenge_id: sent.challenge.clone(),
            at_ms: sent.at_ms,
            digest: key().flag_digest(&sent.challenge, "right"),
            folded: None,
            near: None,
            of_team: None,
            network: None,
            sealed_text: None,
        };
        let flags: Vec<WrongFlag> = self.sent.iter().filter(is_mistaken).map(wrong).collect();
        wrong_flags::record(&test.db, &flags).await.expect("it is written");
        let solves = self.sent.iter().filter(|sent| !is_mistaken(sent));
        let solves = solves.map(|sent| (sent.at_ms, of[sent.team], sent.challenge.as_str()));
        write(test, head, solves).await;
    }

    /// The event without the mistake, after a contest without solves.
    fn without_mistake(&self, mut contest: Contest, of: &[TeamId]) -> Contest {
        for sent in &self.sent {
            let (team, challenge) = (of[sent.team], challenge_id(&sent.challenge));
            let seq = contest.seq() + 1;
            let fact = Fact::from(facts::Solve { team, challenge });
            contest.fold(&Entry { seq, at_ms: sent.at_ms, fact }).expect("it is folded");
        }
        contest
    }
}

async fn open(db: Db, clock: &Clock) -> Writer {
    Writer::open(db, &key(), clock.clone()).await.expect("the journal is valid")
}

async fn perform(writer: &mut Writer, op: Op) -> Outcome {
    let step = writer.step(&[op.by(Actor::CommandLine)]).await.expect("the step is written");
    let outcome = step.outcomes.into_iter().next().expect("there is one");
    assert!(!outcome.is_refused(), "{outcome:?}");
    outcome
}

/// Writes many solves into the journal as the lane does.
async fn write<'a>(
    test: &TestDb,
    (mut seq, mut head): (i64, String),
    solves: impl Iterator<Item = (i64, TeamId, &'a str)>,
) {
    let generation: Vec<(String,)> =
        test.rows("select value from meta where key = 'generation'").await;
    let signing = key().subkey("journal entry", &[&generation[0].0]);
    let mut entries = Vec::new();
    let mut rows = Vec::new();
    for (at_ms, team, id) in solves {
        let fact = Fact::from(facts::Solve { team, challenge: challenge_id(id) });
        let body = serde_json::to_string(&fact).expect("plain data");
        let mut salt = signing.mac(&head, &[&at_ms.to_string(), &body]);
        salt.truncate(32);
        seq += 1;
        head = chain::link(&head, seq, at_ms, &chain::commitment(&salt, &body));
        entries.push(format!("({seq}, {at_ms}, '{salt}', '{body}', '{head}')"));
        rows.push(format!("({seq}, {}, '{id}', null)", team.0));
    }
    for (table, rows) in [
        ("journal (seq, at_ms, salt, body, hash)", entries),
        ("solves (seq, team_id, challenge_id, digest)", rows),
    ] {
        let sql = format!("insert into {table} values {}", rows.join(", "));
        test.execute(Box::leak(sql.into_boxed_str())).await;
    }
}

fn lines(board: &Board) -> Vec<String> {
    let board = Snapshot { board, seq: 0, generation: "" };
    let board = serde_json::to_value(board).expect("JSON");
    let parts = ["challenges", "scoreboard"].map(|part| board[part].as_array().expect("a list"));
    parts.iter().flat_map(|part| part.iter().map(Value::to_string)).collect()
}

on_both_engines! {
    async fn a_real_event_is_as_without_the_wrong_flag_once_it_is_rejudged(engine: Engine) {
        let Some(past) = Past::read() else { return };
        let start_ms = past.event.start_ms.expect("a start");
        let test = TestDb::new(engine).await;
        let (writer, teams) = past.open(&test, &Clock::manual(start_ms)).await;
        let head = (writer.contest().seq(), writer.head().to_owned());
        let expected = past.without_mistake(writer.contest().clone(), &teams);
        drop(writer);
        past.play(&test, head, &teams).await;
        // In the freeze, a moment before the end.
        let clock = Clock::manual(past.event.end_ms.expect("an end") - 1);
        let mut writer = open(test.reopen().await, &clock).await;
        writer.step(&[]).await.expect("the freeze is written");
        let viewers = [Viewer::Public, Viewer::Organizer, Viewer::Team(teams[3])];
        let words = "the board is that of the event without the mistake";
        let plan = Plan::new(past.event.clone(), past.drafts(|_| true));
        perform(&mut writer, Op::Apply(Box::new(plan))).await;
        let before = viewers.map(|viewer| view::board(writer.contest(), viewer));
        for id in MISTAKEN {
            let rejudge = Rejudge { challenge: id.to_owned() };
            perform(&mut writer, commands::command(rejudge)).await;
        }
        for (viewer, before) in viewers.into_iter().zip(before) {
            let board = lines(&view::board(writer.contest(), viewer));
            assert_ne!(board, lines(&before), "{viewer:?}");
            for (line, expected) in board.iter().zip(lines(&view::board(&expected, viewer))) {
                assert_eq!(*line, expected, "{words}: {viewer:?}");
            }
        }
        let solves = test.solves().await;
        assert_eq!(solves.len(), past.sent.len(), "each solve has its row");
    }
}
