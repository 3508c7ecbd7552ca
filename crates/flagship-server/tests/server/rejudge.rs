//! Stored digests of flags, which find earlier matching submissions.

use flagship_control::control;
use flagship_store::Key;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::organizers::{self, Changer, Rights, Role};
use flagship_testkit::player::{HOUR_MS, Team, any_case, challenge_id, draft, event};
use flagship_testkit::{Call, NOW_MS, Reply, TestApp, nasty, on_both_engines, until};
use serde_json::{Value, json};

/// Digest of a text, keyed with the secret of `TestApp`.
fn digest(id: &str, text: &str) -> String {
    Key::new(b"the secret of the tests").flag_digest(id, text)
}

/// A text, and its lower-case form if that differs.
type Pair = (String, Option<String>);

fn pair(id: &str, text: &str) -> Pair {
    let folded = text.to_lowercase();
    (digest(id, text), (folded != text).then(|| digest(id, &folded)))
}

async fn recorded(app: &TestApp) -> Vec<Pair> {
    app.test.rows("select digest, folded from wrong_flags order by at_ms, challenge_id").await
}

async fn is_recorded(app: &TestApp, expected: &[Pair], words: &str) {
    until("they are recorded", async || recorded(app).await.len() >= expected.len()).await;
    assert_eq!(recorded(app).await, expected, "{words}");
}

async fn miss(app: &TestApp, team: &Team, text: &str) {
    app.advance(10_001);
    let answer = team.send("one", text).await;
    assert_eq!(answer.json["correct"], false, "{answer:?}");
}

async fn session(app: &TestApp, role: Role) -> String {
    let organizer = app.organizer(&format!("The {role}"), &[role]).await;
    app.organizer_session(&organizer, true).await
}

/// An author of one challenge.
async fn author_of(app: &TestApp, id: &str) -> String {
    let session = session(app, Role::Author).await;
    let rights = Rights { roles: [Role::Author].into(), challenges: [challenge_id(id)].into() };
    let seal = app.app.seal();
    let by = Changer::CommandLine(&seal);
    let now_ms = app.now_ms();
    let set = organizers::set_rights(&app.test.db, by, "The author", &rights, now_ms).await;
    set.expect("it is written").expect("it is there");
    session
}

async fn attempt(app: &TestApp, session: &str, id: &str, flag: &str) -> Reply {
    let body = json!({"challenge": id, "flag": flag}).to_string();
    Call::organize("POST", "/flags/try").session(session).json(body).send(app).await
}

async fn tried(app: &TestApp, session: &str, id: &str, flag: &str) -> Value {
    let reply = attempt(app, session, id, flag).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn is(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)));
}

/// Challenges, two of which have a pattern and an exact flag in any case.
fn drafts() -> Vec<Draft> {
    let pattern = Flag::Regex { pattern: "flag\\{[0-9]+\\}".to_owned(), case_insensitive: true };
    let with = |id: &str| {
        let flags = vec![pattern.clone(), any_case(id, "Flag{Any}")];
        Draft { flags, ..draft(id) }
    };
    vec![draft("one"), with("two"), with("three"), draft("four")]
}

