//! The OpenAPI description: the types of the site are generated from it, it lists every endpoint,
//! and real responses match it. Other generated files: the actions of the site and of the docs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flagship_game::facts;
use flagship_game::{Attachment, Scoring, StatusKind};
use flagship_pack::CaptchaProvider;
use flagship_store::organizers::Role;
use flagship_testkit::player::{challenge_id, draft, draft_after, event, exact, key};
use flagship_testkit::{
    Call, Engine, Reply, Socket, Team, TestApp, TestDb, commands, on_both_engines,
};
use serde_json::{Value, json};

use crate::actions::{action, session_of};
use crate::{brand, generated};

/// The environment variable to write generated files instead of comparing them.
const BLESS: &str = "FLAGSHIP_BLESS";
/// The markers around the table of actions in docs/api.md.
const TABLE: [&str; 2] = ["<!-- actions -->\n", "<!-- end of actions -->\n"];

/// The text of a file of the repository; empty if it does not exist.
fn kept(path: &str) -> String {
    std::fs::read_to_string(in_repository(path)).unwrap_or_default()
}

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Asserts that a file of the repository equals the generated text, or writes it if `BLESS` is set.
fn keep(path: &str, text: &str) {
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(in_repository(path), text).expect("the file can be written");
    }
    assert!(
        kept(path) == text,
        "{path} differs from what is generated. Run `{BLESS}=1 cargo nextest run -p \
         flagship-server description::`, then `npm --prefix web run generate`, and commit the \
         files."
    );
}

fn description() -> Value {
    serde_json::from_str(&flagship_server::openapi()).expect("the description is JSON")
}

/// Asserts that a response matches the description of its operation.
fn fits(description: &Value, method: &str, path: &str, reply: &Reply) {
    let what = format!("{method} {path} {}", reply.status);
    let status = reply.status.to_string();
    let responses = &description["paths"][path][method.to_lowercase()]["responses"];
    assert!(responses.is_object(), "{what} is described");
    let response = responses.get(&status);
    let response = response.unwrap_or_else(|| panic!("{what} is described: {}", reply.text()));
    let Some(content) = response["content"].as_object() else {
        assert!(reply.body.is_empty(), "{what} has no body");
        return;
    };
    let kind = reply.header("content-type");
    let schema = content.get(kind).unwrap_or_else(|| panic!("{what}: {kind} is described"));
    if kind == "application/json" {
        is_valid(description, &schema["schema"], &reply.json(), &what);
    }
}

/// Asserts that a value matches a schema of the description, which is a JSON Schema document.
fn is_valid(description: &Value, schema: &Value, value: &Value, what: &str) {
    let document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "components": description["components"],
        "allOf": [schema],
    });
    let validator = jsonschema::validator_for(&document);
    let validator = validator.unwrap_or_else(|error| panic!("{what} has a schema: {error}"));
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{} {error}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

/// The description with every object closed, so that an undescribed member is found.
fn closed_description() -> Value {
    fn close(schema: &mut Value) {
        if let Some(members) = schema.as_object_mut() {
            let is_open = members.contains_key("properties");
            for value in members.values_mut() {
                close(value);
            }
            if is_open {
                members.entry("additionalProperties").or_insert(json!(false));
            }
        } else if let Some(items) = schema.as_array_mut() {
            items.iter_mut().for_each(close);
        }
    }
    let mut description = description();
    close(&mut description["components"]["schemas"]);
    // The captcha library defines the parameters of a captcha.
    description["components"]["schemas"]["AltchaChallenge"] = json!({"type": "object"});
    description
}

