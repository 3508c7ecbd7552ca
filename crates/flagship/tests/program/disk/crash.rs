//! kill -9 during 200 concurrent correct flags: every acknowledged solve is stored once, with an
//! unchanged position, over several rounds on one database.

use std::collections::{BTreeMap, BTreeSet};

use flagship_control::control;
use flagship_testkit::{Engine, on_both_engines};
use rand::RngExt;
use serde_json::json;
use tokio::sync::mpsc;

use crate::event::EventFolder;
use crate::player::{Player, Socket, flag};
use crate::process::{Server, TestSite};

const TEAMS: usize = 200;
/// Number of challenges. After a kill that came too early or too late, the next challenge is used.
const TRIES_MAX: usize = 60;

/// Position and time of every solve seen so far, by challenge and team.
type Known = BTreeMap<(String, String), (u64, f64)>;

struct Arena {
    site: TestSite,
    event: EventFolder,
    tokens: Vec<String>,
    known: Known,
}

impl Arena {
    async fn new(engine: Engine) -> Self {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        for i in 0..TRIES_MAX {
            event.challenge(&format!("try-{i}"), "type: standard\nvalue: 100");
        }
        site.apply(&event).await.ok();
        let tokens = site.import(TEAMS).await;
        Self { site, event, tokens, known: Known::new() }
    }

    /// The solves of a challenge on a board. Asserts that no solve has moved and that positions
    /// have no gaps.
    async fn solves_of(&mut self, server: &Server, id: &str) -> BTreeMap<String, (u64, f64)> {
        let mut places: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        let mut now = Known::new();
        for (team, row) in server.player().board().await {
            for (id, mark) in row.solves {
                assert!(places.entry(id.clone()).or_default().insert(mark.0), "{id}: {mark:?}");
                now.insert((id, team.clone()), mark);
            }
        }
        for (solve, mark) in &self.known {
            assert_eq!(now.get(solve), Some(mark), "{solve:?} has moved");
        }
        for (id, places) in places {
            let all: BTreeSet<u64> = (1..=places.len() as u64).collect();
            assert_eq!(places, all, "the positions of {id} have gaps");
        }
        let of_id = now.iter().filter(|((solved, _), _)| solved == id);
        let solves = of_id.map(|((_, team), mark)| (team.clone(), *mark)).collect();
        self.known = now;
        solves
    }

    /// All teams submit the flag concurrently and the server is killed after `acks` responses.
    /// Returns the teams with an acknowledged solve, and the order of solves on a socket.
    async fn strike(&self, id: &str, acks: usize) -> (BTreeSet<String>, Vec<String>) {
        let mut server = self.site.serve(&self.event).await;
        let player = server.player();
        let (socket, _) = player.watch().await;
        let watching = tokio::spawn(watch(socket));
        let (answered, mut answers) = mpsc::unbounded_channel();
        for (i, token) in self.tokens.iter().enumerate() {
            let (player, answered) = (player.with_token(token), answered.clone());
            let body = flag(id, &format!("flag{{{id}}}"));
            tokio::spawn(async move {
                // An interrupted request was not acknowledged.
                if let Ok(answer) = player.try_post("/solve", &body).await {
                    assert_eq!(answer, (200, json!({"correct": true})));
                    answered.send(format!("Team {}", i + 1)).expect("the receiver counts");
                }
            });
        }
        drop(answered);
        let mut acknowledged = BTreeSet::new();
        while let Some(team) = answers.recv().await {
            acknowledged.insert(team);
            if acknowledged.len() == acks {
                server.kill();
            }
        }
        if acknowledged.len() < acks {
            server.kill();
        }
        server.gone().await;
        (acknowledged, watching.await.expect("the watcher ends"))
    }

    /// Checks after the kill that no acknowledged solve is lost, and repeats the other submissions.
    async fn recover(&mut self, id: &str, acknowledged: &BTreeSet<String>, seen: &[String]) {
        self.site.run(&["journal", "verify"]).await.ok();
        let event = std::mem::replace(&mut self.event, EventFolder::new());
        let server = self.site.serve(&event).await;
        self.event = event;
        let solves = self.solves_of(&server, id).await;
        for team in acknowledged {
            assert!(solves.contains_key(team), "{team} was acknowledged for {id}");
        }
        for (team, position) in seen.iter().zip(1..) {
            assert_eq!(solves.get(team).map(|mark| mark.0), Some(position), "{team} at {id}");
        }
        let player = server.player();
        let again = (1..).zip(&self.tokens).map(|(i, token)| (format!("Team {i}"), token));
        let rest =
            again.filter(|(team, _)| !solves.contains_key(team) || acknowledged.contains(team));
        send_again(&player, id, rest.map(|(_, token)| token.as_str()).collect()).await;
        assert_eq!(self.solves_of(&server, id).await.len(), TEAMS);
        server.stop().await;
    }
}

async fn send_again(player: &Player, id: &str, tokens: Vec<&str>) {
    let mut sent = tokio::task::JoinSet::new();
    for token in tokens {
        let (team, id) = (player.with_token(token), id.to_owned());
        sent.spawn(async move { team.solves(&id).await });
    }
    sent.join_all().await;
}

/// The teams of all solves that a socket receives until it breaks.
async fn watch(mut socket: Socket) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(message) = socket.next().await {
        if message["event"] == "solve" {
            seen.push(message["teamName"].as_str().unwrap().to_owned());
        }
    }
    seen
}

async fn rounds(engine: Engine, rounds: usize) {
    let mut random = crate::seeded();
    let mut arena = Arena::new(engine).await;
    let mut done = 0;
    let mut latest = TEAMS - 1;
    for i in 0..TRIES_MAX {
        let id = format!("try-{i}");
        let acks = random.random_range(1..=latest);
        let (mut acknowledged, seen) = arena.strike(&id, acks).await;
        eprintln!(
            "{id}: killed after {acks} answers; {} acknowledged, {} seen",
            acknowledged.len(),
            seen.len()
        );
        if control("what_was_acknowledged_survives_a_kill", "Team 0 was acknowledged") {
            acknowledged.insert("Team 0".to_owned());
        }
        arena.recover(&id, &acknowledged, &seen).await;
        if (1..TEAMS).contains(&acknowledged.len()) {
            done += 1;
        } else {
            // The kill was too late: the server had answered all submissions before.
            latest = (latest * 2 / 3).max(1);
        }
        if done == rounds {
            return;
        }
    }
    panic!("only {done} kills came in the middle");
}

on_both_engines! {
    async fn what_was_acknowledged_survives_a_kill(engine: Engine) {
        rounds(engine, if engine == Engine::Sqlite { 10 } else { 3 }).await;
    }
}
