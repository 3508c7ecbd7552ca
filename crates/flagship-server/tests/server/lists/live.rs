//! The organizers' live channel: who may open it, what it tells, and when it ends.

use std::time::Instant;

use flagship_store::organizers::passes::SESSION_MS;
use flagship_store::organizers::{self, Changer, Rights, Role};
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{Call, Socket, TestApp, WAIT_MAX, on_both_engines};
use serde_json::{Value, json};

use super::{execute, get};
use crate::acts::{act, post, session_of};

/// All messages up to the first one that fits. Others may come all the time.
async fn until(socket: &mut Socket, fits: impl FnMut(&Value) -> bool) -> Vec<Value> {
    let all = tokio::time::timeout(WAIT_MAX, socket.until_so(fits)).await;
    all.expect("what is new is told")
}

/// The next message of an event that fits.
async fn told(socket: &mut Socket, event: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let mut told = until(socket, |it| it["event"] == event && fits(it)).await;
    told.pop().expect("the last one is it")
}

/// A socket that has been sent everything, and that.
async fn watching(app: &TestApp, session: &str, query: &str) -> (Socket, Value) {
    let mut socket = Socket::of_session(app, session, query).await;
    let state = socket.next().await;
    assert_eq!(state["event"], "state", "{state}");
    told(&mut socket, "presence", |_| true).await;
    (socket, state)
}

