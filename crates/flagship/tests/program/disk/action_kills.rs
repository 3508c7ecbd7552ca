//! kill -9 during organizer actions, on the site and on the command line: each action is either
//! performed and recorded, or has no effect.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::Duration;

use flagship_testkit::{Engine, on_both_engines};
use rand::RngExt;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::event::EventFolder;
use crate::is_torture;
use crate::process::{Server, TestSite};

const TEAMS: usize = 6;
/// Maximum time from the first request to the kill, in milliseconds.
const KILL_MS_MAX: u64 = 250;

/// Facts that only actions record.
const OF_ACTIONS: [&str; 5] = ["team_state", "award", "team_named", "status", "notice"];

struct Organizing {
    site: TestSite,
    event: EventFolder,
    token: String,
    /// The ids of the actions that were acknowledged.
    acknowledged: BTreeSet<i64>,
}

/// Returns the next action on a team or a challenge.
fn body(team: usize, turn: usize) -> Value {
    let team = format!("Team {}", team + 1);
    let status = if turn.is_multiple_of(2) { "broken" } else { "works" };
    match turn % 6 {
        0 => json!({"action": "team.ban", "team": team, "reason": "x"}),
        1 => json!({"action": "team.unban", "team": team, "reason": "x"}),
        2 => json!({"action": "team.award", "team": team, "points": 1, "reason": "x"}),
        3 => json!({"action": "notice.post", "title": "Hello", "text": "there"}),
        4 => json!({"action": "team.note", "team": team, "text": "loud"}),
        _ => json!({"action": "challenge.status", "challenge": "one", "status": status}),
    }
}

impl Organizing {
    async fn new(engine: Engine) -> Self {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        site.import(TEAMS).await;
        let url = ["--public-url", "https://ctf.example.org/"];
        let add = ["organizer", "add", "Ada", "--role", "organizer"];
        site.run(&[&add[..], &url[..]].concat()).await.ok();
        let token = site.run(&["organizer", "token", "Ada"]).await.ok().trim().to_owned();
        Self { site, event, token, acknowledged: BTreeSet::new() }
    }

    /// Runs actions on all teams and a command concurrently until the server is killed.
    async fn strike(&mut self, mut server: Server, kill_after: Duration) {
        let player = server.player().with_token(&self.token);
        let mut acting = JoinSet::new();
        for team in 0..TEAMS {
            let player = player.clone();
            acting.spawn(async move {
                let mut done = BTreeSet::new();
                for turn in 0.. {
                    let sent = player.try_post("/organize/actions", &body(team, turn)).await;
                    // An interrupted request was not acknowledged.
                    let Ok((status, answer)) = sent else { break };
                    match status {
                        200 => _ = done.insert(answer["id"].as_i64().expect("an id")),
                        // Another team's turn has already set this status.
                        409 | 503 => {}
                        other => panic!("{other} {answer}"),
                    }
                }
                done
            });
        }
        let words = ["action", "team.award", "--team", "Team 1", "--points", "2", "--reason", "x"];
        let mut command = self.site.command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut command = command.spawn().expect("the program starts");
        tokio::time::sleep(kill_after).await;
        server.kill();
        command.start_kill().expect("it ran");
        server.gone().await;
        command.wait().await.expect("the child is ours");
        for done in acting.join_all().await {
            self.acknowledged.extend(done);
        }
    }

    /// Asserts that each action has its entries and each entry its action, and that no acknowledged
    /// action is lost.
    async fn check(&self) {
        let sql = "select id, action, first_seq, last_seq from actions order by id";
        let actions: Vec<(i64, String, Option<i64>, Option<i64>)> = self.site.test.rows(sql).await;
        let ids: BTreeSet<i64> = actions.iter().map(|(id, ..)| *id).collect();
        let lost: Vec<&i64> = self.acknowledged.difference(&ids).collect();
        assert!(lost.is_empty(), "acknowledged actions are lost: {lost:?}");
        let journal = self.site.test.journal().await;
        let mut facts: BTreeMap<i64, String> = BTreeMap::new();
        for (seq, _, _, body, _) in journal {
            let fact: Value = serde_json::from_str(&body).expect("JSON");
            facts.insert(seq, fact["type"].as_str().expect("a type").to_owned());
        }
        for (id, action, first, last) in &actions {
            let (Some(first), Some(last)) = (first, last) else {
                let has_none = ["organizer.add", "team.note"].contains(&action.as_str());
                assert!(has_none, "action {id} has no entry");
                continue;
            };
            let of_action: Vec<String> = (*first..=*last)
                .map(|seq| {
                    let fact = facts.remove(&seq);
                    fact.unwrap_or_else(|| panic!("entry {seq} of action {id} is not there alone"))
                })
                .collect();
            let expected = match action.as_str() {
                "team.ban" | "team.unban" => "team_state",
                "team.award" => "award",
                "notice.post" => "notice",
                "challenge.status" => "status",
                _ => continue,
            };
            let all = of_action.iter().filter(|fact| *fact != "format").collect::<Vec<_>>();
            assert_eq!(all, [expected], "the entries of {action} {id}");
        }
        let alone: Vec<_> =
            facts.iter().filter(|(_, fact)| OF_ACTIONS.contains(&fact.as_str())).collect();
        assert!(alone.is_empty(), "entries without an action: {alone:?}");
    }
}

on_both_engines! {
    async fn an_action_and_its_record_survive_every_kill_together(engine: Engine) {
        let asked = std::env::var("FLAGSHIP_TEST_ROUNDS").ok().and_then(|it| it.parse().ok());
        let rounds: usize = asked.unwrap_or(if is_torture() { 20 } else { 2 });
        let mut random = crate::seeded();
        let mut it = Organizing::new(engine).await;
        for _ in 0..rounds {
            let server = it.site.serve(&it.event).await;
            let kill_after = Duration::from_millis(random.random_range(0..KILL_MS_MAX));
            it.strike(server, kill_after).await;
            for record in ["journal", "actions"] {
                it.site.run(&[record, "verify"]).await.ok();
            }
            it.check().await;
        }
        let server = it.site.serve(&it.event).await;
        eprintln!("figures: {rounds} kills, {} actions acknowledged", it.acknowledged.len());
        server.stop().await;
        it.check().await;
    }
}
