//! Conditions of a signup: the window, the domain of the address, codes and questions.

use flagship_pack::{SignupCodes, SignupField, SignupFieldType};
use flagship_store::accounts::UNCONFIRMED_MS;
use flagship_store::ops::{Caller, Op};
use flagship_store::organizers::Role;
use flagship_testkit::{Call, Engine, NOW_MS, Player, TestApp, on_both_engines};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{HOUR_MS, PASSWORD, but, confirmed, signup};
use crate::actions::session_of;

/// Status and error code of a call; the code is `""` for a success.
async fn post(player: &Player, path: &str, body: &Value) -> (u16, String) {
    let answer = player.post(path, body).await;
    (answer.status, answer.json["code"].as_str().unwrap_or_default().to_owned())
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// The window in `/ctf`, and whether teams can sign up now.
async fn window(player: &Player) -> (Value, bool) {
    let info = player.get("/ctf").await.json;
    (info["registration"].clone(), info["registrationOpen"] == true)
}

on_both_engines! {
    async fn teams_sign_up_within_the_window(engine: Engine) {
        let opens_ms = NOW_MS + HOUR_MS;
        let closes_ms = opens_ms + HOUR_MS;
        let app = TestApp::with(engine, |config| {
            config.settings.registration.opens = Some(opens_ms);
            config.settings.registration.closes = Some(closes_ms);
        })
        .await;
        app.advance(HOUR_MS - 1);
        let player = app.player();
        let shown =
            json!({"open": true, "opens": opens_ms, "closes": closes_ms, "codes": "none",
                "waitingList": false, "full": false, "fields": []});
        assert_eq!(window(&player).await, (shown.clone(), false));
        let early = post(&player, "/signup", &signup("Early", "early@example.org")).await;
        assert_eq!(early, is(403, "registration_not_open"));

        app.advance(1);
        assert_eq!(window(&player).await, (shown.clone(), true));
        confirmed(&app, "In Time", "time@example.org").await;
        let body = signup("Waiting", "waiting@example.org");
        assert_eq!(post(&player, "/signup", &body).await, is(201, ""));

        app.advance(HOUR_MS);
        assert_eq!(window(&player).await, (shown, false));
        let late = post(&player, "/signup", &signup("Late", "late@example.org")).await;
        assert_eq!(late, is(403, "registration_closed"));
        // A team that signed up in time still confirms.
        let token = app.mail_to("waiting@example.org").await.token("confirm");
        assert_eq!(post(&player, "/confirm", &json!({"token": token})).await, is(200, ""));
    }

    async fn a_closed_registration_ignores_the_window(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.registration.open = false;
            config.settings.registration.opens = Some(0);
        })
        .await;
        let player = app.player();
        assert!(!window(&player).await.1);
        let refused = post(&player, "/signup", &signup("The Team", "ada@example.org")).await;
        assert_eq!(refused, is(403, "registration_closed"));
    }

    async fn teams_use_addresses_of_the_allowed_domains_only(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            let domains = ["example.org", "xn--bcher-kva.example"];
            config.settings.registration.email_domains = domains.map(str::to_owned).into();
        })
        .await;
        let player = app.player();
        let refused = is(422, "email_domain");
        for email in [
            "ada@example.com",
            "ada@sub.example.org",
            "ada@notexample.org",
            "ada@example.org.evil.example",
            "example.org@evil.example",
            "ada@bücher.example.org",
        ] {
            assert_eq!(post(&player, "/signup", &signup("Guest", email)).await, refused, "{email}");
        }
        assert!(app.mails().is_empty(), "no email is sent to other domains");
        // All forms of a domain are equal.
        for (team, email) in [("Upper", "ada@EXAMPLE.org"), ("Books", "ada@Bücher.example")] {
            let created = post(&player, "/signup", &signup(team, email)).await;
            assert_eq!(created, is(201, ""), "{email}");
        }

        let other = |email: &str| {
            json!({
                "teamName": "Upper", "password": PASSWORD, "email": email, "captchaToken": "off",
            })
        };
        let path = "/signup/address";
        assert_eq!(post(&player, path, &other("ada@example.com")).await, refused);
        assert_eq!(post(&player, path, &other("eve@example.org")).await, is(200, ""));

        let team = confirmed(&app, "The Team", "team@example.org").await;
        let change = |email: &str| json!({"password": PASSWORD, "email": email});
        let path = "/account/email";
        assert_eq!(post(&team, path, &change("team@example.com")).await, refused);
        assert_eq!(post(&team, path, &change("new@example.org")).await, is(200, ""));
    }

    async fn a_refused_domain_uses_up_no_signup_of_the_network(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.registration.email_domains = vec!["example.org".to_owned()];
            config.settings.limits.signups_per_network_per_hour = 1;
        })
        .await;
        let player = app.player();
        for _ in 0..3 {
            let body = signup("Guest", "ada@example.com");
            assert_eq!(post(&player, "/signup", &body).await, is(422, "email_domain"));
        }
        let body = signup("The Team", "ada@example.org");
        assert_eq!(post(&player, "/signup", &body).await, is(201, ""));
    }

    async fn a_code_lets_as_many_teams_sign_up_as_it_has_uses(engine: Engine) {
        let (app, session) = with_codes(engine, SignupCodes::Required).await;
        let player = app.player();
        let codes = make(&app, &session, 2, 1).await;
        let refused = is(422, "code_invalid");
        for code in ["", "abcd-efgh-ijkl-mnop", "x", &codes[0][..8]] {
            assert_eq!(post(&player, "/signup", &coded("Guest", code)).await, refused, "{code:?}");
        }
        let mail = app.mails().len();
        // Case, spaces and hyphens are ignored.
        let typed = codes[0].to_uppercase().replace('-', " ");
        assert_eq!(post(&player, "/signup", &coded("First", &typed)).await, is(201, ""));
        assert_eq!(post(&player, "/signup", &coded("Second", &codes[0])).await, refused);
        assert_eq!(used(&app, &session, &codes[0]).await, (1, 1));
        // A signup that fails uses up nothing.
        assert_eq!(post(&player, "/signup", &coded("first", &codes[1])).await.0, 409);
        assert_eq!(used(&app, &session, &codes[1]).await, (0, 1));
        revoke(&app, &session, &codes[1]).await;
        assert_eq!(post(&player, "/signup", &coded("Second", &codes[1])).await, refused);
        assert_eq!(app.mails().len(), mail + 1);
    }

    async fn a_signup_that_lapses_gives_its_code_back(engine: Engine) {
        let (app, session) = with_codes(engine, SignupCodes::Required).await;
        let player = app.player();
        let codes = make(&app, &session, 1, 1).await;
        assert_eq!(post(&player, "/signup", &coded("First", &codes[0])).await, is(201, ""));
        app.advance(UNCONFIRMED_MS - 1);
        let second = coded("Second", &codes[0]);
        assert_eq!(post(&player, "/signup", &second).await, is(422, "code_invalid"));
        app.advance(1);
        assert_eq!(post(&player, "/signup", &second).await, is(201, ""));
    }

    async fn a_used_address_uses_up_a_code_like_any_other(engine: Engine) {
        let (app, session) = with_codes(engine, SignupCodes::Optional).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        let codes = make(&app, &session, 2, 1).await;
        let mut answers = Vec::new();
        for (code, email) in [(&codes[0], "ada@example.org"), (&codes[1], "new@example.org")] {
            let body = but(&signup(&format!("Team {email}")[..20], email), "code", json!(code));
            answers.push(app.player().post("/signup", &body).await.json);
            assert_eq!(used(&app, &session, code).await, (1, 1), "{email}");
        }
        assert_eq!(answers[0], answers[1]);
    }

    async fn parallel_signups_on_two_nodes_share_the_uses_of_a_code(engine: Engine) {
        let (app, session) = with_codes(engine, SignupCodes::Required).await;
        let other = app
            .second_node(|config| config.settings.registration.codes = SignupCodes::Required)
            .await;
        let codes = make(&app, &session, 1, 3).await;
        let all = (0..200).map(|at| {
            let node = if at % 2 == 0 { &app } else { &other };
            let player = node.player().from_address(&format!("203.0.113.{}", at + 1));
            let body = coded(&format!("Team {at}"), &codes[0]);
            async move { post(&player, "/signup", &body).await.0 }
        });
        let statuses = join_all(all).await;
        assert_eq!(statuses.iter().filter(|it| **it == 201).count(), 3, "{statuses:?}");
        assert_eq!(used(&app, &session, &codes[0]).await, (3, 3));
    }

    async fn the_undo_of_new_codes_removes_them(engine: Engine) {
        let (app, session) = with_codes(engine, SignupCodes::Required).await;
        let player = app.player();
        let made = act(&app, &session, json!({"action": "code.make", "count": 2})).await;
        let codes: Vec<&str> = made["codes"].as_array().expect("codes").iter()
            .map(|it| it.as_str().expect("a text")).collect();
        assert_eq!(post(&player, "/signup", &coded("First", codes[0])).await, is(201, ""));
        let path = format!("/actions/{}/undo", made["id"]);
        let body = json!({"reason": "too many"}).to_string();
        let undone = Call::organize("POST", &path).session(&session).json(body).send(&app).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        for code in codes {
            let refused = post(&player, "/signup", &coded("Second", code)).await;
            assert_eq!(refused, is(422, "code_invalid"));
        }
        // The used code stays in the list, revoked.
        assert_eq!(list(&app, &session).await.as_array().map(Vec::len), Some(1));
    }

    async fn answers_at_signup_are_checked_and_only_organizers_see_them(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            let field = |id: &str, kind, choices: &[&str], required| SignupField {
                id: id.to_owned(),
                label: format!("The {id}"),
                kind,
                choices: choices.iter().map(|it| (*it).to_owned()).collect(),
                required,
            };
            config.settings.registration.fields = vec![
                field("school", SignupFieldType::Text, &[], true),
                field("city", SignupFieldType::Choice, &["Turin", "Milan"], false),
                field("privacy", SignupFieldType::Consent, &[], true),
            ];
        })
        .await;
        let player = app.player();
        let info = player.get("/ctf").await.json;
        let city = json!({"id": "city", "label": "The city", "type": "choice",
            "choices": ["Turin", "Milan"], "required": false});
        assert_eq!(info["registration"]["fields"][1], city);
        let body = signup("The Team", "ada@example.org");
        let with = |fields: Value| but(&body, "fields", fields);
        for fields in [
            json!({}),
            json!({"school": "   ", "privacy": true}),
            json!({"school": "Nautical"}),
            json!({"school": "Nautical", "privacy": false}),
            json!({"school": "Nautical", "privacy": true, "city": "Rome"}),
            json!({"school": "Nautical", "privacy": true, "other": "x"}),
            json!({"school": "x".repeat(201), "privacy": true}),
        ] {
            let refused = post(&player, "/signup", &with(fields.clone())).await;
            assert_eq!(refused, is(422, "field_invalid"), "{fields}");
        }
        let fields = json!({"school": "Zq7 Nautical", "privacy": true, "city": ""});
        assert_eq!(post(&player, "/signup", &with(fields)).await, is(201, ""));
        let token = app.mail_to("ada@example.org").await.token("confirm");
        assert_eq!(post(&player, "/confirm", &json!({"token": token})).await, is(200, ""));
        let player = player.log_in("The Team", PASSWORD).await;
        for (path, piece) in [
            ("/ctf", "loggedTeam"),
            ("/scoreboard", "The Team"),
            ("/team/The%20Team", "The Team"),
        ] {
            for reader in [&player, &app.player()] {
                let answer = reader.get(path).await;
                assert_eq!(answer.status, 200, "{path}");
                let shown = answer.json.to_string();
                assert!(shown.contains(piece) && !shown.contains("Zq7"), "{path}: {shown}");
            }
        }
        let own = player.get("/account").await;
        assert!(own.status == 200 && !own.json.to_string().contains("Zq7"), "{}", own.json);
        let owner = session_of(&app, Role::Owner).await;
        for path in ["/teams?view=public", "/actions", "/exports/teams?format=json"] {
            let answer = Call::organize("GET", path).session(&owner).send(&app).await;
            assert!(answer.status == 200 && !answer.text().contains("Zq7"), "{path}");
        }
        for role in [Role::Support, Role::Organizer] {
            let team = story(&app, role).await;
            assert_eq!(team["fields"], json!({"school": "Zq7 Nautical", "privacy": true}));
            assert_eq!(team["fieldLabels"]["privacy"], "The privacy");
        }
        assert_eq!(story(&app, Role::Observer).await["fields"], Value::Null);
        let id: i64 = app.test.rows::<(i64,)>("select id from accounts").await[0].0;
        app.run(Op::Erase { account_id: Some(id), is_confirmed: true, by: Caller::CommandLine })
            .await;
        assert!(app.test.rows::<(String,)>("select value from signup_answers").await.is_empty());
    }

    async fn the_audit_log_has_no_codes(engine: Engine) {
        let (app, session) = with_codes(engine, SignupCodes::Required).await;
        let codes = make(&app, &session, 1, 1).await;
        revoke(&app, &session, &codes[0]).await;
        let owner = session_of(&app, Role::Owner).await;
        let log = Call::organize("GET", "/actions").session(&owner).send(&app).await.text();
        assert!(log.contains("code.make") && log.contains("code.revoke"), "{log}");
        let bare = codes[0].replace('-', "");
        assert!(!log.contains(&codes[0]) && !log.contains(&bare), "{log}");
        let support = session_of(&app, Role::Support).await;
        let hidden = Call::organize("GET", "/codes").session(&support).send(&app).await;
        assert_eq!(hidden.status, 404);
    }
}

