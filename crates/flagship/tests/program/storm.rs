//! kill -9 at a random moment during a thousand correct flags per second, in several rounds on one
//! growing journal. Also measures the time until a killed server responds again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use flagship_testkit::{Engine, on_both_engines};
use rand::RngExt;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::event::EventFolder;
use crate::is_torture;
use crate::player::flag;
use crate::process::{Server, TestSite};

const TEAMS: usize = 400;
/// Number of new challenges in each round.
const CHALLENGES: usize = 4;
/// Number of rounds on one database.
const ROUNDS: usize = 20;
/// Correct flags per second: enough for a thousand acknowledgements even if the last flags are
/// lost.
const RATE: u32 = 1_100;
/// Maximum time until a killed server responds again.
const SERVING_MAX: Duration = Duration::from_secs(2);

/// Team and challenge.
type Solve = (String, String);

/// The totals of all rounds.
#[derive(Default)]
struct Figures {
    rounds: usize,
    acknowledged: usize,
    seconds: f64,
    slowest_start: Duration,
}

struct Storm {
    site: TestSite,
    event: EventFolder,
    tokens: Vec<String>,
    /// Position and time of every solve seen so far.
    known: BTreeMap<Solve, (u64, f64)>,
}

impl Storm {
    async fn new(engine: Engine) -> Self {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        for i in 0..ROUNDS * CHALLENGES {
            event.challenge(&format!("c{i}"), "type: dynamic\nextra: {initial: 500, minimum: 50}");
        }
        site.apply(&event).await.ok();
        let tokens = site.import(TEAMS).await;
        Self { site, event, tokens, known: BTreeMap::new() }
    }

    async fn serve(&self, figures: &mut Figures) -> Server {
        let begin = Instant::now();
        let server = self.site.serve(&self.event).await;
        assert_eq!(server.player().get("/ctf").await.0, 200);
        figures.slowest_start = figures.slowest_start.max(begin.elapsed());
        server
    }

    /// Submits flags at [`RATE`] and kills the server after `acks` responses. Returns the
    /// acknowledged solves.
    async fn strike(&self, mut server: Server, round: usize, acks: usize) -> BTreeSet<Solve> {
        let player = server.player();
        let (answered, mut answers) = mpsc::unbounded_channel();
        let tokens = self.tokens.clone();
        let sending = tokio::spawn(async move {
            let mut tick = tokio::time::interval(Duration::from_secs(1) / RATE);
            for challenge in round * CHALLENGES..(round + 1) * CHALLENGES {
                for (i, token) in tokens.iter().enumerate() {
                    tick.tick().await;
                    let (team, answered) = (player.with_token(token), answered.clone());
                    let id = format!("c{challenge}");
                    tokio::spawn(async move {
                        let body = flag(&id, &format!("flag{{{id}}}"));
                        // An interrupted request was not acknowledged.
                        if let Ok(answer) = team.try_post("/solve", &body).await {
                            assert_eq!(answer, (200, json!({"correct": true})));
                            // Sending fails only after the end of the round.
                            drop(answered.send((format!("Team {}", i + 1), id)));
                        }
                    });
                }
            }
        });
        let mut acknowledged = BTreeSet::new();
        while let Some(solve) = answers.recv().await {
            acknowledged.insert(solve);
            if acknowledged.len() == acks {
                break;
            }
        }
        server.kill();
        server.gone().await;
        sending.abort();
        // Responses that arrived before the kill count as acknowledged.
        answers.close();
        while let Some(solve) = answers.recv().await {
            acknowledged.insert(solve);
        }
        acknowledged
    }

