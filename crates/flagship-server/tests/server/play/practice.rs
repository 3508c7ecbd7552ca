//! Practice after the end: flags are judged, and nothing that others see changes.

use flagship_game::Reveal;
use flagship_store::organizers::Role;
use flagship_testkit::player::key;
use flagship_testkit::{Call, Reply};

use super::*;
use crate::actions::{action, post, session_of};

/// An event of two hours more, with practice after its end.
fn practice() -> Event {
    Event { practice: true, ..event() }
}

/// A server after the end and the reveal, with a team that solved `one` during the event.
async fn over(engine: flagship_testkit::Engine, drafts: Vec<Draft>) -> (TestApp, Team) {
    let test = Arc::new(TestDb::new(engine).await);
    let app = TestApp::playing_on(test, practice(), drafts, |config| {
        config.settings.limits.submissions_per_challenge_per_10_s = 0;
    })
    .await;
    let team = app.team("Early").await;
    team.solves("one").await;
    app.advance(2 * HOUR_MS);
    app.settled().await;
    (app, team)
}

async fn done(app: &TestApp, session: &str, name: &str, more: Value) -> Value {
    let reply = action(app, session, name, more).await;
    assert_eq!(reply.status, 200, "{name}: {}", reply.text());
    reply.json()
}

async fn practices(team: &Team, id: &str) {
    let answer = team.send(id, &format!("flag{{{id}}}")).await;
    let expected = json!({"correct": true, "practice": true});
    assert_eq!((answer.status, &answer.json), (200, &expected), "{id}");
}

async fn practiced_at(team: &Team, id: &str) -> Value {
    team.card(id).await.expect("it is listed")["practicedAt"].clone()
}

/// Everything that is published, as bytes, with the headers that depend on it.
async fn published(app: &TestApp, session: &str) -> Vec<(String, u16, String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut add = |path: &str, reply: Reply| {
        let etag = reply.header("etag").to_owned();
        all.push((path.to_owned(), reply.status, etag, reply.body.to_vec()));
    };
    for path in ["/scoreboard", "/ctftime", "/team/Early", "/team/Late", "/notices", "/rules"] {
        add(path, Call::new("GET", &format!("/api{path}")).send(app).await);
    }
    for name in ["standings", "solves", "winners", "journal"] {
        let path = format!("/exports/{name}");
        let reply = Call::organize("GET", &path).session(session).send(app).await;
        assert_eq!(reply.status, 200, "{name}: {}", reply.text());
        add(&path, reply);
    }
    all
}

