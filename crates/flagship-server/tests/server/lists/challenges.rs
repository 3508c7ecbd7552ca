//! The list of challenges: counts, stuck teams, and the parts visible to each role.

use std::sync::Arc;

use flagship_game::Secret;
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_store::sources::Source;
use flagship_testkit::player::{HOUR_MS, draft, draft_after, event};
use flagship_testkit::{Call, NOW_MS, TestApp, on_both_engines};
use serde_json::{Value, json};

use super::{execute, get};
use crate::actions::{action, session_of};

/// A challenge of a list.
fn of<'a>(list: &'a Value, id: &str) -> &'a Value {
    let all = list["challenges"].as_array().expect("a list");
    all.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("{id} is there: {list}"))
}

fn ids(list: &Value) -> Vec<&str> {
    let all = list["challenges"].as_array().expect("a list").iter();
    all.map(|it| it["id"].as_str().expect("an id")).collect()
}

/// Records incorrect submissions of a team, as another node would.
async fn wrong(app: &TestApp, team: i64, challenge: &str, times_ms: &[i64]) {
    let rows: Vec<String> = times_ms
        .iter()
        .map(|at_ms| {
            let id = rand::random_range(1..i64::MAX);
            format!("({id}, {team}, '{challenge}', {at_ms}, 'd')")
        })
        .collect();
    let columns = "wrong_flags (id, account_id, challenge_id, at_ms, digest)";
    execute(app, format!("insert into {columns} values {}", rows.join(", "))).await;
}

