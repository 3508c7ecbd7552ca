//! The organizers' live channel: authorization, messages and close conditions.

use std::collections::BTreeSet;
use std::time::Instant;

use flagship_control::control;
use flagship_store::organizers::passes::SESSION_MS;
use flagship_store::organizers::{self, Changer, Rights, Role};
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{Call, Socket, TestApp, WAIT_MAX, on_both_engines};
use serde_json::{Value, json};

use super::{execute, get};
use crate::actions::{action, post, session_of};

/// All messages up to the first match; others can arrive in between.
async fn until(socket: &mut Socket, fits: impl FnMut(&Value) -> bool) -> Vec<Value> {
    let all = tokio::time::timeout(WAIT_MAX, socket.until_so(fits)).await;
    all.expect("changes are announced")
}

/// The next matching message of an event.
async fn told(socket: &mut Socket, event: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let mut told = until(socket, |it| it["event"] == event && fits(it)).await;
    told.pop().expect("the last one is it")
}

/// A socket after its first hint, and the lists that the hint names.
async fn watching(app: &TestApp, session: &str, query: &str) -> (Socket, Vec<String>) {
    let mut socket = Socket::of_session(app, session, query).await;
    let first = socket.next().await;
    assert_eq!(first["event"], "changed", "{first}");
    told(&mut socket, "presence", |_| true).await;
    (socket, lists(&first))
}