on_both_engines! {
    async fn the_live_channel_is_for_organizers_of_the_own_site(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let owner = app.organizer("An Owner", &[Role::Owner]).await;
        let cookie = async |is_proven| {
            let session = app.organizer_session(&owner, is_proven).await;
            format!("__Host-organizer={session}")
        };
        let (proven, unproven) = (cookie(true).await, cookie(false).await);
        let script = app.organizer_token(&owner).await;
        let own = app.app.config().public_url.clone();
        let words = "another site opens the channel";
        let other = "https://other.example".to_owned();
        for (headers, query, expected) in [
            (vec![], "", Some(401)),
            (vec![("origin", &*own)], "", Some(401)),
            (vec![("cookie", "__Host-organizer=x"), ("origin", &*own)], "", Some(401)),
            (vec![("x-api-key", &*team.token)], "", Some(404)),
            (vec![("cookie", &*proven)], "", Some(403)),
            (vec![("cookie", &*proven), ("origin", &*other)], "", Some(403)),
            (vec![("cookie", &*proven), ("origin", "null")], "", Some(403)),
            (vec![("cookie", &*proven), ("origin", &*own), ("sec-fetch-site", "cross-site")], "",
                Some(403)),
            (vec![("cookie", &*unproven), ("origin", &*own)], "", Some(403)),
            (vec![("cookie", &*proven), ("origin", &*own)], "?view=all", Some(422)),
            (vec![("cookie", &*proven), ("origin", &*own)], "?view=public", None),
            (vec![("x-api-key", &*script)], "", None),
        ] {
            let refused = Socket::organize(&app, query, &headers).await.err();
            assert_eq!(refused, expected, "{words}: {headers:?} {query}");
        }
        let plain = Call::organize("GET", "/live").header("x-api-key", &script).send(&app).await;
        assert_eq!((plain.status, plain.json()["code"].as_str()),
            (400, Some("websocket_required")));
    }

    async fn an_organizer_has_a_few_sockets_and_requests_beside_them(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let session = session_of(&app, Role::Organizer).await;
        let mut open = Vec::new();
        for _ in 0..8 {
            open.push(watching(&app, &session, "").await.0);
        }
        let (cookie, own) =
            (format!("__Host-organizer={session}"), app.app.config().public_url.clone());
        let headers = [("cookie", &*cookie), ("origin", &*own)];
        let refused = Socket::organize(&app, "", &headers).await.err();
        assert_eq!(refused, Some(429), "one organizer takes all sockets");
        get(&app, &session, "/me").await;
        let socket = &mut open[0];
        socket.say(&json!({"event": "what"})).await;
        let error = told(socket, "error", |_| true).await;
        assert_eq!(error["code"], "live_action_unknown");
        for wrong in [json!({"event": "look", "object": "x"}), json!({"event": "look",
            "object": 7}), json!([])] {
            socket.say(&wrong).await;
            let error = told(socket, "error", |_| true).await;
            assert_eq!(error["code"], "live_message_invalid", "{wrong}");
        }
        for _ in 0..20 {
            socket.say(&json!({"event": "look", "object": null})).await;
        }
        assert_eq!(socket.closed().await, Some(1008), "who says too much is closed");
    }

    async fn an_organizer_is_told_what_is_new(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Early", "The Team"]).await;
        teams[0].solves("one").await;
        let (organizer, helper) =
            (session_of(&app, Role::Organizer).await, session_of(&app, Role::Support).await);
        let noted = act(&app, &helper, "team.note", json!({"text": "before"})).await;
        assert_eq!(noted.status, 200, "{}", noted.text());
        let mut socket = Socket::of_session(&app, &organizer, "").await;
        let state = socket.next().await;
        assert_eq!((&state["event"], &state["view"], &state["roles"]),
            (&json!("state"), &json!("truth"), &json!(["organizer"])));
        assert_eq!(state["flags"]["flags"][0]["teamName"], "Early", "{state}");
        assert_eq!(state["acts"][0]["act"], "team.note");
        assert_eq!((&state["questions"], &state["notices"]), (&json!([]), &json!([])));
        let board = socket.next().await;
        assert_eq!((&board["event"], &board["whole"]), (&json!("board"), &json!(true)));
        assert_eq!(board["scoreboard"][0][0], "Early");
        let health = socket.next().await;
        assert_eq!((&health["event"], &health["solves"]), (&json!("health"), &json!(1)));
        assert_eq!(socket.next().await, json!({"event": "presence", "looks": []}));

        teams[1].solves("two").await;
        let flag = told(&mut socket, "flag", |_| true).await;
        assert_eq!((&flag["teamName"], &flag["challengeId"], &flag["verdict"]),
            (&json!("The Team"), &json!("two"), &json!("right")));
        let board = told(&mut socket, "board", |_| true).await;
        assert_eq!(board["scoreboard"].as_array().map(Vec::len), Some(1), "{board}");
        assert_eq!((&board["whole"], &board["scoreboard"][0][0], &board["challenges"][0]["id"]),
            (&json!(false), &json!("The Team"), &json!("two")));
        teams[1].send("one", "flag{two}").await;
        let flag = told(&mut socket, "flag", |_| true).await;
        assert_eq!((&flag["verdict"], &flag["times"], &flag["teams"]),
            (&json!("wrong"), &json!(1), &json!(1)), "{flag}");
        // One that is on record late, as another node writes it.
        let late = app.now_ms() - 9_000;
        execute(&app, format!("insert into wrong_flags (id, account_id, challenge_id, at_ms, \
            digest) values (7, {}, 'two', {late}, 'd')", teams[1].id.0)).await;
        let flag = told(&mut socket, "flag", |_| true).await;
        assert_eq!((&flag["at"], &flag["challengeId"]), (&json!(late), &json!("two")));
        let given = act(&app, &helper, "team.note", json!({"text": "it waits"})).await.json();
        let seen = told(&mut socket, "act", |_| true).await;
        assert_eq!((&seen["id"], &seen["actor"]), (&given["id"], &json!("The support")));
        assert_eq!(seen["arguments"], json!({"team": "The Team"}), "{seen}");
        assert_eq!(seen["sentence"], given["sentence"]);

        let asked = teams[1].player.post("/question", &json!({"text": "Why?"})).await;
        assert_eq!(asked.status, 201, "{asked:?}");
        let question = told(&mut socket, "question", |it| it["state"] == "open").await;
        assert_eq!((&question["text"], &question["teamName"]),
            (&json!("Why?"), &json!("The Team")));
        let close = json!({"act": "question.close", "question": question["id"]});
        assert_eq!(post(&app, &helper, "/acts", &close).await.status, 200);
        told(&mut socket, "question", |it| {
            it["id"] == question["id"] && it["state"] == "closed"
        }).await;
        let later = "2023-11-14T22:30:00Z";
        let notice = json!({"act": "notice.post", "title": "Lunch", "text": "x", "at": later});
        assert_eq!(post(&app, &organizer, "/acts", &notice).await.status, 200);
        let notice = told(&mut socket, "notice", |_| true).await;
        assert_eq!((&notice["title"], &notice["waits"]), (&json!("Lunch"), &json!(true)));
        let withdraw = json!({"act": "notice.withdraw", "notice": notice["id"], "reason": "x"});
        let withdrawn = post(&app, &organizer, "/acts", &withdraw).await;
        assert_eq!(withdrawn.status, 200, "{}", withdrawn.text());
        told(&mut socket, "notice", |it| {
            it["id"] == notice["id"] && it["withdrawn"] == true
        }).await;
        let pause = json!({"act": "event.pause", "reason": "x"});
        assert_eq!(post(&app, &organizer, "/acts", &pause).await.status, 200);
        told(&mut socket, "health", |it| it["isPaused"] == true).await;

        // Whoever comes later, or again, has all of it.
        let (_again, state) = watching(&app, &organizer, "").await;
        assert_eq!(state["flags"]["flags"].as_array().map(Vec::len), Some(4), "{state}");
        assert_eq!((&state["acts"][0]["act"], &state["questions"][0]["state"]),
            (&json!("event.pause"), &json!("closed")));
    }

    async fn organizers_see_who_looks_at_what_they_see_too(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("canary-hidden")];
        drafts[1].hidden = true;
        let app = TestApp::playing(engine, event(), drafts).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let of_own = app.author("The author", &["one"]).await;
        let author = app.organizer_session(&of_own, true).await;
        let helper = session_of(&app, Role::Support).await;
        let words = "an author sees what others look at";
        let mut others = Vec::new();
        for session in [helper, author, session_of(&app, Role::Observer).await] {
            others.push(watching(&app, &session, "").await.0);
        }
        let (mut socket, _) = watching(&app, &organizer, "").await;
        let seen = |object: Value| json!({"event": "presence",
            "looks": [{"name": "The organizer", "object": object}]});
        let is_first = |it: &Value| it["looks"].as_array().is_some_and(|looks| {
            looks.iter().any(|look| look["name"] == "The organizer")
        });
        told(&mut others[0], "presence", is_first).await;
        for (object, for_helper, for_author) in [
            ("team 7", true, false),
            ("challenge canary-hidden", false, false),
            ("question 7", true, false),
            ("challenge one", true, true),
        ] {
            socket.say(&json!({"event": "look", "object": object})).await;
            if for_helper {
                let fits = |it: &Value| it["looks"].as_array().is_some_and(|looks| {
                    looks.iter().any(|look| look["object"] == object)
                });
                told(&mut others[0], "presence", fits).await;
            }
            if for_author {
                let presence = told(&mut others[1], "presence", |_| true).await;
                assert_eq!(presence, seen(json!("challenge one")), "{words}");
            }
        }
        socket.say(&json!({"event": "look", "object": null})).await;
        let presence = told(&mut others[1], "presence", |_| true).await;
        assert_eq!(presence["looks"], json!([]));
        socket.say(&json!({"event": "look", "object": "challenge one"})).await;
        told(&mut others[1], "presence", |it| *it == seen(json!("challenge one"))).await;
        drop(socket);
        let presence = told(&mut others[1], "presence", |_| true).await;
        assert_eq!(presence["looks"], json!([]), "it ends with the socket");
        app.team("The Marker").await;
        let has_marker = |it: &Value| it.to_string().contains("The Marker");
        let mut of_observer = until(&mut others[2], has_marker).await;
        of_observer.retain(|it| it["event"] == "presence");
        assert_eq!(of_observer, Vec::<Value>::new(), "an observer sees none of it");
    }

    async fn a_socket_ends_with_the_session_and_with_the_role(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let words = "the channel goes on without its ground";
        let set = async |name: &str, roles: &[Role]| {
            let rights = Rights { roles: roles.iter().copied().collect(), ..Rights::default() };
            let (db, by) = (&app.test.db, Changer::CommandLine);
            let done = organizers::set_rights(db, by, name, &rights, app.now_ms()).await;
            done.expect("it is written").expect("they are there");
        };
        for how in ["sign out", "other role", "removed", "reset", "expired"] {
            let who = app.organizer(how, &[Role::Support]).await;
            let session = app.organizer_session(&who, true).await;
            let (mut socket, _) = watching(&app, &session, "").await;
            let begun = Instant::now();
            match how {
                "sign out" => {
                    let call = Call::organize("POST", "/sign-out").session(&session);
                    assert_eq!(call.json("{}").send(&app).await.status, 200);
                }
                "other role" => set(how, &[Role::Support, Role::Observer]).await,
                "removed" => {
                    let (db, by) = (&app.test.db, Changer::CommandLine);
                    let done = organizers::remove(db, by, how, app.now_ms()).await;
                    done.expect("it is written").expect("they are there");
                }
                "reset" => {
                    let (db, by) = (&app.test.db, Changer::CommandLine);
                    let done = organizers::reset(db, by, how, "digest", app.now_ms()).await;
                    done.expect("it is written").expect("they are there");
                }
                _ => app.advance(SESSION_MS),
            }
            let ended = tokio::time::timeout(WAIT_MAX / 2, socket.closed()).await;
            assert_eq!(ended.ok(), Some(Some(1008)), "{words}: {how}");
            let took = begun.elapsed();
            assert!(took.as_millis() < 3_000, "within about a second: {how}: {took:?}");
        }
    }

    async fn what_organizers_do_with_their_accounts_is_seen_by_few(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let owner = session_of(&app, Role::Owner).await;
        let helper = session_of(&app, Role::Support).await;
        let words = "a helper is told of the own token alone";
        let token = json!({"days": 2});
        let make = async |session: &str| {
            let made = post(&app, session, "/tokens", &token).await;
            assert_eq!(made.status, 200, "{}", made.text());
        };
        let actors = |acts: &Value| -> Vec<String> {
            let acts = acts["acts"].as_array().expect("a list").iter();
            acts.map(|act| act["actor"].as_str().unwrap_or_default().to_owned()).collect()
        };
        make(&owner).await;
        let (mut socket, state) = watching(&app, &helper, "").await;
        assert_eq!(actors(&state), Vec::<String>::new(), "{words}");
        make(&owner).await;
        make(&helper).await;
        let act = told(&mut socket, "act", |_| true).await;
        assert_eq!(act["actor"], "The support", "{words}: {act}");
        // There are more of others after it than are read at once.
        for name in ["Ada", "Bob", "Cyd"] {
            let organizer = app.organizer(name, &[Role::Organizer]).await;
            let session = app.organizer_session(&organizer, true).await;
            for _ in 0..18 {
                make(&session).await;
            }
        }
        assert_eq!(actors(&get(&app, &helper, "/acts").await), ["The support"], "{words}");
        let (_socket, state) = watching(&app, &helper, "").await;
        assert_eq!(actors(&state), ["The support"], "{words}");
        // Who runs the contest sees all of it.
        let organizer = session_of(&app, Role::Organizer).await;
        let all = get(&app, &organizer, "/acts").await;
        assert_eq!(actors(&all).len(), 50);
        let undo = async |id: &Value| {
            let body = json!({"reason": "x"});
            post(&app, &helper, &format!("/acts/{id}/undo"), &body).await
        };
        let (of_others, unknown) = (undo(&all["acts"][0]["id"]).await, undo(&json!(0)).await);
        assert_eq!((of_others.status, of_others.text()), (404, unknown.text()), "{words}");
    }

    async fn the_reveal_tells_everything_anew(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Early", "Late"]).await;
        teams[0].solves("one").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let helper = session_of(&app, Role::Support).await;
        let (mut truth, _) = watching(&app, &organizer, "").await;
        let (mut public, _) = watching(&app, &organizer, "?view=public").await;
        let (mut support, _) = watching(&app, &helper, "").await;
        app.advance(HOUR_MS);
        app.settled().await;
        teams[1].solves("two").await;
        let flag = told(&mut truth, "flag", |_| true).await;
        assert_eq!(flag["teamName"], "Late");
        let is_late = |it: &Value| it["scoreboard"].as_array().is_some_and(|rows| {
            rows.iter().any(|row| row[0] == "Late" && row[2] != json!({}))
        });
        told(&mut truth, "board", is_late).await;
        // It comes behind whatever was told before.
        app.team("The Marker").await;
        let has_marker = |it: &Value| it.to_string().contains("The Marker");
        for socket in [&mut public, &mut support] {
            let all = until(socket, has_marker).await;
            let leaks = |it: &&Value| it["event"] == "flag" || it["event"] == "state"
                || is_late(it);
            assert_eq!(all.iter().find(leaks), None, "a hidden flag comes before the reveal");
        }
        app.run(flagship_testkit::commands::reveal()).await;
        for socket in [&mut public, &mut support] {
            let state = told(socket, "state", |_| true).await;
            assert_eq!(state["flags"]["flags"][0]["teamName"], "Late", "{state}");
            let board = told(socket, "board", |it| it["whole"] == true).await;
            assert!(is_late(&board), "{board}");
        }
    }
}