async fn playing(engine: Engine) -> (TestApp, Vec<Team>) {
    let mut drafts =
        vec![draft("one"), draft("two"), draft_after("three", &["one"]), draft("four")];
    drafts[0].challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 9 };
    drafts[1].challenge.scoring = Scoring::Speedrun { values: vec![300, 200] };
    let digest = "ab".repeat(32);
    drafts[1].challenge.attachments.push(Attachment {
        name: "a".into(),
        digest,
        bytes: 2,
        picture: None,
        per_team: false,
    });
    let four = &mut drafts[3];
    four.flags = vec![exact("four", "flag{left}"), exact("four", "flag{right}")];
    let needed = four.flags.iter().map(|flag| flag.needed_id(&key(), &four.challenge.id));
    four.challenge.rules.needed_flags = needed.collect();
    four.challenge.rules.attempts_max = Some(2);
    let test = Arc::new(TestDb::new(engine).await);
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("ab".repeat(32)), "ok").expect("a file");
    let app = TestApp::playing_on(test, event(), drafts, |config| {
        config.settings.site = brand::site();
    })
    .await;
    let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
    teams[0].solves("one").await;
    app.advance(1_234);
    teams[1].solves("two").await;
    app.run(commands::award("The Harbour", -5)).await;
    (app, teams)
}

#[test]
fn the_sites_types_come_from_this_description() {
    keep("web/openapi.json", &flagship_server::openapi());
}

#[test]
fn generated_files_are_current() {
    keep("web/src/api/actions.ts", &generated::module());
    let page = kept("docs/api.md");
    let [begin, end] = TABLE;
    let (before, rest) = page.split_once(begin).expect("docs/api.md has the table of actions");
    let (_, after) = rest.split_once(end).expect("the table of actions ends");
    let table = generated::table();
    keep("docs/api.md", &format!("{before}{begin}\n{table}\n{end}{after}"));
}

#[test]
fn every_operation_is_documented() {
    let description = description();
    let mut ids = BTreeSet::new();
    for (path, operations) in description["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let what = format!("{method} {path}");
            assert!(operation["summary"].as_str().is_some_and(|text| text.len() > 10), "{what}");
            assert!(ids.insert(operation["operationId"].to_string()), "{what}");
            assert!(operation["tags"].as_array().is_some_and(|tags| tags.len() == 1), "{what}");
        }
    }
}

#[test]
#[should_panic(expected = "'secret'")]
fn a_member_that_is_not_described_is_found() {
    let schema = json!({"$ref": "#/components/schemas/Answer"});
    let answer = json!({"correct": true, "secret": "x"});
    is_valid(&closed_description(), &schema, &answer, "an answer");
}

