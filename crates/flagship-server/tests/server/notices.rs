//! Information from organizers for players: notices, the status of challenges, pauses and hints,
//! over HTTP and on the live channel.

use flagship_game::facts::{self, Fact};
use flagship_game::{Attachment, Hint, StatusKind};
use flagship_testkit::player::{challenge_id, draft, draft_after, event, row};
use flagship_testkit::{NOW_MS, Socket, TestApp, commands, on_both_engines, until};
use serde_json::{Value, json};

fn notice(id: i64, title: &str, about: Option<&str>) -> Fact {
    let (title, html) = (title.to_owned(), format!("<p>{title}.</p>"));
    let challenge = about.map(challenge_id);
    Fact::from(facts::Notice {
        notice: id,
        title,
        html,
        challenge,
        urgent: id == 2,
        urgent_until_ms: None,
    })
}

fn status(id: &str, status: StatusKind, note: &str) -> Fact {
    Fact::from(facts::Status { challenge: challenge_id(id), status, note: note.to_owned() })
}

/// Waits until there are this many notices; returns them newest first.
async fn notices(app: &TestApp) -> Value {
    app.fresh_board().await;
    app.player().get("/notices").await.json["notices"].take()
}

/// A socket that resumes after a snapshot.
async fn resuming(app: &TestApp, snapshot: &Value) -> Socket {
    let mut socket = Socket::open(app).await;
    let (since, generation) = (&snapshot["seq"], &snapshot["generation"]);
    socket.say(&json!({"action": "getscoreboard", "since": since, "generation": generation})).await;
    socket
}