    /// Asserts that no solve is lost, duplicated or moved, that positions have no gaps, and that
    /// the ranking equals one computed from the journal.
    async fn check(&mut self, server: &Server, acknowledged: &BTreeSet<Solve>) {
        self.site.run(&["journal", "verify"]).await.ok();
        let kept = self.site.test.solves().await;
        let once: BTreeSet<_> = kept.iter().cloned().collect();
        assert_eq!(once.len(), kept.len(), "no solve is stored twice");
        let lost: Vec<_> = acknowledged.difference(&once).collect();
        assert!(lost.is_empty(), "{} acknowledged solves are lost: {lost:?}", lost.len());
        let mut places: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        let mut now = BTreeMap::new();
        for (team, row) in server.player().board().await {
            for (id, mark) in row.solves {
                assert!(places.entry(id.clone()).or_default().insert(mark.0), "{id}: {mark:?}");
                now.insert((team.clone(), id), mark);
            }
        }
        for (id, places) in places {
            let all: BTreeSet<u64> = (1..=places.len() as u64).collect();
            assert_eq!(places, all, "the positions of {id} have gaps");
        }
        assert_eq!(now.keys().cloned().collect::<BTreeSet<_>>(), once);
        for (solve, mark) in &self.known {
            assert_eq!(now.get(solve), Some(mark), "{solve:?} has moved");
        }
        self.known = now;
        let (_, feed) = server.player().get("/ctftime").await;
        let said: Vec<(String, i64)> = feed["standings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["team"].as_str().unwrap().into(), row["score"].as_i64().unwrap()))
            .collect();
        assert_eq!(said, refold(&self.site.test.journal().await));
    }
}

/// The ranking, computed only from the journal rows, by the rules of the API.
fn refold(journal: &[(i64, i64, String, String, String)]) -> Vec<(String, i64)> {
    let mut names = BTreeMap::new();
    let mut solves = Vec::new();
    for (_, at_ms, _, body, _) in journal {
        let body: Value = serde_json::from_str(body).unwrap();
        let team = body["team"].as_i64();
        match body["type"].as_str().unwrap() {
            "team" => drop(names.insert(team, body["name"].as_str().unwrap().to_owned())),
            "solve" => solves.push((team, body["challenge"].as_str().unwrap().to_owned(), *at_ms)),
            _ => {}
        }
    }
    let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
    for (_, challenge, _) in &solves {
        *counts.entry(challenge).or_default() += 1;
    }
    let mut rows: BTreeMap<Option<i64>, (i64, i64)> =
        names.keys().map(|team| (*team, (0, 0))).collect();
    for (team, challenge, at_ms) in &solves {
        let n = f64::from(counts[challenge.as_str()]);
        let value = (500.0 * (15.0 / (14.0 + n)).min(1.0).powf(1.3)).floor() as i64;
        let row = rows.get_mut(team).unwrap();
        *row = (row.0 + value.max(50), row.1.max(*at_ms));
    }
    let mut rows: Vec<_> = rows
        .into_iter()
        .map(|(team, (points, last))| (-points, last, names[&team].clone()))
        .collect();
    rows.sort();
    rows.into_iter().map(|(points, _, name)| (name, -points)).collect()
}

async fn rounds(engine: Engine, count: usize) {
    let mut random = crate::seeded();
    let mut figures = Figures::default();
    while figures.rounds < count {
        let mut storm = Storm::new(engine).await;
        let mut server = storm.serve(&mut figures).await;
        for round in 0..ROUNDS.min(count - figures.rounds) {
            let acks = random.random_range(1..TEAMS * CHALLENGES * 9 / 10);
            let begin = Instant::now();
            let acknowledged = storm.strike(server, round, acks).await;
            figures.seconds += begin.elapsed().as_secs_f64();
            figures.acknowledged += acknowledged.len();
            server = storm.serve(&mut figures).await;
            storm.check(&server, &acknowledged).await;
            figures.rounds += 1;
        }
        server.stop().await;
    }
    eprintln!(
        "figures: {} rounds, {} correct flags acknowledged at {:.0} per second: 0 lost, 0 double, \
        positions without gaps, none moved, ranking as refolded; slowest start {:?}",
        figures.rounds,
        figures.acknowledged,
        figures.acknowledged as f64 / figures.seconds,
        figures.slowest_start
    );
    let is_slow = is_torture() && figures.slowest_start > SERVING_MAX;
    assert!(!is_slow, "a start took {:?}", figures.slowest_start);
}

on_both_engines! {
    async fn a_thousand_right_flags_a_second_survive_every_kill(engine: Engine) {
        let asked = std::env::var("FLAGSHIP_TEST_ROUNDS").ok().and_then(|it| it.parse().ok());
        let count = match (is_torture(), engine) {
            (true, Engine::Sqlite) => 200,
            (true, Engine::Postgres) => 20,
            (false, _) => 1,
        };
        rounds(engine, asked.unwrap_or(count)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_restarts_within_2_s() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let (teams, solvers) = if is_torture() { (10_000, 10_000) } else { (1_000, 200) };
    let tokens = site.import(teams).await;
    let mut server = site.serve(&event).await;
    let mut sent = tokio::task::JoinSet::new();
    for token in &tokens[..solvers] {
        let team = server.player().with_token(token);
        sent.spawn(async move { team.solves("one").await });
        if sent.len() > 100 {
            sent.join_next().await;
        }
    }
    sent.join_all().await;
    server.kill();
    server.gone().await;
    let begin = Instant::now();
    let server = site.serve(&event).await;
    let (status, board) = server.player().get("/scoreboard").await;
    let took = begin.elapsed();
    assert_eq!((status, board["scoreboard"].as_array().unwrap().len()), (200, teams));
    eprintln!("figures: {teams} teams and {solvers} solves: serving again after {took:?}");
    assert!(took < SERVING_MAX, "after the kill it took {took:?}");
    server.stop().await;
}