on_both_engines! {
    async fn each_challenge_has_its_counts_and_who_is_stuck(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Quick", "Slow", "Stuck", "Very Stuck", "Banned"]).await;
        let id = |at: usize| teams[at].id.0;
        let organizer = session_of(&app, Role::Organizer).await;
        let ban = json!({"team": "Banned", "action": "team.ban", "reason": "x"});
        crate::actions::post(&app, &organizer, "/actions", &ban).await;
        app.advance(60_000);
        let first = app.now_ms();
        teams[0].solves("one").await;
        wrong(&app, id(2), "one", &[first]).await;
        wrong(&app, id(3), "one", &[first]).await;
        app.advance(10 * 60_000);
        teams[1].solves("one").await;
        app.advance(61 * 60_000);
        let now = app.now_ms();
        wrong(&app, id(3), "one", &[now - 5_000, now - 4_000]).await;
        wrong(&app, id(1), "one", &[now - 9_000]).await;
        wrong(&app, id(4), "one", &[now - 9_000]).await;
        let seen = get(&app, &organizer, "/challenges").await;
        let one = of(&seen, "one");
        for (member, value) in [
            ("state", json!("shown")),
            ("status", json!("works")),
            ("solves", json!(2)),
            ("tries", json!(8)),
            ("triedBy", json!(4)),
            ("wrongLastHour", json!(4)),
            ("stuck", json!(2)),
            ("flags", json!(1)),
            ("firstSolveAt", json!(first)),
            // Time from the release to the first of two solves, which is the median.
            ("medianMs", json!(60_000)),
            ("stuckTeams", json!([
                {"teamName": "Very Stuck", "tries": 3, "lastAt": now - 4_000},
                {"teamName": "Stuck", "tries": 1, "lastAt": first},
            ])),
        ] {
            assert_eq!(one[member], value, "the counts of a challenge: {member}: {one}");
        }
        let two = of(&seen, "two");
        assert_eq!((&two["solves"], &two["tries"], &two["medianMs"]),
            (&json!(0), &json!(0), &Value::Null));
        // Submissions that were already counted are not counted again.
        for round in 1..4_i64 {
            app.advance(40_000);
            wrong(&app, id(2), "one", &[app.now_ms()]).await;
            let seen = get(&app, &organizer, "/challenges").await;
            assert_eq!(of(&seen, "one")["tries"], json!(8 + round));
        }
        app.advance(59 * 60_000);
        let seen = get(&app, &organizer, "/challenges").await;
        assert_eq!(of(&seen, "one")["wrongLastHour"], json!(3));
    }

    async fn a_challenge_says_why_players_do_not_see_it(engine: Engine) {
        let mut drafts = vec![draft("open"), draft("hidden"), draft("timed"),
            draft_after("after", &["hidden"])];
        drafts[1].hidden = true;
        drafts[2].release_at_ms = Some(NOW_MS + HOUR_MS);
        let mut plan = Plan::new(event(), drafts);
        let text = "name: The open\nid: open\ncategory: misc\ndescription: x\ntype: standard\n\
                    value: 100\nflags: ['flag{open}']\nfiels: []\n";
        let path = "challenges/misc/open/challenge.yml".to_owned();
        let text = Secret::new(text);
        let source = Source { path, text, files: "[]".to_owned() };
        plan.sources.insert(flagship_testkit::player::challenge_id("open"), source);
        let app = TestApp::new(engine).await;
        app.run(Op::Apply(Box::new(plan))).await;
        app.settled().await;
        let organizer = session_of(&app, Role::Organizer).await;
        let seen = get(&app, &organizer, "/challenges").await;
        let states: Vec<&str> = ids(&seen).into_iter()
            .map(|id| of(&seen, id)["state"].as_str().expect("a state")).collect();
        let words = "visible challenges first, then the others by name";
        assert_eq!(ids(&seen), ["open", "after", "hidden", "timed"], "{words}");
        assert_eq!(states, ["shown", "waits", "hidden", "timed"]);
        assert_eq!(of(&seen, "timed")["releasesAt"], json!(NOW_MS + HOUR_MS));
        assert_eq!(of(&seen, "after")["requirements"], json!(["hidden"]));
        let problems = of(&seen, "open")["problems"].as_array().expect("a list");
        let is_found = |it: &Value| it["message"].as_str().is_some_and(|it| it.contains("fiels"));
        let found = problems.iter().find(|it| is_found(it)).expect("it is found");
        let names: Vec<&String> = found.as_object().expect("an object").keys().collect();
        assert_eq!(names, ["line", "severity", "message"]);
        // The list words a problem of a file as `flagship check` does.
        let severity = found["severity"].as_str().expect("a word");
        let line = format!("challenges/misc/open/challenge.yml:{}: {severity}: ", found["line"]);
        let rows = get(&app, &organizer, "/exports/challenges").await;
        assert!(rows[0]["problems"].to_string().contains(&line), "{line}: {rows}");
        // After an edit, the challenge is checked again.
        let edit = json!({"action": "challenge.edit", "challenge": "open",
            "fields": {"name": "The opened", "fiels": null}});
        let edited = crate::actions::post(&app, &organizer, "/actions", &edit).await;
        assert_eq!(edited.status, 200, "{}", edited.text());
        let seen = get(&app, &organizer, "/challenges").await;
        let open = of(&seen, "open");
        assert_eq!((&open["challengeName"], &open["problems"]), (&json!("The opened"), &json!([])));
        assert_eq!(open["changedBy"], json!("The organizer"));
    }

    async fn challenges_that_players_do_not_see_yet_have_the_order_of_the_site(engine: Engine) {
        let with = |id: &str, category: &str, position: Option<i64>| {
            let mut it = draft(id);
            it.challenge.categories = vec![category.to_owned()];
            it.challenge.position = position;
            it
        };
        let drafts = vec![with("a", "web", None), with("b", "crypto", None),
            with("c", "web", None), with("d", "pwn", None), with("e", "web", Some(1))];
        let mut coming = event();
        coming.start_ms = Some(NOW_MS + HOUR_MS);
        coming.end_ms = Some(NOW_MS + 9 * HOUR_MS);
        coming.freeze_ms = None;
        let app = TestApp::new(engine).await;
        app.run(Op::Apply(Box::new(Plan::new(coming, drafts)))).await;
        app.settled().await;
        let organizer = session_of(&app, Role::Organizer).await;
        let before = get(&app, &organizer, "/challenges").await;
        assert_eq!(of(&before, "b")["state"], "from_start");
        assert_eq!(ids(&before), ["e", "b", "d", "a", "c"], "by position, category and name");
        app.advance(2 * HOUR_MS);
        app.settled().await;
        let after = get(&app, &organizer, "/challenges").await;
        assert_eq!(of(&after, "b")["state"], "shown");
        assert_eq!(ids(&after), ids(&before), "the start changes no place");
    }

    async fn no_role_sees_more_of_the_challenges_than_its_own(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("two"), draft("canary-hidden")];
        drafts[2].hidden = true;
        let test = Arc::new(flagship_testkit::TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event(), drafts, |_| {}).await;
        let teams = app.teams(&["Early", "Late", "Canary Stuck"]).await;
        wrong(&app, teams[2].id.0, "one", &[NOW_MS; 3]).await;
        wrong(&app, teams[2].id.0, "two", &[NOW_MS; 4]).await;
        teams[0].solves("one").await;
        app.advance(HOUR_MS);
        app.settled().await;
        // During the freeze: a solve, and incorrect submissions.
        teams[1].solves("one").await;
        wrong(&app, teams[1].id.0, "two", &[app.now_ms(); 5]).await;
        app.fresh_board().await;
        let of_own = app.author("Own Author", &["one"]).await;
        let own = app.organizer_session(&of_own, true).await;
        let mut readers = vec![("author of one", own)];
        let organizer = session_of(&app, Role::Organizer).await;
        let words = "a role sees what it may not";
        for role in [Role::Observer, Role::Support, Role::Owner] {
            let own = session_of(&app, role).await;
            readers.push((role.as_str(), own));
        }
        readers.push(("organizer", organizer));
        for (who, session) in readers {
            let seen = get(&app, &session, "/challenges").await;
            let text = seen.to_string();
            let is_runner = ["organizer", "owner"].contains(&who);
            let is_author = who == "author of one";
            let expected = match who {
                _ if is_runner => &["one", "two", "canary-hidden"][..],
                _ if is_author => &["one"],
                _ => &["one", "two"],
            };
            assert_eq!(ids(&seen), expected, "{words}: {who}");
            let one = of(&seen, "one");
            // One solve and three incorrect attempts, and another solve during the freeze.
            let (solves, tries) = if is_runner { (2, 5) } else { (1, 4) };
            assert_eq!((&one["solves"], &one["tries"]), (&json!(solves), &json!(tries)), "{who}");
            let two = expected.contains(&"two").then(|| of(&seen, "two")["tries"].clone());
            assert_eq!(two, (!is_author).then(|| json!(if is_runner { 9 } else { 4 })), "{who}");
            let sees_names = is_runner || is_author;
            assert_eq!(text.contains("Canary Stuck"), sees_names, "{words}: {who}: {text}");
            assert_eq!(one["problems"].is_array(), sees_names, "{words}: {who}");
            let public = get(&app, &session, "/challenges?view=public").await;
            assert_eq!(ids(&public), ["one", "two"], "{who}");
            let one = of(&public, "one");
            let hidden = ["tries", "triedBy", "wrongLastHour", "medianMs", "stuck", "stuckTeams",
                "flags", "problems", "requirements", "changedBy"];
            assert!(hidden.iter().all(|it| one[it].is_null()), "{words}: {one}");
            assert_eq!(one["solves"], json!(1), "{who}");
        }
        let reply = Call::organize("GET", "/challenges?view=all");
        let session = session_of(&app, Role::Author).await;
        assert_eq!(reply.session(&session).send(&app).await.status, 422);
    }

    async fn the_note_of_a_locked_challenge_is_for_those_who_may_write_it(engine: Engine) {
        let drafts = vec![draft("one"), draft_after("two", &["one"])];
        let app = TestApp::playing(engine, event(), drafts).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let observer = session_of(&app, Role::Observer).await;
        let support = session_of(&app, Role::Support).await;
        let author = app.author("Ann", &["two"]).await;
        let author = app.organizer_session(&author, true).await;
        for (id, note) in [("one", "we look"), ("two", "the lock")] {
            let status = json!({"challenge": id, "status": "broken", "note": note});
            let said = action(&app, &organizer, "challenge.status", status).await;
            assert_eq!(said.status, 200, "{}", said.text());
        }
        app.fresh_board().await;
        let words = "players do not read the note of a locked challenge";
        for (session, view, sees) in [(&observer, "", false), (&observer, "?view=public", false),
            (&organizer, "?view=public", false), (&organizer, "", true), (&support, "", true),
            (&author, "", true)]
        {
            let list = get(&app, session, &format!("/challenges{view}")).await;
            let two = of(&list, "two");
            let note = if sees { "the lock" } else { "" };
            assert_eq!((&two["status"], &two["statusNote"]), (&json!("broken"), &json!(note)),
                "{words}: {list}");
            let path = format!("/exports/challenges{view}");
            let reply = Call::organize("GET", &path).session(session).send(&app).await;
            assert_eq!(reply.text().contains("the lock"), sees, "{words}: {}", reply.text());
        }
        let list = get(&app, &observer, "/challenges").await;
        assert_eq!(of(&list, "one")["statusNote"], "we look");
    }
}
