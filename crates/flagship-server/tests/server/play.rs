//! Submission of flags: the order of checks, the limits of incorrect flags, and the challenges that
//! teams can solve.

mod attempts;
mod copies;
mod hints;
mod needed_flags;
mod passes;
mod practice;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flagship_control::control;
use flagship_game::contest::Attempt;
use flagship_game::{Event, Scoring, TeamId};
use flagship_server::LaneError;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::key::token_hash;
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Outcome, Plan};
use flagship_store::{Lock, nodes, sessions};
use flagship_testkit::player::{
    HOUR_MS, any_case, challenge_id, draft, draft_after, event, exact, ids, row,
};
use flagship_testkit::{
    Answer, NOW_MS, Socket, Team, TestApp, TestDb, commands, on_both_engines, until,
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;

const WRONG: &str = "flag{no}";

fn ended() -> Event {
    Event { end_ms: Some(NOW_MS), freeze_ms: None, ..event() }
}

fn not_started() -> Event {
    Event { start_ms: Some(NOW_MS + HOUR_MS / 2), ..event() }
}

fn hidden(id: &str) -> Draft {
    Draft { hidden: true, ..draft(id) }
}

/// A server without a limit of incorrect flags.
async fn unlimited(engine: flagship_testkit::Engine, drafts: Vec<Draft>) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    TestApp::playing_on(test, event(), drafts, |config| {
        config.settings.limits.submissions_per_challenge_per_10_s = 0;
        config.settings.limits.submissions_per_team_per_minute = 0;
    })
    .await
}

fn outcome(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.message())
}

fn is_right(answer: &Answer) -> bool {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json["correct"].as_bool().expect("a truth value")
}

async fn spend(team: &Team, id: &str) {
    spend_more(team, id, 3).await;
}

async fn spend_more(team: &Team, id: &str, count: usize) {
    for _ in 0..count {
        assert!(!is_right(&team.send(id, WRONG).await));
    }
}

/// SQL that makes the flags unreadable and marks them as changed, and SQL that repairs them.
const BREAK_FLAGS: [&str; 2] = [
    "insert into flags (challenge_id, number, kind, case_insensitive, value) \
     values ('one', 2, 'broken', false, '')",
    "update meta set value = '7' where key = 'challenges_revision'",
];
const MEND_FLAGS: &str = "delete from flags where kind = 'broken'";

/// SQL that adds a due challenge with an unreadable flag without notifying the nodes.
const RELEASE_UNREADABLE: [&str; 3] = [
    "insert into challenges (challenge_id, definition, hidden, released, release_at_ms) \
     select 'two', replace(definition, 'one', 'two'), false, false, 1 from challenges",
    "insert into flags (challenge_id, number, kind, case_insensitive, value) \
     values ('two', 1, 'broken', false, '')",
    "update meta set value = '7' where key = 'challenges_revision'",
];

/// The challenge with another flag.
fn with_flag(id: &str, flag: &str) -> Vec<Draft> {
    vec![Draft { flags: vec![exact(id, flag)], ..draft(id) }]
}

/// Applies challenges as another process does.
async fn apply_elsewhere(app: &TestApp, challenges: Vec<Draft>) {
    let (db, key) = (app.test.reopen().await, app.app.config().key.clone());
    let mut writer = Writer::open(db, &key, app.clock()).await.expect("the journal opens");
    let plan = Plan::new(event(), challenges);
    let step = writer.step(&[Op::Apply(Box::new(plan)).by(Actor::CommandLine)]).await;
    let step = step.expect("it is written");
    assert!(matches!(step.outcomes[..], [Outcome::Apply(_)]), "{step:?}");
}

async fn ban(app: &TestApp, team: &Team) {
    app.run(commands::ban(&team.name)).await;
}

async fn show(app: &TestApp, id: &str, shown: bool) {
    app.run(commands::show(id, shown)).await;
}

/// The length of the journal and the public board. A rejection must not change either.
async fn truth(app: &TestApp) -> (i64, Value) {
    (app.app.contest().seq(), app.fresh_board().await)
}

