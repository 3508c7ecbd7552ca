//! `Idempotency-Key`: a retry of an action returns the first response and is not performed
//! again.

use std::time::Duration;

use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Reply, TestApp, on_both_engines, until};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::event::MINUTE_MS;
use super::{DAY_MS, get, is, post, session_of};

const CONFLICT: &str = "idempotency_conflict";
const IN_PROGRESS: &str = "idempotency_in_progress";
const WRONG_SHAPE: &str = "field_invalid";

async fn playing(engine: flagship_testkit::Engine) -> TestApp {
    let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
    app.teams(&["The Team", "Others"]).await;
    app
}

fn on_team(action: &str) -> Value {
    json!({"action": action, "team": "The Team", "reason": "they asked"})
}

fn award(team: &str, points: i64) -> Value {
    json!({"action": "team.award", "team": team, "points": points, "reason": "they asked"})
}

fn with_key(session: &str, key: impl AsRef<[u8]>, body: &Value) -> Call {
    let call = Call::organize("POST", "/actions").session(session);
    call.header("idempotency-key", key).json(body.to_string())
}

async fn send(app: &TestApp, session: &str, key: &str, body: &Value) -> Reply {
    with_key(session, key, body).send(app).await
}

async fn done(app: &TestApp, session: &str, key: &str, body: &Value) -> Reply {
    let reply = send(app, session, key, body).await;
    assert_eq!(reply.status, 200, "{body}: {}", reply.text());
    reply
}

