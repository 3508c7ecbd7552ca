//! Several servers on one database: nodes on PostgreSQL, or processes on one machine with SQLite.

use std::collections::BTreeSet;
use std::time::Duration;

use flagship_testkit::{Engine, on_both_engines};
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::player::{board, flag};
use crate::process::{TestSite, program, run};
use crate::until;

/// Maximum time until a node shows changes made on another.
const KNOWN_MAX: Duration = Duration::from_secs(1);

on_both_engines! {
    async fn a_solve_on_one_node_is_visible_on_the_other(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let (a, b) = (site.serve(&event).await, site.join(&event).await);
        let tokens = site.import(20).await;
        for token in &tokens {
            a.team(token).await;
            b.team(token).await;
        }
        let (mut on_a, _) = a.player().watch().await;
        let (mut on_b, _) = b.player().watch().await;
        a.team(&tokens[0]).await.solves("one").await;
        let solved = ("Team 1".to_owned(), "one".to_owned());
        assert_eq!((on_a.solve().await, on_b.solve().await), (solved.clone(), solved));
        let took = until("B's board has the solve", async || {
            let board = b.player().board().await;
            board.get("Team 1").is_some_and(|row| row.solves.contains_key("one"))
        })
        .await;
        assert!(took < KNOWN_MAX, "{took:?}");
        assert_eq!(b.team(&tokens[0]).await.solve("one").await.1, json!({"correct": true}));
        // Concurrent solves on both nodes get a single order.
        let mut sent = tokio::task::JoinSet::new();
        for (i, token) in tokens.iter().enumerate() {
            let nodes = if i % 2 == 0 { [&a, &b] } else { [&b, &a] };
            for node in nodes {
                let team = node.player().with_token(token);
                sent.spawn(async move { team.solves("three").await });
            }
        }
        sent.join_all().await;
        for socket in [&mut on_a, &mut on_b] {
            let mut seen = BTreeSet::new();
            while seen.len() < tokens.len() {
                let (team, id) = socket.solve().await;
                assert_eq!(id, "three");
                assert!(seen.insert(team), "no solve is announced twice");
            }
        }
        let (_, on_a) = a.player().get("/scoreboard").await;
        let mut on_b = json!(null);
        until("the boards are the same", async || {
            on_b = b.player().get("/scoreboard").await.1;
            on_b == on_a
        })
        .await;
        let marks = board(&on_b).into_values().map(|row| row.solves["three"].0);
        assert_eq!(marks.collect::<BTreeSet<u64>>(), (1..=20).collect());
        let (a, b) = (a.stop(), b.stop());
        tokio::join!(a, b);
        site.run(&["journal", "verify"]).await.ok();
    }

    async fn logouts_and_bans_on_one_node_apply_on_the_other(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let (a, b) = (site.serve(&event).await, site.join(&event).await);
        let csv = "name,email,password\nAnts,a@example.org,correct horse\nBees,b@example.org,\n";
        let tokens = site.import_csv(csv).await;
        a.team(&tokens[0].1).await;
        let (status, answer) = a.player().log_in("Ants", "correct horse").await;
        assert_eq!(status, 200, "{answer}");
        let token = answer["token"].as_str().unwrap();
        // A token that one node issued is valid on all nodes at once.
        let (on_a, on_b) = (a.player().with_token(token), b.team(token).await);
        assert_eq!(on_b.get("/challenge").await.0, 200);
        assert_eq!(on_a.post("/logout", &json!({})).await.0, 200);
        assert_eq!(on_a.get("/challenge").await.0, 401);
        let is_refused = async || on_b.get("/challenge").await.0 == 401;
        let took = until("B refuses the token", is_refused).await;
        assert!(took < KNOWN_MAX, "{took:?}");
        let bees = [a.team(&tokens[1].1).await, b.team(&tokens[1].1).await];
        site.run(&["team", "ban", "Bees"]).await.ok();
        for team in &bees {
            let took = until("the ban is known", async || team.solve("one").await.0 == 401).await;
            assert!(took < KNOWN_MAX, "{took:?}");
        }
        let ants = b.team(&tokens[0].1).await;
        ants.solves("one").await;
        tokio::join!(a.stop(), b.stop());
    }

    async fn hints_and_attempts_count_once_over_all_nodes(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.challenge("one", "type: standard\nvalue: 100\nhints: [{content: Look, cost: 30}]");
        event.challenge("two", "type: standard\nvalue: 50\nattempts: 3");
        let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
        let limits = "[limits]\nsubmissions_per_challenge_per_10_s = 0\n";
        event.write("event.toml", &toml.replace("[limits]\n", limits));
        let (a, b) = (site.serve(&event).await, site.join(&event).await);
        let tokens = site.import(1).await;
        let nodes = [a.team(&tokens[0]).await, b.team(&tokens[0]).await];
        nodes[0].solves("three").await;
        until("B has the points", async || {
            let board = b.player().board().await;
            board.get("Team 1").is_some_and(|row| !row.solves.is_empty())
        })
        .await;
        let (_, cards) = nodes[0].get("/challenge").await;
        let cards = cards["challenges"].as_array().unwrap();
        let one = cards.iter().find(|card| card["id"] == "one").unwrap();
        let hint = json!({"challengeId": "one", "hintId": one["hints"][0]["id"]});
        let mut sent = tokio::task::JoinSet::new();
        for number in 0..20 {
            let (node, hint) = (nodes[number % 2].clone(), hint.clone());
            sent.spawn(async move { node.post("/hint", &hint).await });
        }
        for (status, body) in sent.join_all().await {
            assert_eq!((status, &body["cost"]), (200, &json!(30)), "{body}");
        }
        let mut sent = tokio::task::JoinSet::new();
        for number in 0..8 {
            let node = nodes[number % 2].clone();
            sent.spawn(async move { node.post("/solve", &wrong(number)).await.0 });
        }
        let mut statuses = sent.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 403, 403, 403, 403, 403], "three attempts");
        for server in [&a, &b] {
            until("the hint is charged once", async || {
                server.player().board().await["Team 1"].award == -30
            })
            .await;
        }
        tokio::join!(a.stop(), b.stop());
        site.run(&["journal", "verify"]).await.ok();
    }

    async fn a_node_continues_when_another_is_killed(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let (mut a, b) = (site.serve(&event).await, site.join(&event).await);
        let tokens = site.import(2).await;
        let team = b.team(&tokens[0]).await;
        a.team(&tokens[1]).await.solves("one").await;
        a.kill();
        a.gone().await;
        team.solves("one").await;
        let board = b.player().board().await;
        assert_eq!((board["Team 2"].solves["one"].0, board["Team 1"].solves["one"].0), (1, 2));
        b.stop().await;
    }
}

fn wrong(number: usize) -> Value {
    flag("two", &format!("flag{{wrong {number}}}"))
}

#[tokio::test]
async fn a_node_needs_the_events_secret() {
    let site = TestSite::new(Engine::Postgres).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let url = site.test.url.as_deref().unwrap();
    let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0", "--database", url];
    let mut stranger = program(&words);
    stranger.arg("--data").arg(elsewhere.path());
    run(stranger).await.fails("secret` is missing, but the database needs it");
    server.stop().await;
}
