//! Undo of a team import: it removes the teams without a trace, unless one of them has played.

use flagship_game::published::PublishedJournal;
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, event, row};
use flagship_testkit::{Call, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::event::{done, undo};
use super::{action, get, is, post, session_of};

/// The imports, the newest first.
async fn imports(app: &TestApp, session: &str) -> Vec<Value> {
    let actions = get(app, session, "/actions").await["actions"].take();
    let actions = actions.as_array().expect("a list").clone();
    actions.into_iter().filter(|it| it["action"] == "team.import").collect()
}

fn reason() -> Value {
    json!({"reason": "the wrong file"})
}

on_both_engines! {
    async fn an_import_is_undone_and_its_teams_leave(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let early = app.team("Early").await;
        let late = app.teams(&["Late", "Later"]).await;
        let session = session_of(&app, Role::Organizer).await;
        let all = imports(&app, &session).await;
        assert_eq!(all.iter().map(|it| &it["undoable"]).collect::<Vec<_>>(), [true, true]);
        let path = format!("/actions/{}/undo", all[0]["id"]);
        for role in [Role::Observer, Role::Author, Role::Support] {
            let session = session_of(&app, role).await;
            assert_eq!(post(&app, &session, &path, &reason()).await.status, 404, "{role}");
        }
        // A later import does not block the undo.
        app.team("Last").await;
        undo(&app, &session, &all[0]).await;
        is(&post(&app, &session, &path, &reason()).await, 409, "nothing_to_change");
        let board = app.board_so("the teams left", |board| row(board, "Late").is_none()).await;
        assert!(row(&board, "Later").is_none() && row(&board, "Early").is_some(), "{board}");
        until("their sessions ended", async || late[0].send("one", "x").await.status == 401).await;
        let rows = "select id from accounts where name in ('Late', 'Later')";
        assert_eq!(app.test.rows::<(i64,)>(rows).await, [], "nothing is kept about them");
        // The names are available again, and the ranks of others are unchanged.
        let again = app.team("Late").await;
        again.solves("one").await;
        early.solves("one").await;
        let board = app.fresh_board().await;
        let places: Vec<_> = ["Late", "Early"].map(|name| row(&board, name).cloned()).to_vec();
        assert!(places.iter().all(Option::is_some), "{board}");
        // The published results do not contain teams whose import was undone.
        app.advance(3 * HOUR_MS);
        app.settled().await;
        let journal = Call::organize("GET", "/exports/journal").session(&session).send(&app).await;
        let text = journal.text();
        assert!(!text.contains("Later") && text.contains("Early"), "{text}");
        let published: PublishedJournal = serde_json::from_str(&text).expect("a journal");
        let verified = published.verify().expect("it holds");
        let names: Vec<String> =
            verified.contest.teams().map(|team| team.name.to_string()).collect();
        assert_eq!(names, ["Early", "Last", "Late"]);
    }

    async fn a_message_of_organizers_is_not_played(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["Greeted", "Other"]).await;
        let session = session_of(&app, Role::Organizer).await;
        let welcome = json!({"team": "Greeted", "text": "Welcome!"});
        assert_eq!(action(&app, &session, "team.message", welcome).await.status, 200);
        let about = "select account_id from questions";
        assert_eq!(app.test.rows::<(i64,)>(about).await.len(), 1);
        let import = imports(&app, &session).await.remove(0);
        undo(&app, &session, &import).await;
        app.board_so("the team left", |board| row(board, "Greeted").is_none()).await;
        assert_eq!(app.test.rows::<(i64,)>(about).await, [], "the message is not kept");
    }

    async fn an_import_stays_once_a_team_of_it_has_logged_in_or_said_who_it_is(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let session = session_of(&app, Role::Organizer).await;
        app.teams(&["Ants", "Bees"]).await;
        let import = imports(&app, &session).await.remove(0);
        let path = format!("/actions/{}/undo", import["id"]);
        let words = "import_played";
        for (before, after) in [
            (
                "insert into members (account_id, number, name) \
                 select id, 1, 'Ada' from accounts where name = 'Ants'",
                "delete from members",
            ),
            (
                "update sessions set network = '192.0.2.1', browser = 'Firefox' \
                 where account_id in (select id from accounts where name = 'Bees')",
                "update sessions set network = null, browser = null",
            ),
            (
                "insert into mail_tokens (token_hash, account_id, purpose, expires_at_ms, \
                 used_at_ms) select 'a hash', id, 'reset', 1, 1 from accounts where name = 'Bees'",
                "delete from mail_tokens",
            ),
        ] {
            app.test.execute(before).await;
            is(&post(&app, &session, &path, &reason()).await, 409, words);
            app.test.execute(after).await;
        }
        undo(&app, &session, &import).await;
    }

    async fn the_undo_of_an_import_asks_for_the_second_factor_again(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let stale = app.organizer_session(&organizer, true).await;
        app.teams(&["Ants"]).await;
        let import = imports(&app, &stale).await.remove(0);
        let words = "factor_needed";
        app.advance(16 * 60_000);
        let path = format!("/actions/{}/undo", import["id"]);
        is(&post(&app, &stale, &path, &reason()).await, 403, words);
        let preview = json!({"preview": true});
        assert_eq!(post(&app, &stale, &path, &preview).await.status, 200, "a preview shows it");
        let fresh = app.organizer_session(&organizer, true).await;
        undo(&app, &fresh, &import).await;
        app.board_so("the team left", |board| row(board, "Ants").is_none()).await;
    }

    async fn an_import_stays_once_a_team_of_it_has_played(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let session = session_of(&app, Role::Organizer).await;
        let solver = app.teams(&["Solver", "Other"]).await;
        solver[0].solves("one").await;
        let wrong = app.team("Guesser").await;
        wrong.send("one", "flag{wrong}").await;
        until("the wrong flag is on record", async || {
            !app.test.rows::<(i64,)>("select account_id from wrong_flags").await.is_empty()
        })
        .await;
        let asker = app.team("Asker").await;
        let question = json!({"text": "Is this on?", "challengeId": "one"});
        let asked = asker.player.post("/question", &question).await;
        assert!(asked.status < 300, "{}", asked.json);
        for import in imports(&app, &session).await {
            let path = format!("/actions/{}/undo", import["id"]);
            for preview in [true, false] {
                let body = json!({"reason": "the wrong file", "preview": preview});
                is(&post(&app, &session, &path, &body).await, 409, "import_played");
            }
        }
        // Actions on a team are undone first.
        app.team("Awarded").await;
        let import = imports(&app, &session).await.remove(0);
        let award = json!({"team": "Awarded", "points": 5});
        let awarded = done(&app, &session, "team.award", award).await;
        let renamed = json!({"team": "Awarded", "name": "Renamed"});
        let renamed = done(&app, &session, "team.rename", renamed).await;
        let path = format!("/actions/{}/undo", import["id"]);
        let refused = post(&app, &session, &path, &reason()).await;
        is(&refused, 409, "later_actions");
        assert_eq!(refused.json()["actions"], json!([renamed["id"], awarded["id"]]));
        undo(&app, &session, &renamed).await;
        undo(&app, &session, &awarded).await;
        undo(&app, &session, &import).await;
        app.board_so("the team left", |board| row(board, "Awarded").is_none()).await;
    }
}