/// An event with codes, and the session of an organizer.
async fn with_codes(engine: Engine, codes: SignupCodes) -> (TestApp, String) {
    let app = TestApp::with(engine, |config| config.settings.registration.codes = codes).await;
    let session = session_of(&app, Role::Organizer).await;
    (app, session)
}

/// The team as a role sees it.
async fn story(app: &TestApp, role: Role) -> Value {
    let session = session_of(app, role).await;
    let call = Call::organize("GET", "/teams/The%20Team").session(&session);
    call.send(app).await.json()["team"].clone()
}

fn coded(team: &str, code: &str) -> Value {
    let email = format!("{}@example.org", team.to_lowercase().replace(' ', "."));
    but(&signup(team, &email), "code", json!(code))
}

async fn act(app: &TestApp, session: &str, body: Value) -> Value {
    let call = Call::organize("POST", "/actions").session(session).json(body.to_string());
    let answer = call.send(app).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Makes codes as an organizer.
async fn make(app: &TestApp, session: &str, count: usize, uses: usize) -> Vec<String> {
    let order = json!({"action": "code.make", "count": count, "uses": uses, "label": "School"});
    let made = act(app, session, order).await["codes"].clone();
    serde_json::from_value(made).expect("a list of codes")
}

async fn revoke(app: &TestApp, session: &str, code: &str) {
    act(app, session, json!({"action": "code.revoke", "code": code})).await;
}

/// The codes as organizers see them.
async fn list(app: &TestApp, session: &str) -> Value {
    let answer = Call::organize("GET", "/codes").session(session).send(app).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["codes"].clone()
}

/// Teams that use a code, and its maximum.
async fn used(app: &TestApp, session: &str, code: &str) -> (i64, i64) {
    let codes = list(app, session).await;
    let codes = codes.as_array().expect("codes");
    let found = codes.iter().find(|it| it["code"] == code).expect("the code");
    (found["used"].as_i64().expect("a number"), found["uses"].as_i64().expect("a number"))
}
