//! One event with hints for points, several flags, attempts, divisions and practice, on both
//! databases, with one node and with two: all responses and views are the same.

use std::sync::Arc;

use flagship_game::{DivisionId, Event, Hint, Reveal, TeamId, TeamName, division};
use flagship_store::accounts::NewAccount;
use flagship_store::challenges::Draft;
use flagship_store::ops::{Imported, Op, Outcome, Plan};
use flagship_store::organizers::Role;
use flagship_store::wrong_flags;
use flagship_testkit::player::{HOUR_MS, draft, event, exact, key};
use flagship_testkit::{Call, Engine, Team, TestApp, TestDb, until};
use serde_json::{Value, json};

use crate::actions::{action, session_of};

const TEAMS: [(&str, &[&str]); 3] =
    [("Ants", &["human"]), ("Bees", &["human"]), ("Crabs", &["agents"])];
/// The same journal generation everywhere, because clients see it.
const GENERATION: &str =
    "insert into meta (key, value) values ('generation', '0123456789abcdef0123456789abcdef')";
/// Time between two steps.
const STEP_MS: i64 = 7_000;

/// A step of the event. Teams are named by their position in [`TEAMS`].
enum Step {
    Flag(usize, &'static str, &'static str),
    Hint(usize, &'static str, &'static str),
    Action(&'static str, Value),
    /// All views are compared.
    Views,
    Wait(i64),
}

fn hint(id: &str, cost: i64, requirements: &[&str]) -> Hint {
    let html = Some(format!("<p>Text of {id}.</p>"));
    let requirements = requirements.iter().map(|id| (*id).to_owned()).collect();
    Hint { id: id.to_owned(), html, cost, requirements, ..Hint::default() }
}

fn plan() -> Plan {
    let mut drafts: Vec<Draft> = ["one", "two", "three", "four"].map(draft).into();
    drafts[0].challenge.hints = vec![hint("cheap", 20, &[]), hint("steep", 30, &["cheap"])];
    drafts[1].flags = vec![exact("two", "flag{left}"), exact("two", "flag{right}")];
    let ids = drafts[1].flags.iter().map(|flag| flag.needed_id(&key(), &drafts[1].challenge.id));
    drafts[1].challenge.rules.needed_flags = ids.collect();
    drafts[2].challenge.rules.attempts_max = Some(2);
    let divisions = json!([
        {"id": "human", "name": "Without AI", "group": "AI use", "join": "open"},
        {"id": "agents", "name": "Agents", "group": "AI use", "join": "open"},
        {"id": "staff", "name": "Staff", "group": "Other", "join": "organizers", "private": true},
    ]);
    let rules: Vec<_> = serde_json::from_value(divisions).expect("divisions");
    let divisions = division::public(&rules);
    let event = Event { reveal: Reveal::Manual, practice: true, divisions, ..event() };
    Plan { divisions: rules, ..Plan::new(event, drafts) }
}

fn steps() -> Vec<Step> {
    use Step::{Action, Flag, Hint, Views, Wait};
    let five = json!({"name": "Five", "category": "misc", "description": "What?",
        "type": "standard", "value": 30, "flags": ["flag{five}"],
        "hints": [{"key": "tool", "content": "Look.", "cost": 5}]});
    vec![
        Hint(0, "one", "cheap"),
        Flag(0, "four", "flag{four}"),
        Flag(1, "three", "no"),
        Hint(0, "one", "steep"),
        Hint(0, "one", "cheap"),
        Hint(0, "one", "steep"),
        Flag(0, "two", "flag{left}"),
        Flag(1, "two", "flag{right}"),
        Flag(1, "two", "flag{left}"),
        Flag(1, "three", "nor this"),
        Flag(1, "three", "flag{three}"),
        Action("challenge.attempts", json!({"challenge": "three", "team": "Bees"})),
        Flag(1, "three", "flag{three}"),
        Action("team.divisions", json!({"team": "Crabs", "divisions": ["agents", "staff"]})),
        Action("team.divisions", json!({"team": "Bees", "divisions": ["agents"]})),
        Action("challenge.create", json!({"challenge": "five", "fields": five})),
        Action("challenge.release", json!({"challenge": "five"})),
        Hint(1, "five", "tool"),
        Action("hint.free", json!({"challenge": "five", "hint": "tool"})),
        Views,
        Wait(HOUR_MS),
        Flag(2, "two", "flag{left}"),
        Flag(0, "two", "flag{right}"),
        Hint(1, "one", "cheap"),
        Flag(2, "three", "no"),
        Views,
        Wait(HOUR_MS),
        Action("event.reveal", json!({"name": event().name})),
        Flag(2, "two", "flag{right}"),
        Flag(2, "four", "flag{four}"),
        Flag(2, "four", "no"),
        Hint(2, "one", "steep"),
        Views,
    ]
}

/// An event on one or two nodes.
struct Played {
    nodes: Vec<TestApp>,
    teams: Vec<Team>,
    organizer: String,
    /// Responses and views, in order.
    seen: Vec<String>,
    /// Number of incorrect flags, which are recorded after their response.
    incorrect: i64,
}

impl Played {
    async fn new(engine: Engine, count: usize) -> Self {
        let test = TestDb::new(engine).await;
        test.execute(GENERATION).await;
        let drafts = plan().challenges;
        let app = TestApp::playing_on(Arc::new(test), plan().event, drafts, |config| {
            config.settings.limits.submissions_per_challenge_per_10_s = 0;
        })
        .await;
        app.run(Op::Apply(Box::new(plan()))).await;
        let new = TEAMS.iter().map(|(name, divisions)| NewAccount {
            name: TeamName::parse(name).expect("a name"),
            email: "team@example.org".to_owned(),
            country: "IT".to_owned(),
            password_hash: None,
            student: false,
            divisions: divisions.iter().filter_map(|id| DivisionId::parse(id)).collect(),
            language: None,
        });
        let Outcome::Import(Ok(Imported { ids, .. })) = app.run(Op::import(new.collect())).await
        else {
            panic!("the teams join");
        };
        let mut teams = Vec::new();
        for ((name, _), id) in TEAMS.iter().zip(ids) {
            teams.push(app.log_in(&app.player(), name, TeamId(id)).await);
        }
        let organizer = session_of(&app, Role::Owner).await;
        let mut nodes = vec![app];
        if count == 2 {
            let second = nodes[0].second_node(|config| {
                config.settings.limits.submissions_per_challenge_per_10_s = 0;
            });
            nodes.push(second.await);
        }
        let played = Self { nodes, teams, organizer, seen: Vec::new(), incorrect: 0 };
        played.settle().await;
        played
    }