on_both_engines! {
    async fn the_server_serves_its_description(engine: Engine) {
        let app = TestApp::new(engine).await;
        let reply = Call::new("GET", "/openapi.json").send(&app).await;
        let built_with = include_str!("../../../../web/openapi.json");
        assert_eq!((reply.status, reply.text()), (200, built_with.to_owned()));
    }

    async fn the_router_has_the_described_methods_and_no_others(engine: Engine) {
        let app = TestApp::new(engine).await;
        for (path, operations) in description()["paths"].as_object().expect("paths") {
            let parts = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
            let at = parts.collect::<Vec<_>>().join("/");
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                let reply = Call::new(method, &at).send(&app).await;
                let is_described = operations.get(method.to_lowercase()).is_some();
                assert_eq!(reply.status != 405, is_described, "{method} {path}: {}", reply.status);
            }
        }
    }

    async fn real_answers_are_as_described(engine: Engine) {
        let (app, teams) = playing(engine).await;
        let described = closed_description();
        let (own, fresh) = (&teams[0].token, app.team("The Pier").await.token);
        for token in ["", own, &fresh] {
            for path in ["/api/ctf", "/api/rules", "/api/challenge", "/api/scoreboard",
                "/api/scoreboard/own", "/api/account", "/api/ctftime", "/api/captcha", "/api/live",
                "/event.ics",
                "/manifest.webmanifest",
                "/healthz", "/readyz"] {
                let call = Call::new("GET", path).header("x-api-key", token);
                fits(&described, "GET", path, &call.send(&app).await);
            }
            for slug in ["about", "none", "%FF"] {
                let call = Call::new("GET", &format!("/api/pages/{slug}"));
                let reply = call.header("x-api-key", token).send(&app).await;
                fits(&described, "GET", "/api/pages/{slug}", &reply);
            }
            for id in ["one", "none", "%FF"] {
                let call = Call::new("GET", &format!("/api/pass/{id}"));
                let reply = call.header("x-api-key", token).send(&app).await;
                fits(&described, "GET", "/api/pass/{challenge}", &reply);
            }
            for name in ["The%20Lighthouse", "The%20Harbour", "none", "%FF"] {
                let call = Call::new("GET", &format!("/api/team/{name}"));
                let reply = call.header("x-api-key", token).send(&app).await;
                fits(&described, "GET", "/api/team/{name}", &reply);
            }
        }
        let etag = Call::new("GET", "/api/scoreboard").send(&app).await;
        let again = Call::new("GET", "/api/scoreboard");
        let again = again.header("if-none-match", etag.header("etag")).send(&app).await;
        assert_eq!(again.status, 304);
        fits(&described, "GET", "/api/scoreboard", &again);

        let two = teams[0].card("two").await.expect("it is there");
        let link = two["attachments"][0]["link"].as_str().expect("a link");
        let template = "/api/files/{capability}/{challenge}/{digest}/{name}";
        for (path, status) in [(link, 200), ("/api/files/a/b/c/d", 404)] {
            let reply = Call::new("GET", path).send(&app).await;
            assert_eq!(reply.status, status);
            fits(&described, "GET", template, &reply);
        }

        let password = "correct horse battery";
        let signup = json!({"teamName": "The Island", "email": "i@example.org", "country": "IT",
            "password": password, "captchaToken": "off"});
        let login = |password: &str| json!({"team": "The Island", "password": password,
            "captchaToken": "off"});
        let solve = |id: &str, flag: &str| json!({"challengeId": id, "flag": flag});
        let post = async |path: &str, body: &Value, status: u16| {
            let call = Call::new("POST", path).header("x-api-key", own).json(body.to_string());
            let reply = call.send(&app).await;
            assert_eq!(reply.status, status, "{path}: {}", reply.text());
            fits(&described, "POST", path, &reply);
        };
        post("/api/signup", &signup, 201).await;
        post("/api/signup", &signup, 409).await;
        post("/api/login", &login(password), 403).await;
        let other = |password: &str| json!({"teamName": "The Island", "email": "i@example.org",
            "password": password, "captchaToken": "off"});
        post("/api/signup/address", &other("wrong"), 401).await;
        let link = app.mail_to("i@example.org").await.token("confirm");
        post("/api/confirm", &json!({"token": link}), 200).await;
        post("/api/confirm", &json!({"token": link}), 410).await;
        post("/api/signup/address", &other(password), 409).await;
        post("/api/login", &login(password), 200).await;
        post("/api/login", &login("wrong"), 401).await;
        post("/api/resend", &json!({"email": "i@example.org"}), 200).await;
        post("/api/forgot", &json!({"email": "i@example.org"}), 200).await;
        let link = app.mail_to("i@example.org").await.token("reset");
        post("/api/reset", &json!({"token": link, "password": "x"}), 422).await;
        post("/api/reset", &json!({"token": link, "password": "a new password"}), 200).await;
        post("/api/reset", &json!({"token": link, "password": password}), 410).await;
        post("/api/address", &json!({"token": link}), 410).await;
        post("/api/join", &json!({"token": link, "password": password}), 410).await;
        post("/api/join", &json!({"token": link}), 422).await;
        post("/api/account/country", &json!({"country": "FR"}), 200).await;
        post("/api/account/country", &json!({"country": "ZZ"}), 422).await;
        post("/api/account/members", &json!({"members": ["Ada", "Bo"]}), 200).await;
        post("/api/account/divisions", &json!({"divisions": []}), 403).await;
        post("/api/account/sessions/end", &json!({"id": "none"}), 404).await;
        let body = json!({"password": password, "newPassword": "a new password"});
        post("/api/account/password", &body, 403).await;
        let body = json!({"password": password, "email": "l@example.org"});
        post("/api/account/email", &body, 403).await;
        // A part has `progress` in its response, and an incorrect flag has `attemptsLeft`.
        for (id, flag, status) in [("two", "flag{two}", 200), ("none", "x", 404), ("two", " ", 400),
            ("four", "flag{left}", 200), ("four", "x", 200), ("four", "y", 200), ("four", "z", 403),
            ("three", "x", 200), ("three", "y", 200), ("three", "z", 200), ("three", "0", 429)] {
            post("/api/solve", &solve(id, flag), status).await;
        }
        for path in ["/api/signup", "/api/login", "/api/solve", "/api/confirm", "/api/reset",
            "/api/resend", "/api/forgot", "/api/logout"] {
            for (kind, body) in [("text/plain", "x"), ("application/json", "{"),
                ("application/json", "[]"), ("application/json", "{\"x\":1}")] {
                let call = Call::new("POST", path).header("x-api-key", own).body(body);
                let reply = call.header("content-type", kind).send(&app).await;
                assert!((400..=422).contains(&reply.status), "{path}: {}", reply.text());
                fits(&described, "POST", path, &reply);
            }
        }
        post("/api/logout", &json!({}), 200).await;
        post("/api/logout", &json!({}), 401).await;
        app.advance(4 * 3_600_000);
        let ended = Call::new("POST", "/api/solve").header("x-api-key", &teams[1].token);
        let ended = ended.json(solve("one", "x").to_string()).send(&app).await;
        assert_eq!(ended.status, 403);
        fits(&described, "POST", "/api/solve", &ended);
    }

    async fn the_live_snapshot_is_the_described_one(engine: Engine) {
        let (app, _) = playing(engine).await;
        let described = closed_description();
        let (_, snapshot) = Socket::watching(&app).await;
        let schema = json!({"$ref": "#/components/schemas/Snapshot"});
        is_valid(&described, &schema, &snapshot, "the live snapshot");
    }

    async fn live_messages_are_as_described(engine: Engine) {
        let (app, teams) = playing(engine).await;
        let helper = session_of(&app, Role::Support).await;
        let (mut socket, snapshot) = teams[0].watching(&app).await;
        socket.say(&json!({"action": "getscoreboard", "token": teams[0].token,
            "since": snapshot["seq"], "generation": snapshot["generation"]})).await;
        socket.say(&json!({"action": "are you there"})).await;
        let mut messages = vec![snapshot];
        messages.extend(socket.until("error").await);
        teams[1].solves("one").await;
        messages.extend(socket.until("solve").await);
        app.team("The Pier").await;
        messages.extend(socket.until("newteam").await);
        let message = json!({"team": "The Lighthouse", "text": "Hello."});
        assert_eq!(action(&app, &helper, "team.message", message).await.status, 200);
        messages.extend(socket.until("answer").await);
        app.run(commands::award("The Harbour", 5)).await;
        messages.extend(socket.until("award").await);
        app.run(commands::ban("The Pier")).await;
        messages.extend(socket.until("changed").await);
        app.record(facts::Status {
            challenge: challenge_id("one"),
            status: StatusKind::Broken,
            note: "down".to_owned(),
        }).await;
        messages.extend(socket.until("status").await);
        app.record(facts::Notice {
            notice: 1,
            title: "Lunch".to_owned(),
            html: "<p>Lunch.</p>".to_owned(),
            challenge: None,
            urgent: true,
            urgent_until_ms: None,
        }).await;
        messages.extend(socket.until("notice").await);
        app.record(facts::FlagFound {
            team: teams[0].id,
            challenge: challenge_id("two"),
            flag: "half".to_owned(),
        }).await;
        messages.extend(socket.until("progress").await);

        let described = description();
        let schema = json!({"$ref": "#/components/schemas/LiveMessage"});
        for message in &messages {
            is_valid(&described, &schema, message, "a live message");
        }
        let events: BTreeSet<_> = messages.iter().filter_map(|it| it["event"].as_str()).collect();
        let kinds = described["components"]["schemas"]["LiveMessage"]["oneOf"].as_array();
        assert_eq!(Some(events.len()), kinds.map(Vec::len), "each was sent: {events:?}");
    }

    async fn captchas_are_as_described(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.captcha.provider = CaptchaProvider::Altcha;
        }).await;
        let reply = Call::new("GET", "/api/captcha").send(&app).await;
        assert_eq!(reply.status, 200);
        fits(&description(), "GET", "/api/captcha", &reply);
    }
}
