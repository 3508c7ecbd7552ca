//! Organizer pages for API tokens and the erasure of personal data.

use flagship_store::ops::script_tokens::TOKENS_MAX;
use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Reply, TestApp, on_both_engines};
use serde_json::{Value, json};

async fn post(app: &TestApp, session: &str, path: &str, body: &Value) -> Reply {
    Call::organize("POST", path).session(session).json(body.to_string()).send(app).await
}

async fn get(app: &TestApp, session: &str, path: &str) -> Reply {
    Call::organize("GET", path).session(session).send(app).await
}

async fn by_token(app: &TestApp, token: &str) -> u16 {
    Call::organize("GET", "/me").header("x-api-key", token).send(app).await.status
}

/// Status of the challenges for a team.
async fn api(app: &TestApp, token: &str) -> u16 {
    Call::new("GET", "/api/challenge").header("x-api-key", token).send(app).await.status
}

fn is(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)));
}

/// The sentences of the newest actions, the newest first.
async fn sentences(app: &TestApp, session: &str) -> Vec<String> {
    let actions = get(app, session, "/actions").await.json();
    let actions = actions["actions"].as_array().expect("a list").iter();
    actions.map(|action| action["sentence"].as_str().unwrap_or_default().to_owned()).collect()
}

on_both_engines! {
    async fn an_organizer_makes_and_ends_own_tokens_and_both_are_recorded(engine: Engine) {
        let app = TestApp::new(engine).await;
        let (ada, bob) = (app.organizer("Ada", &[Role::Owner]).await,
            app.organizer("Bob", &[Role::Observer]).await);
        let owner = app.organizer_session(&ada, true).await;
        let session = app.organizer_session(&bob, true).await;
        for days in [0, 367] {
            is(&post(&app, &session, "/tokens", &json!({"days": days})).await, 422,
                "token_days_invalid");
        }
        let made = post(&app, &session, "/tokens", &json!({"days": 2})).await.json();
        let token = made["token"].as_str().expect("a token").to_owned();
        assert_eq!(by_token(&app, &token).await, 200, "it works");
        let sessions = get(&app, &session, "/sessions").await.json();
        let all = sessions["sessions"].as_array().expect("a list");
        let listed = all.iter().find(|it| it["kind"] == "token").expect("it is listed");
        let length = listed["expiresAt"].as_i64().zip(listed["createdAt"].as_i64());
        assert_eq!(length.map(|(end, start)| end - start), Some(2 * 86_400_000));
        let id = listed["id"].clone();
        assert_eq!(post(&app, &session, "/sessions/end", &json!({"id": id})).await.status, 200);
        assert_eq!(by_token(&app, &token).await, 401, "it has ended");
        let said = sentences(&app, &owner).await;
        assert_eq!(said[..2], ["Bob revoked an API token.", "Bob created an API token."]);
        assert!(!get(&app, &owner, "/actions").await.text().contains(&token), "never the token");
    }

    async fn an_owner_makes_and_ends_tokens_of_others(engine: Engine) {
        let app = TestApp::new(engine).await;
        let (ada, bob) = (app.organizer("Ada", &[Role::Owner]).await,
            app.organizer("Bob", &[Role::Organizer]).await);
        let owner = app.organizer_session(&ada, true).await;
        let other = app.organizer_session(&bob, true).await;
        let of_bob = json!({"name": "Bob", "days": 30});
        assert_eq!(post(&app, &other, "/organizers/token", &of_bob).await.status, 404);
        let stranger = json!({"name": "Eve", "days": 30});
        is(&post(&app, &owner, "/organizers/token", &stranger).await, 404, "organizer_not_found");
        let made = post(&app, &owner, "/organizers/token", &of_bob).await.json();
        let token = made["token"].as_str().expect("a token").to_owned();
        assert_eq!(by_token(&app, &token).await, 200);
        let listed = get(&app, &owner, "/organizers/tokens").await.json();
        assert_eq!(listed["tokens"][0]["organizer"], "Bob");
        let id = listed["tokens"][0]["id"].clone();
        let wrong = json!({"name": "Ada", "id": id});
        assert_eq!(post(&app, &owner, "/organizers/token/end", &wrong).await.status, 404);
        // A session is not a token.
        let sessions = get(&app, &other, "/sessions").await.json();
        let sessions = sessions["sessions"].as_array().expect("a list");
        let session = sessions.iter().find(|it| it["kind"] == "session").expect("of Bob");
        let session = json!({"name": "Bob", "id": session["id"]});
        assert_eq!(post(&app, &owner, "/organizers/token/end", &session).await.status, 404);
        let right = json!({"name": "Bob", "id": id});
        assert_eq!(post(&app, &owner, "/organizers/token/end", &right).await.status, 200);
        assert_eq!(by_token(&app, &token).await, 401);
        let said = sentences(&app, &owner).await;
        assert_eq!(said[..2], ["Ada revoked an API token of \"Bob\".",
            "Ada created an API token for \"Bob\"."]);
        for _ in 0..TOKENS_MAX {
            assert_eq!(post(&app, &owner, "/organizers/token", &of_bob).await.status, 200);
        }
        is(&post(&app, &owner, "/organizers/token", &of_bob).await, 409, "too_many_tokens");
    }

    async fn an_owner_sees_and_erases_what_is_private_about_a_team(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("a")]).await;
        let team = app.team("Otters").await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let owner = app.organizer_session(&ada, true).await;
        let award =
            json!({"action": "team.award", "team": "Otters", "points": 25, "reason": "late"});
        assert_eq!(post(&app, &owner, "/actions", &award).await.status, 200);
        assert_eq!(sentences(&app, &owner).await[0], "Ada awarded \"Otters\" 25 points.");
        let shown = get(&app, &owner, "/privacy?team=Otters").await.json();
        assert_eq!((&shown["team"], &shown["isOver"]), (&json!("Otters"), &json!(false)));
        let rows = |shown: &Value| {
            let kept = shown["kept"].as_array().expect("a list").iter();
            kept.filter(|it| it["stays"] == false).filter_map(|it| it["rows"].as_i64()).sum::<i64>()
        };
        assert!(rows(&shown) > 0, "there is something to erase");
        is(&get(&app, &owner, "/privacy?team=Nobody").await, 404, "team_not_found");
        let mut erase = json!({"team": "Otters", "confirm": "otters"});
        is(&post(&app, &owner, "/privacy/erase", &erase).await, 422, "confirmation_wrong");
        erase["confirm"] = json!("Otters");
        is(&post(&app, &owner, "/privacy/erase", &erase).await, 409, "event_not_over");
        assert_eq!(api(&app, &team.token).await, 200, "nothing was erased");
        erase["beforeEnd"] = json!(true);
        let erased = post(&app, &owner, "/privacy/erase", &erase).await;
        assert!(erased.json()["rows"].as_u64() > Some(0), "{}", erased.text());
        assert_eq!(api(&app, &team.token).await, 401, "its session has ended");
        let shown = get(&app, &owner, "/privacy?team=Otters").await.json();
        let names: Vec<_> = shown["kept"].as_array().expect("a list").iter()
            .filter(|it| it["stays"] == false && it["rows"] != 0).map(|it| &it["table"]).collect();
        // Ended sessions stay for 48 hours, and so does the record of the erasure.
        let left = |name: &&Value| **name == "sessions" || **name == "actions";
        assert!(names.iter().all(left), "{names:?}");
        let said = sentences(&app, &owner).await;
        assert_eq!(said[..2], [
            "Ada erased the personal data of \"Otters\".",
            "Ada changed the points of a team (details erased).",
        ]);
        let story = get(&app, &owner, "/teams/Otters").await.text();
        assert!(story.contains("changed the points of a team (details erased)"), "{story}");
    }

    async fn an_owner_sees_and_erases_what_is_private_about_all_teams(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("a")]).await;
        let teams = app.teams(&["Otters", "Herons"]).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let owner = app.organizer_session(&ada, true).await;
        let shown = async || get(&app, &owner, "/privacy").await.json();
        let rows = |shown: &Value| {
            let kept = shown["kept"].as_array().expect("a list").iter();
            // Ended sessions stay for 48 hours; the last requests are recorded with a delay.
            let later = [json!("sessions"), json!("sightings")];
            let goes = kept.filter(|it| it["stays"] == false && !later.contains(&it["table"]));
            goes.filter_map(|it| it["rows"].as_i64()).sum::<i64>()
        };
        let before = shown().await;
        assert_eq!((&before["team"], &before["teams"]), (&Value::Null, &json!(2)));
        assert!(before["isOver"] == false && rows(&before) > 1, "{before}");
        let mut erase = json!({"confirm": "another event"});
        is(&post(&app, &owner, "/privacy/erase", &erase).await, 422, "confirmation_wrong");
        erase["confirm"] = json!(event().name);
        is(&post(&app, &owner, "/privacy/erase", &erase).await, 409, "event_not_over");
        assert_eq!(api(&app, &teams[0].token).await, 200, "nothing was erased");
        erase["beforeEnd"] = json!(true);
        let erased = post(&app, &owner, "/privacy/erase", &erase).await;
        assert!(erased.json()["rows"].as_u64() > Some(1), "{}", erased.text());
        for team in &teams {
            assert_eq!(api(&app, &team.token).await, 401, "its session has ended");
        }
        assert_eq!(rows(&shown().await), 0, "all of it is gone");
        let said = sentences(&app, &owner).await;
        assert_eq!(said[0], "Ada erased the personal data of all teams.");
    }

    async fn erasing_asks_for_the_second_factor_and_is_for_owners(engine: Engine) {
        let app = TestApp::new(engine).await;
        let (ada, bob) = (app.organizer("Ada", &[Role::Owner]).await,
            app.organizer("Bob", &[Role::Organizer]).await);
        let token = app.organizer_token(&ada).await;
        let body = json!({"confirm": "x"}).to_string();
        let call = |path| Call::organize("POST", path).json(body.clone());
        let by_script = call("/privacy/erase").header("x-api-key", &token).send(&app).await;
        is(&by_script, 403, "factor_needed");
        let session = app.organizer_session(&bob, true).await;
        assert_eq!(call("/privacy/erase").session(&session).send(&app).await.status, 404);
    }

    async fn winners_are_as_many_as_asked_for(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("a")]).await;
        let teams = app.teams(&["Otters", "Herons", "Seals", "Terns"]).await;
        for team in &teams {
            team.solves("a").await;
        }
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let owner = app.organizer_session(&ada, true).await;
        for (query, count) in [("", 3), ("?top=1", 1), ("?top=4&format=json", 4), ("?top=99", 4)] {
            let winners = get(&app, &owner, &format!("/exports/winners{query}")).await.json();
            assert_eq!(winners.as_array().map(Vec::len), Some(count), "{query}");
        }
        assert_eq!(get(&app, &owner, "/exports/winners?top=many").await.status, 422);
    }
}
