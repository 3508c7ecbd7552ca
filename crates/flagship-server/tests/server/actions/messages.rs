//! Messages from organizers to one team, replies on the team's sockets, and urgent notices that
//! expire.

use flagship_store::ops::{Op, Plan};
use flagship_testkit::player::{HOUR_MS, exact};
use flagship_testkit::{NOW_MS, Team};

use super::*;

async fn own(team: &Team) -> Value {
    team.player.get("/questions").await.json["questions"].take()
}

on_both_engines! {
    async fn a_message_is_read_by_its_team_alone(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Otters", "Others"]).await;
        let (mut socket, _) = teams[0].watching(&app).await;
        let (mut other, _) = teams[1].watching(&app).await;
        let helper = session_of(&app, Role::Support).await;
        let message = json!({"team": "Otters", "text": " Did you share <b>a flag</b>? "});
        let mut body = message.clone();
        (body["action"], body["preview"]) = (json!("team.message"), json!(true));
        assert_eq!(post(&app, &helper, "/actions", &body).await.status, 200);
        assert_eq!(own(&teams[0]).await, json!([]), "a preview sends nothing");
        body["preview"] = json!(false);
        let sent = post(&app, &helper, "/actions", &body).await;
        assert_eq!(sent.status, 200, "it needs no reason: {}", sent.text());
        assert_eq!(sent.json()["undo"]["possible"], false);
        let own = own(&teams[0]).await;
        let mut expected = json!([{"at": NOW_MS, "text": "", "challengeId": null,
            "state": "answered", "answer": "Did you share <b>a flag</b>?",
            "answeredAt": NOW_MS, "fromOrganizers": true}]);
        expected[0]["id"] = own[0]["id"].clone();
        assert_eq!(own, expected);
        assert_eq!(socket.next().await, json!({"event": "answer"}));
        let words = "a message to another team";
        assert_eq!(teams[1].player.get("/questions").await.json["questions"], json!([]), "{words}");
        app.team("Last").await;
        assert_eq!(other.next().await["event"], "newteam", "{words}");
        let listed = get(&app, &helper, "/actions").await.to_string();
        assert!(listed.contains("sent a message to \\\"Otters\\\""), "{listed}");
        assert!(!listed.contains("share"), "the text is private: {listed}");
        let story = get(&app, &helper, "/teams/Otters").await["story"].to_string();
        assert!(story.contains("Did you share"), "organizers read it: {story}");
        let asked = get(&app, &helper, "/questions").await["questions"].clone();
        assert_eq!(asked, json!([]), "it waits for no answer");
    }

    async fn messages_are_bounded_and_are_for_those_who_help_teams(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["Otters", "Others"]).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let to = |team: &str, text: &str| json!({"team": team, "text": text});
        let denied = action(&app, &author, "team.message", to("Otters", "x")).await;
        is(&denied, 404, "not_found");
        let helper = session_of(&app, Role::Support).await;
        let send = async |team: &str, text: &str| {
            action(&app, &helper, "team.message", to(team, text)).await
        };
        for text in ["", " ", "\0", &"x".repeat(8_001)] {
            is(&send("Otters", text).await, 422, "text_invalid");
        }
        is(&send("Nobody", "x").await, 404, "team_not_found");
        for _ in 0..20 {
            assert_eq!(send("Otters", "x").await.status, 200);
        }
        let more = send("Otters", "x").await;
        assert_eq!(more.json()["code"], "too_many_messages", "a team gets 20 in an hour");
        assert_eq!(send("Others", "x").await.status, 200);
        app.advance(HOUR_MS);
        assert_eq!(send("Otters", "x").await.status, 200);
    }

    async fn an_urgent_notice_has_an_end_also_one_that_waits(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let post = async |more: Value| {
            let mut notice = json!({"title": "Doors", "text": "Open", "urgent": true});
            let more = more.as_object().expect("an object").clone();
            notice.as_object_mut().expect("an object").extend(more);
            action(&app, &organizer, "notice.post", notice).await
        };
        let time = |at_ms: i64| jiff::Timestamp::from_millisecond(at_ms).expect("a time");
        let iso = |at_ms: i64| time(at_ms).to_string();
        let (at_ms, until_ms) = (NOW_MS + 60_000, NOW_MS + 120_000);
        for refused in [
            json!({"until": iso(NOW_MS)}),
            json!({"until": iso(until_ms), "urgent": false}),
            json!({"until": iso(at_ms), "at": iso(at_ms)}),
        ] {
            is(&post(refused).await, 422, "urgent_until_invalid");
        }
        let newest = async || app.player().get("/notices").await.json["notices"][0].clone();
        let now = post(json!({"until": iso(until_ms)})).await;
        assert_eq!(now.status, 200, "{}", now.text());
        until("it is posted", async || newest().await["urgentUntil"] == until_ms).await;
        let id = newest().await["id"].clone();
        let correction = json!({"notice": id, "title": "Doors", "text": "Closed"});
        assert_eq!(action(&app, &organizer, "notice.correct", correction).await.status, 200);
        until("it is corrected", async || !newest().await["correctedAt"].is_null()).await;
        assert_eq!(newest().await["urgentUntil"], until_ms, "its end stays");
        let later = post(json!({"title": "Later", "at": iso(at_ms), "until": iso(until_ms)})).await;
        assert_eq!(later.status, 200, "{}", later.text());
        let listed = get(&app, &organizer, "/notices").await["notices"][0].clone();
        assert_eq!((&listed["waits"], &listed["urgentUntil"]), (&json!(true), &json!(until_ms)));
        app.advance(60_000);
        until("its time has come", async || newest().await["title"] == "Later").await;
        assert_eq!(newest().await["urgentUntil"], until_ms);
        assert_eq!(post(json!({})).await.status, 200);
        until("the last is posted", async || newest().await["title"] == "Doors").await;
        assert_eq!(newest().await["urgentUntil"], json!(null));
    }

    async fn sockets_learn_of_answers_of_this_and_of_other_processes(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Otters").await;
        let mut asked = Vec::new();
        for text in ["First?", "Second?"] {
            let question = json!({"text": text, "challengeId": null});
            asked.push(team.player.post("/question", &question).await.json["id"].clone());
        }
        let (mut socket, _) = team.watching(&app).await;
        let helper = session_of(&app, Role::Support).await;
        let answer = json!({"question": asked[0], "text": "Yes"});
        assert_eq!(action(&app, &helper, "question.answer", answer).await.status, 200);
        assert_eq!(socket.next().await, json!({"event": "answer"}));
        let other = "update questions set state = 'answered', answer = 'No', answered_at_ms = \
                     (select max(answered_at_ms) from questions) - 1000 where state = 'open'";
        app.test.execute(other).await;
        assert_eq!(socket.next().await, json!({"event": "answer"}), "by a clock that is behind");
    }

    async fn a_flag_that_counts_now_takes_no_message_from_its_team(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Otters").await;
        let helper = session_of(&app, Role::Support).await;
        let organizer = session_of(&app, Role::Organizer).await;
        app.advance(HOUR_MS);
        app.settled().await;
        assert_eq!(team.send("one", "flag{other}").await.json["correct"], false);
        let mut drafts = vec![draft("one")];
        drafts[0].flags.push(exact("one", "flag{other}"));
        app.run(Op::Apply(Box::new(Plan::new(event(), drafts)))).await;
        app.advance(1);
        let rejudge = json!({"challenge": "one"});
        let counted = action(&app, &organizer, "challenge.rejudge", rejudge).await;
        assert_eq!(counted.status, 200, "{}", counted.text());
        let words = "the number of messages tells that the team has a hidden solve";
        let mut sent = Vec::new();
        for _ in 0..21 {
            let message = json!({"team": "Otters", "text": "x"});
            sent.push(action(&app, &helper, "team.message", message).await.status);
        }
        let accepted = sent.iter().filter(|status| **status == 200).count();
        assert_eq!(accepted, 20, "{words}: {sent:?}");
    }
}
