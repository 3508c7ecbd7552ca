//! Actions on the event, its challenges and solves: the tests record, preview and undo them.

use flagship_game::{Event, Reveal};
use flagship_store::desk::questions::state;
use flagship_store::ops::{Actor, LiveConflict, Op, Plan};
use flagship_store::organizers::Role;
use flagship_testkit::player::{any_case, draft, draft_after, event, exact, ids, row};
use flagship_testkit::{Call, NOW_MS, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::{action, get, is, post, session_of};

pub const MINUTE_MS: i64 = 60_000;

/// A time in the format of action arguments.
pub fn iso(at_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(at_ms).expect("a time").to_string()
}

pub async fn done(app: &TestApp, session: &str, name: &str, more: Value) -> Value {
    let reply = action(app, session, name, more).await;
    assert_eq!(reply.status, 200, "{name}: {}", reply.text());
    reply.json()
}

pub async fn undo(app: &TestApp, session: &str, action: &Value) -> Value {
    let path = format!("/actions/{}/undo", action["id"]);
    let reply = post(app, session, &path, &json!({"reason": "a mistake"})).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// The scoreboard without its sequence number.
async fn standing(app: &TestApp) -> Value {
    let mut board = app.fresh_board().await;
    board["seq"].take();
    board
}

on_both_engines! {
    async fn a_flag_that_was_refused_counts_from_when_it_was_sent(engine: Engine) {
        let mut wrong = draft("one");
        wrong.flags = vec![exact("one", "flag{typo}")];
        let app = TestApp::playing(engine, event(), vec![wrong.clone(), draft("two")]).await;
        let teams = app.teams(&["Early", "Late", "Shouted", "Guessed"]).await;
        let [early, late, shouted, guessed] = &teams[..] else { panic!("four teams") };
        assert_eq!(early.send("one", "flag{right}").await.json["correct"], json!(false));
        app.advance(MINUTE_MS);
        assert_eq!(shouted.send("one", "FLAG{Right}").await.json["correct"], json!(false));
        assert_eq!(guessed.send("one", "flag{no}").await.json["correct"], json!(false));
        app.advance(MINUTE_MS);
        assert_eq!(late.send("one", "flag{typo}").await.json["correct"], json!(true));
        until("the wrong flags are recorded", async || {
            app.test.rows::<(i64,)>("select id from wrong_flags").await.len() == 3
        })
        .await;
        let mut right = wrong;
        right.flags = vec![any_case("one", "flag{right}"), exact("one", "flag{typo}")];
        app.run(Op::Apply(Box::new(Plan::new(event(), vec![right, draft("two")])))).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let before = standing(&app).await;
        let preview = json!({"challenge": "one", "preview": true});
        let seen = done(&app, &organizer, "challenge.rejudge", preview).await;
        assert_eq!(standing(&app).await, before, "a preview changes nothing");
        let moved: Vec<&str> = seen["effect"]["public"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|it| it["teamName"].as_str().expect("a name"))
            .collect();
        assert_eq!(moved, ["Early", "Shouted", "Late", "Guessed"], "the top first");
        let again = json!({"challenge": "one"});
        let rejudged = done(&app, &organizer, "challenge.rejudge", again.clone()).await;
        let words = "who was right first has the first place";
        let board = app.fresh_board().await;
        let place = |name: &str| row(&board, name).expect("a row")[2]["0"].clone();
        let [first, second, third] = [early, shouted, late].map(|team| place(&team.name));
        assert_eq!(&first, &json!([1, NOW_MS / 1000]), "{words}");
        assert_eq!(second, json!([2, (NOW_MS + MINUTE_MS) / 1000]));
        assert_eq!(third[0], 3);
        let told = early.player.get("/questions").await.json["questions"][0].clone();
        assert_eq!((&told["text"], &told["state"]), (&json!(""), &json!(state::ANSWERED)));
        let answer = told["answer"].as_str().expect("an answer");
        let at = jiff::Timestamp::from_millisecond(NOW_MS).expect("a time");
        let at = at.strftime("Your flag submitted at %H:%M UTC was accepted.").to_string();
        assert_eq!(answer, at, "the event is in Europe/Rome");
        assert_eq!(guessed.player.get("/questions").await.json["questions"], json!([]));
        assert_eq!(early.send("one", "flag{right}").await.json["correct"], json!(true), "again");
        is(&action(&app, &organizer, "challenge.rejudge", json!({"challenge": "one"})).await, 409,
            "nothing_to_change");
        undo(&app, &organizer, &rejudged).await;
        assert_eq!(standing(&app).await, before);
    }

    async fn a_withdrawn_solve_comes_back_at_its_place(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["First", "Second", "Third"]).await;
        for team in &teams {
            team.solves("one").await;
            app.advance(MINUTE_MS);
        }
        let organizer = session_of(&app, Role::Organizer).await;
        let before = standing(&app).await;
        let of_second = json!({"team": "Second", "challenge": "one"});
        let withdrawn = done(&app, &organizer, "solve.withdraw", of_second.clone()).await;
        assert_ne!(standing(&app).await, before);
        let all = done(&app, &organizer, "solve.withdraw", json!({"challenge": "one"})).await;
        assert_eq!(app.fresh_board().await["challenges"][0]["nsolves"], 0);
        undo(&app, &organizer, &all).await;
        undo(&app, &organizer, &withdrawn).await;
        assert_eq!(standing(&app).await, before, "place and time are those of before");
        // A flag that was never submitted.
        app.team("Fourth").await;
        let count = |at_ms| json!({"team": "Fourth", "challenge": "one", "at": iso(at_ms)});
        for (at_ms, code) in [
            (NOW_MS - 100 * 24 * 60 * MINUTE_MS, "time_outside_event"),
            (NOW_MS + 60 * MINUTE_MS, "time_outside_event"),
        ] {
            is(&action(&app, &organizer, "solve.count", count(at_ms)).await, 422, code);
        }
        let lost = async |at_ms| {
            let mut order = count(at_ms);
            order["preview"] = json!(true);
            let seen = done(&app, &organizer, "solve.count", order).await;
            seen["effect"]["firstBloods"].clone()
        };
        let blood = json!([{"challengeName": "The one", "from": "First", "to": "Fourth"}]);
        assert_eq!(lost(NOW_MS - MINUTE_MS).await, blood, "before the first");
        assert_eq!(lost(NOW_MS + MINUTE_MS).await, json!([]), "after it");
        let counted = done(&app, &organizer, "solve.count", count(NOW_MS + MINUTE_MS)).await;
        let board = app.fresh_board().await;
        assert_eq!(row(&board, "Fourth").expect("a row")[2]["0"][0], 3, "before the third");
        assert_eq!(row(&board, "Third").expect("a row")[2]["0"][0], 4);
        undo(&app, &organizer, &counted).await;
        let board = app.fresh_board().await;
        assert_eq!(row(&board, "Third").expect("a row")[2]["0"][0], 3);
    }

    async fn challenges_are_shown_together_or_at_a_time(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("two"), draft("three")];
        for draft in &mut drafts[1..] {
            draft.hidden = true;
        }
        let app = TestApp::playing(engine, event(), drafts.clone()).await;
        let team = app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let seen = async || ids(&team.challenges().await).join(" ");
        let wave = json!({"challenges": ["two", "three"]});
        let released = done(&app, &organizer, "challenge.release", wave.clone()).await;
        assert_eq!(released["sentence"], "The organizer released three, two.");
        assert_eq!(seen().await, "one three two");
        is(&action(&app, &organizer, "challenge.release", wave).await, 409, "nothing_to_change");
        let unknown = json!({"challenges": ["one", "four"]});
        let reply = action(&app, &organizer, "challenge.release", unknown).await;
        is(&reply, 404, "challenge_not_found");
        undo(&app, &organizer, &released).await;
        assert_eq!(seen().await, "one");
        let at = iso(NOW_MS + 2 * MINUTE_MS);
        let later = json!({"challenge": "two", "at": at});
        done(&app, &organizer, "challenge.release", later).await;
        // `apply` does not change settings that were changed live.
        app.run(Op::Apply(Box::new(Plan::new(event(), drafts)))).await;
        assert_eq!(seen().await, "one");
        app.advance(2 * MINUTE_MS);
        until("the time has come", async || seen().await == "one two").await;
        let hidden = done(&app, &organizer, "challenge.hide", json!({"challenge": "two"})).await;
        assert_eq!(seen().await, "one");
        undo(&app, &organizer, &hidden).await;
        assert_eq!(seen().await, "one two");
    }

    async fn the_event_is_moved_and_paused(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        let Event { freeze_ms, end_ms, .. } = event();
        let (freeze_ms, end_ms) = (freeze_ms.expect("a freeze"), end_ms.expect("an end"));
        let later = json!({"freeze": iso(freeze_ms + MINUTE_MS), "end": iso(end_ms + MINUTE_MS)});
        let moved = done(&app, &session, "event.times", later).await;
        let times = async || {
            let ctf = app.player().get("/ctf").await.json;
            (ctf["freezeTime"].as_i64(), ctf["endTime"].as_i64(), ctf["paused"].clone())
        };
        let are = (Some(freeze_ms + MINUTE_MS), Some(end_ms + MINUTE_MS), json!(false));
        until("the times are new", async || times().await == are).await;
        let wrong = json!({"end": iso(NOW_MS - 100 * 24 * 60 * MINUTE_MS)});
        is(&action(&app, &session, "event.times", wrong).await, 422, "times_out_of_order");
        let wrong = json!({"end": "tomorrow"});
        is(&action(&app, &session, "event.times", wrong).await, 422, "time_invalid");
        // A later action about the event does not change who moved the times.
        app.advance(MINUTE_MS);
        let helper = session_of(&app, Role::Organizer).await;
        let paused = done(&app, &helper, "event.pause", json!({})).await;
        undo(&app, &helper, &paused).await;
        let plan = Plan::new(event(), vec![draft("one")]);
        let seen = app.app.preview(&plan).await.expect("it is read").expect("it is current");
        let by = "Ada".to_owned();
        assert_eq!(seen.changed_live, [LiveConflict { challenge: None, by, at_ms: NOW_MS }]);
        let shown = get(&app, &session, "/settings").await["event"].clone();
        let (by, at) = (&shown["timesChangedBy"], &shown["timesChangedAt"]);
        assert_eq!((by, at), (&json!("Ada"), &json!(NOW_MS)), "{shown}");
        let files = Op::Apply(Box::new(plan));
        let files = app.app.run(files.by(Actor::CommandLine)).await;
        let said = format!("{files:?}");
        assert!(said.contains("LiveConflict"), "files do not overwrite live times: {said}");
        undo(&app, &session, &moved).await;
        let shown = get(&app, &session, "/settings").await["event"].clone();
        let (by, at) = (&shown["timesChangedBy"], &shown["timesChangedAt"]);
        assert_eq!((by, at), (&json!(null), &json!(null)), "the times are those of the files");
        done(&app, &session, "event.pause", json!({})).await;
        let words = "a paused event takes no flags";
        let answer = team.send("one", "flag{one}").await;
        let code = answer.json["code"].as_str();
        assert_eq!((answer.status, code), (403, Some("paused")), "{words}");
        is(&action(&app, &session, "event.pause", json!({})).await, 409, "nothing_to_change");
        app.advance(10 * MINUTE_MS);
        let resumed = done(&app, &session, "event.resume", json!({"moves": true})).await;
        let by_ms = 10 * MINUTE_MS;
        let are = (Some(freeze_ms + by_ms), Some(end_ms + by_ms), json!(false));
        until("the times are later by the pause", async || times().await == are).await;
        team.solves("one").await;
        undo(&app, &session, &resumed).await;
        let are = (Some(freeze_ms), Some(end_ms), json!(true));
        until("the event is paused again", async || times().await == are).await;
        // Actions that take something from players require recent two-factor authentication.
        app.advance(60 * MINUTE_MS);
        let unproven = app.organizer_session(&organizer, true).await;
        app.advance(20 * MINUTE_MS);
        let ended = json!({"end": iso(NOW_MS + MINUTE_MS), "freeze": iso(NOW_MS)});
        is(&action(&app, &unproven, "event.times", ended).await, 403, "factor_needed");
    }

    async fn the_record_of_new_times_names_each_that_changes(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let session = session_of(&app, Role::Organizer).await;
        let text = |ms: i64, form: &str| {
            let at = jiff::Timestamp::from_millisecond(ms).expect("a time");
            let zone = jiff::tz::TimeZone::get("Europe/Rome").expect("the event's zone");
            at.to_zoned(zone).strftime(form).to_string()
        };
        let move_to = async |times: Value| {
            let moved = done(&app, &session, "event.times", times).await;
            moved["sentence"].as_str().expect("a sentence").to_owned()
        };
        let Event { freeze_ms, end_ms, .. } = event();
        let (freeze_ms, end_ms) = (freeze_ms.expect("a freeze"), end_ms.expect("an end"));
        let later_ms = end_ms + 15 * MINUTE_MS;
        let said = move_to(json!({"end": iso(later_ms)})).await;
        let clock = |ms| text(ms, "%H:%M:%S");
        let end = format!("end {} → {}.", clock(end_ms), clock(later_ms));
        let end = format!(" changed the event times: {end}");
        assert!(said.ends_with(&end), "{said}");
        // Setting a time to its current value is not a change. Dates are shown if the days differ.
        let far_ms = later_ms + 24 * 60 * MINUTE_MS;
        let times = json!({"freeze": iso(freeze_ms + MINUTE_MS), "end": iso(far_ms)});
        let said = move_to(times).await;
        let day = |ms| text(ms, "%Y-%m-%d %H:%M:%S");
        let freeze = format!("freeze {} → {}", clock(freeze_ms), clock(freeze_ms + MINUTE_MS));
        let both = format!(": {freeze}, end {} → {}.", day(later_ms), day(far_ms));
        assert!(said.ends_with(&both), "{said}");
    }

    async fn a_revealed_event_runs_again_only_with_the_second_factor(engine: Engine) {
        for (reveal, code) in [(Reveal::Auto, Some("factor_needed")), (Reveal::Manual, None)] {
            let app = TestApp::playing(engine, Event { reveal, ..event() }, Vec::new()).await;
            let organizer = app.organizer("Ada", &[Role::Organizer]).await;
            app.advance(110 * MINUTE_MS);
            let stale = app.organizer_session(&organizer, true).await;
            app.advance(20 * MINUTE_MS);
            app.settled().await;
            let again = json!({"end": iso(app.now_ms() + 15 * MINUTE_MS)});
            let reply = action(&app, &stale, "event.times", again.clone()).await;
            assert_eq!(reply.json()["code"].as_str(), code, "{reveal:?}: {}", reply.text());
            if code.is_some() {
                let fresh = app.organizer_session(&organizer, true).await;
                done(&app, &fresh, "event.times", again).await;
            }
            assert_ne!(app.player().get("/ctf").await.json["status"], "ended");
        }
    }

    async fn an_event_starts_early_only_with_the_second_factor(engine: Engine) {
        let start_ms = Some(NOW_MS + 120 * MINUTE_MS);
        let later = Event { start_ms, end_ms: Some(NOW_MS + 300 * MINUTE_MS), freeze_ms: None,
            ..event() };
        let app = TestApp::playing(engine, later, vec![draft("one")]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let stale = app.organizer_token(&organizer).await;
        let by_token = async |minutes: i64, is_preview: bool| {
            let start = iso(NOW_MS + minutes * MINUTE_MS);
            let body = json!({"action": "event.times", "reason": "early", "start": start,
                "preview": is_preview});
            let call = Call::new("POST", "/api/organize/actions").header("x-api-key", &stale);
            call.json(body.to_string()).send(&app).await
        };
        assert_eq!(by_token(60, true).await.json()["phases"], Value::Null);
        let words = "challenges are not shown without a second factor";
        for minutes in [0, -1, 14] {
            let reply = by_token(minutes, false).await;
            assert_eq!(reply.json()["code"], "factor_needed", "{words}: {}", reply.text());
        }
        assert_eq!(app.player().get("/ctf").await.json["status"], "not_started");
        let session = app.organizer_session(&organizer, true).await;
        let now = json!({"start": iso(NOW_MS)});
        let mut preview = now.clone();
        preview["preview"] = json!(true);
        let phases = done(&app, &session, "event.times", preview).await["phases"].clone();
        assert_eq!(phases["startsAtOnce"], true, "{phases}");
        assert_eq!(by_token(20, false).await.status, 200, "not soon");
        assert_eq!(by_token(25, false).await.status, 200, "later");
        done(&app, &session, "event.times", now).await;
        until("it has started", async || {
            app.player().get("/ctf").await.json["status"] == "running"
        })
        .await;
    }

    async fn a_frozen_event_reveals_itself_only_with_the_second_factor(engine: Engine) {
        let manual = Event { reveal: Reveal::Manual, ..event() };
        let app = TestApp::playing(engine, manual, vec![draft("one")]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        app.advance(50 * MINUTE_MS);
        let stale = app.organizer_session(&organizer, true).await;
        app.advance(20 * MINUTE_MS);
        app.settled().await;
        let fresh = app.organizer_session(&organizer, true).await;
        let auto = json!({"reveal": "auto"});
        is(&action(&app, &stale, "event.name", auto.clone()).await, 403, "factor_needed");
        let other = json!({"name": "Another name"});
        assert_eq!(action(&app, &stale, "event.name", other).await.status, 200);
        done(&app, &fresh, "event.name", auto).await;
        let manual = done(&app, &fresh, "event.name", json!({"reveal": "manual"})).await;
        let path = format!("/actions/{}/undo", manual["id"]);
        let reason = json!({"reason": "a mistake"});
        is(&post(&app, &stale, &path, &reason).await, 403, "factor_needed");
    }

    async fn a_preview_says_what_becomes_of_the_phases(engine: Engine) {
        let manual = Event { reveal: Reveal::Manual, ..event() };
        let app = TestApp::playing(engine, manual, vec![draft("one")]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let phases = async |name: &str, more: Value| {
            let session = app.organizer_session(&organizer, true).await;
            let mut more = more;
            more["preview"] = json!(true);
            done(&app, &session, name, more).await["phases"].clone()
        };
        let is = |ends: bool, shows: bool, again: Option<i64>| {
            json!({"startsAtOnce": false, "endsAtOnce": ends, "showsHidden": shows,
                "runsAgainUntil": again})
        };
        let later_ms = NOW_MS + 240 * MINUTE_MS;
        assert_eq!(phases("event.times", json!({"end": iso(later_ms)})).await, Value::Null);
        app.advance(70 * MINUTE_MS);
        app.settled().await;
        let freeze = json!({"freeze": iso(NOW_MS + 80 * MINUTE_MS)});
        assert_eq!(phases("event.times", freeze).await, is(false, true, None));
        let end = json!({"end": iso(app.now_ms())});
        assert_eq!(phases("event.times", end).await, is(true, false, None));
        let named = json!({"name": event().name});
        assert_eq!(phases("event.reveal", named).await, is(false, true, None));
        app.advance(60 * MINUTE_MS);
        app.settled().await;
        let again = json!({"end": iso(later_ms)});
        assert_eq!(phases("event.times", again).await, is(false, false, Some(later_ms)));
    }

    async fn an_effect_lists_every_team_with_other_points_and_who_leaves_first(engine: Engine) {
        let drafts = vec![draft("one"), draft_after("two", &["one"])];
        let app = TestApp::playing(engine, event(), drafts).await;
        let teams = app.teams(&["Ants", "Bees", "Cats"]).await;
        for team in &teams[..2] {
            team.solves("one").await;
            app.advance(1);
        }
        let session = session_of(&app, Role::Organizer).await;
        let effect = |reply: &Value| {
            let moves = reply["effect"]["public"].as_array().expect("a list");
            let place = |it: &Value| (it["rank"].as_i64(), it["points"].as_i64());
            let line = |it: &Value| {
                let name = it["teamName"].as_str().expect("a name").to_owned();
                (name, place(&it["from"]), place(&it["to"]))
            };
            moves.iter().map(line).collect::<Vec<_>>()
        };
        let at = |rank, points| (Some(rank), Some(points));
        let award = json!({"team": "Ants", "points": 25, "preview": true});
        let reply = done(&app, &session, "team.award", award).await;
        assert_eq!(effect(&reply), [("Ants".to_owned(), at(1, 100), at(1, 125))]);
        let ban = json!({"team": "Bees", "preview": true});
        let reply = done(&app, &session, "team.ban", ban).await;
        let bees = ("Bees".to_owned(), at(2, 100), (None, None));
        assert_eq!(effect(&reply), [bees, ("Cats".to_owned(), at(3, 0), at(2, 0))]);
        let hide = json!({"challenge": "one", "preview": true});
        let reply = done(&app, &session, "challenge.hide", hide).await;
        let lost = |name: &str, rank| (name.to_owned(), at(rank, 100), at(rank, 0));
        assert_eq!(effect(&reply), [lost("Ants", 1), lost("Bees", 2)]);
        let said = reply["sentence"].as_str().expect("a sentence");
        assert!(said.ends_with(" hid one and the challenges that require it: two."), "{said}");
    }

    async fn another_mode_does_not_reveal_after_the_end(engine: Engine) {
        let manual = Event { reveal: Reveal::Manual, ..event() };
        let app = TestApp::playing(engine, manual, vec![draft("one")]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        let auto = json!({"reveal": "auto"});
        // Before the end, the automatic reveal can be chosen.
        let chosen = done(&app, &session, "event.name", auto.clone()).await;
        assert_eq!(chosen["sentence"], "Ada changed the reveal: manual → at the end.");
        let back = undo(&app, &session, &chosen).await;
        let said = format!("Ada undid action {}: changed the reveal: manual → at the end.",
            chosen["id"]);
        assert_eq!(back["sentence"], said);
        app.advance(120 * MINUTE_MS);
        app.settled().await;
        let session = app.organizer_session(&organizer, true).await;
        is(&action(&app, &session, "event.name", auto).await, 409, "reveal_waits");
        assert_eq!(app.player().get("/ctf").await.json["revealed"], false);
    }

    async fn another_mode_of_a_paused_event_that_is_over_needs_the_second_factor(engine: Engine) {
        let manual = Event { reveal: Reveal::Manual, ..event() };
        let app = TestApp::playing(engine, manual, vec![draft("one")]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        done(&app, &session, "event.pause", json!({})).await;
        app.advance(110 * MINUTE_MS);
        let stale = app.organizer_session(&organizer, true).await;
        app.advance(20 * MINUTE_MS);
        app.settled().await;
        // The end passed during the pause and has not taken effect: nothing is revealed until the
        // event resumes.
        let auto = json!({"reveal": "auto"});
        is(&action(&app, &stale, "event.name", auto.clone()).await, 403, "factor_needed");
        let fresh = app.organizer_session(&organizer, true).await;
        done(&app, &fresh, "event.name", auto).await;
        assert_eq!(app.player().get("/ctf").await.json["revealed"], false);
    }

    async fn a_reveal_needs_the_events_name(engine: Engine) {
        let freeze_ms = Some(NOW_MS + MINUTE_MS);
        let frozen = Event { freeze_ms, ..event() };
        let app = TestApp::playing(engine, frozen, vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        let name = event().name;
        let named = json!({"name": name});
        is(&action(&app, &session, "event.reveal", named.clone()).await, 409, "not_frozen");
        app.advance(MINUTE_MS);
        app.settled().await;
        team.solves("one").await;
        let wrong = json!({"name": "Another CTF"});
        is(&action(&app, &session, "event.reveal", wrong).await, 422, "event_name_wrong");
        let words = "without two-factor authentication nothing is revealed while the event runs";
        let token = app.organizer_token(&organizer).await;
        let by_token = async |body: &Value| {
            let call = flagship_testkit::Call::organize("POST", "/actions");
            call.header("x-api-key", &token).json(body.to_string()).send(&app).await
        };
        let body = json!({"action": "event.reveal", "name": name});
        assert_eq!(by_token(&body).await.status, 403, "{words}");
        let revealed = done(&app, &session, "event.reveal", named).await;
        assert_eq!(revealed["undo"]["possible"], false);
        assert_eq!(app.fresh_board().await["challenges"][0]["nsolves"], 1);
    }

    async fn notices_and_the_status_of_a_challenge_are_public_actions(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let team = app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let post = json!({"title": "Lunch", "text": "At **noon** <script>", "challenge": "one"});
        let posted = done(&app, &organizer, "notice.post", post).await;
        let notices = async || {
            app.fresh_board().await;
            app.player().get("/notices").await.json["notices"].clone()
        };
        let shown = notices().await;
        let html = shown[0]["html"].as_str().expect("a text").to_owned();
        assert!(html.contains("<strong>noon</strong>") && !html.contains("<script"), "{html}");
        let id = shown[0]["id"].clone();
        let correction = json!({"notice": id, "title": "Dinner", "text": "At eight"});
        let corrected = done(&app, &organizer, "notice.correct", correction).await;
        assert_eq!(notices().await[0]["title"], "Dinner");
        undo(&app, &organizer, &corrected).await;
        assert_eq!(notices().await[0]["title"], "Lunch");
        undo(&app, &organizer, &posted).await;
        assert_eq!(notices().await[0]["withdrawn"], true);
        let later = json!({"title": "Later", "text": "x", "at": iso(NOW_MS + MINUTE_MS)});
        done(&app, &organizer, "notice.post", later).await;
        let waiting = get(&app, &organizer, "/notices").await["notices"][0].clone();
        assert_eq!((&waiting["title"], &waiting["waits"]), (&json!("Later"), &json!(true)));
        app.advance(MINUTE_MS);
        until("the notice is published", async || notices().await[0]["title"] == "Later").await;
        let helper = session_of(&app, Role::Support).await;
        let broken = json!({"challenge": "one", "status": "broken", "note": "no network"});
        let said = done(&app, &helper, "challenge.status", broken).await;
        assert_eq!(said["sentence"], "The support set the status of one to broken.");
        let status = async || team.card("one").await.expect("a card")["status"].clone();
        until("the card says so", async || status().await == "broken").await;
        undo(&app, &helper, &said).await;
        until("the card is as before", async || status().await == "works").await;
        is(&action(&app, &helper, "notice.post", json!({"title": "x", "text": "y"})).await, 404,
            "not_found");
    }

    async fn questions_are_answered_to_their_team_or_to_all(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Askers", "Others"]).await;
        let ask = async |text: &str, challenge: Value| {
            let body = json!({"text": text, "challengeId": challenge});
            teams[0].player.post("/question", &body).await
        };
        let first = ask("Is <b>this</b> right?", json!("one")).await;
        assert_eq!(first.status, 201, "{}", first.json);
        assert_eq!(ask("About a secret", json!("none")).await.status, 404);
        assert_eq!(ask(" ", json!(null)).await.status, 422);
        app.advance(1);
        assert_eq!(ask("And this?", json!(null)).await.status, 201);
        assert_eq!(ask("And that?", json!("two")).await.status, 201);
        let words = "three of a team wait";
        let fourth = ask("More?", json!(null)).await;
        let code = fourth.json["code"].as_str();
        assert_eq!((fourth.status, code), (429, Some("too_many_questions")), "{words}");
        let helper = session_of(&app, Role::Support).await;
        let listed = get(&app, &helper, "/questions").await["questions"].clone();
        assert_eq!(listed.as_array().map(Vec::len), Some(3));
        let (team, id) = (&listed[0]["teamName"], &listed[0]["id"]);
        assert_eq!((team, id), (&json!("Askers"), &first.json["id"]));
        let answer = json!({"question": first.json["id"], "text": "Yes"});
        done(&app, &helper, "question.answer", answer.clone()).await;
        let own = teams[0].player.get("/questions").await.json["questions"].clone();
        let mut own = own.as_array().expect("a list").iter();
        let answered = own.find(|it| it["id"] == first.json["id"]);
        assert_eq!(answered.expect("it is there")["answer"], "Yes");
        assert_eq!(teams[1].player.get("/questions").await.json["questions"], json!([]));
        let mut to_all = answer.clone();
        to_all["toAll"] = json!(true);
        is(&action(&app, &helper, "question.answer", to_all.clone()).await, 404, "not_found");
        let organizer = session_of(&app, Role::Organizer).await;
        done(&app, &organizer, "question.answer", to_all).await;
        let newest = async || app.player().get("/notices").await.json["notices"][0].clone();
        until("the answer is a notice", async || !newest().await.is_null()).await;
        let notice = newest().await;
        let html = notice["html"].as_str().expect("a text");
        assert!(html.contains("&lt;b&gt;this&lt;/b&gt;") && html.contains("Yes"), "{html}");
        assert!(!notice.to_string().contains("Askers"), "the team stays private: {notice}");
        // An author sees only questions about own challenges.
        let author = app.author("The Author", &["two"]).await;
        let author = app.organizer_session(&author, true).await;
        let theirs = get(&app, &author, "/questions").await["questions"].clone();
        assert_eq!(theirs.as_array().map(Vec::len), Some(1), "{theirs}");
        let close = |id: &Value| json!({"question": id});
        is(&action(&app, &author, "question.close", close(&first.json["id"])).await, 404,
            "question_not_found");
        let closed = done(&app, &author, "question.close", close(&theirs[0]["id"])).await;
        undo(&app, &organizer, &closed).await;
        let listed = get(&app, &organizer, "/actions").await.to_string();
        assert!(!listed.contains("this"), "texts are private");
    }

    async fn a_renamed_team_is_found_by_its_old_name(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Otters", "Ferrets"]).await;
        teams[0].solves("one").await;
        let helper = session_of(&app, Role::Support).await;
        let rename = |team: &str, name: &str| json!({"team": team, "name": name});
        is(&action(&app, &helper, "team.rename", rename("Otters", "Ferrets")).await, 409,
            "team_name_taken");
        is(&action(&app, &helper, "team.rename", rename("Otters", "x")).await, 422,
            "team_name_length");
        let renamed = done(&app, &helper, "team.rename", rename("Otters", "Beavers")).await;
        let found = async |name: &str| {
            app.fresh_board().await;
            let page = app.player().get(&format!("/team/{name}")).await;
            (page.status, page.json["teamName"].clone())
        };
        assert_eq!(found("Otters").await, (200, json!("Beavers")));
        assert_eq!(teams[0].player.get("/ctf").await.json["loggedTeam"], "Beavers");
        // The old name stays reserved.
        is(&action(&app, &helper, "team.rename", rename("Ferrets", "Otters")).await, 409,
            "team_name_taken");
        undo(&app, &helper, &renamed).await;
        assert_eq!(found("Beavers").await, (200, json!("Otters")));
        let mut rude = rename("Otters", "Martens");
        rude["offensive"] = json!(true);
        done(&app, &helper, "team.rename", rude).await;
        assert_eq!(found("Otters").await.0, 404, "an offensive name leads nowhere");
        let country = json!({"team": "Martens", "country": "FR"});
        done(&app, &helper, "team.country", country).await;
        assert_eq!(row(&app.fresh_board().await, "Martens").expect("a row")[1], "FR");
        let nowhere = json!({"team": "Martens", "country": "XX"});
        is(&action(&app, &helper, "team.country", nowhere).await, 422, "country_unknown");
    }

    async fn a_test_team_is_never_seen_and_a_closed_challenge_takes_no_flags(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let seq = app.app.contest().public_seq();
        let reserved = action(&app, &organizer, "team.test", json!({"team": "Admin"})).await;
        is(&reserved, 409, "team_name_reserved");
        let made = done(&app, &organizer, "team.test", json!({"team": "Testers"})).await;
        let words = "no number of the public stream reveals a test team";
        assert_eq!(app.app.contest().public_seq(), seq, "{words}");
        let body = json!({"token": made["code"], "password": "a new password"});
        assert_eq!(app.player().post("/reset", &body).await.status, 200);
        let testers = app.player().log_in("Testers", "a new password").await;
        let flag = json!({"challengeId": "one", "flag": "flag{one}"});
        assert_eq!(testers.post("/solve", &flag).await.json["correct"], true);
        assert_eq!(row(&app.fresh_board().await, "Testers"), None);
        is(&action(&app, &organizer, "team.reset", json!({"team": "Testers"})).await, 409,
            "team_without_address");
        assert_eq!(team.send("one", "flag{one}").await.json["correct"], true);
    }
}
