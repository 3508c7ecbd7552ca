//! Actions about several teams or challenges: all or none, in one record, with one undo.

use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{Engine, TestApp, on_both_engines};

use super::event::{done, undo};
use super::*;

/// Arguments about several teams, without the team that [`action`] adds.
fn teams(names: &[&str], more: Value) -> Value {
    let mut arguments = more;
    arguments["team"] = Value::Null;
    arguments["teams"] = json!(names);
    arguments
}

/// An app with three teams, of which the first has a solve.
async fn three(engine: Engine) -> TestApp {
    let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
    let team = app.teams(&["Ants", "Bees", "Cats"]).await.remove(0);
    assert_eq!(team.send("one", "flag{one}").await.json["correct"], true);
    app
}

/// Names on the public scoreboard.
async fn shown(app: &TestApp) -> String {
    let board = app.fresh_board().await;
    let rows = board["scoreboard"].as_array().expect("rows").iter();
    rows.map(|row| row[0].as_str().expect("a name")).collect::<Vec<_>>().join(" ")
}

on_both_engines! {
    async fn teams_are_hidden_and_shown_together(engine: Engine) {
        let app = three(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let both = teams(&["Bees", "Ants", "Bees"], json!({}));
        let mut preview = both.clone();
        preview["preview"] = json!(true);
        let seen = done(&app, &organizer, "team.hide", preview).await;
        let moves = seen["effect"]["public"].as_array().expect("moves").clone();
        let of = |name: &str| moves.iter().find(|it| it["teamName"] == name).expect("it moves");
        assert_eq!(of("Ants")["to"], Value::Null, "{seen}");
        assert_eq!(of("Bees")["to"], Value::Null, "{seen}");
        assert_eq!(of("Cats")["to"]["rank"], 1, "both are gone: {seen}");
        assert_eq!(shown(&app).await, "Ants Bees Cats", "a preview changes nothing");
        let hidden = done(&app, &organizer, "team.hide", both.clone()).await;
        assert_eq!(hidden["sentence"], "The organizer hid 2 teams.");
        assert_eq!(shown(&app).await, "Cats");
        let listed = get(&app, &organizer, "/actions").await["actions"][0].clone();
        assert_eq!(listed["arguments"], json!({"teams": ["Ants", "Bees"]}), "one record");
        is(&action(&app, &organizer, "team.hide", both.clone()).await, 409, "nothing_to_change");
        let story = get(&app, &organizer, "/teams/Bees").await["story"].to_string();
        assert!(story.contains("hid 2 teams"), "each team has it: {story}");
        undo(&app, &organizer, &hidden).await;
        assert_eq!(shown(&app).await, "Ants Bees Cats");
        // A team that is hidden already stays hidden after the undo.
        done(&app, &organizer, "team.hide", json!({"team": "Cats"})).await;
        let all = teams(&["Ants", "Bees", "Cats"], json!({}));
        let hidden = done(&app, &organizer, "team.hide", all.clone()).await;
        undo(&app, &organizer, &hidden).await;
        assert_eq!(shown(&app).await, "Ants Bees");
        done(&app, &organizer, "team.hide", all.clone()).await;
        let back = done(&app, &organizer, "team.show", all).await;
        assert_eq!(back["sentence"], "The organizer unhid 3 teams.");
        assert_eq!(shown(&app).await, "Ants Bees Cats");
    }

    async fn one_team_rejects_all(engine: Engine) {
        let app = three(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let unknown = teams(&["Ants", "Nobody"], json!({"text": "x"}));
        let reply = action(&app, &organizer, "team.message", unknown).await;
        is(&reply, 404, "team_not_found");
        assert_eq!(reply.json()["message"], "Nobody: Team not found.");
        assert_eq!(reply.json()["problems"][0]["message"], "Nobody");
        let unknown = teams(&["Ants", "Nobody"], json!({}));
        for name in ["team.hide", "team.show", "team.resend"] {
            let reply = action(&app, &organizer, name, unknown.clone()).await;
            is(&reply, 404, "team_not_found");
            assert_eq!(reply.json()["problems"][0]["message"], "Nobody", "{name}");
        }
        assert_eq!(shown(&app).await, "Ants Bees Cats", "nothing is hidden");
        let alone = action(&app, &organizer, "team.hide", json!({"team": "Nobody"})).await.json();
        assert_eq!(alone["message"], "Team not found.", "as before");
        let many: Vec<String> = (0..251).map(|number| format!("T{number}")).collect();
        let many = json!({"team": null, "teams": many});
        is(&action(&app, &organizer, "team.hide", many).await, 422, "field_invalid");
        let none = json!({"team": null});
        is(&action(&app, &organizer, "team.hide", none).await, 422, "field_invalid");
        done(&app, &organizer, "team.hide", json!({"team": "Bees"})).await;
        let stale = teams(&["Ants", "Bees"], json!({"head": 0}));
        is(&action(&app, &organizer, "team.hide", stale).await, 409, "object_touched");
    }

    async fn a_message_to_several_teams_keeps_the_limit_of_each(engine: Engine) {
        let app = three(engine).await;
        let helper = session_of(&app, Role::Support).await;
        let send = async |names: &[&str]| {
            action(&app, &helper, "team.message", teams(names, json!({"text": "Hello"}))).await
        };
        let sent = send(&["Ants", "Bees"]).await;
        assert_eq!(sent.status, 200, "{}", sent.text());
        assert_eq!(sent.json()["sentence"], "The support sent a message to 2 teams.");
        assert_eq!(sent.json()["undo"]["possible"], false);
        let count = async |name: &str| {
            let story = get(&app, &helper, &format!("/teams/{name}")).await["story"].to_string();
            story.matches("Hello").count()
        };
        assert_eq!((count("Ants").await, count("Bees").await, count("Cats").await), (1, 1, 0));
        for _ in 0..19 {
            assert_eq!(send(&["Bees"]).await.status, 200);
        }
        let more = send(&["Ants", "Bees", "Cats"]).await;
        is(&more, 429, "too_many_messages");
        assert_eq!(more.json()["problems"][0]["message"], "Bees");
        assert_eq!((count("Ants").await, count("Cats").await), (1, 0), "none gets it");
        app.advance(HOUR_MS);
        assert_eq!(send(&["Ants", "Bees", "Cats"]).await.status, 200);
        assert_eq!((count("Ants").await, count("Cats").await), (2, 1));
    }

    async fn several_teams_get_their_links_within_the_limit_of_mails(engine: Engine) {
        let app = TestApp::new(engine).await;
        for (name, email) in [("Ants", "ants@example.org"), ("Bees", "bees@example.org")] {
            let body = json!({"teamName": name, "email": email,
                "country": "IT", "password": "correct horse", "captchaToken": "off"});
            assert_eq!(app.player().post("/signup", &body).await.status, 201);
            app.mail_to(email).await;
        }
        with_team(&app).await;
        let helper = session_of(&app, Role::Support).await;
        let send = async |names: &[&str]| {
            action(&app, &helper, "team.resend", teams(names, json!({}))).await
        };
        let confirmed = send(&["Ants", "The Team"]).await;
        is(&confirmed, 409, "wrong_standing");
        assert_eq!(confirmed.json()["problems"][0]["message"], "The Team");
        let sent = send(&["Ants", "Bees"]).await;
        assert_eq!(sent.status, 200, "{}", sent.text());
        assert_eq!(sent.json()["sentence"], "The support sent 2 teams new confirmation links.");
        let confirm = async |token: &str| {
            app.player().post("/confirm", &json!({"token": token})).await.status
        };
        let token = app.mail_to("ants@example.org").await.token("confirm");
        assert_eq!(confirm(&token).await, 200);
        app.mail_to("bees@example.org").await.token("confirm");
        // A record of several teams counts as many toward the limit of the organizer.
        let insert = "insert into actions (id, at_ms, actor, action, object, commitment, hash) \
                      select 9000000 + n, (select max(at_ms) from actions), 'The support', \
                      'team.resend', 'team 1,team 2', '', '' \
                      from (with recursive c(n) as (select 1 union all select n + 1 from c \
                      where n < 49) select n from c) as counted";
        app.test.execute(insert).await;
        is(&send(&["Bees"]).await, 429, "too_many_mails");
    }

    async fn challenges_are_hidden_together(engine: Engine) {
        let app = three(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let both = json!({"challenges": ["two", "one"]});
        let unknown = json!({"challenges": ["one", "nine"]});
        let reply = action(&app, &organizer, "challenge.hide", unknown.clone()).await;
        is(&reply, 404, "challenge_not_found");
        assert_eq!(reply.json()["problems"][0]["message"], "nine");
        let reply = action(&app, &organizer, "challenge.release", unknown).await;
        assert_eq!(reply.json()["problems"][0]["message"], "nine");
        let count = async || {
            app.fresh_board().await["challenges"].as_array().expect("challenges").len()
        };
        assert_eq!(count().await, 2, "all or none");
        let hidden = done(&app, &organizer, "challenge.hide", both).await;
        assert_eq!(hidden["sentence"], "The organizer hid one, two.");
        assert_eq!(count().await, 0);
        undo(&app, &organizer, &hidden).await;
        assert_eq!(count().await, 2);
        let one = done(&app, &organizer, "challenge.hide", json!({"challenges": ["one"]})).await;
        assert_eq!(one["sentence"], "The organizer hid one.");
        let listed = get(&app, &organizer, "/actions").await["actions"][0].clone();
        assert_eq!(listed["arguments"], json!({"challenge": "one"}), "as the single form");
    }

    async fn several_need_the_role_that_one_needs(engine: Engine) {
        let app = three(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let (helper, observer) =
            (session_of(&app, Role::Support).await, session_of(&app, Role::Observer).await);
        let both = teams(&["Ants", "Bees"], json!({}));
        let texts = teams(&["Ants", "Bees"], json!({"text": "x"}));
        let own = json!({"challenges": ["one", "two"]});
        for (session, name, arguments) in [
            (&author, "challenge.hide", &own),
            (&author, "team.message", &texts),
            (&helper, "challenge.hide", &own),
            (&helper, "team.hide", &both),
            (&helper, "team.show", &both),
            (&observer, "team.message", &texts),
            (&observer, "team.resend", &both),
        ] {
            is(&action(&app, session, name, arguments.clone()).await, 404, "not_found");
        }
    }
}
