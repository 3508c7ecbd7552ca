//! Challenges that limit the incorrect submissions of a team.

use flagship_store::organizers::Role;
use flagship_store::wrong_flags;
use flagship_testkit::Engine;

use super::*;
use crate::actions::{action, post, session_of};

/// A challenge that limits attempts.
fn limited(id: &str, attempts_max: u32) -> Draft {
    let mut draft = draft(id);
    draft.challenge.rules.attempts_max = Some(attempts_max);
    draft
}

async fn left(team: &Team, id: &str) -> Value {
    team.card(id).await.expect("it is listed")["attemptsLeft"].clone()
}

/// Submits incorrect flags in parallel on two nodes; returns the number of judged ones. Each text
/// is a different one.
async fn judged(teams: [&Team; 2], count: usize) -> usize {
    let mut guesses = JoinSet::new();
    for i in 0..count {
        let team = teams[i % 2].clone();
        guesses.spawn(async move { team.send("one", &format!("no {i}")).await });
    }
    let answers = guesses.join_all().await;
    let is_used = |answer: &&Answer| answer.json["code"] == "attempts_used";
    let used = answers.iter().filter(is_used).count();
    let judged = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(used + judged, count, "{answers:?}");
    judged
}

async fn recorded(app: &TestApp) -> i64 {
    wrong_flags::count(&app.test.db).await.expect("it counts")
}

/// Submits incorrect flags and then the correct one, all before the first is answered. A single
/// thread polls them in order, so that they ask the database and enter the lane in this order.
async fn a_correct_flag_comes_last(engine: Engine) {
    let app = unlimited(engine, vec![limited("one", 3), draft("two")]).await;
    let team = app.team("The Lighthouse").await;
    let account = team.id;
    let play = |id: &'static str, flag: String| {
        let app = app.app.clone();
        async move { app.play(account, id, &flag, None).await.is_ok() }
    };
    let guesses = (0..3).map(|i| format!("no {i}")).chain(["flag{one}".to_owned()]);
    let judged = join_all(guesses.map(|flag| play("one", flag))).await;
    assert_eq!(judged, [true, true, true, false], "all attempts are used before it");
    assert_eq!(team.send("one", "flag{one}").await.json["code"], "attempts_used");
    assert_eq!(row(&app.fresh_board().await, &team.name).expect("a row")[2], json!({}));
    assert!(play("two", "flag{two}".to_owned()).await);
}

#[tokio::test]
async fn a_correct_flag_does_not_overtake_the_guesses_before_it() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        a_correct_flag_comes_last(engine).await;
    }
}