on_both_engines! {
    async fn both_digests_of_a_wrong_flag_are_kept(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("Otters").await;
        let words = "of the text, and of the text in lower case";
        let mut expected = Vec::new();
        for is_frozen in [false, true] {
            if is_frozen {
                app.advance(HOUR_MS);
                app.settled().await;
            }
            for text in ["flag{wrong}", "Flag{WRONG}", "ÀÉ"] {
                miss(&app, &team, text).await;
                expected.push(pair("one", text));
            }
            is_recorded(&app, &expected, words).await;
        }
    }

    async fn both_digests_are_kept_where_several_nodes_count(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("Otters").await;
        let _second = app.second_node(|_| {}).await;
        let sql = "select node_id from nodes where shares";
        until("both nodes share", async || app.test.rows::<(String,)>(sql).await.len() == 2).await;
        let mut expected = Vec::new();
        for is_frozen in [false, true] {
            if is_frozen {
                app.advance(HOUR_MS);
                app.settled().await;
            }
            for text in ["flag{wrong}", "Flag{WRONG}"] {
                miss(&app, &team, text).await;
                expected.push(pair("one", text));
            }
            is_recorded(&app, &expected, "in turns and in the lane").await;
        }
    }

    async fn the_digest_of_the_flag_that_counted_is_kept(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("Otters").await;
        for (id, text) in [("one", "flag{one}"), ("two", "FLAG{any}"), ("three", "FLAG{7}")] {
            assert_eq!(team.send(id, text).await.json["correct"], true, "{id}");
        }
        app.advance(HOUR_MS);
        assert_eq!(team.send("four", "flag{four}").await.json["correct"], true);
        let sql = "select challenge_id, digest from solves order by seq";
        let kept: Vec<(String, Option<String>)> = app.test.rows(sql).await;
        let flags = [("one", "flag{one}"), ("two", "flag{any}"), ("three", "FLAG{7}"),
            ("four", "flag{four}")];
        let expected = flags.map(|(id, text)| (id.to_owned(), Some(digest(id, text))));
        assert_eq!(kept, expected, "of the flag, or of the text that the pattern matched");
        assert!(recorded(&app).await.is_empty());
    }

    async fn a_flag_is_tried_and_counts_nowhere(engine: Engine) {
        let mut drafts = drafts();
        drafts.push(Draft { hidden: true, ..draft("hidden") });
        drafts.push(Draft { release_at_ms: Some(NOW_MS + HOUR_MS), ..draft("later") });
        let app = TestApp::playing(engine, event(), drafts).await;
        let teams = app.teams(&["Otters", "Badgers"]).await;
        let (ada, own) = (session(&app, Role::Organizer).await, author_of(&app, "two").await);
        let first_ms = app.now_ms();
        for (team, text) in [(0, "flag{old}"), (1, "flag{old}"), (1, "Flag{old}")] {
            assert_eq!(teams[team].send("two", text).await.json["correct"], false);
        }
        until("they are recorded", async || recorded(&app).await.len() == 3).await;
        let before = nasty::everything(&app.test).await;
        let answer = |correct: bool, by: Option<u8>, teams: i64| {
            let since = (teams > 0).then_some(first_ms);
            json!({"correct": correct, "by": by, "ofTeam": null, "near": null, "sentBy": teams,
                "since": since})
        };
        let words = "which flag it is, and who sent it";
        for who in [&ada, &own] {
            for (text, expected) in [
                ("flag{old}", answer(false, None, 2)),
                (" Flag{old} ", answer(false, None, 1)),
                ("FLAG{12}", answer(true, Some(1), 0)),
                ("FLAG{any}", answer(true, Some(2), 0)),
            ] {
                assert_eq!(tried(&app, who, "two", text).await, expected, "{words}");
            }
        }
        for id in ["hidden", "later"] {
            let right = tried(&app, &ada, id, &format!("flag{{{id}}}")).await;
            assert_eq!(right, answer(true, Some(1), 0), "{id}");
        }
        for _ in 0..20 {
            assert_eq!(tried(&app, &ada, "one", "flag{wrong}").await, answer(false, None, 0));
        }
        is(&attempt(&app, &ada, "none", "x").await, 404, "challenge_not_found");
        is(&attempt(&app, &ada, "No id!", "x").await, 404, "challenge_not_found");
        is(&attempt(&app, &ada, "one", " ").await, 400, "flag_missing");
        is(&attempt(&app, &ada, "one", &"x".repeat(257)).await, 400, "flag_too_long");
        assert_eq!(nasty::everything(&app.test).await, before, "nothing is recorded");
    }

    async fn an_author_tries_flags_of_the_own_challenges_only(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let own = author_of(&app, "two").await;
        let words = "challenge_not_found";
        let (others, none) =
            (attempt(&app, &own, "one", "flag{one}").await,
             attempt(&app, &own, "none", "flag{one}").await);
        is(&others, 404, words);
        assert_eq!((others.body, others.status), (none.body, none.status), "as one that is not");
        for role in [Role::Observer, Role::Support] {
            let session = session(&app, role).await;
            is(&attempt(&app, &session, "two", "x").await, 404, "not_found");
        }
    }

    async fn a_tried_flag_tells_an_author_nothing_of_the_freeze(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["Otters", "Badgers"]).await;
        let (ada, own) = (session(&app, Role::Organizer).await, author_of(&app, "two").await);
        let flag = async || {
            let seen = tried(&app, &own, "two", "flag{old}").await;
            (seen["sentBy"].clone(), seen["since"].clone())
        };
        app.advance(HOUR_MS);
        app.settled().await;
        assert_eq!(teams[0].send("two", "flag{old}").await.json["correct"], false);
        let words = "not who sent a flag in the freeze";
        if control("a_tried_flag_tells_an_author_nothing_of_the_freeze", words) {
            app.advance(HOUR_MS);
            app.settled().await;
        }
        assert_eq!(flag().await, (Value::Null, Value::Null), "{words}");
        assert_eq!(tried(&app, &own, "two", "FLAG{any}").await["by"], 2, "but its own flags");
        let seen = tried(&app, &ada, "two", "flag{old}").await;
        assert_eq!((&seen["sentBy"], &seen["since"]), (&json!(1), &json!(app.now_ms())));
        app.advance(HOUR_MS);
        app.settled().await;
        assert_eq!(flag().await.0, 1, "after the reveal it is known");
    }
}
