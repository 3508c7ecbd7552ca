//! Divisions over HTTP: joining them, their place on the scoreboard, and changes by organizers and
//! by event files. On both databases.

use flagship_game::division::{self, DivisionRules};
use flagship_game::{ChallengeId, Event, Reveal, facts};
use flagship_store::ops::{Actor, ApplyError, Caller, Op, Outcome, Plan};
use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Engine, NOW_MS, Player, Reply, Socket, TestApp, on_both_engines};
use serde_json::{Value, json};

use super::{HOUR_MS, PASSWORD, but, confirmed, login, signup};
use crate::actions::{action, post as post_action, session_of};

fn rules(value: Value) -> Vec<DivisionRules> {
    serde_json::from_value(value).expect("divisions")
}

/// Divisions of all kinds.
fn all() -> Vec<DivisionRules> {
    rules(json!([
        {"id": "school", "name": "School", "group": "Kind", "join": "code", "code": "sea horse"},
        {"id": "uni", "name": "University", "group": "Kind", "join": "domain",
            "domains": ["uni.example"]},
        {"id": "human", "name": "No AI", "group": "AI use", "join": "open"},
        {"id": "agents", "name": "Agents", "group": "AI use", "join": "open"},
        {"id": "invited", "name": "Invited", "group": "Prize", "join": "organizers"},
        {"id": "staff", "name": "Staff", "group": "Hidden", "join": "open", "private": true},
    ]))
}

/// An event that starts in an hour.
fn future() -> Event {
    let later = |hours: i64| Some(NOW_MS + hours * HOUR_MS);
    Event { start_ms: later(1), freeze_ms: later(3), end_ms: later(4), ..event() }
}

fn plan(event: Event, divisions: Vec<DivisionRules>) -> Plan {
    let event = Event { divisions: division::public(&divisions), ..event };
    Plan { divisions, ..Plan::new(event, vec![draft("one"), draft("two")]) }
}

async fn apply(app: &TestApp, event: Event, divisions: Vec<DivisionRules>) {
    let outcome = app.run(Op::Apply(Box::new(plan(event, divisions)))).await;
    assert!(matches!(outcome, Outcome::Apply(Ok(_))), "{outcome:?}");
}

async fn app_with(engine: Engine, event: Event, divisions: Vec<DivisionRules>) -> TestApp {
    let app = TestApp::new(engine).await;
    apply(&app, event, divisions).await;
    app
}

