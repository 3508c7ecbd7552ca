//! Requests of one organizer leave capacity for others, and each performed action gets a successful
//! response.

use std::sync::mpsc::{Sender, channel};

use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event, row};
use flagship_testkit::{Call, Reply, TestApp, on_both_engines, until};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::event::done;
use super::{action, get, is, post, session_of};
use crate::actions::edits;

/// Every call of an author, a helper and an organizer that renders text.
fn rendering(question: i64) -> Vec<(Role, &'static str, Value)> {
    let action = |name: &str, more: Value| {
        let mut body = json!({"action": name, "reason": "a test", "preview": true});
        for (key, value) in more.as_object().expect("an object") {
            body[key] = value.clone();
        }
        body
    };
    let text = "**Some** text.";
    let edit = json!({"challenge": "one", "fields": {"description": text}});
    let new = json!({"challenge": "new", "fields": {"name": "New", "value": 1, "flags": ["f{x}"]}});
    vec![
        (Role::Author, "/actions", action("challenge.edit", edit.clone())),
        (Role::Author, "/challenges/one/preview", json!({"fields": edit["fields"]})),
        (Role::Organizer, "/actions", action("challenge.create", new)),
        (Role::Organizer, "/actions", action("challenge.close", json!({"challenge": "one"}))),
        (Role::Organizer, "/actions", action("event.rules", json!({"text": text}))),
        (Role::Organizer, "/actions", action("page.set", json!({"page": "faq", "text": "# FAQ"}))),
        (
            Role::Organizer,
            "/actions",
            action("brand.set", json!({"values": {"accent": "#0077cc"}})),
        ),
        (Role::Organizer, "/actions", action("notice.post", json!({"title": "A", "text": text}))),
        (Role::Organizer, "/texts/preview", json!({"text": text})),
        (
            Role::Support,
            "/actions",
            action("question.answer", json!({"question": question, "text": text})),
        ),
    ]
}

/// Occupies an organizer's slot on the rendering threads until the sender is dropped.
fn renders(app: &TestApp, organizer: i64) -> (Sender<()>, JoinHandle<()>) {
    let (go, gone) = channel::<()>();
    let app = app.app.clone();
    let working = tokio::spawn(async move {
        let work =
            app.organizers().renderer.run(organizer, async move { assert!(gone.recv().is_err()) });
        work.await.expect("it does not panic");
    });
    (go, working)
}

/// Occupies the thread that compares boards until the sender is dropped.
fn compares(app: &TestApp) -> Sender<()> {
    let (go, gone) = channel::<()>();
    let boards = app.app.organizers().boards.clone();
    tokio::spawn(async move { boards.run((), move |()| assert!(gone.recv().is_err())).await });
    go
}

fn sent(app: &TestApp, session: &str, path: &str, body: &Value) -> JoinHandle<Reply> {
    let call = Call::organize("POST", path).session(session).json(body.to_string());
    let asked = call.begin(app);
    tokio::spawn(asked)
}

