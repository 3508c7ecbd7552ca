//! Challenges that need several flags.

use flagship_store::organizers::Role;
use flagship_testkit::Call;
use flagship_testkit::player::key;

use super::*;
use crate::actions::{action, post, session_of};

/// A challenge that needs these flags.
fn needs(id: &str, flags: Vec<Flag>) -> Draft {
    let mut draft = Draft { flags, ..draft(id) };
    let counting = draft.flags.iter().filter(|flag| flag.counts());
    let ids = counting.map(|flag| flag.needed_id(&key(), &draft.challenge.id)).collect();
    draft.challenge.rules.needed_flags = ids;
    draft
}

fn halves() -> Vec<Flag> {
    let number = Flag::Regex { pattern: "flag\\{[0-9]+\\}".to_owned(), case_insensitive: false };
    vec![exact("one", "flag{left}"), any_case("one", "flag{right}"), number]
}

async fn progress(team: &Team) -> Value {
    team.card("one").await.expect("it is listed")["progress"].clone()
}

fn found(found: u32, of: u32) -> Value {
    json!({"correct": false, "progress": {"found": found, "of": of}})
}

on_both_engines! {
    async fn every_flag_is_needed_in_any_order(engine: Engine) {
        let mut drafts = vec![needs("one", halves()), draft_after("two", &["one"])];
        drafts[0].challenge.rules.attempts_max = Some(1);
        let app = TestApp::playing(engine, event(), drafts).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let team = &teams[0];
        assert_eq!(progress(team).await, json!({"found": 0, "of": 3}));
        assert!(team.card("two").await.expect("it is listed").get("progress").is_none());
        // Neither the rate nor the attempts count them, however often they are sent.
        for _ in 0..12 {
            assert_eq!(team.send("one", "flag{left}").await.json, found(1, 3));
        }
        assert_eq!(progress(team).await, json!({"found": 1, "of": 3}));
        assert_eq!(team.send("one", "flag{77}").await.json, found(2, 3));
        assert_eq!(team.send("one", "flag{78}").await.json, found(2, 3), "the same flag");
        assert_eq!(team.send("two", "flag{two}").await.json["code"], "challenge_locked");
        assert_eq!(row(&app.fresh_board().await, &team.name).expect("a row")[2], json!({}));
        assert_eq!(team.send("one", "FLAG{RIGHT}").await.json, json!({"correct": true}));
        for flag in ["flag{left}", "flag{5}"] {
            assert_eq!(team.send("one", flag).await.json, json!({"correct": true}), "solved");
        }
        assert_eq!(progress(team).await, json!({"found": 3, "of": 3}));
        assert_eq!(progress(&teams[1]).await, json!({"found": 0, "of": 3}), "their own");
        team.solves("two").await;
    }

    async fn a_repeated_part_is_answered_without_the_lane(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![needs("one", halves())]).await;
        let team = app.team("The Lighthouse").await;
        assert_eq!(team.send("one", "flag{left}").await.json, found(1, 3));
        let other = app.test.db.begin(Lock::Journal).await.expect("it begins");
        for _ in 0..20 {
            assert_eq!(team.send("one", "flag{left}").await.json, found(1, 3));
        }
        drop(other);
        assert_eq!(team.send("one", "flag{7}").await.json, found(2, 3));
        let noted = "select count from sightings where kind = 'right' and object = 'one'";
        until("both parts are noted", async || {
            app.test.rows::<(i64,)>(noted).await == [(2,)]
        }).await;
    }

    async fn a_text_that_matches_several_flags_counts_for_each(engine: Engine) {
        let mut flags = halves();
        flags.push(exact("one", "flag{7}"));
        // The same flag twice has one ID, as in the files.
        flags.push(exact("one", "flag{left}"));
        let mut draft = needs("one", flags);
        draft.challenge.rules.needed_flags.pop();
        let app = unlimited(engine, vec![draft]).await;
        let team = app.team("The Lighthouse").await;
        assert_eq!(team.send("one", "flag{left}").await.json, found(1, 4));
        assert_eq!(team.send("one", "flag{7}").await.json, found(3, 4), "pattern and text");
        assert_eq!(team.send("one", "flag{right}").await.json, json!({"correct": true}));
    }

    async fn a_per_team_flag_is_a_part_only_for_its_team(engine: Engine) {
        let own = Flag::Team("flag{pier_[TEAM]}".to_owned());
        let mut draft = needs("one", vec![own, exact("one", "flag{left}")]);
        draft.challenge.rules.attempts_max = Some(2);
        let app = unlimited(engine, vec![draft]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let of = |team: &Team| format!("flag{{pier_{}}}", key().team_code("one", team.id.0));
        assert_eq!(teams[0].send("one", &of(&teams[0])).await.json, found(1, 2));
        let other = teams[1].send("one", &of(&teams[0])).await.json;
        assert_eq!(other, json!({"correct": false, "attemptsLeft": 1}), "another team's flag");
        assert_eq!(teams[0].send("one", &of(&teams[0])).await.json, found(1, 2));
        assert_eq!(teams[0].send("one", "flag{left}").await.json, json!({"correct": true}));
        assert_eq!(teams[1].send("one", "flag{left}").await.json, found(1, 2));
        assert_eq!(teams[1].send("one", &of(&teams[1])).await.json, json!({"correct": true}));
    }

    async fn parts_on_two_nodes_make_one_solve(engine: Engine) {
        let flags = (0..8).map(|i| exact("one", &format!("flag{{{i}}}"))).collect();
        let app = unlimited(engine, vec![needs("one", flags)]).await;
        let team = app.team("The Lighthouse").await;
        let second = app.second_node(|_| {}).await;
        let other = Team { player: second.player().with_token(&team.token), ..team.clone() };
        let mut sent = JoinSet::new();
        for i in 0..80 {
            let node = [&team, &other][i / 8 % 2].clone();
            sent.spawn(async move { node.send("one", &format!("flag{{{}}}", i % 8)).await });
        }
        let answers = sent.join_all().await;
        assert!(answers.iter().all(|it| it.status == 200), "{answers:?}");
        assert!(answers.iter().any(|it| it.json["correct"] == true), "{answers:?}");
        let solves: Vec<(i64,)> = app.test.rows("select seq from solves").await;
        assert_eq!(solves.len(), 1);
        second.stop().await;
    }

    async fn parts_survive_a_restart_and_are_silent_in_the_freeze(engine: Engine) {
        let app = unlimited(engine, vec![needs("one", halves())]).await;
        let team = app.team("The Lighthouse").await;
        app.advance(HOUR_MS);
        app.settled().await;
        let (mut socket, _) = team.watching(&app).await;
        let before = (app.app.contest().public_seq(), app.board().await);
        for (flag, expected) in [("flag{left}", 1), ("flag{left}", 1), ("flag{7}", 2)] {
            assert_eq!(team.send("one", flag).await.json, found(expected, 3));
        }
        socket.until_so(|it| it["event"] == "progress" && it["challengeId"] == "one").await;
        assert_eq!((app.app.contest().public_seq(), app.board().await), before);
        let again = TestApp::on(app.test.clone(), app.clock(), |_| {}).await;
        let team = Team { player: again.player().with_token(&team.token), ..team.clone() };
        assert_eq!(progress(&team).await, json!({"found": 2, "of": 3}));
        assert_eq!(team.send("one", "flag{right}").await.json, json!({"correct": true}));
        assert_eq!(again.board().await, before.1, "the solve is hidden");
    }

    async fn a_needed_flag_is_removed_after_it_was_found(engine: Engine) {
        let app = unlimited(engine, vec![needs("one", halves())]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        for team in &teams {
            assert_eq!(team.send("one", "flag{left}").await.json, found(1, 3));
        }
        assert_eq!(teams[0].send("one", "flag{right}").await.json, found(2, 3));
        let apply = async |flags: Vec<Flag>| {
            app.run(Op::Apply(Box::new(Plan::new(event(), vec![needs("one", flags)])))).await;
        };
        // The flag that one team lacks is removed: any of its flags completes the challenge.
        apply(halves().into_iter().take(2).collect()).await;
        assert_eq!(progress(&teams[0]).await, json!({"found": 2, "of": 2}));
        assert_eq!(teams[0].send("one", "flag{left}").await.json, json!({"correct": true}));
        // A found flag is removed, and comes back.
        apply(halves().into_iter().skip(1).collect()).await;
        assert_eq!(progress(&teams[1]).await, json!({"found": 0, "of": 2}));
        assert_eq!(teams[1].send("one", "flag{left}").await.json, json!({"correct": false}));
        apply(halves()).await;
        assert_eq!(progress(&teams[1]).await, json!({"found": 1, "of": 3}));
        assert_eq!(progress(&teams[0]).await, json!({"found": 3, "of": 3}), "it stays solved");
        // Afterwards one flag is enough.
        let any = Draft { flags: halves(), ..draft("one") };
        app.run(Op::Apply(Box::new(Plan::new(event(), vec![any])))).await;
        assert_eq!(progress(&teams[1]).await, Value::Null);
        assert_eq!(teams[1].send("one", "flag{7}").await.json, json!({"correct": true}));
    }

    async fn a_rejudge_credits_only_all_needed_flags(engine: Engine) {
        let right = |text: &str| vec![exact("one", "flag{left}"), exact("one", text)];
        let app = unlimited(engine, vec![needs("one", right("flag{typo}"))]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let session = session_of(&app, Role::Organizer).await;
        for team in &teams {
            assert_eq!(team.send("one", "flag{right}").await.json, json!({"correct": false}));
        }
        assert_eq!(teams[0].send("one", "flag{left}").await.json, found(1, 2));
        until("they are recorded", async || {
            flagship_store::wrong_flags::count(&app.test.db).await.expect("it counts") == 2
        }).await;
        let plan = Plan::new(event(), vec![needs("one", right("flag{right}"))]);
        app.run(Op::Apply(Box::new(plan))).await;
        let of = json!({"challenge": "one", "reason": "a typing error"});
        let done = action(&app, &session, "challenge.rejudge", of.clone()).await;
        assert_eq!(done.status, 200, "{}", done.text());
        let board = app.fresh_board().await;
        let solves = |team: &Team| row(&board, &team.name).expect("a row")[2].clone();
        assert_ne!(solves(&teams[0]), json!({}));
        assert_eq!(solves(&teams[1]), json!({}), "one of two flags is not a solve");
        let path = format!("/actions/{}/undo", done.json()["id"]);
        let undone = post(&app, &session, &path, &json!({"reason": "a mistake"})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert_eq!(progress(&teams[0]).await, json!({"found": 1, "of": 2}));
    }

    async fn organizers_see_parts_in_the_list_of_submissions(engine: Engine) {
        let app = unlimited(engine, vec![needs("one", halves())]).await;
        let team = app.team("The Lighthouse").await;
        for flag in ["flag{left}", "flag{7}", "flag{right}"] {
            assert_eq!(team.send("one", flag).await.status, 200);
            app.advance(10);
        }
        let session = session_of(&app, Role::Organizer).await;
        let listed = async |query: &str| {
            let path = format!("/flags?{query}");
            let reply = Call::organize("GET", &path).session(&session).send(&app).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
            let flags = reply.json()["flags"].as_array().expect("a list").clone();
            flags.iter().map(|it| it["verdict"].clone()).collect::<Vec<Value>>()
        };
        assert_eq!(listed("").await, [json!("right"), json!("part"), json!("part")]);
        assert_eq!(listed("verdict=part").await, [json!("part"), json!("part")]);
        assert_eq!(listed("verdict=right").await, [json!("right")]);
        assert!(listed("verdict=wrong").await.is_empty());
    }
}