async fn refused(player: &Player, path: &str, body: &Value) -> (u16, String) {
    let answer = player.post(path, body).await;
    (answer.status, answer.json["code"].as_str().unwrap_or_default().to_owned())
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn joining(team: &str, email: &str, divisions: Value) -> Value {
    but(&signup(team, email), "divisions", divisions)
}

/// Signs a team up with these members and confirms it.
async fn joined(app: &TestApp, body: &Value) -> Player {
    let player = app.player();
    let answer = player.post("/signup", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let email = body["email"].as_str().expect("an address");
    let token = app.mail_to(email).await.token("confirm");
    assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
    player.log_in(body["teamName"].as_str().expect("a name"), PASSWORD).await
}

/// The sixth element of a team's row; null if the row has none.
async fn row(app: &TestApp, team: &str) -> Value {
    let board = app.fresh_board().await;
    let rows = board["scoreboard"].as_array().expect("rows").iter();
    let row = rows.clone().find(|row| row[0] == team).expect("the team has a row");
    if !row[5].is_null() {
        assert!(row[4].is_number(), "the award is present: {row}");
    }
    row[5].clone()
}

async fn divisions_for_organizers(app: &TestApp, session: &str) -> Value {
    let call = Call::organize("GET", "/teams/The%20Team").session(session);
    let reply: Reply = call.send(app).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["team"]["divisions"].clone()
}

on_both_engines! {
    async fn public_divisions_are_listed_without_their_rules(engine: Engine) {
        let app = app_with(engine, future(), all()).await;
        let info = app.player().get("/ctf").await.json;
        let expected = json!([
            {"id": "school", "name": "School", "group": "Kind", "join": "code"},
            {"id": "uni", "name": "University", "group": "Kind", "join": "domain"},
            {"id": "human", "name": "No AI", "group": "AI use", "join": "open"},
            {"id": "agents", "name": "Agents", "group": "AI use", "join": "open"},
            {"id": "invited", "name": "Invited", "group": "Prize", "join": "organizers"},
        ]);
        assert_eq!(info["divisions"], expected);
        let plain = app_with(engine, future(), Vec::new()).await;
        let info = plain.player().get("/ctf").await.json;
        assert!(info.get("divisions").is_none(), "an event without divisions has none: {info}");
    }

    async fn a_signup_joins_by_the_rules_of_each_division(engine: Engine) {
        let app = app_with(engine, future(), all()).await;
        let player = app.player();
        let body = |divisions: Value| joining("The Team", "ada@example.org", divisions);
        for (divisions, code) in [
            (json!(["nothing"]), "division_unknown"),
            (json!(["staff"]), "division_unknown"),
            (json!(["invited"]), "division_unknown"),
            (json!(["school"]), "division_code_invalid"),
            (json!(["uni"]), "division_domain"),
            (json!(["human", "agents"]), "division_group"),
            (json!("human"), "field_invalid"),
            (json!([7]), "field_invalid"),
        ] {
            let answer = refused(&player, "/signup", &body(divisions.clone())).await;
            assert_eq!(answer, is(422, code), "{divisions}");
        }
        let mut wrong = body(json!(["school"]));
        wrong["divisionCode"] = json!("sea  horse");
        let answer = refused(&player, "/signup", &wrong).await;
        assert_eq!(answer, is(422, "division_code_invalid"));
        wrong["divisionCode"] = json!({"human": "sea horse"});
        let answer = refused(&player, "/signup", &wrong).await;
        assert_eq!(answer, is(422, "division_code_invalid"), "the code of another division");
        assert!(app.mails().is_empty(), "no refused signup sends an email");

        let mut school = body(json!(["human", "school"]));
        school["divisionCode"] = json!("sea horse");
        joined(&app, &school).await;
        assert_eq!(row(&app, "The Team").await, json!(["school", "human"]));
        let mut each = joining("Second", "two@example.org", json!(["school"]));
        each["divisionCode"] = json!({"school": "sea horse", "other": "x"});
        joined(&app, &each).await;
        joined(&app, &joining("Third", "three@uni.example", json!(["uni"]))).await;
        confirmed(&app, "None", "none@example.org").await;
        assert_eq!(row(&app, "Second").await, json!(["school"]));
        assert_eq!(row(&app, "Third").await, json!(["uni"]));
        assert_eq!(row(&app, "None").await, Value::Null);
        let page = player.get("/team/Third").await.json;
        assert_eq!(page["divisions"], json!(["uni"]), "{page}");
    }

    async fn incorrect_codes_count_as_signups(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 3;
        })
        .await;
        apply(&app, future(), all()).await;
        let body = |code: &str| {
            let school = joining("The Team", "ada@example.org", json!(["school"]));
            but(&school, "divisionCode", json!(code))
        };
        let from = |address: &str| app.player().from_address(address);
        let domain = joining("The Team", "ada@example.org", json!(["uni"]));
        for code in ["sea", "horse", "horse sea"] {
            let answer = refused(&from("198.51.100.7"), "/signup", &domain).await;
            assert_eq!(answer, is(422, "division_domain"), "other errors spend nothing");
            let answer = refused(&from("198.51.100.7"), "/signup", &body(code)).await;
            assert_eq!(answer, is(422, "division_code_invalid"));
        }
        let answer = refused(&from("198.51.100.7"), "/signup", &body("sea horse")).await;
        assert_eq!(answer, is(429, "too_many_attempts"));
        let answer = from("198.51.100.8").post("/signup", &body("sea horse")).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }

    async fn a_new_team_is_sent_with_its_divisions(engine: Engine) {
        let app = app_with(engine, future(), all()).await;
        let (mut socket, _) = Socket::watching(&app).await;
        joined(&app, &joining("The Team", "ada@example.org", json!(["human"]))).await;
        let message = socket.next().await;
        assert_eq!(message["event"], "newteam", "{message}");
        assert_eq!(message["divisions"], json!(["human"]));
        joined(&app, &signup("Other", "bob@example.org")).await;
        let message = socket.next().await;
        assert!(message["event"] == "newteam" && message.get("divisions").is_none(), "{message}");
    }

    async fn the_student_flag_is_a_division(engine: Engine) {
        let students = |private: bool| rules(json!([
            {"id": "students", "name": "Students", "group": "Kind", "join": "open",
                "student": true, "private": private},
            {"id": "pros", "name": "Pros", "group": "Kind", "join": "open"},
        ]));
        let app = app_with(engine, future(), students(false)).await;
        let student = |team: &str, email: &str| {
            but(&signup(team, email), "studentTeam", json!(true))
        };
        joined(&app, &student("The Team", "ada@example.org")).await;
        assert_eq!(row(&app, "The Team").await, json!(["students"]));
        let both = but(&student("Both", "b@example.org"), "divisions", json!(["pros"]));
        let answer = refused(&app.player(), "/signup", &both).await;
        assert_eq!(answer, is(422, "division_group"));
        let flags = "select student from accounts order by created_at_ms, id";
        assert_eq!(app.test.rows::<(bool,)>(flags).await, [(true,)]);
        joined(&app, &joining("Listed", "c@example.org", json!(["students"]))).await;
        assert_eq!(app.test.rows::<(bool,)>(flags).await, [(true,), (true,)]);

        // As a private division, it is what the flag was: visible to organizers only.
        apply(&app, future(), students(true)).await;
        assert_eq!(row(&app, "The Team").await, Value::Null);
        joined(&app, &student("Quiet", "d@example.org")).await;
        assert_eq!(row(&app, "Quiet").await, Value::Null);
        let listed = joining("Loud", "e@example.org", json!(["students"]));
        let answer = refused(&app.player(), "/signup", &listed).await;
        assert_eq!(answer, is(422, "division_unknown"));
        let organizer = session_of(&app, Role::Organizer).await;
        assert_eq!(divisions_for_organizers(&app, &organizer).await, json!(["students"]));
    }

    async fn teams_with_the_student_flag_join_a_later_division_of_students(engine: Engine) {
        let app = app_with(engine, future(), Vec::new()).await;
        joined(&app, &but(&signup("The Team", "ada@example.org"), "studentTeam", json!(true)))
            .await;
        joined(&app, &signup("Other", "bob@example.org")).await;
        assert_eq!(row(&app, "The Team").await, Value::Null, "it is a flag");
        let students = rules(json!([{"id": "students", "name": "Students", "group": "Kind",
            "join": "open", "student": true}]));
        apply(&app, future(), students).await;
        assert_eq!(row(&app, "The Team").await, json!(["students"]));
        assert_eq!(row(&app, "Other").await, Value::Null);
    }

    async fn a_team_changes_its_divisions_until_the_start(engine: Engine) {
        let app = app_with(engine, future(), all()).await;
        let team = confirmed(&app, "The Team", "ada@example.org").await;
        let path = "/account/divisions";
        let body = |ids: Value, code: &str| json!({"divisions": ids, "divisionCode": code});
        assert_eq!(refused(&app.player(), path, &body(json!([]), "")).await.0, 401);
        for (ids, code) in [
            (json!(["staff"]), "division_unknown"),
            (json!(["invited"]), "division_unknown"),
            (json!(["school"]), "division_code_invalid"),
            (json!(["uni"]), "division_domain"),
            (json!(["human", "agents"]), "division_group"),
        ] {
            assert_eq!(refused(&team, path, &body(ids, "")).await, is(422, code));
        }
        let school = body(json!(["school", "human"]), "sea horse");
        assert_eq!(refused(&team, path, &school).await, is(200, ""));
        assert_eq!(row(&app, "The Team").await, json!(["school", "human"]));
        assert_eq!(team.get("/account").await.json["divisions"], json!(["school", "human"]));
        // A division that the team is in needs no code again.
        assert_eq!(refused(&team, path, &body(json!(["school"]), "")).await, is(200, ""));
        assert_eq!(row(&app, "The Team").await, json!(["school"]));

        app.advance(HOUR_MS);
        app.settled().await;
        let late = refused(&team, path, &body(json!([]), "")).await;
        assert_eq!(late, is(403, "divisions_fixed"));
        assert_eq!(row(&app, "The Team").await, json!(["school"]));
    }

    async fn a_team_changes_its_divisions_ten_times_a_day(engine: Engine) {
        let later = |hours: i64| Some(NOW_MS + hours * HOUR_MS);
        let event = Event {
            start_ms: later(40),
            freeze_ms: later(41),
            end_ms: later(42),
            ..event()
        };
        let app = app_with(engine, event, all()).await;
        let team = confirmed(&app, "The Team", "ada@example.org").await;
        let choose = async |id: &str| {
            refused(&team, "/account/divisions", &json!({"divisions": [id]})).await
        };
        for id in ["human", "agents"].repeat(5) {
            assert_eq!(choose(id).await, is(200, ""));
        }
        assert_eq!(choose("human").await, is(429, "too_many_attempts"), "in an hour");
        app.advance(HOUR_MS);
        assert_eq!(choose("human").await, is(429, "too_many_attempts"), "in a day");
        assert_eq!(choose("agents").await, is(200, ""), "nothing changes");
        app.advance(24 * HOUR_MS);
        assert_eq!(choose("human").await, is(200, ""));
    }

    async fn organizers_change_divisions_and_undo_it(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        let team = joined(&app, &joining("The Team", "ada@example.org", json!(["human"]))).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let change = async |ids: Value, more: Value| {
            let mut body = json!({"divisions": ids});
            body.as_object_mut().expect("an object").extend(
                more.as_object().expect("an object").clone(),
            );
            action(&app, &organizer, "team.divisions", body).await
        };
        for (ids, code) in [
            (json!(["nothing"]), "division_unknown"),
            (json!(["human", "agents"]), "division_group"),
        ] {
            let reply = change(ids, json!({})).await;
            assert_eq!((reply.status, reply.json()["code"].as_str()), (422, Some(code)));
        }
        let support = session_of(&app, Role::Support).await;
        let reply = action(&app, &support, "team.divisions", json!({"divisions": []})).await;
        assert_eq!(reply.status, 404, "support staff does not change divisions");

        let ids = || json!(["agents", "invited", "staff"]);
        let preview = change(ids(), json!({"preview": true})).await.json();
        assert!(preview["sentence"].as_str().expect("a sentence").contains("staff"), "{preview}");
        assert_eq!(row(&app, "The Team").await, json!(["human"]), "a preview changes nothing");
        let done = change(ids(), json!({})).await;
        assert_eq!(done.status, 200, "{}", done.text());
        assert_eq!(row(&app, "The Team").await, json!(["agents", "invited"]));
        assert_eq!(divisions_for_organizers(&app, &organizer).await, ids());
        for path in ["/scoreboard", "/ctf", "/account", "/team/The%20Team"] {
            let text = team.get(path).await.json.to_string();
            assert!(!text.contains("staff"), "a private division shows at {path}: {text}");
        }
        let again = change(ids(), json!({})).await;
        assert_eq!((again.status, again.json()["code"].as_str()), (409, Some("nothing_to_change")));

        let id = done.json()["id"].as_i64().expect("an id");
        let undo = format!("/actions/{id}/undo");
        let undone = post_action(&app, &organizer, &undo, &json!({"reason": "a mistake"})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert_eq!(row(&app, "The Team").await, json!(["human"]));
        assert_eq!(divisions_for_organizers(&app, &organizer).await, json!(["human"]));
    }

    async fn organizers_list_all_divisions_and_others_the_public_ones(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        joined(&app, &joining("The Team", "ada@example.org", json!(["human"]))).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let body = json!({"divisions": ["human", "staff"]});
        assert_eq!(action(&app, &organizer, "team.divisions", body).await.status, 200);
        let listed = async |session: &str, view: &str| {
            let path = format!("/divisions{view}");
            let reply: Reply = Call::organize("GET", &path).session(session).send(&app).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
            assert!(!reply.text().contains("sea horse"), "no code is in the list");
            reply.json()["divisions"].clone()
        };
        let of_organizer = listed(&organizer, "").await;
        let staff = &of_organizer[5];
        assert_eq!([&staff["id"], &staff["private"], &staff["teams"]], [
            &json!("staff"),
            &json!(true),
            &json!(1)
        ]);
        let human = &of_organizer[2];
        assert_eq!([&human["id"], &human["group"], &human["teams"]], [
            &json!("human"),
            &json!("AI use"),
            &json!(1)
        ]);
        assert_eq!(of_organizer[0]["teams"], 0);
        let observer = session_of(&app, Role::Observer).await;
        for (session, view) in [(&observer, ""), (&organizer, "?view=public")] {
            let public = listed(session, view).await;
            let listed = public.as_array().expect("a list").iter();
            let ids: Vec<_> = listed.map(|it| &it["id"]).collect();
            assert_eq!(ids, ["school", "uni", "human", "agents", "invited"]);
            assert!(public[0]["teams"].is_null() && public[1]["domains"].is_null(), "{public}");
        }
    }

    async fn a_removed_division_returns_with_its_teams(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        joined(&app, &joining("The Team", "ada@example.org", json!(["human"]))).await;
        let without = || -> Vec<DivisionRules> {
            all().into_iter().filter(|it| it.id().as_str() != "human").collect()
        };
        let preview = app.app.preview(&plan(event(), without())).await.expect("it is read");
        let preview = preview.expect("the server writes");
        let lines = flagship_server::apply::difference::lines(&preview);
        let removes = "destructive: removes the division human with 1 team";
        assert!(lines.iter().any(|line| line.starts_with(removes)), "{lines:?}");
        let unconfirmed = Plan { confirmed: Some(0), ..plan(event(), without()) };
        let request = Op::Apply(Box::new(unconfirmed)).by(Actor::CommandLine);
        let outcome = app.app.run(request).await.expect("the lane works");
        let refusal = ApplyError::Unconfirmed { destructions: 1 };
        assert_eq!(outcome, Outcome::Apply(Err(refusal)));
        assert_eq!(row(&app, "The Team").await, json!(["human"]));

        apply(&app, event(), without()).await;
        assert_eq!(row(&app, "The Team").await, Value::Null);
        assert_eq!(app.player().get("/ctftime?division=human").await.status, 404);
        apply(&app, event(), all()).await;
        assert_eq!(row(&app, "The Team").await, json!(["human"]), "the undo restores it");
    }

    async fn changed_names_and_rules_keep_the_teams(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        let mut school = joining("The Team", "ada@example.org", json!(["school"]));
        school["divisionCode"] = json!("sea horse");
        joined(&app, &school).await;
        let mut changed = all();
        changed[0].division.name = "Schools".to_owned();
        changed[0].code = Some("a new code".to_owned());
        let preview = app.app.preview(&plan(event(), changed.clone())).await.expect("it is read");
        let preview = preview.expect("the server writes");
        let lines = flagship_server::apply::difference::lines(&preview).join("\n");
        let expected = "change the divisions\n    \
            school (1 team): name: \"School\" → \"Schools\"\n    \
            school (1 team): code: changed";
        assert_eq!(lines, expected);
        apply(&app, event(), changed).await;
        assert_eq!(row(&app, "The Team").await, json!(["school"]));
        let info = app.player().get("/ctf").await.json;
        assert_eq!(info["divisions"][0]["name"], "Schools");
        let old = but(&school, "teamName", json!("Late"));
        let old = but(&old, "email", json!("late@example.org"));
        let answer = refused(&app.player(), "/signup", &old).await;
        assert_eq!(answer, is(422, "division_code_invalid"), "the old code no longer works");
    }

    async fn a_division_that_becomes_public_or_private_takes_its_teams_along(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        joined(&app, &joining("The Team", "ada@example.org", json!(["human"]))).await;
        let mut private = all();
        private[2].private = true;
        apply(&app, event(), private).await;
        assert_eq!(row(&app, "The Team").await, Value::Null);
        assert_eq!(app.player().get("/ctftime?division=human").await.status, 404);
        let organizer = session_of(&app, Role::Organizer).await;
        assert_eq!(divisions_for_organizers(&app, &organizer).await, json!(["human"]));
        let ids = json!({"divisions": ["agents", "staff"]});
        let done = action(&app, &organizer, "team.divisions", ids).await;
        assert_eq!(done.status, 200, "{}", done.text());
        let mut public = all();
        public[5].private = false;
        apply(&app, event(), public).await;
        assert_eq!(row(&app, "The Team").await, json!(["agents", "staff"]));
    }

    async fn a_feed_and_an_export_rank_within_the_division(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        let organizer = session_of(&app, Role::Owner).await;
        for (team, email, ids) in [
            ("First", "a@example.org", json!(["agents"])),
            ("Second", "b@example.org", json!(["human"])),
            ("Third", "c@example.org", json!(["human"])),
        ] {
            joined(&app, &joining(team, email, ids)).await;
        }
        let solved = ["First", "Third"];
        for (at, team) in (0_i64..).zip(solved) {
            let id = app.app.contest().team_named(team).expect("it joined").id;
            app.advance(1000 * (at + 1));
            let challenge = ChallengeId::parse("one").expect("an id");
            app.record(facts::Solve { team: id, challenge }).await;
        }
        app.fresh_board().await;
        let feed = app.player().get("/ctftime?division=human").await;
        assert_eq!(feed.status, 200);
        let standings = feed.json["standings"].as_array().expect("standings").clone();
        let places: Vec<_> = standings.iter().map(|it| (&it["pos"], &it["team"])).collect();
        assert_eq!(places, [(&json!(1), &json!("Third")), (&json!(2), &json!("Second"))]);
        let whole = app.player().get("/ctftime").await.json;
        let score = |feed: &Value| feed["standings"].as_array().expect("standings").iter()
            .find(|it| it["team"] == "Third").expect("it is listed")["score"].clone();
        assert_eq!(score(&whole), score(&feed.json), "points are those of the event");
        for unknown in ["staff", "nothing", ""] {
            let answer = app.player().get(&format!("/ctftime?division={unknown}")).await;
            let code = answer.json["code"].as_str();
            assert_eq!((answer.status, code), (404, Some("division_unknown")), "{unknown}");
        }

        let export = async |query: &str| {
            let path = format!("/exports/standings?format=json&{query}");
            Call::organize("GET", &path).session(&organizer).send(&app).await
        };
        let teams = |reply: Reply| -> Vec<String> {
            let rows = reply.json();
            let rows = rows.as_array().expect("rows").iter();
            rows.map(|row| row["team"].as_str().expect("a name").to_owned()).collect()
        };
        assert_eq!(teams(export("division=human").await), ["Third", "Second"]);
        assert_eq!(teams(export("division=staff").await), Vec::<String>::new());
        assert_eq!(export("division=nothing").await.status, 404);
    }

    async fn the_confirmed_address_counts_for_a_domain(engine: Engine) {
        let app = app_with(engine, future(), all()).await;
        let player = app.player();
        let sign_up = async |team: &str, email: &str| {
            let body = joining(team, email, json!(["uni", "human"]));
            assert_eq!(player.post("/signup", &body).await.status, 201);
        };
        let confirm = async |token: &str| {
            assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
        };
        let moves = async |team: &str, email: &str| {
            let body = json!({"teamName": team, "password": PASSWORD, "email": email,
                "captchaToken": "off"});
            assert_eq!(player.post("/signup/address", &body).await.status, 200);
            app.mail_to(email).await.token("confirm")
        };
        sign_up("The Team", "ada@uni.example").await;
        confirm(&moves("The Team", "ada@example.org").await).await;
        assert_eq!(row(&app, "The Team").await, json!(["human"]), "an address nobody confirmed");
        sign_up("Typo", "b@uni.example").await;
        confirm(&moves("Typo", "bob@uni.example").await).await;
        assert_eq!(row(&app, "Typo").await, json!(["uni", "human"]));

        // A new address that is not confirmed yet does not count on the account page.
        let team = player.log_in("The Team", PASSWORD).await;
        let change = json!({"password": PASSWORD, "email": "new@uni.example"});
        assert_eq!(refused(&team, "/account/email", &change).await, is(200, ""));
        let token = app.mail_to("new@uni.example").await.token("address");
        let uni = json!({"divisions": ["uni", "human"]});
        let early = refused(&team, "/account/divisions", &uni).await;
        assert_eq!(early, is(422, "division_domain"));
        assert_eq!(player.post("/address", &json!({"token": token})).await.status, 200);
        assert_eq!(refused(&team, "/account/divisions", &uni).await, is(200, ""));
        assert_eq!(row(&app, "The Team").await, json!(["uni", "human"]));
    }

    async fn a_division_of_students_leaves_the_flag_of_accounts(engine: Engine) {
        let students = |id: &str| rules(json!([
            {"id": id, "name": "Students", "group": "Kind", "join": "open", "student": true},
            {"id": "pros", "name": "Pros", "group": "Kind", "join": "open"},
        ]));
        let app = app_with(engine, future(), rules(json!([
            {"id": "students", "name": "Learners", "group": "Kind", "join": "open"},
            {"id": "pros", "name": "Pros", "group": "Kind", "join": "open"},
        ])))
        .await;
        let owner = session_of(&app, Role::Owner).await;
        joined(&app, &joining("Member", "m@example.org", json!(["students"]))).await;
        let flag = |team: &str, email: &str| but(&signup(team, email), "studentTeam", json!(true));
        let team = joined(&app, &flag("The Team", "ada@example.org")).await;
        let professional = but(&flag("Pro", "p@example.org"), "divisions", json!(["pros"]));
        joined(&app, &professional).await;
        let shown = async || -> Vec<String> {
            let call = Call::organize("GET", "/teams").session(&owner);
            let teams = call.send(&app).await.json()["teams"].clone();
            let teams = teams.as_array().expect("a list").iter();
            let students = teams.filter(|it| it["student"] == true);
            let name = |it: &Value| it["teamName"].as_str().expect("a name").to_owned();
            let mut names: Vec<_> = students.map(name).collect();
            names.sort();
            names
        };
        let exported = async || -> Vec<String> {
            let path = "/exports/standings?format=json&students=true";
            let rows = Call::organize("GET", path).session(&owner).send(&app).await.json();
            let rows = rows.as_array().expect("rows").iter();
            let name = |it: &Value| it["team"].as_str().expect("a name").to_owned();
            let mut names: Vec<_> = rows.map(name).collect();
            names.sort();
            names
        };
        let flags = async || {
            let sql = "select name from accounts where student order by name";
            let rows = app.test.rows::<(String,)>(sql).await;
            rows.into_iter().map(|(name,)| name).collect::<Vec<_>>()
        };
        let flagged = ["Pro", "The Team"];
        assert_eq!(shown().await, flagged);

        apply(&app, future(), students("students")).await;
        app.fresh_board().await;
        assert_eq!(shown().await, ["Member", "The Team"], "the members are the students");
        assert_eq!(exported().await, ["Member", "The Team"]);
        assert_eq!(flags().await, flagged, "the flags stay");
        let pros = json!({"divisions": ["pros"]});
        assert_eq!(refused(&team, "/account/divisions", &pros).await, is(200, ""));
        app.fresh_board().await;
        assert_eq!((shown().await, exported().await), (
            vec!["Member".to_owned()],
            vec!["Member".to_owned()]
        ));
        apply(&app, future(), students("learners")).await;
        assert_eq!(shown().await, ["Member"], "another division takes over its members");

        apply(&app, future(), Vec::new()).await;
        assert_eq!((shown().await, flags().await), (
            flagged.map(str::to_owned).to_vec(),
            flagged.map(str::to_owned).to_vec()
        ), "without the division, the flags count again");
    }

    async fn a_team_that_left_a_private_division_is_not_in_it_when_it_is_public(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        for (team, email) in [("The Team", "a@example.org"), ("Erased", "b@example.org")] {
            joined(&app, &joining(team, email, json!(["human"]))).await;
        }
        let account_id = app.app.contest().team_named("Erased").expect("it joined").id.0;
        app.run(Op::Erase {
            account_id: Some(account_id),
            is_confirmed: true,
            by: Caller::CommandLine,
        })
        .await;
        let mut private = all();
        private[2].private = true;
        apply(&app, event(), private).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let none = json!({"divisions": []});
        assert_eq!(action(&app, &organizer, "team.divisions", none).await.status, 200);
        apply(&app, event(), all()).await;
        assert_eq!(row(&app, "The Team").await, Value::Null);
        assert_eq!(row(&app, "Erased").await, json!(["human"]), "a public fact stays");

        let path = "/exports/standings?format=json&division=human";
        let rows = Call::organize("GET", path).session(&organizer).send(&app).await.json();
        assert_eq!(rows.as_array().expect("rows").len(), 1, "as on the scoreboard: {rows}");
        assert_eq!(rows[0]["team"], "Erased");
        let listed = Call::organize("GET", "/divisions").session(&organizer).send(&app).await;
        assert_eq!(listed.json()["divisions"][2]["teams"], 1);
    }

    async fn publishing_a_private_division_must_be_confirmed(engine: Engine) {
        let app = app_with(engine, event(), all()).await;
        let mut public = all();
        public[5].private = false;
        let unconfirmed = |public: &[DivisionRules]| {
            let plan = Plan { confirmed: Some(0), ..plan(event(), public.to_vec()) };
            Op::Apply(Box::new(plan))
        };
        let mut empty = public.clone();
        empty[5].division.name = "Crew".to_owned();
        let outcome = app.run(unconfirmed(&empty)).await;
        assert!(matches!(outcome, Outcome::Apply(Ok(_))), "without teams: {outcome:?}");
        apply(&app, event(), all()).await;

        joined(&app, &signup("The Team", "ada@example.org")).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let staff = json!({"divisions": ["staff"]});
        assert_eq!(action(&app, &organizer, "team.divisions", staff).await.status, 200);
        let preview = app.app.preview(&plan(event(), public.clone())).await.expect("it is read");
        let preview = preview.expect("the server writes");
        let lines = flagship_server::apply::difference::lines(&preview);
        let publishes = "destructive: publishes the private division staff with 1 team";
        assert!(lines.iter().any(|line| line.starts_with(publishes)), "{lines:?}");
        let request = unconfirmed(&public).by(Actor::CommandLine);
        let outcome = app.app.run(request).await.expect("the lane works");
        let refusal = ApplyError::Unconfirmed { destructions: 1 };
        assert_eq!(outcome, Outcome::Apply(Err(refusal)));
        assert_eq!(row(&app, "The Team").await, Value::Null);
    }

    async fn the_freeze_hides_later_solves_in_a_division(engine: Engine) {
        let frozen = Event { reveal: Reveal::Manual, ..event() };
        let app = app_with(engine, frozen, all()).await;
        let team = joined(&app, &joining("The Team", "ada@example.org", json!(["human"]))).await;
        joined(&app, &joining("Other", "b@example.org", json!(["human"]))).await;
        app.advance(HOUR_MS);
        app.settled().await;
        app.fresh_board().await;
        let path = "/ctftime?division=human";
        let before = app.player().get(path).await;
        let id = app.app.contest().team_named("The Team").expect("it joined").id;
        let challenge = ChallengeId::parse("one").expect("an id");
        app.record(facts::Solve { team: id, challenge }).await;
        for viewer in [app.player(), team] {
            let after = viewer.get(path).await;
            assert_eq!(after.json, before.json, "the feed shows no hidden solve");
            assert_eq!(after.headers.get("etag"), before.headers.get("etag"));
        }
        assert!(app.player().post("/login", &login("Other", PASSWORD)).await.status == 200);
    }
}