on_both_engines! {
    async fn a_submission_is_checked_in_the_contracts_order(engine: Engine) {
        let drafts = vec![draft("one"), draft_after("two", &["one"]), hidden("three")];
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let nobody = app.player();

        // The server checks the body before the team.
        let answer = nobody.post_text("/solve", "{").await;
        assert_eq!(outcome(&answer), (400, "The request body is not valid JSON."));
        let empty = json!({"challengeId": "none", "flag": " \t\u{3000}"});
        assert_eq!(outcome(&nobody.post("/solve", &empty).await), (400, "flag missing"));
        let whole = json!({"challengeId": "none", "flag": "x"});
        assert_eq!(outcome(&nobody.post("/solve", &whole).await), (401, "Please log in first."));
        let foreign = nobody.with_token("eyJhbGciOiJub25lIn0.e30.");
        assert_eq!(foreign.post("/solve", &whole).await.status, 401);

        // The server then checks the challenge, its lock, the limit, and the flag.
        for id in ["none", "three", "", "a b", &"x".repeat(65), "../one", "ONE"] {
            let answer = team.send(id, "flag{one}").await;
            assert_eq!(outcome(&answer), (404, "Challenge not found."), "{id}");
        }
        for flag in ["flag{two}", WRONG] {
            let locked = team.send("two", flag).await;
            let words = "Solve the required challenges first.";
            assert_eq!(outcome(&locked), (403, words));
        }
        spend(&team, "one").await;
        for flag in ["flag{one}", WRONG] {
            assert_eq!(team.send("one", flag).await.status, 429, "the flag is not judged");
        }
        let (no, locked) = (team.send("none", WRONG).await, team.send("two", WRONG).await);
        assert_eq!((no.status, locked.status), (404, 403), "checked before the budget");
        app.advance(10_000);
        team.solves("one").await;
        ban(&app, &team).await;
        assert_eq!(team.send("none", WRONG).await.status, 401);
    }

    async fn outside_the_event_every_challenge_gets_the_phase_error(engine: Engine) {
        let drafts = || vec![draft("one"), draft_after("two", &["one"]), hidden("three")];
        let table = [
            (not_started(), "The CTF has not started yet."),
            (Event { start_ms: None, end_ms: None, freeze_ms: None, ..event() },
                "The CTF has not started yet."),
            (ended(), "The CTF has ended."),
        ];
        for (event, words) in table {
            let app = TestApp::playing(engine, event, drafts()).await;
            let team = app.team("The Lighthouse").await;
            let before = truth(&app).await;
            for (id, flag) in [("one", "flag{one}"), ("one", WRONG), ("two", "flag{two}"),
                ("three", "flag{three}"), ("none", WRONG), ("", WRONG)] {
                assert_eq!(outcome(&team.send(id, flag).await), (403, words), "{id} {flag}");
            }
            assert_eq!(truth(&app).await, before);
        }
    }

    async fn challenges_are_hidden_before_the_start_and_shown_at_the_start(engine: Engine) {
        let drafts = vec![draft("one"), draft_after("two", &["one"])];
        let app = TestApp::playing(engine, not_started(), drafts).await;
        let team = app.team("The Lighthouse").await;
        assert_eq!(team.challenges().await, Vec::<Value>::new());
        assert_eq!(app.board().await["challenges"], json!([]));
        assert_eq!(app.player().get("/ctftime").await.json["tasks"], json!([]));
        assert_eq!(app.player().get("/ctf").await.json["status"], "not_started");

        app.advance(HOUR_MS / 2 - 1);
        assert_eq!(team.send("one", "flag{one}").await.status, 403, "a millisecond early");
        app.advance(1);
        team.solves("one").await;
        app.settled().await;
        assert_eq!(ids(&team.challenges().await), ["one", "two"]);
        assert_eq!(app.player().get("/ctf").await.json["status"], "running");
    }

    async fn the_last_flag_counts_a_millisecond_before_the_end(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let team = app.team("The Lighthouse").await;
        app.advance(2 * HOUR_MS - 1);
        team.solves("one").await;
        app.advance(1);
        let late = team.send("two", "flag{two}").await;
        assert_eq!(late.status, 403, "the end is outside the event");
        assert_eq!(outcome(&late), (403, "The CTF has ended."));
        let again = team.send("one", "flag{one}").await;
        assert_eq!(outcome(&again), (403, "The CTF has ended."));
        app.settled().await;
        let board = app.board_so("the end reveals", |board| {
            row(board, "The Lighthouse").is_some_and(|row| row[3] != 0)
        }).await;
        let ts = row(&board, "The Lighthouse").expect("a row")[3].as_f64().expect("a time");
        assert_eq!((ts * 1000.0).round() as i64, NOW_MS + 2 * HOUR_MS - 1);
    }

    async fn every_kind_of_flag_is_matched(engine: Engine) {
        let pattern = |pattern: &str, case_insensitive| {
            Flag::Regex { pattern: pattern.to_owned(), case_insensitive }
        };
        let with = |id: &str, flags: Vec<Flag>| Draft { flags, ..draft(id) };
        let table: Vec<(Draft, Vec<&str>, Vec<&str>)> = vec![
            (with("exact", vec![exact("exact", "flag{Exact}")]),
                vec!["flag{Exact}", "  flag{Exact}\n", "\u{3000}flag{Exact}\u{a0}"],
                vec!["flag{exact}", "flag {Exact}", "flag{Exact}x", "flag{Exac", "flag{Exact\0}"]),
            (with("any", vec![any_case("any", "Flag{Straße-ÅÇ}")]),
                vec!["flag{straße-åç}", "FLAG{STRAßE-ÅÇ}", "Flag{Straße-ÅÇ}"],
                vec!["flag{strasse-åç}", "flag{straße}"]),
            (with("two", vec![exact("two", "flag{a}"), exact("two", "flag{b}")]),
                vec!["flag{a}", "flag{b}"], vec!["flag{c}", "flag{A}", "flag{a}flag{b}"]),
            (with("regex", vec![pattern("flag\\{[0-9]+\\}|x", false)]),
                vec!["flag{1}", "flag{123}", "x"],
                vec!["flag{}", "Flag{1}", "flag{1} ok", "aflag{1}", "xx", "yx"]),
            (with("regexi", vec![pattern("flag\\{[a-c]+\\}", true)]),
                vec!["flag{abc}", "FLAG{AbC}"], vec!["flag{abd}"]),
            // Forms in which a chat program, a Mac or a word processor pastes the flag.
            (with("pasted", vec![exact("pasted", "flag{café}"), any_case("pasted", "flag{ñ}")]),
                vec!["flag{café}", "flag{café}\u{200b}", "\u{feff}flag{café}", "flag{cafe\u{301}}",
                    "\u{2068}flag{cafe\u{301}}\u{2069}\r\n", "FLAG{N\u{303}}\u{200d}"],
                vec!["flag{cafe}", "flag{ca\u{200b}fé}", "“flag{café}”"]),
            (with("rpasted", vec![pattern("flag\\{cafe\u{301}+\\}", false)]),
                vec!["flag{café}", "flag{cafe\u{301}}\u{200b}"], vec!["flag{cafe}"]),
            (with("none", vec![]), vec![], vec!["", "flag{none}"]),
        ];
        let drafts = table.iter().map(|(draft, ..)| draft.clone()).collect();
        let app = unlimited(engine, drafts).await;
        let team = app.team("The Lighthouse").await;
        for (draft, right, wrong) in &table {
            let id = draft.challenge.id.as_str();
            for flag in wrong.iter().filter(|flag| !flag.is_empty()) {
                assert!(!is_right(&team.send(id, flag).await), "{id} {flag}");
            }
            for flag in right {
                assert!(is_right(&team.send(id, flag).await), "{id} {flag}");
            }
        }
    }

    async fn flags_have_a_maximum_length(engine: Engine) {
        let long = "é".repeat(256);
        let draft = Draft { flags: vec![exact("one", &long)], ..draft("one") };
        let app = TestApp::playing(engine, event(), vec![draft]).await;
        let team = app.team("The Lighthouse").await;
        let before = truth(&app).await;
        let words = "Flags can be at most 256 characters long.";
        for flag in [format!("{long}é"), "x".repeat(15_000)] {
            assert_eq!(outcome(&team.send("one", &flag).await), (400, words));
        }
        for flag in ["", " ", "\n\t", "\u{a0}\u{2003}", "\u{200b}\u{feff}"] {
            assert_eq!(outcome(&team.send("one", flag).await), (400, "flag missing"), "{flag:?}");
        }
        assert_eq!(truth(&app).await, before);
        let reply = team.send("one", &format!("  {long}  ")).await;
        assert!(is_right(&reply), "256 without the blanks");
    }

    async fn a_repeated_right_flag_spends_nothing_and_changes_nothing(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        team.solves("one").await;
        let solved = truth(&app).await;
        assert_eq!(solved.1["challenges"][0]["nsolves"], 1);
        app.advance(1_000);
        for _ in 0..30 {
            team.solves("one").await;
        }
        assert_eq!(truth(&app).await, solved, "a repeated flag changes nothing");
        spend(&team, "one").await;
        assert_eq!(team.send("one", "flag{one}").await.status, 429);
        assert_eq!(truth(&app).await, solved);
    }

    async fn a_spent_budget_returns_the_time_to_wait(engine: Engine) {
        let drafts = (0..12).map(|i| draft(&format!("c{i}"))).collect();
        let app = TestApp::playing(engine, event(), drafts).await;
        let (team, other) = (app.team("The Lighthouse").await, app.team("The Harbour").await);
        spend(&team, "c0").await;
        for (later_ms, retry_s) in [(0, 10), (1, 10), (998, 10), (1, 9), (8_999, 1)] {
            app.advance(later_ms);
            let answer = team.send("c0", "flag{c0}").await;
            let words = "Too many incorrect flags. Wait a moment and try again.";
            assert_eq!((outcome(&answer), answer.retry_after()), ((429, words), retry_s));
        }
        assert!(!is_right(&other.send("c0", WRONG).await), "another team's budget is its own");
        assert!(!is_right(&team.send("c1", WRONG).await), "so is another challenge's");
        app.advance(1);
        team.solves("c0").await;

        // This minute has four incorrect flags: six more are judged, and then none for any
        // challenge.
        for i in 2..8 {
            assert!(!is_right(&team.send(&format!("c{i}"), WRONG).await), "{i}");
        }
        for (later_ms, retry_s) in [(0, 50), (49_000, 1), (999, 1)] {
            app.advance(later_ms);
            let answer = team.send("c9", "flag{c9}").await;
            assert_eq!((answer.status, answer.retry_after()), (429, retry_s));
        }
        app.advance(1);
        team.solves("c9").await;
    }

    async fn parallel_wrong_flags_are_judged_up_to_the_budget(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        // In the control, another team also guesses.
        let others = usize::from(control(
            "parallel_wrong_flags_are_judged_up_to_the_budget",
            "three of 200 are judged",
        ));
        let mut guesses = JoinSet::new();
        for i in 0..200 {
            let team = teams[usize::from(i < others)].clone();
            guesses.spawn(async move { team.send("one", &format!("flag{{{i}}}")).await });
        }
        let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
        for answer in guesses.join_all().await {
            if answer.status == 200 {
                assert_eq!(answer.json, json!({"correct": false}));
            } else {
                assert_eq!(answer.retry_after(), 10);
            }
            *counts.entry(answer.status).or_default() += 1;
        }
        let expected = BTreeMap::from([(200, 3), (429, 197)]);
        assert_eq!(counts, expected, "three of 200 are judged");
        until("all judged flags are recorded", async || {
            flagship_store::wrong_flags::count(&app.test.db).await.expect("it counts") == 3
        }).await;
    }

    async fn two_nodes_judge_as_many_wrong_flags_as_one(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour", "The Pier"]).await;
        // The counts of a single node stay valid after another node joins.
        assert!(!is_right(&teams[0].send("one", WRONG).await));
        let second = app.second_node(|_| {}).await;
        let on = |node: &TestApp, team: &Team| Team {
            player: node.player().with_token(&team.token),
            ..team.clone()
        };
        let judged = async |team: &Team, nodes: [&TestApp; 2]| {
            let mut guesses = JoinSet::new();
            for i in 0..100 {
                for node in nodes {
                    let team = on(node, team);
                    guesses.spawn(async move { team.send("one", &format!("no {i}")).await });
                }
            }
            let answers = guesses.join_all().await;
            assert!(answers.iter().all(|it| matches!(it.status, 200 | 429)), "{answers:?}");
            answers.iter().filter(|answer| answer.status == 200).count()
        };
        let words = "three in total, including the earlier one";
        let guesser = &teams[0];
        assert_eq!(judged(guesser, [&app, &second]).await, 2, "{words}");
        // The counts also stay valid while there are two nodes. Correct flags do not count.
        assert_eq!(judged(&teams[2], [&second, &app]).await, 3);
        for node in [&app, &second] {
            assert_eq!(on(node, &teams[2]).send("one", "flag{one}").await.status, 429, "unjudged");
        }
        on(&second, &teams[1]).solves("one").await;
        on(&app, &teams[1]).solves("two").await;
        // The counts stay valid after one of the nodes has left.
        second.stop().await;
        assert_eq!(judged(&teams[2], [&app, &app]).await, 0);
        app.advance(10_000);
        assert_eq!(judged(&teams[2], [&app, &app]).await, 3);
    }

    async fn one_team_leaves_capacity_to_the_others_on_several_nodes(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let second = app.second_node(|_| {}).await;
        assert!(!is_right(&teams[1].send("one", WRONG).await), "both nodes know each other");
        let words = "the other team's flag is judged";
        let counting = nodes::count(&app.test.db, &app.clock()).await.expect("it begins");
        let mut crowd = JoinSet::new();
        for i in 0..300 {
            let team = teams[0].clone();
            crowd.spawn(async move { team.send("one", &format!("no {i}")).await });
        }
        let mut refused = 0;
        until("all but 256 are refused", async || {
            while let Some(answer) = crowd.try_join_next() {
                let answer = answer.expect("it is answered");
                assert_eq!((answer.status, answer.retry_after()), (503, 2), "{answer:?}");
                refused += 1;
            }
            refused >= 300 - 256
        })
        .await;
        let other = teams[1].clone();
        let sent = async move { other.send("one", "flag{one}").await };
        let mut sent = tokio::spawn(sent);
        let early = tokio::time::timeout(Duration::from_millis(500), &mut sent).await;
        assert!(early.is_err(), "{words} in its turn: {early:?}");
        drop(counting);
        assert!(is_right(&sent.await.expect("it is answered")), "{words}");
        let judged = crowd.join_all().await;
        assert!(judged.iter().all(|it| matches!(it.status, 200 | 429)), "{judged:?}");
        second.stop().await;
    }

    async fn a_killed_node_is_removed_and_a_running_one_registers_again(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        let nodes = async |app: &TestApp| {
            let rows: Vec<(String, bool)> =
                app.test.rows("select node_id, shares from nodes order by node_id").await;
            rows
        };
        // A killed node leaves such a row. A running node loses its row if others consider it dead.
        app.test.execute("insert into nodes (node_id, beat, shares) values ('!', 0, false)").await;
        assert!(!is_right(&team.send("one", WRONG).await));
        until("the killed node is removed", async || {
            matches!(&nodes(&app).await[..], [(id, false)] if id != "!")
        }).await;
        app.test.execute("delete from nodes").await;
        assert!(!is_right(&team.send("one", WRONG).await));
        until("the running node is registered", async || nodes(&app).await.len() == 1).await;
        assert!(!is_right(&team.send("one", WRONG).await));
        assert_eq!(team.send("one", WRONG).await.status, 429, "the counts are kept");
        let test = app.stop().await;
        let left: Vec<(String,)> = test.rows("select node_id from nodes").await;
        assert_eq!(left, [], "a shutdown removes the node");
    }

    async fn an_operation_above_the_limit_gets_503_and_the_others_succeed(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        // Another node holds the lock: 4,096 operations wait in addition to those in progress.
        let other = app.test.db.begin(Lock::Journal).await.expect("it begins");
        let mut waiting = JoinSet::new();
        for _ in 0..5_000 {
            // A rejected operation takes little time once it runs.
            let op = Op::Solve { team: TeamId(1), challenge: challenge_id("none") };
            let app = app.app.clone();
            waiting.spawn(async move { app.run(op.by(Actor::CommandLine)).await });
        }
        let mut done = Vec::new();
        let is_full = async || {
            while let Some(ended) = waiting.try_join_next() {
                done.push(ended.expect("it ends well"));
            }
            done.contains(&Err(LaneError::Full))
        };
        until("the queue has filled", is_full).await;
        let refused = team.send("one", "flag{one}").await;
        assert_eq!(refused.status, 503, "the queue is full: {refused:?}");
        assert!((1..=60).contains(&refused.retry_after()), "{refused:?}");
        assert_eq!(app.player().get("/scoreboard").await.status, 200, "reads do not wait");
        drop(other);
        done.extend(waiting.join_all().await);
        let full = done.iter().filter(|it| **it == Err(LaneError::Full)).count();
        assert!((1..=5_000 - 4_096).contains(&full), "{full} of 5,000");
        team.solves("one").await;
    }

    async fn a_locked_challenge_opens_when_its_requirements_are_solved(engine: Engine) {
        let drafts = vec![draft("one"), draft("two"), draft_after("three", &["one", "two"])];
        let app = TestApp::playing(engine, event(), drafts).await;
        let (team, other) = (app.team("The Lighthouse").await, app.team("The Harbour").await);
        let locked = async |team: &Team| {
            let card = team.card("three").await.expect("it is in the list");
            assert_eq!(card["requirements"], json!(["one", "two"]));
            assert_eq!(card["challengeName"], "The three");
            let is_empty = card["description"] == "" && card["attachments"] == json!([]);
            assert_eq!(card["locked"], json!(is_empty), "{card}");
            is_empty
        };
        assert!(locked(&team).await);
        team.solves("one").await;
        assert!(locked(&team).await, "one of two requirements is not enough");
        assert_eq!(team.send("three", "flag{three}").await.status, 403);
        team.solves("two").await;
        assert!(!locked(&team).await, "unlocked at once");
        team.solves("three").await;
        assert!(locked(&other).await, "each team has its own locks");
        assert_eq!(other.send("three", "flag{three}").await.status, 403);
    }

    async fn cards_have_all_members_and_the_boards_ids(engine: Engine) {
        let mut drafts = vec![draft("static"), draft("speedrun"), draft("dynamic")];
        drafts[1].challenge.scoring = Scoring::Speedrun { values: vec![300, 200] };
        drafts[2].challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 10 };
        drafts[2].challenge.requirements = vec![challenge_id("static")];
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let card = team.card("static").await.expect("it is there");
        assert_eq!(card, json!({
            "id": "static", "challengeName": "The static", "challengeType": "static",
            "maxValue": 100, "minValue": 0, "speedrunValues": [], "categories": ["misc"],
            "description": "<p>Find the static.</p>", "attachments": [], "locked": false,
            "requirements": [], "nsolves": 0, "fbTs": 0, "status": "works", "statusNote": "",
            "hints": [], "connection": null, "flagFormat": null, "practicedAt": null,
        }));
        let card = team.card("speedrun").await.expect("it is there");
        assert_eq!((&card["challengeType"], &card["maxValue"], &card["speedrunValues"]),
            (&json!("speedrun"), &json!(0), &json!([300, 200])));
        let card = team.card("dynamic").await.expect("it is there");
        assert_eq!((&card["challengeType"], &card["maxValue"], &card["minValue"], &card["decay"]),
            (&json!("dynamic"), &json!(500), &json!(50), &json!(10)));

        app.advance(234);
        team.solves("static").await;
        let card = team.card("static").await.expect("it is there");
        let ts = (NOW_MS + 234) as f64 / 1000.0;
        assert_eq!((&card["nsolves"], &card["fbTs"]), (&json!(1), &json!(ts)));
        let (board, cards) = (team.board().await, team.challenges().await);
        let columns = board["challenges"].as_array().expect("columns");
        assert_eq!(ids(columns), ids(&cards));
        let order = |list: &[Value]| list.iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
        assert_eq!(order(columns), order(&cards), "in the same order");
        for column in columns {
            for name in ["description", "attachments", "requirements", "flags"] {
                assert_eq!(column.get(name), None, "{name}");
            }
        }
    }

    async fn a_hidden_challenge_appears_nowhere(engine: Engine) {
        let drafts = vec![
            draft("one"), hidden("secret"), draft_after("after", &["secret"]),
            draft_after("later", &["after", "one"]),
        ];
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let nowhere = async |id: &str| {
            let name = format!("The {id}");
            let (mut live, snapshot) = team.watching(&app).await;
            live.say(&json!({"action": "none"})).await;
            let mut everything = vec![snapshot.to_string(), live.next_text().await];
            for path in ["/challenge", "/scoreboard", "/ctftime", "/ctf", "/team/The%20Lighthouse"]
            {
                everything.push(team.player.get(path).await.json.to_string());
                everything.push(app.player().get(path).await.json.to_string());
            }
            let text = everything.concat();
            let solve = team.send(id, &format!("flag{{{id}}}")).await;
            !text.contains(&format!("\"{id}\"")) && !text.contains(&name) && solve.status == 404
        };
        if control("a_hidden_challenge_appears_nowhere", "secret appears nowhere") {
            show(&app, "secret", true).await;
        }
        for id in ["secret", "after", "later"] {
            assert!(nowhere(id).await, "{id} appears nowhere");
        }
        show(&app, "secret", true).await;
        assert_eq!(ids(&team.challenges().await), ["after", "later", "one", "secret"]);
        for id in ["secret", "after"] {
            team.solves(id).await;
        }
        show(&app, "secret", false).await;
        for id in ["secret", "after", "later"] {
            assert!(nowhere(id).await, "{id} again");
        }
        let page = app.player().get("/team/The%20Lighthouse").await.json;
        assert_eq!((&page["points"], &page["solves"]), (&json!(0), &json!([])));
        show(&app, "secret", true).await;
        let page = app.player().get("/team/The%20Lighthouse").await.json;
        assert_eq!(page["points"], 200, "its solves are shown again");
    }

    async fn a_scheduled_challenge_appears_at_its_time(engine: Engine) {
        let scheduled = Draft { release_at_ms: Some(NOW_MS + 5_000), ..draft("two") };
        let drafts = vec![draft("one"), scheduled, draft_after("three", &["two"])];
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let (mut world, _) = Socket::watching(&app).await;
        app.advance(4_999);
        assert_eq!(ids(&team.challenges().await), ["one"]);
        assert_eq!(team.send("two", "flag{two}").await.status, 404);
        app.advance(1);
        let snapshot = world.until("scoreboard").await.pop().expect("a snapshot is pushed");
        let columns = snapshot["challenges"].as_array().expect("columns");
        assert_eq!(ids(columns), ["one", "three", "two"]);
        assert_eq!(ids(&team.challenges().await), ["one", "three", "two"]);
        team.solves("two").await;
    }

    async fn changed_flags_take_effect_soon(engine: Engine) {
        let app = unlimited(engine, vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        let new = Draft { flags: vec![exact("one", "flag{new}")], ..draft("one") };
        let plan = Plan::new(event(), vec![new]);
        app.run(Op::Apply(Box::new(plan))).await;
        until("the new flag is known", async || {
            is_right(&team.send("one", "flag{new}").await)
        }).await;
        assert!(!is_right(&team.send("one", "flag{one}").await));
    }

    async fn after_apply_only_the_new_flag_is_correct(engine: Engine) {
        let app = unlimited(engine, vec![draft("one")]).await;
        let names: Vec<String> = (0..20).map(|i| format!("Team {i:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let teams = app.teams(&names).await;
        for (i, pair) in teams.chunks(2).enumerate() {
            apply_elsewhere(&app, with_flag("one", &format!("flag{{{i}}}"))).await;
            let old = i.wrapping_sub(1);
            let sent = pair[0].send("one", &format!("flag{{{old}}}")).await;
            assert!(!is_right(&sent), "the flag of the previous round: {sent:?}");
            let sent = pair[1].send("one", &format!("flag{{{i}}}")).await;
            assert!(is_right(&sent), "the flag of this round: {sent:?}");
        }
    }

    async fn unreadable_flags_are_an_error_and_affect_nothing_else(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        for sql in BREAK_FLAGS {
            app.test.execute(sql).await;
        }
        for _ in 0..5 {
            let answer = teams[0].send("one", WRONG).await;
            assert_eq!(answer.status, 503, "a flag that cannot be judged: {answer:?}");
            assert!(answer.retry_after() > 0);
        }
        // Another node logs one team out and imports another.
        let hash = token_hash(&teams[1].token);
        sessions::revoke(&app.test.db, &hash, 0).await.expect("it is ended");
        until("the session is over", async || {
            teams[1].player.get("/challenge").await.status == 401
        }).await;
        app.test.execute(MEND_FLAGS).await;
        until("flags are checked again", async || {
            teams[0].send("one", WRONG).await.status == 200
        }).await;
        teams[0].solves("one").await;
    }

    async fn a_submission_to_a_challenge_without_flags_is_not_counted(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        for sql in RELEASE_UNREADABLE {
            app.test.execute(sql).await;
        }
        until("the challenge is there", async || team.card("two").await.is_some()).await;
        for _ in 0..5 {
            let answer = team.send("two", "flag{two}").await;
            assert_eq!(answer.status, 503, "a flag of a challenge without flags: {answer:?}");
        }
        app.test.execute(MEND_FLAGS).await;
        until("flags are checked again, and nothing was counted", async || {
            team.send("two", WRONG).await.status == 200
        }).await;
        spend_more(&team, "two", 2).await;
        assert_eq!(team.send("two", WRONG).await.status, 429);
        team.solves("one").await;
    }

    async fn a_failed_operation_does_not_affect_others(engine: Engine) {
        let drafts: Vec<Draft> = ["one", "two"].map(draft).into();
        let app = TestApp::playing(engine, event(), drafts).await;
        let names: Vec<String> = (0..40).map(|i| format!("Team {i:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let teams = app.teams(&names).await;
        // The database rejects one of the solves because of a row without a journal entry.
        app.test.execute("insert into solves (team_id, challenge_id, seq) \
            select id, 'one', 1000000 from accounts where name = 'Team 17'").await;
        // The solves wait together and are written in one or a few steps.
        let other = app.test.db.begin(Lock::Journal).await.expect("it begins");
        let challenge = challenge_id("one");
        let solve = |team: &Team| {
            let (team, challenge) = (team.id, challenge.clone());
            Op::Solve { team, challenge }.by(Actor::Team(team))
        };
        let mut all = std::pin::pin!(join_all(teams.iter().map(|team| app.app.run(solve(team)))));
        assert!(futures_util::poll!(&mut all).is_pending());
        drop(other);
        let right = Ok(Outcome::Solve(Ok(Attempt::First)));
        let done = all.await;
        let failed: Vec<usize> = (0..done.len()).filter(|i| done[*i] != right).collect();
        assert_eq!(failed, [17], "is the only one that fails: {done:?}");
        assert_eq!(done[17], Err(LaneError::Failed));
        teams[17].solves("two").await;
    }

    async fn a_hidden_team_plays_and_counts_nowhere(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let (team, other) = (app.team("The Lighthouse").await, app.team("The Harbour").await);
        app.run(commands::hide_team(&team.name)).await;
        let (mut world, before) = Socket::watching(&app).await;
        team.solves("one").await;
        assert!(row(&team.board().await, "The Lighthouse").is_some(), "it sees itself");
        other.solves("one").await;
        let solve = world.next().await;
        assert_eq!((&solve["teamName"], &solve["seq"]),
            (&json!("The Harbour"), &json!(before["seq"].as_u64().expect("a number") + 1)));
        let board = app.board_so("it is shown", |board| board["seq"] == solve["seq"]).await;
        assert_eq!(row(&board, "The Lighthouse"), None);
        assert_eq!(row(&board, "The Harbour").expect("a row")[2]["0"][0], 1,
            "the hidden team has no position");
        let page = app.player().get("/team/The%20Lighthouse").await;
        assert_eq!(outcome(&page), (404, "Team not found."));
    }

    async fn team_pages_are_found_by_any_spelling(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let names = ["a/b?c#d", "100% sure", "..", "Überläufer 🏴", "\"quoted\"", "a+b &c;d"];
        let names: Vec<&str> = names.into_iter().filter(|name| name.chars().count() > 2).collect();
        app.teams(&names).await;
        for name in names {
            let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let page = app.player().get(&format!("/team/{encoded}")).await;
            assert_eq!((page.status, &page.json["teamName"]), (200, &json!(name)));
        }
        for path in ["/team/%FF%FE", "/team/%00", "/team/none", "/team/%F0%9F%92%A9"] {
            assert_eq!(outcome(&app.player().get(path).await), (404, "Team not found."));
        }
    }
}