/// Lists that a message names; empty if the message is not a hint.
fn lists(message: &Value) -> Vec<String> {
    let names = message["lists"].as_array().into_iter().flatten();
    names.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

fn names(message: &Value, list: &str) -> bool {
    lists(message).iter().any(|it| it == list)
}

/// Waits until hints have named all of the lists.
async fn hinted(socket: &mut Socket, of: &[&str]) {
    let mut missing: BTreeSet<String> = of.iter().map(|&it| it.to_owned()).collect();
    until(socket, |it| {
        for list in lists(it) {
            missing.remove(&list);
        }
        missing.is_empty()
    })
    .await;
}

/// The next hint that names a list.
async fn hint(socket: &mut Socket) -> Vec<String> {
    lists(&told(socket, "changed", |it| !lists(it).is_empty()).await)
}

/// All hints up to the first one that names a list.
async fn hints_until(socket: &mut Socket, list: &str) -> Vec<Vec<String>> {
    let all = until(socket, |it| names(it, list)).await;
    all.iter().filter(|it| it["event"] == "changed").map(lists).collect()
}

/// Lists that change with the scoreboard.
const OF_SCOREBOARD: [&str; 4] = ["challenges", "teams", "story", "flags"];

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
        let cookie = format!("__Host-organizer={session}");
        let own = app.app.config().public_url.clone();
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

    async fn an_organizer_is_told_in_which_lists_something_is_new(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Early", "The Team"]).await;
        teams[0].solves("one").await;
        let (organizer, helper) =
            (session_of(&app, Role::Organizer).await, session_of(&app, Role::Support).await);
        let (mut socket, first) = watching(&app, &organizer, "").await;
        assert_eq!(first, ["overview", "challenges", "source", "teams", "story", "flags",
            "evidence", "actions", "questions", "notices", "settings", "answers"]);

        let words = "changes are announced";
        teams[1].solves("two").await;
        assert_eq!(hint(&mut socket).await, OF_SCOREBOARD, "{words}");
        let flags = get(&app, &organizer, "/flags").await;
        assert_eq!((&flags["flags"][0]["teamName"], &flags["flags"][0]["verdict"]),
            (&json!("The Team"), &json!("right")));
        app.advance(1);
        teams[1].send("one", "flag{two}").await;
        assert_eq!(hint(&mut socket).await, ["challenges", "story", "flags"]);
        let flags = get(&app, &organizer, "/flags").await;
        assert_eq!(flags["flags"][0]["verdict"], "wrong", "{flags}");
        // A submission that another node records with a delay.
        let late = app.now_ms() - 9_000;
        execute(&app, format!("insert into wrong_flags (id, account_id, challenge_id, at_ms, \
            digest) values (7, {}, 'two', {late}, 'd')", teams[1].id.0)).await;
        assert_eq!(hint(&mut socket).await, ["challenges", "story", "flags"]);
        let noted = action(&app, &helper, "team.note", json!({"text": "it waits"})).await;
        assert_eq!(noted.status, 200, "{}", noted.text());
        assert_eq!(hint(&mut socket).await, ["teams", "story", "actions"]);

        let asked = teams[1].player.post("/question", &json!({"text": "Why?"})).await;
        assert_eq!(asked.status, 201, "{asked:?}");
        assert_eq!(hint(&mut socket).await, ["overview", "story", "questions"]);
        let close = json!({"action": "question.close", "question": asked.json["id"]});
        assert_eq!(post(&app, &helper, "/actions", &close).await.status, 200);
        hinted(&mut socket, &["actions", "questions", "overview"]).await;
        let later = "2023-11-14T22:30:00Z";
        let notice = json!({"action": "notice.post", "title": "Lunch", "text": "x", "at": later});
        assert_eq!(post(&app, &organizer, "/actions", &notice).await.status, 200);
        hinted(&mut socket, &["actions", "notices"]).await;
        let notice = get(&app, &organizer, "/notices").await["notices"][0]["id"].take();
        let withdraw = json!({"action": "notice.withdraw", "notice": notice, "reason": "x"});
        let withdrawn = post(&app, &organizer, "/actions", &withdraw).await;
        assert_eq!(withdrawn.status, 200, "{}", withdrawn.text());
        hinted(&mut socket, &["actions", "notices"]).await;
        let pause = json!({"action": "event.pause", "reason": "x"});
        assert_eq!(post(&app, &organizer, "/actions", &pause).await.status, 200);
        hinted(&mut socket, &["actions", "overview", "settings"]).await;
    }

    async fn many_changes_of_one_moment_are_few_hints(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let names: Vec<String> = (1..=30).map(|it| format!("Team {it}")).collect();
        let teams = app.teams(&names.iter().map(|it| &**it).collect::<Vec<_>>()).await;
        let (organizer, helper) =
            (session_of(&app, Role::Organizer).await, session_of(&app, Role::Support).await);
        let (mut socket, _) = watching(&app, &organizer, "").await;
        let begun = Instant::now();
        for team in &teams {
            team.solves("one").await;
        }
        let note = json!({"team": "Team 1", "text": "x"});
        assert_eq!(action(&app, &helper, "team.note", note).await.status, 200);
        let hints = hints_until(&mut socket, "actions").await.len();
        let words = "one hint a beat";
        let told_each = control("many_changes_of_one_moment_are_few_hints", words);
        let hints = if told_each { teams.len() + hints } else { hints };
        // The first tick can come immediately, and the last one after the clock is read.
        let beats = usize::try_from(begun.elapsed().as_secs()).expect("seconds") + 2;
        assert!(hints <= beats, "{words}: {hints} in {beats}");
    }

    async fn an_author_gets_no_hint_of_what_is_about_others_challenges(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let team = app.team("The Team").await;
        let of_own = app.author("The author", &["one"]).await;
        let author = app.organizer_session(&of_own, true).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let (mut watcher, first) = watching(&app, &author, "").await;
        assert_eq!(first, ["overview", "challenges", "source", "teams", "story", "flags",
            "questions", "notices", "answers"]);
        let (mut all, _) = watching(&app, &organizer, "").await;
        let words = "an author is notified of a question about another challenge";
        let leaks = control("an_author_gets_no_hint_of_what_is_about_others_challenges", words);
        let ask = async |id: &str| {
            let body = json!({"text": "Why?", "challengeId": id});
            assert_eq!(team.player.post("/question", &body).await.status, 201);
        };
        team.send("two", "flag{no}").await;
        ask(if leaks { "one" } else { "two" }).await;
        hinted(&mut all, &["flags", "questions"]).await;
        team.send("one", "flag{no}").await;
        let own = ["challenges", "story", "flags"].map(str::to_owned).to_vec();
        assert_eq!(hints_until(&mut watcher, "flags").await, [own], "{words}");
        let flags = get(&app, &author, "/flags").await;
        assert_eq!(flags["flags"].as_array().map(Vec::len), Some(1), "{flags}");
        ask("one").await;
        assert_eq!(hint(&mut watcher).await, ["overview", "story", "questions"]);
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
        let mut of_observer = until(&mut others[2], |it| names(it, "teams")).await;
        of_observer.retain(|it| it["event"] == "presence");
        assert_eq!(of_observer, Vec::<Value>::new(), "an observer sees none of it");
    }

    async fn a_socket_ends_with_the_session_and_with_the_role(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let words = "the channel stays open without authorization";
        let set = async |name: &str, roles: &[Role]| {
            let rights = Rights { roles: roles.iter().copied().collect(), ..Rights::default() };
            let db = &app.test.db;
            let seal = app.app.seal();
            let by = Changer::CommandLine(&seal);
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
                    let db = &app.test.db;
                    let seal = app.app.seal();
                    let by = Changer::CommandLine(&seal);
                    let done = organizers::remove(db, by, how, app.now_ms()).await;
                    done.expect("it is written").expect("they are there");
                }
                "reset" => {
                    let db = &app.test.db;
                    let seal = app.app.seal();
                    let by = Changer::CommandLine(&seal);
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
        let words = "a support organizer is notified only of the own token";
        let token = json!({"days": 2});
        let make = async |session: &str| {
            let made = post(&app, session, "/tokens", &token).await;
            assert_eq!(made.status, 200, "{}", made.text());
        };
        let actors = |actions: &Value| -> Vec<String> {
            let actions = actions["actions"].as_array().expect("a list").iter();
            actions.map(|action| action["actor"].as_str().unwrap_or_default().to_owned()).collect()
        };
        make(&owner).await;
        let (mut socket, _) = watching(&app, &helper, "").await;
        assert_eq!(actors(&get(&app, &helper, "/actions").await), Vec::<String>::new(), "{words}");
        make(&owner).await;
        app.team("The Marker").await;
        let of_team = ["challenges", "teams", "story", "flags"].map(str::to_owned).to_vec();
        assert_eq!(hints_until(&mut socket, "teams").await, [of_team], "{words}");
        make(&helper).await;
        hinted(&mut socket, &["actions"]).await;
        // Other organizers perform more actions than the channel reads at once.
        for name in ["Ada", "Bob", "Cyd"] {
            let organizer = app.organizer(name, &[Role::Organizer]).await;
            let session = app.organizer_session(&organizer, true).await;
            for _ in 0..18 {
                make(&session).await;
            }
        }
        assert_eq!(actors(&get(&app, &helper, "/actions").await), ["The support"], "{words}");
        // Organizers with the organizer role see everything.
        let organizer = session_of(&app, Role::Organizer).await;
        let all = get(&app, &organizer, "/actions").await;
        assert_eq!(actors(&all).len(), 50);
        let undo = async |id: &Value| {
            let body = json!({"reason": "x"});
            post(&app, &helper, &format!("/actions/{id}/undo"), &body).await
        };
        let (of_others, unknown) = (undo(&all["actions"][0]["id"]).await, undo(&json!(0)).await);
        assert_eq!((of_others.status, of_others.text()), (404, unknown.text()), "{words}");
    }

    async fn the_reveal_tells_everything_anew(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Early", "Late"]).await;
        teams[0].solves("one").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let helper = session_of(&app, Role::Support).await;
        app.advance(HOUR_MS);
        app.settled().await;
        let (mut truth, _) = watching(&app, &organizer, "").await;
        let (mut public, _) = watching(&app, &organizer, "?view=public").await;
        let (mut support, _) = watching(&app, &helper, "").await;
        teams[1].solves("two").await;
        assert_eq!(hint(&mut truth).await, OF_SCOREBOARD);
        let newest = async |session: &str, path: &str| {
            get(&app, session, path).await["flags"][0]["teamName"].take()
        };
        assert_eq!(newest(&organizer, "/flags").await, "Late");
        // Incorrect submissions produce the same hint as correct ones, and each tick sends a hint
        // even without submissions.
        teams[1].send("one", "flag{wrong}").await;
        assert_eq!(hint(&mut truth).await, OF_SCOREBOARD);
        told(&mut truth, "changed", |it| lists(it).is_empty()).await;
        told(&mut truth, "changed", |it| lists(it).is_empty()).await;
        let words = "a hidden flag is announced before the reveal";
        if control("the_reveal_tells_everything_anew", words) {
            app.run(flagship_testkit::commands::reveal()).await;
            support.until("changed").await;
        }
        // The message comes after all earlier ones.
        app.team("The Marker").await;
        for socket in [&mut public, &mut support] {
            assert_eq!(hints_until(socket, "teams").await.len(), 1, "{words}");
        }
        for (session, path) in [(&organizer, "/flags?view=public"), (&helper, "/flags")] {
            assert_eq!(newest(session, path).await, "Early", "{words}");
        }
        app.run(flagship_testkit::commands::reveal()).await;
        for socket in [&mut public, &mut support] {
            hinted(socket, &["overview", "challenges", "teams", "story", "flags"]).await;
        }
        for (session, path) in [(&organizer, "/flags?view=public"), (&helper, "/flags")] {
            assert_ne!(newest(session, path).await, "Early");
        }
    }
}