on_both_engines! {
    async fn a_team_has_as_many_attempts_as_the_challenge_says(engine: Engine) {
        let drafts = vec![limited("one", 2), draft_after("two", &["one"]), draft("three")];
        let app = unlimited(engine, drafts).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let team = &teams[0];
        assert_eq!(left(team, "one").await, 2);
        assert!(team.card("three").await.expect("it is listed").get("attemptsLeft").is_none());
        let expected = json!({"correct": false, "attemptsLeft": 1});
        assert_eq!(team.send("one", WRONG).await.json, expected);
        assert_eq!(team.send("one", WRONG).await.json, expected, "the same text counts once");
        assert_eq!(left(team, "one").await, 1, "at once, also without a socket");
        let last = team.send("one", "flag{nor}").await;
        assert_eq!(last.json, json!({"correct": false, "attemptsLeft": 0}));
        for flag in [WRONG, "flag{one}", "flag{new}"] {
            let answer = team.send("one", flag).await;
            assert_eq!((answer.status, &answer.json["code"]), (403, &json!("attempts_used")));
        }
        assert_eq!(team.send("two", "flag{two}").await.json["code"], "challenge_locked");
        assert_eq!(team.send("three", WRONG).await.json, json!({"correct": false}));
        until("the judged flags are recorded", async || recorded(&app).await == 4).await;
        // Another team has its own attempts, and a solve ends the count.
        teams[1].solves("one").await;
        for _ in 0..3 {
            assert_eq!(teams[1].send("one", WRONG).await.json, json!({"correct": false}));
        }
        assert_eq!(left(&teams[1], "one").await, 2);
        teams[1].solves("one").await;
    }

    async fn the_attempts_come_before_the_rate(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![limited("one", 2)]).await;
        let team = app.team("The Lighthouse").await;
        for flag in ["a", "b"] {
            assert_eq!(team.send("one", flag).await.status, 200);
        }
        for _ in 0..3 {
            assert_eq!(team.send("one", "c").await.json["code"], "attempts_used");
        }
    }

    async fn two_hundred_guesses_on_two_nodes_use_exactly_three_attempts(engine: Engine) {
        let app = unlimited(engine, vec![limited("one", 3)]).await;
        let team = app.team("The Lighthouse").await;
        let second = app.second_node(|config| {
            config.settings.limits.submissions_per_challenge_per_10_s = 0;
            config.settings.limits.submissions_per_team_per_minute = 0;
        }).await;
        let other = Team { player: second.player().with_token(&team.token), ..team.clone() };
        assert_eq!(judged([&team, &other], 200).await, 3, "no guess beyond the limit is judged");
        for node in [&team, &other] {
            assert_eq!(node.send("one", "flag{one}").await.json["code"], "attempts_used");
            until("each node knows", async || left(node, "one").await == 0).await;
        }
        until("only judged flags are recorded", async || recorded(&app).await == 3).await;
        second.stop().await;
    }

    async fn of_a_burst_with_the_correct_flag_no_more_than_the_limit_is_judged(engine: Engine) {
        let app = unlimited(engine, vec![limited("one", 3)]).await;
        let team = app.team("The Lighthouse").await;
        let mut guesses = JoinSet::new();
        for i in 0..200 {
            let team = team.clone();
            guesses.spawn(async move { team.send("one", &format!("no {i}")).await });
        }
        let last = team.clone();
        guesses.spawn(async move { last.send("one", "flag{one}").await });
        let answers = guesses.join_all().await;
        let is_solved = answers.iter().any(|answer| answer.json["correct"] == true);
        let left = left(&team, "one").await.as_u64().expect("a number");
        match is_solved {
            // Incorrect flags after the solve use no attempt.
            true => assert!(left > 0, "the solve came before the last attempt"),
            false => {
                let judged = answers.iter().filter(|answer| answer.status == 200).count();
                assert_eq!((judged, left), (3, 0), "{answers:?}");
            }
        }
    }

    async fn a_known_text_is_answered_without_the_lane(engine: Engine) {
        let app = unlimited(engine, vec![limited("one", 3)]).await;
        let team = app.team("The Lighthouse").await;
        let expected = json!({"correct": false, "attemptsLeft": 2});
        assert_eq!(team.send("one", WRONG).await.json, expected);
        let other = app.test.db.begin(Lock::Journal).await.expect("it begins");
        for _ in 0..20 {
            assert_eq!(team.send("one", WRONG).await.json, expected);
        }
        drop(other);
        assert_eq!(team.send("one", "flag{nor}").await.json["attemptsLeft"], 1);
    }

    async fn nodes_that_count_together_use_exactly_three_attempts(engine: Engine) {
        // With a rate limit, several nodes judge in turns.
        let app = TestApp::playing_on(Arc::new(TestDb::new(engine).await), event(),
            vec![limited("one", 3)], |config| {
                config.settings.limits.submissions_per_challenge_per_10_s = 1000;
                config.settings.limits.submissions_per_team_per_minute = 1000;
            }).await;
        let team = app.team("The Lighthouse").await;
        let second = app.second_node(|config| {
            config.settings.limits.submissions_per_challenge_per_10_s = 1000;
            config.settings.limits.submissions_per_team_per_minute = 1000;
        }).await;
        let other = Team { player: second.player().with_token(&team.token), ..team.clone() };
        let count = judged([&team, &other], 100).await;
        assert_eq!(count, 3, "no guess beyond the limit is judged");
        until("only judged flags are recorded", async || recorded(&app).await == 3).await;
        assert_eq!(team.send("one", "flag{one}").await.json["code"], "attempts_used");
        second.stop().await;
    }

    async fn attempts_survive_a_restart_and_the_freeze(engine: Engine) {
        let app = unlimited(engine, vec![limited("one", 3)]).await;
        let team = app.team("The Lighthouse").await;
        assert_eq!(team.send("one", "a").await.json["attemptsLeft"], 2);
        app.advance(HOUR_MS);
        app.settled().await;
        let before = app.app.contest().public_seq();
        let board = app.board().await;
        assert_eq!(team.send("one", "a").await.json["attemptsLeft"], 2, "a known text");
        assert_eq!(team.send("one", "b").await.json["attemptsLeft"], 1);
        assert_eq!((app.app.contest().public_seq(), app.board().await), (before, board));
        until("both are recorded", async || recorded(&app).await == 3).await;
        let again = TestApp::on(app.test.clone(), app.clock(), |_| {}).await;
        let team = Team { player: again.player().with_token(&team.token), ..team.clone() };
        assert_eq!(left(&team, "one").await, 1, "a new node reads the journal");
    }

    async fn an_organizer_gives_attempts_back_and_takes_them_again(engine: Engine) {
        let app = unlimited(engine, vec![limited("one", 2), draft("two")]).await;
        let team = app.team("The Lighthouse").await;
        let session = session_of(&app, Role::Organizer).await;
        let of = json!({"challenge": "one", "team": team.name, "reason": "a broken service"});
        let give = async |more: Value| {
            let mut fields = of.clone();
            let more = more.as_object().expect("an object").clone();
            fields.as_object_mut().expect("an object").extend(more);
            action(&app, &session, "challenge.attempts", fields).await
        };
        assert_eq!(give(json!({})).await.json()["code"], "nothing_to_change");
        for flag in ["a", "b"] {
            assert_eq!(team.send("one", flag).await.status, 200);
        }
        let (mut socket, _) = team.watching(&app).await;
        let preview = give(json!({"preview": true})).await;
        assert_eq!(preview.status, 200, "{}", preview.text());
        assert_eq!(left(&team, "one").await, 0, "a preview changes nothing");
        let given = give(json!({})).await;
        assert_eq!(given.status, 200, "{}", given.text());
        socket.until_so(|it| it["event"] == "progress" && it["challengeId"] == "one").await;
        assert_eq!(left(&team, "one").await, 2);
        assert_eq!(team.send("one", "a").await.json["attemptsLeft"], 2, "a known text");
        assert_eq!(team.send("one", "c").await.json["attemptsLeft"], 1);
        let path = format!("/actions/{}/undo", given.json()["id"]);
        let undone = post(&app, &session, &path, &json!({"reason": "a mistake"})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert_eq!(left(&team, "one").await, 0, "three are used, of two");
        assert_eq!(give(json!({"team": "No one"})).await.status, 404);
        assert_eq!(give(json!({"challenge": "none"})).await.status, 404);
        let helper = session_of(&app, Role::Support).await;
        assert_eq!(action(&app, &helper, "challenge.attempts", of.clone()).await.status, 404);
    }

    async fn a_limit_that_changes_counts_what_was_used(engine: Engine) {
        let app = unlimited(engine, vec![limited("one", 3)]).await;
        let team = app.team("The Lighthouse").await;
        for flag in ["a", "b"] {
            assert_eq!(team.send("one", flag).await.status, 200);
        }
        for (drafts, expected) in [
            (vec![limited("one", 5)], json!(3)),
            (vec![limited("one", 1)], json!(0)),
            (vec![draft("one")], Value::Null),
        ] {
            app.run(Op::Apply(Box::new(Plan::new(event(), drafts)))).await;
            assert_eq!(left(&team, "one").await, expected);
        }
        // Without a limit nothing is counted.
        assert_eq!(team.send("one", "c").await.json, json!({"correct": false}));
        app.run(Op::Apply(Box::new(Plan::new(event(), vec![limited("one", 3)])))).await;
        assert_eq!(team.send("one", "d").await.json["attemptsLeft"], 0);
        assert_eq!(team.send("one", "flag{one}").await.json["code"], "attempts_used");
    }
}