on_both_engines! {
    async fn notices_are_read_by_everyone_and_sent_to_every_socket(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("secret")];
        drafts[1].hidden = true;
        let app = TestApp::playing(engine, event(), drafts).await;
        // Enough teams that a board is longer than the notices that a socket missed.
        let names: Vec<String> = (100..140).map(|i| format!("Lighthouse {i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let team = app.teams(&names).await.remove(0);
        assert_eq!(notices(&app).await, json!([]));
        let (mut world, snapshot) = Socket::watching(&app).await;
        let mut resumed = resuming(&app, &snapshot).await;
        app.record(notice(1, "Lunch", Some("one"))).await;
        app.record(notice(2, "Doors", Some("secret"))).await;
        app.advance(1_000);
        app.record(notice(1, "Dinner", Some("one"))).await;
        app.record(facts::NoticeWithdrawn { notice: 2 }).await;
        let first = json!({"id": 1, "at": NOW_MS, "title": "Lunch", "html": "<p>Lunch.</p>",
            "challengeId": "one", "urgent": false, "correctedAt": null, "withdrawn": false,
            "withdrawnAt": null, "urgentUntil": null});
        let mut second = json!({"id": 2, "at": NOW_MS, "title": "Doors", "html": "<p>Doors.</p>",
            "challengeId": null, "urgent": true, "correctedAt": null, "withdrawn": false,
            "withdrawnAt": null, "urgentUntil": null});
        let mut corrected = first.clone();
        corrected["title"] = "Dinner".into();
        corrected["html"] = "<p>Dinner.</p>".into();
        corrected["correctedAt"] = (NOW_MS + 1_000).into();
        let mut frames = vec![first, second.clone(), corrected.clone()];
        second["title"] = "".into();
        second["html"] = "".into();
        second["withdrawn"] = true.into();
        second["withdrawnAt"] = (NOW_MS + 1_000).into();
        frames.push(second.clone());
        let seq = snapshot["seq"].as_u64().expect("a number");
        for (frame, seq) in frames.iter_mut().zip(seq + 1..) {
            frame["event"] = "notice".into();
            frame["seq"] = seq.into();
        }
        let mut late = resuming(&app, &snapshot).await;
        for socket in [&mut world, &mut resumed, &mut late] {
            for frame in &frames {
                assert_eq!(socket.next().await, *frame, "the notices in order");
            }
        }
        let board = app.fresh_board().await;
        assert_eq!(board["seq"], seq + 4, "a board after them has their number");
        assert_eq!(board["scoreboard"], snapshot["scoreboard"]);
        let expected = json!([second, corrected]);
        for who in [&app.player(), &team.player] {
            let answer = who.get("/notices").await;
            assert_eq!(answer.json["notices"], expected);
            let ctf = who.get("/ctf").await.json;
            assert_eq!((&ctf["notices"], &ctf["paused"]), (&json!(2), &json!(false)));
            assert_eq!(ctf["confirmEmail"], app.app.config().settings.registration.confirm_email);
            assert_eq!(ctf["urgent"], json!([]), "the urgent one is withdrawn");
        }
        app.record(notice(2, "Doors", Some("secret"))).await;
        let put_back = notices(&app).await;
        assert_eq!(put_back[0]["title"], "Doors");
        assert_eq!((&put_back[0]["withdrawn"], &put_back[0]["withdrawnAt"]),
            (&json!(false), &Value::Null));
        assert_eq!(put_back[0]["correctedAt"], Value::Null);
        let urgent = json!([{"id": 2, "changedAt": put_back[0]["at"], "urgentUntil": null}]);
        assert_eq!(app.player().get("/ctf").await.json["urgent"], urgent);
    }

    async fn the_event_info_has_an_urgent_notice_until_its_time(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let until = NOW_MS + 1_000;
        for (id, urgent_until_ms) in [(2, None), (3, Some(until))] {
            let fact = facts::Notice {
                notice: id,
                title: "Doors".to_owned(),
                html: String::new(),
                challenge: None,
                urgent: true,
                urgent_until_ms,
            };
            app.record(fact).await;
        }
        app.fresh_board().await;
        let lasting = json!({"id": 2, "changedAt": NOW_MS, "urgentUntil": null});
        let ending = json!({"id": 3, "changedAt": NOW_MS, "urgentUntil": until});
        let player = app.player();
        assert_eq!(player.get("/ctf").await.json["urgent"], json!([ending, lasting]));
        app.advance(1_000);
        assert_eq!(player.get("/ctf").await.json["urgent"], json!([lasting]));
    }

    async fn the_list_of_notices_is_not_older_than_a_frame(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let (mut world, _) = Socket::watching(&app).await;
        for n in 1..=20 {
            app.record(notice(n, &format!("Notice {n}"), None)).await;
            assert_eq!(world.next().await["id"], n);
            let list = app.player().get("/notices").await.json;
            assert_eq!(list["notices"][0]["id"], n, "as soon as the frame is there");
        }
    }

    async fn the_list_has_the_newest_200_notices(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.record_all((1..=203).map(|n| notice(n, "Lunch", None)).collect()).await;
        let list = app.player().get("/notices").await.json;
        let list = list["notices"].as_array().expect("a list");
        assert_eq!(list.len(), 200);
        assert_eq!((&list[0]["id"], &list[199]["id"]), (&json!(203), &json!(4)));
        assert_eq!(app.player().get("/ctf").await.json["notices"], 203);
    }

    async fn notices_are_cached_by_their_tag(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let call = || flagship_testkit::Call::new("GET", "/api/notices");
        let before = call().send(&app).await;
        let tag = before.header("etag").to_owned();
        let again = call().header("if-none-match", &tag).send(&app).await;
        assert_eq!(again.status, 304);
        app.record(notice(1, "Lunch", None)).await;
        app.fresh_board().await;
        let words = "the tag is of another list";
        let after = call().header("if-none-match", &tag).send(&app).await;
        assert_eq!((after.status, after.header("etag") == tag), (200, false), "{words}");
    }

    async fn the_status_of_a_challenge_is_on_its_card_and_on_sockets(engine: Engine) {
        let drafts = vec![draft("one"), draft_after("two", &["one"]), draft("secret")];
        let app = TestApp::playing(engine, event(), drafts).await;
        app.run(commands::show("secret", false)).await;
        let team = app.team("The Lighthouse").await;
        let card = async |id: &str| {
            app.fresh_board().await;
            let card = team.card(id).await.expect("it is shown");
            (card["status"].clone(), card["statusNote"].clone())
        };
        assert_eq!(card("one").await, (json!("works"), json!("")));
        let (mut world, snapshot) = Socket::watching(&app).await;
        let seq = snapshot["seq"].as_u64().expect("a number");
        app.record(status("secret", StatusKind::Broken, "the vault")).await;
        app.record(status("one", StatusKind::LookedAt, "we look")).await;
        app.record(status("two", StatusKind::Broken, "the lock")).await;
        let frame = |seq, id, status, note| {
            json!({"event": "status", "seq": seq, "challengeId": id, "status": status,
                "note": note})
        };
        let mut late = resuming(&app, &snapshot).await;
        let words = "the note of a challenge that has requirements is for those who can read it";
        for socket in [&mut world, &mut late] {
            assert_eq!(socket.next().await, frame(seq + 1, "one", "looked_at", "we look"));
            assert_eq!(socket.next().await, frame(seq + 2, "two", "broken", ""), "{words}");
        }
        assert_eq!(card("one").await, (json!("looked_at"), json!("we look")));
        assert_eq!(card("two").await, (json!("broken"), json!("")), "it is locked");
        team.solves("one").await;
        assert_eq!(card("two").await, (json!("broken"), json!("the lock")));
    }

    async fn a_pause_refuses_every_flag_until_it_ends(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let team = app.team("The Lighthouse").await;
        team.solves("two").await;
        let (mut world, _) = Socket::watching(&app).await;
        app.record(facts::Paused { on: true }).await;
        world.until("scoreboard").await;
        let sent = [("one", "flag{one}"), ("one", "wrong"), ("two", "flag{two}"), ("no", "x")];
        for (id, flag) in sent {
            for _ in 0..5 {
                let answer = team.send(id, flag).await;
                let got = (answer.status, answer.json["code"].as_str());
                assert_eq!(got, (403, Some("paused")), "{id} {flag}");
            }
        }
        assert_eq!(app.player().get("/ctf").await.json["paused"], true);
        app.record(facts::Paused { on: false }).await;
        world.until("scoreboard").await;
        assert_eq!(team.send("no", "x").await.status, 404);
        team.solves("one").await;
        assert_eq!(app.player().get("/ctf").await.json["paused"], false);
    }

    async fn hints_and_the_connection_are_for_those_who_can_read_the_challenge(engine: Engine) {
        let mut drafts = vec![draft("one"), draft_after("two", &["one"])];
        for draft in &mut drafts {
            let hint = |id: &str, html: Option<&str>, at_ms| {
                let html = html.map(str::to_owned);
                Hint { id: id.to_owned(), html, at_ms, ..Hint::default() }
            };
            draft.challenge.hints =
                vec![hint("1", Some("<p>Look.</p>"), None), hint("2", None, Some(NOW_MS + 9))];
            draft.challenge.connection = Some("nc host 1337".to_owned());
            let digest = "ab".repeat(32);
            let name = "a".into();
            let attachment = Attachment { name, digest, bytes: 3, picture: None, per_team: false };
            draft.challenge.attachments = vec![attachment];
        }
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let members = async |id: &str| {
            let card = team.card(id).await.expect("it is shown");
            [&card["hints"], &card["connection"], &card["attachments"]].map(Value::clone)
        };
        let [hints, connection, attachments] = members("one").await;
        let free = |id: &str, html: Value, at: Value| {
            json!({"id": id, "title": null, "cost": 0, "html": html, "at": at, "taken": false,
                "requirements": []})
        };
        let expected = json!([free("1", "<p>Look.</p>".into(), Value::Null),
            free("2", Value::Null, (NOW_MS + 9).into())]);
        assert_eq!((&hints, connection), (&expected, json!("nc host 1337")));
        let (bytes, sha256) = (&attachments[0]["bytes"], &attachments[0]["sha256"]);
        assert_eq!((bytes, sha256), (&json!(3), &json!("ab".repeat(32))));
        let words = "nothing of it is announced while it is locked";
        assert_eq!(members("two").await, [json!([]), Value::Null, json!([])], "{words}");
        team.solves("one").await;
        assert_eq!(members("two").await[0], expected);
        let board = app.fresh_board().await;
        let secret = ["nc host", "Look", "hints", "status"];
        assert!(secret.iter().all(|word| !board.to_string().contains(word)), "{board}");
    }

    async fn a_counted_solve_takes_its_place_and_a_renamed_team_its_name(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Ants", "Bees"]).await;
        let [ants, bees] = &teams[..] else { unreachable!("there are two") };
        ants.solves("one").await;
        app.advance(1_000);
        bees.solves("one").await;
        let (mut world, before) = Socket::watching(&app).await;
        let (team, challenge) = (ants.id, challenge_id("one"));
        let solve = app.app.contest().solve(team, &challenge).expect("it is solved");
        app.record(facts::SolveWithdrawn { team, challenge: challenge.clone() }).await;
        let without = world.until("scoreboard").await.pop().expect("a snapshot");
        assert_eq!(row(&without, "Bees").expect("a row")[2]["0"][0], 1);
        app.advance(1_000);
        let (at_ms, after) = (solve.at_ms, solve.after);
        app.record(facts::SolveCounted { team, challenge, at_ms, after }).await;
        let again = world.until("scoreboard").await.pop().expect("a snapshot");
        assert_eq!(
            (&again["challenges"], &again["scoreboard"]),
            (&before["challenges"], &before["scoreboard"]),
            "as before"
        );
        let name = "Wasps".to_owned();
        let country = "FR".to_owned();
        app.record(facts::TeamNamed { team: bees.id, name, country }).await;
        let named = world.until("scoreboard").await.pop().expect("a snapshot");
        assert!(row(&named, "Bees").is_none());
        let (of_wasps, of_bees) = (row(&named, "Wasps"), row(&again, "Bees"));
        assert_eq!(of_wasps.expect("a row")[2], of_bees.expect("a row")[2]);
        until("its session knows the name", async || {
            bees.player.get("/ctf").await.json["loggedTeam"] == "Wasps"
        })
        .await;
    }
}