    /// Waits until all nodes have the same journal, nothing is due, and all incorrect flags are
    /// recorded.
    async fn settle(&self) {
        for node in &self.nodes {
            node.settled().await;
        }
        until("the nodes have the same journal", async || {
            let seqs: Vec<i64> = self.nodes.iter().map(|it| it.app.contest().seq()).collect();
            seqs.iter().all(|seq| *seq == seqs[0])
        })
        .await;
        let test = &self.nodes[0].test;
        until("the incorrect flags are recorded", async || {
            wrong_flags::count(&test.db).await.expect("it counts") == self.incorrect
        })
        .await;
        for node in &self.nodes {
            node.fresh_board().await;
        }
    }

    async fn run(mut self) -> Vec<String> {
        for (number, step) in steps().into_iter().enumerate() {
            self.nodes[0].advance(STEP_MS);
            let node = &self.nodes[number % self.nodes.len()];
            let post = async |team: usize, path: &str, body: Value| {
                let player = node.player().with_token(&self.teams[team].token);
                let answer = player.post(path, &body).await;
                format!("{number}: {} {}", answer.status, answer.json)
            };
            let seen = match step {
                Step::Flag(team, id, flag) => {
                    let sent = json!({"challengeId": id, "flag": flag});
                    let seen = post(team, "/solve", sent).await;
                    let is_found = seen.contains("progress");
                    self.incorrect += i64::from(seen.contains("\"correct\":false") && !is_found);
                    seen
                }
                Step::Hint(team, id, hint) => {
                    post(team, "/hint", json!({"challengeId": id, "hintId": hint})).await
                }
                Step::Action(name, fields) => {
                    let reply = action(node, &self.organizer, name, fields).await;
                    assert_eq!(reply.status, 200, "{name}: {}", reply.text());
                    format!("{number}: {}", reply.json()["sentence"])
                }
                Step::Views => {
                    let views = self.views(number).await;
                    self.seen.extend(views);
                    continue;
                }
                Step::Wait(ms) => {
                    self.nodes[0].advance(ms);
                    format!("{number}: waited")
                }
            };
            self.seen.push(seen);
            self.settle().await;
        }
        for node in self.nodes {
            node.stop().await;
        }
        self.seen
    }