/// Retries a request until the first one has a response; returns that response.
async fn retried(app: &TestApp, session: &str, key: &str, body: &Value) -> Reply {
    for _ in 0..200 {
        let reply = send(app, session, key, body).await;
        if reply.status == 200 {
            return reply;
        }
        // A request counts towards the organizer's limit until it ends, even if its client has
        // disconnected.
        if reply.status != 503 {
            is(&reply, 409, IN_PROGRESS);
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("the first request was not answered");
}

fn id(reply: &Reply) -> i64 {
    reply.json()["id"].as_i64().expect("an id")
}

/// IDs of the records of an action, newest first.
async fn recorded(app: &TestApp, session: &str, action: &str) -> Vec<i64> {
    let listed = get(app, session, "/actions").await;
    let all = listed["actions"].as_array().expect("a list").iter();
    all.filter(|it| it["action"] == action).filter_map(|it| it["id"].as_i64()).collect()
}

/// Points awarded to the team.
fn given(app: &TestApp) -> i64 {
    app.app.contest().team_named("The Team").expect("it is there").award
}

/// The actions whose idempotency keys are stored.
async fn kept(app: &TestApp) -> Vec<i64> {
    let sql = "select action_id from idempotency_keys order by action_id";
    app.test.rows::<(i64,)>(sql).await.into_iter().map(|(id,)| id).collect()
}

/// The actions whose responses are stored.
async fn answered(app: &TestApp) -> Vec<i64> {
    let sql = "select action_id from idempotency_keys where answer is not null order by action_id";
    app.test.rows::<(i64,)>(sql).await.into_iter().map(|(id,)| id).collect()
}

on_both_engines! {
    async fn a_retry_returns_the_first_answer_and_does_nothing_again(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let first = done(&app, &organizer, "first", &award("The Team", 5)).await;
        assert_eq!(first.json()["effect"]["public"][0]["teamName"], "The Team");
        // The award would now result in another rank.
        let other = done(&app, &organizer, "other", &award("Others", 50)).await;
        let again = done(&app, &organizer, "first", &award("The Team", 5)).await;
        assert_eq!(again.text(), first.text());
        let node = app.second_node(|_| {}).await;
        let elsewhere = done(&node, &organizer, "first", &award("The Team", 5)).await;
        assert_eq!(elsewhere.text(), first.text(), "another node has the answer too");
        assert_eq!(given(&app), 5);
        let expected = [id(&other), id(&first)];
        assert_eq!(recorded(&app, &organizer, "team.award").await, expected);
        let without = post(&app, &organizer, "/actions", &award("The Team", 5)).await;
        assert_ne!(id(&without), id(&first), "without a key it is done again");
        assert_eq!(given(&app), 10);
    }

    async fn a_retry_returns_the_same_code_and_the_kept_answer_is_sealed(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let first = done(&app, &organizer, "a-code", &on_team("team.code")).await;
        let code = first.json()["code"].as_str().expect("a code").to_owned();
        let again = done(&app, &organizer, "a-code", &on_team("team.code")).await;
        assert_eq!(again.text(), first.text());
        assert_eq!(recorded(&app, &organizer, "team.code").await, [id(&first)]);
        let rows: Vec<(Option<String>,)> =
            app.test.rows("select answer from idempotency_keys").await;
        let [(Some(answer),)] = &rows[..] else { panic!("one answer is kept: {rows:?}") };
        for text in ["The Team", &code, &code.replace('-', "")] {
            assert!(!answer.contains(text), "{text} is in the clear: {answer}");
        }
        let reset = json!({"token": code, "password": "a new password"});
        assert_eq!(app.player().post("/reset", &reset).await.status, 200, "the code is valid");
    }

    async fn a_retry_does_not_depend_on_later_changes(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let mut rename = on_team("team.rename");
        rename["name"] = json!("Sailors");
        // Without the key, neither request would find the team by its former name.
        let bodies = [("link", on_team("team.reset")), ("name", rename)];
        let mut replies = Vec::new();
        for (key, body) in &bodies {
            replies.push(done(&app, &organizer, key, body).await);
        }
        for ((key, body), first) in bodies.iter().zip(&replies) {
            let again = done(&app, &organizer, key, body).await;
            assert_eq!(again.text(), first.text(), "{key}");
        }
        for (action, first) in [("team.reset", &replies[0]), ("team.rename", &replies[1])] {
            assert_eq!(recorded(&app, &organizer, action).await, [id(first)]);
        }
        app.mail_to("team@example.org").await.token("reset");
        let app = app.with_all_mail_written().await;
        let mails = app.mails().into_iter().filter(|mail| !mail.tokens("reset").is_empty());
        assert_eq!(mails.count(), 1, "the link is mailed once");
    }

    async fn two_requests_at_the_same_moment_are_done_once(engine: Engine) {
        let app = playing(engine).await;
        let node = app.second_node(|_| {}).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let body = award("The Team", 5);
        for (key, nodes, points) in [("here", [&app, &app], 5), ("there", [&app, &node], 10)] {
            let [one, other] = nodes.map(|node| with_key(&organizer, key, &body).begin(node));
            let (one, other) = tokio::join!(one, other);
            let answer = retried(&app, &organizer, key, &body).await;
            for reply in [&one, &other] {
                match reply.status {
                    200 => assert_eq!(reply.text(), answer.text(), "{key}"),
                    _ => is(reply, 409, IN_PROGRESS),
                }
            }
            assert!(one.status == 200 || other.status == 200, "{key}: one of them is answered");
            until("the award is given", async || given(&app) >= points).await;
            assert_eq!(given(&app), points, "{key}");
        }
        assert_eq!(recorded(&app, &organizer, "team.award").await.len(), 2, "one of each key");
    }

    async fn a_retry_after_a_lost_connection_has_the_whole_answer(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let body = on_team("team.code");
        // The client disconnects at a random time between the first request and its response.
        for ms in 0..24 {
            let key = format!("lost-after-{ms}");
            let lost = tokio::spawn(with_key(&organizer, &key, &body).begin(&app));
            sleep(Duration::from_millis(ms)).await;
            lost.abort();
            let reply = retried(&app, &organizer, &key, &body).await.json();
            assert!(reply["code"].is_string(), "{key}: {reply}");
        }
        assert_eq!(recorded(&app, &organizer, "team.code").await.len(), 24);
    }

    async fn a_retry_of_an_undo_returns_the_first_answer(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let first = done(&app, &organizer, "award", &award("The Team", 5)).await;
        let undo = async |key: &str, reason: &str| {
            let call = Call::organize("POST", &format!("/actions/{}/undo", id(&first)));
            let call = call.session(&organizer).header("idempotency-key", key);
            call.json(json!({"reason": reason}).to_string()).send(&app).await
        };
        is(&undo("award", "a mistake").await, 409, CONFLICT);
        let undone = undo("undo", "a mistake").await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        let again = undo("undo", "a mistake").await;
        assert_eq!((again.status, again.text()), (200, undone.text()));
        is(&undo("undo", "another reason").await, 409, CONFLICT);
        is(&undo("another", "a mistake").await, 409, "nothing_to_change");
        assert_eq!(given(&app), 0);
    }

    async fn members_in_another_order_are_the_same_request(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let first = done(&app, &organizer, "a-key", &award("The Team", 5)).await;
        let turned = json!({"reason": "they asked", "points": 5, "team": "The Team",
            "action": "team.award"});
        let again = done(&app, &organizer, "a-key", &turned).await;
        assert_eq!(again.text(), first.text());
    }

    async fn a_key_of_another_request_is_rejected(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let first = done(&app, &organizer, "a-key", &award("The Team", 5)).await;
        let mut reason = award("The Team", 5);
        reason["reason"] = json!("another reason");
        for body in [award("The Team", 6), award("Others", 5), reason, on_team("team.ban")] {
            is(&send(&app, &organizer, "a-key", &body).await, 409, CONFLICT);
        }
        assert_eq!(recorded(&app, &organizer, "team.award").await, [id(&first)]);
        assert!(recorded(&app, &organizer, "team.ban").await.is_empty());
        assert_eq!(given(&app), 5);
        let again = done(&app, &organizer, "a-key", &award("The Team", 5)).await;
        assert_eq!(again.text(), first.text(), "the first answer is still kept");
    }

    async fn keys_are_of_one_organizer_in_all_sessions(engine: Engine) {
        let app = playing(engine).await;
        let ada = app.organizer("Ada", &[Role::Organizer]).await;
        let bob = app.organizer("Bob", &[Role::Organizer]).await;
        let sessions = [&ada, &bob, &ada].map(|it| app.organizer_session(it, true));
        let mut replies = Vec::new();
        for session in sessions {
            replies.push(done(&app, &session.await, "a-key", &award("The Team", 5)).await);
        }
        assert_ne!(id(&replies[0]), id(&replies[1]), "each has own keys");
        assert_eq!(replies[2].text(), replies[0].text(), "in another session too");
        assert_eq!(given(&app), 10);
        // The same key of another organizer with another body is not a conflict.
        let owner = session_of(&app, Role::Owner).await;
        done(&app, &owner, "a-key", &award("The Team", 7)).await;
        assert_eq!(given(&app), 17);
    }

    async fn a_preview_ignores_the_key(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let mut preview = award("The Team", 5);
        preview["preview"] = json!(true);
        let seen = done(&app, &organizer, "a-key", &preview).await.json();
        assert_eq!(seen["id"], Value::Null);
        assert!(kept(&app).await.is_empty(), "a preview keeps nothing");
        let first = done(&app, &organizer, "a-key", &award("The Team", 5)).await;
        let seen = done(&app, &organizer, "a-key", &preview).await.json();
        assert_eq!(seen["id"], Value::Null, "a used key does not matter");
        assert_eq!(kept(&app).await, [id(&first)]);
        assert_eq!(given(&app), 5);
    }

    async fn a_rejected_action_keeps_nothing(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let mut silent = award("The Team", 5);
        silent["reason"] = json!("");
        let unban = on_team("team.unban");
        for body in [&award("The Team", 0), &award("Nobody", 5), &silent, &unban] {
            let reply = send(&app, &organizer, "a-key", body).await;
            assert!((400..500).contains(&reply.status), "{body}: {}", reply.text());
        }
        assert!(kept(&app).await.is_empty());
        // The same request succeeds later.
        done(&app, &organizer, "another", &on_team("team.ban")).await;
        let first = done(&app, &organizer, "a-key", &unban).await;
        assert_eq!(recorded(&app, &organizer, "team.unban").await, [id(&first)]);
    }

    async fn a_key_is_1_to_255_visible_characters(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let (long, longest) = ("k".repeat(256), "k".repeat(255));
        let wrong: [&[u8]; 6] =
            [b"", b"two words", b"a\ttab", "clé".as_bytes(), b"\xff", long.as_bytes()];
        for key in wrong {
            let reply = with_key(&organizer, key, &award("The Team", 5)).send(&app).await;
            let code = reply.json()["code"].clone();
            assert_eq!((reply.status, code), (422, json!(WRONG_SHAPE)), "{}", key.escape_ascii());
        }
        assert_eq!(given(&app), 0);
        for key in [longest.as_str(), "!", "~", "8e03978e-40d5-43e8-bc93-6894a57f9324"] {
            done(&app, &organizer, key, &award("The Team", 1)).await;
        }
        assert_eq!(given(&app), 4);
    }

    async fn a_key_is_free_again_after_a_day(engine: Engine) {
        let app = playing(engine).await;
        let ada = app.organizer("Ada", &[Role::Organizer]).await;
        let send_today = async || {
            let session = app.organizer_session(&ada, true).await;
            done(&app, &session, "a-key", &award("The Team", 5)).await
        };
        let first = send_today().await;
        app.advance(DAY_MS - MINUTE_MS);
        assert_eq!(send_today().await.text(), first.text());
        app.advance(2 * MINUTE_MS);
        let anew = send_today().await;
        assert_ne!(id(&anew), id(&first));
        assert_eq!(given(&app), 10);
        assert_eq!(send_today().await.text(), anew.text(), "the new answer is kept");
        assert_eq!(kept(&app).await, [id(&anew)]);
    }

    async fn other_rights_are_another_request(engine: Engine) {
        let app = playing(engine).await;
        let ada = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&ada, true).await;
        done(&app, &session, "a-key", &award("The Team", 5)).await;
        let owner = session_of(&app, Role::Owner).await;
        let roles = json!({"name": "Ada", "roles": ["organizer", "observer"]});
        assert_eq!(post(&app, &owner, "/organizers/role", &roles).await.status, 200);
        is(&send(&app, &session, "a-key", &award("The Team", 5)).await, 409, CONFLICT);
        assert_eq!(given(&app), 5);
    }

    async fn erased_data_has_no_kept_answers(engine: Engine) {
        let app = playing(engine).await;
        let owner = session_of(&app, Role::Owner).await;
        done(&app, &owner, "one", &award("The Team", 5)).await;
        done(&app, &owner, "two", &on_team("team.code")).await;
        let rename = json!({"action": "team.rename", "team": "The Team", "name": "Sailors",
            "reason": "they asked"});
        done(&app, &owner, "three", &rename).await;
        let other = done(&app, &owner, "four", &award("Others", 5)).await;
        assert_eq!(kept(&app).await.len(), 4);
        let erase = json!({"team": "Sailors", "confirm": "Sailors", "beforeEnd": true});
        let erased = post(&app, &owner, "/privacy/erase", &erase).await;
        assert_eq!(erased.status, 200, "{}", erased.text());
        assert_eq!(answered(&app).await, [id(&other)], "those of other teams stay");
        assert_eq!(kept(&app).await.len(), 4, "the keys stay");
        app.advance(MINUTE_MS);
        let again = done(&app, &owner, "one", &award("The Team", 5)).await.json();
        assert_eq!(again["effect"], Value::Null);
        assert_eq!(recorded(&app, &owner, "team.award").await.len(), 2, "nothing is done again");
        let erase = json!({"confirm": event().name, "beforeEnd": true});
        let erased = post(&app, &owner, "/privacy/erase", &erase).await;
        assert_eq!(erased.status, 200, "{}", erased.text());
        assert!(answered(&app).await.is_empty());
    }
}
