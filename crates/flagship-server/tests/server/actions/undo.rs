//! Actions that some roles cannot undo, or that cannot be undone yet.

use flagship_game::Event;
use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{NOW_MS, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::event::{MINUTE_MS, done, iso};
use super::{action, is, post, session_of};

async fn undo(app: &TestApp, session: &str, action: &Value) -> flagship_testkit::Reply {
    let path = format!("/actions/{}/undo", action["id"]);
    post(app, session, &path, &json!({"reason": "a mistake"})).await
}

on_both_engines! {
    async fn an_undo_needs_the_factor_where_the_times_would(engine: Engine) {
        let freeze_ms = Some(NOW_MS + MINUTE_MS);
        let app = TestApp::playing(engine, Event { freeze_ms, ..event() }, Vec::new()).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        let later = json!({"freeze": iso(NOW_MS + 60 * MINUTE_MS)});
        let moved = done(&app, &session, "event.times", later).await;
        // The undo restores a freeze time that has passed, so it would hide results that everyone
        // has seen.
        app.advance(20 * MINUTE_MS);
        is(&undo(&app, &session, &moved).await, 403, "factor_needed");
        let proven = app.organizer_session(&organizer, true).await;
        assert_eq!(undo(&app, &proven, &moved).await.status, 200);
        until("the event is frozen", async || {
            app.player().get("/ctf").await.json["freezeTime"] == NOW_MS + MINUTE_MS
        })
        .await;
    }

    async fn a_role_takes_back_what_it_may_do(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["The Team"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let helper = session_of(&app, Role::Support).await;
        let ban = done(&app, &organizer, "team.ban", json!({})).await;
        is(&undo(&app, &helper, &ban).await, 404, "not_found");
        let rename = done(&app, &organizer, "team.rename", json!({"name": "Others"})).await;
        assert_eq!(undo(&app, &helper, &rename).await.status, 200, "helpers rename too");
        is(&undo(&app, &helper, &ban).await, 404, "not_found");
        assert_eq!(undo(&app, &organizer, &ban).await.status, 200);
    }

    async fn a_helper_takes_a_limited_number_of_names_in_a_day(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["The Team"]).await;
        let organizer = app.organizer("A helper", &[Role::Support]).await;
        let helper = app.organizer_session(&organizer, true).await;
        let mut team = "The Team".to_owned();
        for n in 0..50 {
            let name = format!("Renamed {n}");
            done(&app, &helper, "team.rename", json!({"team": team, "name": name})).await;
            team = name;
        }
        let more = json!({"team": team, "name": "One more"});
        is(&action(&app, &helper, "team.rename", more.clone()).await, 429, "too_many_names");
        let runner = session_of(&app, Role::Organizer).await;
        done(&app, &runner, "team.rename", json!({"team": team, "name": "By others"})).await;
        app.advance(24 * 60 * MINUTE_MS + 1);
        let again = app.organizer_session(&organizer, true).await;
        let more = json!({"team": "By others", "name": "One more"});
        assert_eq!(action(&app, &again, "team.rename", more).await.status, 200);
    }

    async fn an_action_that_was_done_over_is_not_taken_back(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hidden = done(&app, &organizer, "challenge.hide", json!({"challenge": "one"})).await;
        let shown = done(&app, &organizer, "challenge.release", json!({"challenge": "one"})).await;
        let refused = undo(&app, &organizer, &hidden).await;
        is(&refused, 409, "later_actions");
        assert_eq!(refused.json()["actions"], json!([shown["id"]]));
        assert_eq!(undo(&app, &organizer, &shown).await.status, 200);
        assert_eq!(undo(&app, &organizer, &hidden).await.status, 200);
    }

    async fn the_end_does_not_come_in_a_pause(engine: Engine) {
        let freeze_ms = None;
        let end_ms = Some(NOW_MS + 10 * MINUTE_MS);
        let mut late = draft("late");
        late.release_at_ms = Some(NOW_MS + 15 * MINUTE_MS);
        let event = Event { freeze_ms, end_ms, ..event() };
        let app = TestApp::playing(engine, event, vec![draft("one"), late]).await;
        let team = app.team("The Team").await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        app.advance(5 * MINUTE_MS);
        done(&app, &session, "event.pause", json!({})).await;
        app.advance(8 * MINUTE_MS);
        app.settled().await;
        is(&action(&app, &session, "event.pause", json!({})).await, 409, "nothing_to_change");
        done(&app, &session, "event.resume", json!({"moves": true})).await;
        let ends = async || app.player().get("/ctf").await.json["endTime"].clone();
        until("the end is later", async || ends().await == NOW_MS + 18 * MINUTE_MS).await;
        team.solves("one").await;
        assert!(team.card("late").await.is_none());
        app.advance(4 * MINUTE_MS);
        app.settled().await;
        assert!(team.card("late").await.is_none(), "a release moves by the pause too");
    }
}