on_both_engines! {
    async fn a_correct_flag_after_the_end_changes_nothing_public(engine: Engine) {
        let drafts = vec![draft("one"), draft("two"), draft_after("three", &["two"])];
        let (app, early) = over(engine, drafts).await;
        let session = session_of(&app, Role::Owner).await;
        let words = "the published result stays";
        let is_changed = control("a_correct_flag_after_the_end_changes_nothing_public", words);
        let late = app.team("Late").await;
        let before = (app.app.contest().public_seq(), published(&app, &session).await);
        let (mut socket, snapshot) = Socket::watching(&app).await;
        assert!(row(&snapshot, "Late").is_none(), "it joined after the end");
        let (mut own, _) = early.watching(&app).await;
        for team in [&early, &late] {
            assert_eq!(practiced_at(team, "two").await, Value::Null);
            practices(team, "two").await;
            practices(team, "two").await;
            assert_eq!(practiced_at(team, "two").await, json!(app.now_ms()));
            // It unlocks for the team itself.
            practices(team, "three").await;
            assert_eq!(team.send("three", WRONG).await.json,
                json!({"correct": false, "practice": true}));
        }
        own.until_so(|it| it["event"] == "progress" && it["challengeId"] == "three").await;
        practices(&early, "one").await;
        assert_eq!(practiced_at(&early, "one").await, Value::Null, "it was solved in time");
        if is_changed {
            app.run(commands::award("Early", 1)).await;
        }
        app.fresh_board().await;
        let after = (app.app.contest().public_seq(), published(&app, &session).await);
        assert_eq!(after, before, "{words}");
        assert_eq!(app.test.solves().await.len(), 1, "a practice solve is not a solve");
        // The next message to others is about the next public change.
        let notice = json!({"title": "Thanks", "text": "for playing"});
        done(&app, &session, "notice.post", notice).await;
        let next = socket.next().await;
        assert_eq!(next["event"], "notice", "{next}");
    }

    async fn practice_begins_with_the_reveal_and_keeps_the_order_of_checks(engine: Engine) {
        let manual = Event { reveal: Reveal::Manual, ..practice() };
        let mut limited = draft("one");
        limited.challenge.rules.attempts_max = Some(1);
        let drafts = vec![limited, draft_after("two", &["one"]), draft("three")];
        let app = TestApp::playing(engine, manual, drafts).await;
        let team = app.team("The Lighthouse").await;
        let ctf = async || app.player().get("/ctf").await.json["practice"].clone();
        assert_eq!(ctf().await, true);
        app.advance(2 * HOUR_MS);
        app.settled().await;
        for id in ["one", "two", "no such"] {
            let refused = team.send(id, "flag{one}").await;
            assert_eq!((refused.status, &refused.json["code"]), (403, &json!("event_ended")));
        }
        app.run(commands::reveal()).await;
        assert_eq!(team.send("two", WRONG).await.json["code"], "challenge_locked");
        assert_eq!(team.send("no such", WRONG).await.status, 404);
        assert_eq!(team.send("one", " ").await.status, 400);
        // Attempts do not count, but the limits of incorrect flags do.
        assert_eq!(team.card("one").await.expect("it is listed").get("attemptsLeft"), None);
        for wrong in ["flag{a}", "flag{b}", "flag{c}"] {
            assert_eq!(team.send("one", wrong).await.json,
                json!({"correct": false, "practice": true}));
        }
        assert_eq!(team.send("one", "flag{one}").await.status, 429);
        app.advance(HOUR_MS);
        practices(&team, "one").await;
        practices(&team, "two").await;
        app.run(commands::command(flagship_actions::event::pause::Pause {})).await;
        assert_eq!(team.send("three", "flag{three}").await.json["code"], "paused");
    }

    async fn without_practice_a_flag_after_the_end_is_refused(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        app.advance(2 * HOUR_MS);
        app.settled().await;
        assert_eq!(app.player().get("/ctf").await.json["practice"], false);
        assert_eq!(team.send("one", "flag{one}").await.json["code"], "event_ended");
        let card = team.card("one").await.expect("it is listed");
        assert_eq!(card.get("practicedAt"), Some(&Value::Null));
    }

    async fn practice_survives_a_restart_and_counts_on_two_nodes(engine: Engine) {
        let several = |id: &str| {
            let flags = vec![exact(id, "flag{left}"), exact(id, "flag{right}")];
            let mut draft = Draft { flags, ..draft(id) };
            let ids = draft.flags.iter().map(|it| it.needed_id(&key(), &draft.challenge.id));
            draft.challenge.rules.needed_flags = ids.collect();
            draft
        };
        let drafts = vec![draft("one"), several("two"), draft_after("three", &["two"])];
        let (app, team) = over(engine, drafts).await;
        let second = app.second_node(|_| {}).await;
        let other = Team { player: second.player().with_token(&team.token), ..team.clone() };
        let part = json!({"correct": false, "practice": true, "progress": {"found": 1, "of": 2}});
        assert_eq!(team.send("two", "flag{left}").await.json, part);
        assert_eq!(other.send("two", "flag{left}").await.json, part, "the same flag");
        let solved = json!({"correct": true, "practice": true});
        assert_eq!(other.send("two", "flag{right}").await.json, solved);
        until("the first node knows the solve", async || {
            team.send("two", "flag{left}").await.json == solved
        })
        .await;
        second.stop().await;
        let again = TestApp::on(app.test.clone(), app.clock(), |_| {}).await;
        let team = Team { player: again.player().with_token(&team.token), ..team.clone() };
        assert_eq!(practiced_at(&team, "two").await, json!(app.now_ms()));
        practices(&team, "three").await;
    }

    async fn organizers_see_flags_after_the_end_marked_as_such(engine: Engine) {
        let own = Flag::Team("flag{pier_[TEAM]}".to_owned());
        let drafts = vec![draft("one"), Draft { flags: vec![own], ..draft("two") }];
        let (app, early) = over(engine, drafts).await;
        let late = app.team("Late").await;
        let of = |team: &Team| format!("flag{{pier_{}}}", key().team_code("two", team.id.0));
        assert_eq!(late.send("two", &of(&early)).await.json["correct"], false, "not its own");
        app.advance(10);
        assert_eq!(late.send("two", &of(&late)).await.json["correct"], true);
        let session = session_of(&app, Role::Organizer).await;
        let listed = async |query: &str| {
            let path = format!("/flags?{query}");
            let reply = Call::organize("GET", &path).session(&session).send(&app).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
            let flags = reply.json()["flags"].as_array().expect("a list").clone();
            let shown = |it: &Value| (it["teamName"].clone(), it["verdict"].clone(),
                it["afterEnd"].clone(), it["near"].is_string());
            flags.iter().map(shown).collect::<Vec<_>>()
        };
        let right = |team: &str, after_end: bool| {
            (json!(team), json!("right"), json!(after_end), false)
        };
        until("the incorrect flag is recorded", async || listed("").await.len() == 3).await;
        let near = (json!("Late"), json!("wrong"), json!(true), true);
        assert_eq!(listed("").await, [right("Late", true), near, right("Early", false)]);
        assert_eq!(listed("verdict=first").await, [right("Early", false)], "no first solve");
        assert_eq!(listed("view=public").await, [right("Early", false)]);
        assert_eq!(listed("team=Late&verdict=right").await, [right("Late", true)]);
    }

    async fn organizers_turn_practice_on_and_off_and_undo_it(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        app.advance(2 * HOUR_MS);
        app.settled().await;
        let session = session_of(&app, Role::Organizer).await;
        let on = json!({"practice": true});
        let preview = json!({"action": "event.name", "practice": true, "preview": true});
        let shown = post(&app, &session, "/actions", &preview).await;
        assert_eq!(shown.status, 200, "{}", shown.text());
        let sentence = "The organizer changed practice after the end: off → on.";
        assert_eq!(shown.json()["sentence"], sentence);
        assert_eq!(team.send("one", "flag{one}").await.status, 403, "only a preview");
        let action_id = done(&app, &session, "event.name", on.clone()).await["id"].clone();
        assert_eq!(action(&app, &session, "event.name", on).await.status, 409, "it is on");
        practices(&team, "one").await;
        let settings = Call::organize("GET", "/settings").session(&session).send(&app).await;
        assert_eq!(settings.json()["event"]["practice"], true);
        let path = format!("/actions/{action_id}/undo");
        let undone = post(&app, &session, &path, &json!({"reason": "the servers go"})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert_eq!(team.send("one", "flag{one}").await.json["code"], "event_ended");
        assert_eq!(app.player().get("/ctf").await.json["practice"], false);
        assert_ne!(practiced_at(&team, "one").await, Value::Null, "the record stays");
    }

    async fn practice_that_was_set_live_stays_until_the_files_change_it(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let session = session_of(&app, Role::Organizer).await;
        let apply = async |event: Event, keeps: Option<bool>| {
            let mut plan = Plan::new(event, vec![draft("one")]);
            plan.live.keeps_times = keeps;
            let done = app.run(Op::Apply(Box::new(plan))).await;
            assert!(matches!(done, Outcome::Apply(Ok(_))), "{done:?}");
            app.app.contest().event().is_some_and(|event| event.practice)
        };
        let turn = async |on: bool| {
            done(&app, &session, "event.name", json!({"practice": on})).await;
        };
        turn(true).await;
        for _ in 0..2 {
            let renamed = Event { rules: "<p>Other rules.</p>".to_owned(), ..event() };
            assert!(apply(renamed, None).await, "the files do not name it");
        }
        assert!(!apply(event(), Some(false)).await, "the files are taken");
        assert!(apply(practice(), None).await, "the files turn it on");
        turn(false).await;
        assert!(!apply(practice(), None).await, "it was turned off live");
        assert!(!apply(event(), None).await, "the files agree");
        assert!(apply(practice(), None).await);
        assert!(!apply(event(), None).await);
    }
}