on_both_engines! {
    async fn actions_of_one_organizer_are_done_one_at_a_time(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["The Team"]).await;
        let busy = app.organizer("Busy", &[Role::Support]).await;
        let session = app.organizer_session(&busy, true).await;
        let other = session_of(&app, Role::Support).await;
        let words = "actions of one organizer wait for the own one";
        let turn = app.app.organizers().actions.take(busy.id).await;
        let note = json!({"action": "team.note", "team": "The Team", "text": "A note"});
        let waiting: Vec<_> = (0..3).map(|_| sent(&app, &session, "/actions", &note)).collect();
        done(&app, &other, "team.note", json!({"text": "Of another"})).await;
        let actions = get(&app, &other, "/actions").await;
        assert_eq!(actions["actions"].as_array().map(Vec::len), Some(1), "{words}");
        assert!(waiting.iter().all(|asked| !asked.is_finished()), "{words}");
        drop(turn);
        for asked in waiting {
            assert_eq!(asked.await.expect("it is answered").status, 200);
        }
    }

    async fn a_helper_does_a_limited_number_of_actions_in_an_hour(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["The Team"]).await;
        let helper = app.organizer("A helper", &[Role::Support]).await;
        let session = app.organizer_session(&helper, true).await;
        for _ in 0..598 {
            let taken = app.app.organizers().action_budgets.take(helper.id, 1, app.now_ms());
            taken.expect("the hour has room");
        }
        let note = json!({"text": "A note"});
        let first = done(&app, &session, "team.note", note.clone()).await;
        done(&app, &session, "team.note", note.clone()).await;
        let refused = action(&app, &session, "team.note", note.clone()).await;
        is(&refused, 429, "too_many_actions");
        assert_eq!(refused.header("retry-after"), "3600");
        let undo = format!("/actions/{}/undo", first["id"]);
        let refused = post(&app, &session, &undo, &json!({"reason": "a mistake"})).await;
        is(&refused, 429, "too_many_actions");
        let mut preview = note.clone();
        preview["preview"] = json!(true);
        done(&app, &session, "team.note", preview).await;
        // Organizers with the organizer role have no limit.
        let both = app.organizer("Both", &[Role::Support, Role::Organizer]).await;
        while app.app.organizers().action_budgets.take(both.id, 1, app.now_ms()).is_ok() {}
        let runner = app.organizer_session(&both, true).await;
        done(&app, &runner, "team.note", note.clone()).await;
        app.advance(3_600_000);
        let again = app.organizer_session(&helper, true).await;
        done(&app, &again, "team.note", note).await;
    }

    async fn an_owner_waits_for_nothing_that_another_organizer_renders(engine: Engine) {
        let app = edits::playing(engine).await;
        let team = app.team("The Team").await;
        assert_eq!(team.player.post("/question", &json!({"text": "Why?"})).await.status, 201);
        let owner = session_of(&app, Role::Owner).await;
        let question = get(&app, &owner, "/questions").await["questions"][0]["id"].as_i64();
        let words = "the author's requests wait for the author's own";
        for role in [Role::Author, Role::Organizer, Role::Support] {
            let organizer = match role {
                Role::Author => app.author("An Author", &["one"]).await,
                role => app.organizer(&format!("Busy {role}"), &[role]).await,
            };
            let session = app.organizer_session(&organizer, true).await;
            let busy = renders(&app, organizer.id);
            let calls = rendering(question.expect("one"));
            let theirs = calls.iter().filter(|(of, ..)| *of == role);
            let open: Vec<_> =
                theirs.map(|(_, path, body)| (body, sent(&app, &session, path, body))).collect();
            // An action, a list, a preview and a text of another organizer.
            done(&app, &owner, "event.pause", json!({})).await;
            get(&app, &owner, "/questions").await;
            get(&app, &owner, "/teams").await;
            let award = json!({"team": "The Team", "points": 1, "preview": true});
            done(&app, &owner, "team.award", award).await;
            let text = post(&app, &owner, "/texts/preview", &json!({"text": "*A*"})).await;
            assert_eq!(text.status, 200, "{}", text.text());
            done(&app, &owner, "event.resume", json!({})).await;
            for (body, asked) in &open {
                assert!(!asked.is_finished(), "{words}: {body}");
            }
            drop(busy);
            for (body, asked) in open {
                let reply = asked.await.expect("it is answered");
                assert_eq!(reply.status, 200, "{body}: {}", reply.text());
            }
        }
    }

    async fn an_action_that_was_done_is_a_success_whatever_is_shown_of_it(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let points = async || {
            row(&app.fresh_board().await, "The Team").expect("a row")[4].as_i64().unwrap_or(0)
        };
        let award = json!({"team": "The Team", "points": 5});
        let busy = compares(&app);
        let first = done(&app, &organizer, "team.award", award.clone()).await;
        assert_eq!(first["effect"], Value::Null, "the moves are missing");
        assert!(first["id"].is_i64() && first["undo"]["possible"] == json!(true), "{first}");
        // A script that received a success does not retry.
        assert_eq!(points().await, 5);
        let path = format!("/actions/{}/undo", first["id"]);
        let undone = post(&app, &organizer, &path, &json!({"reason": "a slip"})).await;
        assert_eq!((undone.status, &undone.json()["effect"]), (200, &Value::Null));
        assert_eq!(points().await, 0);
        // A preview changes nothing, so it may fail.
        let mut preview = award.clone();
        preview["preview"] = json!(true);
        is(&action(&app, &organizer, "team.award", preview).await, 503, "overloaded");
        // Actions without rank changes need no board.
        assert!(done(&app, &organizer, "event.pause", json!({})).await["effect"].is_object());
        drop(busy);
        until("the moves are computed again", async || {
            let again = done(&app, &organizer, "team.award", award.clone()).await;
            again["effect"]["public"].is_array()
        })
        .await;
    }

    async fn what_one_challenge_shows_is_bounded_in_all(engine: Engine) {
        let app = edits::playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let text = "a ".repeat(30 * 1024);
        let edit = |hints: usize| json!({"challenge": "one", "preview": true,
            "fields": {"description": text, "hints": vec![&text; hints]}});
        done(&app, &author, "challenge.edit", edit(1)).await;
        let refused = action(&app, &author, "challenge.edit", edit(2)).await;
        assert_eq!(refused.status, 422, "three texts of 60 KiB");
        is(&refused, 422, "challenge_invalid");
        assert!(refused.text().contains("exceed 128 KiB in total"), "{}", refused.text());
    }
}