    /// All views of players and organizers, which are the same on all nodes.
    async fn views(&self, number: usize) -> Vec<String> {
        let mut of_nodes = Vec::new();
        for node in &self.nodes {
            let mut views = Vec::new();
            let teams = self.teams.iter().map(|team| node.player().with_token(&team.token));
            let players: Vec<_> = [node.player()].into_iter().chain(teams).collect();
            for (viewer, player) in players.iter().enumerate() {
                for path in [
                    "/ctf",
                    "/scoreboard",
                    "/scoreboard/own",
                    "/challenge",
                    "/ctftime",
                    "/ctftime?division=human",
                    "/ctftime?division=agents",
                    "/ctftime?division=staff",
                    "/team/Ants",
                    "/team/Bees",
                    "/team/Crabs",
                ] {
                    let answer = player.get(path).await;
                    let (status, json) = (answer.status, answer.json);
                    views.push(format!("{number}: viewer {viewer}: {path} {status} {json}"));
                }
            }
            for path in [
                "/exports/standings",
                "/exports/standings?division=human",
                "/exports/standings?division=staff",
                "/exports/solves",
                "/exports/winners",
                "/divisions",
                "/challenges",
                "/teams",
            ] {
                let call = Call::organize("GET", path).session(&self.organizer);
                let reply = call.send(node).await;
                assert_eq!(reply.status, 200, "{path}: {}", reply.text());
                views.push(format!("{number}: organizer: {path} {}", reply.text()));
            }
            of_nodes.push(views);
        }
        let first = of_nodes.swap_remove(0);
        for other in of_nodes {
            assert_same(&first, &other, "two nodes of one event");
        }
        first
    }
}

/// Compares line by line, so that a failure shows the difference.
#[track_caller]
fn assert_same(one: &[String], other: &[String], words: &str) {
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other, "{words}");
    }
    assert_eq!(one.len(), other.len(), "{words}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_has_the_same_views_on_both_databases_and_on_two_nodes() {
    let mut first: Option<Vec<String>> = None;
    for (engine, nodes) in
        [(Engine::Sqlite, 1), (Engine::Sqlite, 2), (Engine::Postgres, 1), (Engine::Postgres, 2)]
    {
        let seen = Played::new(engine, nodes).await.run().await;
        // The event has all of these.
        for piece in [
            "points_missing",
            "attempts_used",
            "\"found\":1",
            "\"cost\":30",
            "\"attemptsLeft\":1",
            "\"practice\":true",
            "\"practicedAt\":17",
            "staff",
        ] {
            assert!(seen.iter().any(|line| line.contains(piece)), "{piece}: {seen:#?}");
        }
        match &first {
            Some(first) => assert_same(first, &seen, &format!("{engine:?}, {nodes} nodes")),
            None => first = Some(seen),
        }
    }
}
