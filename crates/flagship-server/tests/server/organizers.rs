//! Organizers on the API: invitations, two-factor authentication, sessions, and authorization.

mod console;
mod devices;
mod records;

use std::collections::BTreeMap;
use std::path::PathBuf;

use flagship_actions::ACTIONS;
use flagship_control::control;
use flagship_store::organizers::passes::SESSION_MS;
use flagship_store::organizers::totp;
use flagship_store::organizers::{self, Authorization, Organizer, Role};
use flagship_testkit::organizer::{PASSWORD, SECRET};
use flagship_testkit::player::Team;
use flagship_testkit::{Call, Engine, NOW_MS, Reply, TestApp, commands, on_both_engines};
use serde_json::{Value, json};

use crate::generated;

const MINUTE_MS: i64 = 60_000;

/// The code of an authenticator app at a time.
fn code(secret: &[u8], now_ms: i64) -> String {
    totp::code(secret, now_ms / totp::STEP_MS)
}

async fn post(app: &TestApp, path: &str, body: &Value) -> Reply {
    Call::organize("POST", path).json(body.to_string()).send(app).await
}

async fn post_in(app: &TestApp, session: &str, path: &str, body: &Value) -> Reply {
    Call::organize("POST", path).session(session).json(body.to_string()).send(app).await
}

async fn get_in(app: &TestApp, session: &str, path: &str) -> Reply {
    Call::organize("GET", path).session(session).send(app).await
}

/// The session that a response starts.
fn session_of(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie");
    let (pair, attributes) = cookie.split_once(';').expect("a cookie with attributes");
    assert_eq!(
        attributes,
        format!(" Path=/; Max-Age={}; Secure; HttpOnly; SameSite=Strict", SESSION_MS / 1000)
    );
    pair.strip_prefix("__Host-organizer=").expect("the cookie").to_owned()
}

fn is(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)));
}

async fn end_session(app: &TestApp, session: &str, id: &str) -> Reply {
    post_in(app, session, "/sessions/end", &json!({"id": id})).await
}

/// Status of a call with a script's token.
async fn by_token(app: &TestApp, token: &str) -> u16 {
    Call::organize("GET", "/me").header("x-api-key", token).send(app).await.status
}

async fn give_code(app: &TestApp, session: &str, code: &str) -> Reply {
    post_in(app, session, "/factor", &json!({"code": code})).await
}

on_both_engines! {
    async fn an_invitation_sets_password_and_factor_once(engine: Engine) {
        let app = TestApp::new(engine).await;
        let token = app.invite("Ada", &[Role::Owner, Role::Support]).await;
        let shown = post(&app, "/invitation", &json!({"token": token})).await.json();
        assert_eq!((&shown["name"], &shown["roles"][1]), (&json!("Ada"), &json!("owner")));
        let again = post(&app, "/invitation", &json!({"token": token})).await.json();
        assert_ne!(shown["secret"], again["secret"], "who looked before does not know it");
        let text = shown["secret"].as_str().expect("a secret").to_owned();
        let secret = data_encoding::BASE32_NOPAD.decode(text.as_bytes()).expect("base32");
        assert!(shown["uri"].as_str().expect("an address").contains(&text));
        let enrol = async |password: &str, code: &str| {
            let enrolment = &shown["enrolment"];
            let body =
                json!({"token": token, "password": password, "enrolment": enrolment, "code": code});
            post(&app, "/enrol", &body).await
        };
        let right = code(&secret, NOW_MS);
        is(&enrol("a long one", &code(&secret, NOW_MS + MINUTE_MS)).await, 422, "code_wrong");
        is(&enrol("a short 1", &right).await, 422, "password_too_short");
        // Of two concurrent enrollments, only one succeeds.
        let both = [enrol("a long password", &right), enrol("a long password", &right)];
        let replies = futures_util::future::join_all(both).await;
        let enrolled = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(enrolled, 1, "an invitation enrols once");
        let reply = replies.iter().find(|reply| reply.status == 200).expect("one");
        assert_eq!(reply.json()["recoveryCodes"].as_array().map(Vec::len), Some(10));
        let session = session_of(reply);
        is(&enrol("a long password", &right).await, 410, "link_invalid");
        is(&post(&app, "/invitation", &json!({"token": token})).await, 410, "link_invalid");
        let me = get_in(&app, &session, "/me").await;
        assert_eq!(me.status, 200, "{}", me.text());
        assert_eq!(me.header("cache-control"), "no-store");
        assert_eq!(me.json()["codesLeft"], 10);
        assert_eq!(me.json()["factorUntil"], NOW_MS + 15 * MINUTE_MS);
        let actions = me.json()["actions"].as_array().expect("a list").clone();
        assert!(actions.contains(&json!("organizer.add")), "{actions:?}");
        // The code of the enrollment cannot be used again.
        let body = json!({"name": "ada", "password": "a long password", "captchaToken": "off"});
        let signed_in = post(&app, "/session", &body).await;
        let other = session_of(&signed_in);
        is(&get_in(&app, &other, "/me").await, 403, "factor_needed");
        is(&give_code(&app, &other, &right).await, 422, "code_wrong");
        app.advance(totp::STEP_MS);
        let next = give_code(&app, &other, &code(&secret, NOW_MS + totp::STEP_MS)).await;
        assert_eq!((next.status, &next.json()["codesLeft"]), (200, &json!(10)));
        assert_eq!(get_in(&app, &other, "/me").await.status, 200);
    }

    async fn looking_at_an_invitation_again_and_again_waits(engine: Engine) {
        let app = TestApp::new(engine).await;
        let token = app.invite("Ada", &[Role::Owner]).await;
        let look = async |address: &str| {
            let call = Call::organize("POST", "/invitation").header("x-forwarded-for", address);
            call.json(json!({"token": token}).to_string()).send(&app).await.status
        };
        for _ in 0..30 {
            assert_eq!(look("198.51.100.1").await, 200);
        }
        assert_eq!(look("198.51.100.1").await, 429, "30 at once from a network");
        assert_eq!(look("203.0.113.1").await, 200, "elsewhere it opens");
    }

    async fn a_code_of_the_factor_works_once(engine: Engine) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let (one, other) =
            (app.organizer_session(&ada, false).await, app.organizer_session(&ada, false).await);
        let right = code(SECRET, NOW_MS);
        let both = [give_code(&app, &one, &right), give_code(&app, &other, &right)];
        let replies = futures_util::future::join_all(both).await;
        let proven = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(proven, 1, "a code confirms one session");
        is(&give_code(&app, &one, &right).await, 422, "code_wrong");
        for body in [json!({}), json!({"code": right, "recoveryCode": "a"}), json!({"code": 1})] {
            is(&post_in(&app, &one, "/factor", &body).await, 422, "field_invalid");
        }
    }

    async fn codes_cannot_be_guessed_from_many_networks(engine: Engine) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let thief = app.organizer_session(&ada, false).await;
        let guess = async |number: usize| {
            let call = Call::organize("POST", "/factor").session(&thief);
            let call = call.header("x-forwarded-for", format!("198.51.{}.1", number / 5));
            let wrong = format!("{number:05}x");
            call.json(json!({"code": wrong}).to_string()).send(&app).await
        };
        let mut statuses = BTreeMap::<u16, usize>::new();
        for number in 0..60 {
            app.advance(10_000);
            *statuses.entry(guess(number).await.status).or_default() += 1;
        }
        let words = "20 guesses an hour, from all networks";
        assert_eq!(statuses, BTreeMap::from([(422, 20), (429, 40)]), "{words}");
        // The owner is throttled, not locked out: a session with two-factor authentication must
        // enter a code as before, and a recovery code works.
        let proven = app.organizer_session(&ada, true).await;
        let ok = give_code(&app, &proven, &code(SECRET, app.now_ms())).await;
        assert_eq!(ok.status, 200, "{}", ok.text());
        let digest = app.app.config().key.mac("recovery code", &[&ada.id.to_string(), "abc"]);
        let sealed = ada.factor.clone().expect("enrolled");
        let own = app.organizer_session(&ada, true).await;
        let key = &app.app.config().key;
        let own_digest =
            organizers::tokens::digest(key, organizers::passes::Kind::Session, &own).expect("ours");
        let codes = [digest];
        let it = organizers::NewFactor { sealed: &sealed, step: 0, codes: &codes };
        let standing =
            Authorization { pass: &own_digest, roles: &[Role::Owner], proven_after_ms: None };
        let db = &app.test.db;
        let old = Some(sealed.as_str());
        let replaced = organizers::replace_factor(db, standing, old, &it, app.now_ms()).await;
        replaced.expect("readable").expect("the session lives");
        let late = app.organizer_session(&ada, false).await;
        is(&give_code(&app, &late, &code(SECRET, app.now_ms())).await, 429, "too_many_attempts");
        let body = json!({"recoveryCode": "A-b c"});
        let words = "a recovery code works once";
        assert_eq!(post_in(&app, &late, "/factor", &body).await.status, 200, "{words}");
        is(&post_in(&app, &late, "/factor", &body).await, 422, "code_wrong");
    }

    async fn wrong_codes_are_counted_by_all_nodes(engine: Engine) {
        let here = TestApp::new(engine).await;
        let there = here.second_node(|_| {}).await;
        let ada = here.organizer("Ada", &[Role::Owner]).await;
        let thief = here.organizer_session(&ada, false).await;
        let mut wrong = 0;
        for number in 0..60 {
            here.advance(10_000);
            let node = if number % 2 == 0 { &here } else { &there };
            let call = Call::organize("POST", "/factor").session(&thief);
            let call = call.header("x-forwarded-for", format!("198.51.{}.1", number / 5));
            let body = json!({"code": format!("{number:05}x")}).to_string();
            wrong += usize::from(call.json(body).send(node).await.status == 422);
        }
        assert_eq!(wrong, 20, "20 guesses an hour at all nodes together");
    }

    async fn a_wrong_name_and_a_wrong_password_are_answered_alike(engine: Engine) {
        let app = TestApp::new(engine).await;
        app.organizer("Ada", &[Role::Owner]).await;
        app.invite("Grace", &[Role::Owner]).await;
        let words = "nothing tells who is an organizer";
        let is_told = control("a_wrong_name_and_a_wrong_password_are_answered_alike", words);
        let sign_in = async |name: &str, password: &str| {
            let body = json!({"name": name, "password": password, "captchaToken": "off"});
            post(&app, "/session", &body).await
        };
        let known = sign_in("Ada", if is_told { PASSWORD } else { "wrong" }).await;
        for name in ["Nobody", "Grace", "", "x\u{0}y", &"long".repeat(50)] {
            let unknown = sign_in(name, "wrong").await;
            is(&unknown, 401, "organizer_credentials_wrong");
            assert_eq!((unknown.status, &unknown.body), (known.status, &known.body), "{words}");
            let names = |reply: &Reply| -> Vec<String> {
                reply.headers.keys().map(ToString::to_string).collect()
            };
            assert_eq!(names(&unknown), names(&known), "{words}");
        }
        // Limit of ten incorrect passwords per minute and network, as for teams.
        for _ in 0..9 {
            assert_eq!(sign_in("Ada", "wrong").await.status, 401);
        }
        is(&sign_in("Ada", PASSWORD).await, 429, "too_many_attempts");
        let call = Call::organize("POST", "/session").header("x-forwarded-for", "192.0.2.9");
        let body = json!({"name": "Ada", "password": PASSWORD, "captchaToken": "off"});
        let elsewhere = call.json(body.to_string()).send(&app).await;
        assert_eq!(elsewhere.status, 200, "another network is not locked out");
    }

    async fn wrong_passwords_for_look_alikes_do_not_tell_who_is_an_organizer(engine: Engine) {
        let app = TestApp::new(engine).await;
        app.organizer("Lilly", &[Role::Owner]).await;
        let sign_in = async |name: &str| {
            let body = json!({"name": name, "password": "wrong", "captchaToken": "off"});
            post(&app, "/session", &body).await.status
        };
        // Names with a capital i instead of an l: a look-alike of an organizer's name, and a name
        // of nobody.
        let mut last = Vec::new();
        for (name, look_alike) in [("Lilly", "LiIly"), ("Lolly", "LoIly")] {
            for _ in 0..10 {
                assert_eq!(sign_in(name).await, 401);
            }
            last.push(sign_in(look_alike).await);
        }
        let words = "a known name and an unknown one";
        if control("wrong_passwords_for_look_alikes_do_not_tell_who_is_an_organizer", words) {
            last[0] = 429;
        }
        assert_eq!(last[0], last[1], "{words}");
    }

    async fn the_factor_is_replaced_with_a_recent_proof_alone(engine: Engine) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Observer]).await;
        let (session, other) =
            (app.organizer_session(&ada, true).await, app.organizer_session(&ada, true).await);
        let token = app.organizer_token(&ada).await;
        let begun = post_in(&app, &session, "/factor/new", &json!({})).await.json();
        let secret = begun["secret"].as_str().expect("a secret").as_bytes();
        let secret = data_encoding::BASE32_NOPAD.decode(secret).expect("base32");
        let replace = async |session: &str, secret: &[u8]| {
            let code = code(secret, app.now_ms());
            let body = json!({"enrolment": begun["enrolment"], "code": code});
            post_in(&app, session, "/factor/replace", &body).await
        };
        is(&replace(&session, SECRET).await, 422, "code_wrong");
        let unproven = app.organizer_session(&ada, false).await;
        is(&replace(&unproven, &secret).await, 403, "factor_needed");
        let eve = app.organizer("Eve", &[Role::Observer]).await;
        let of_eve = app.organizer_session(&eve, true).await;
        is(&replace(&of_eve, &secret).await, 410, "link_invalid");
        is(&end_session(&app, &of_eve, "x").await, 404, "not_found");
        let words = "it is required again after 15 minutes";
        app.advance(15 * MINUTE_MS);
        let late = replace(&session, &secret).await;
        assert_eq!(late.json()["code"], "factor_needed", "{words}");
        is(&end_session(&app, &of_eve, "x").await, 403, "factor_needed");
        assert_eq!(give_code(&app, &session, &code(SECRET, app.now_ms())).await.status, 200);
        is(&replace(&session, &secret).await, 410, "link_invalid");
        let begun = post_in(&app, &session, "/factor/new", &json!({})).await.json();
        let text = begun["secret"].as_str().expect("a secret").as_bytes();
        let secret = data_encoding::BASE32_NOPAD.decode(text).expect("base32");
        let body = json!({"enrolment": begun["enrolment"], "code": code(&secret, app.now_ms())});
        // Of two concurrent requests, only one replaces the secret.
        let both = [
            post_in(&app, &session, "/factor/replace", &body),
            post_in(&app, &session, "/factor/replace", &body),
        ];
        let replies = futures_util::future::join_all(both).await;
        let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        statuses.sort_unstable();
        assert!(statuses == [200, 401] || statuses == [200, 410], "{statuses:?}");
        is(&post_in(&app, &session, "/factor/replace", &body).await, 410, "link_invalid");
        let replaced = replies.iter().find(|reply| reply.status == 200).expect("one");
        assert_eq!(replaced.json()["recoveryCodes"].as_array().map(Vec::len), Some(10));
        assert_eq!(get_in(&app, &session, "/me").await.status, 200);
        is(&get_in(&app, &other, "/me").await, 401, "login_needed");
        assert_eq!(by_token(&app, &token).await, 200, "scripts continue to work");
        app.advance(MINUTE_MS);
        is(&give_code(&app, &session, &code(SECRET, app.now_ms())).await, 422, "code_wrong");
        assert_eq!(give_code(&app, &session, &code(&secret, app.now_ms())).await.status, 200);
    }

    async fn two_owners_do_not_remove_each_other(engine: Engine) {
        let app = TestApp::new(engine).await;
        let (ada, grace) = (
            app.organizer("Ada", &[Role::Owner]).await,
            app.organizer("Grace", &[Role::Owner]).await,
        );
        let (of_ada, of_grace) =
            (app.organizer_session(&ada, true).await, app.organizer_session(&grace, true).await);
        let not_ada = json!({"name": "Ada"});
        let not_grace = json!({"name": "Grace"});
        let both = [
            post_in(&app, &of_ada, "/organizers/remove", &not_grace),
            post_in(&app, &of_grace, "/organizers/remove", &not_ada),
        ];
        let replies = futures_util::future::join_all(both).await;
        let words = "one owner is left";
        let none = usize::from(control("two_owners_do_not_remove_each_other", words));
        let left = organizers::all(&app.test.db).await.expect("readable");
        assert_eq!(left.len() - none, 1, "{words}");
        let is_ada = left[0].id == ada.id;
        let (owner, session) = if is_ada { (&ada, &of_ada) } else { (&grace, &of_grace) };
        let removed = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(removed, 1, "{replies:?}");
        let name = json!({"name": owner.name});
        is(&post_in(&app, session, "/organizers/remove", &name).await, 409, "last_owner");
        let fewer = json!({"name": owner.name, "roles": ["support"]});
        is(&post_in(&app, session, "/organizers/role", &fewer).await, 409, "last_owner");
    }

    async fn an_owner_invites_resets_and_removes(engine: Engine) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let session = app.organizer_session(&ada, true).await;
        let call = async |path: &str, body: Value| post_in(&app, &session, path, &body).await;
        let eve = json!({"name": "Eve", "roles": ["support", "observer"]});
        let added = call("/organizers/add", eve).await.json();
        let prefix = format!("{}/organize/invite#", app.url);
        let link = added["link"].as_str().expect("a link").to_owned();
        let token = link.strip_prefix(&prefix).expect("a link to the site");
        assert_eq!(post(&app, "/invitation", &json!({"token": token})).await.json()["name"], "Eve");
        let look_alike = json!({"name": "E\u{475}e", "roles": ["owner"]});
        is(&call("/organizers/add", look_alike).await, 409, "organizer_name_taken");
        for (body, status, code) in [
            (json!({"name": "Bob", "roles": []}), 422, "role_unknown"),
            (json!({"name": "Bob", "roles": ["admin"]}), 422, "role_unknown"),
            (json!({"name": "B", "roles": ["owner"]}), 422, "organizer_name_invalid"),
            (json!({"name": "Bob", "roles": ["author"]}), 422, "challenges_mismatch"),
            (
                json!({"name": "Bob", "roles": ["author"], "challenges": ["none"]}),
                404,
                "challenge_not_found",
            ),
        ] {
            is(&call("/organizers/add", body).await, status, code);
        }
        let listed = get_in(&app, &session, "/organizers").await.json();
        let eve = &listed["organizers"][1];
        assert_eq!(eve["roles"], json!(["observer", "support"]));
        assert_eq!((&eve["challenges"], &eve["isEnrolled"]), (&json!([]), &json!(false)));
        assert_eq!((&eve["sessions"], &eve["loggedInAt"]), (&json!(0), &Value::Null));
        let ada = &listed["organizers"][0];
        assert_eq!((&ada["sessions"], &ada["tokens"]), (&json!(2), &json!(0)));
        assert!(ada["loggedInAt"].is_i64());
        let own = call("/organizers/reset", json!({"name": "Ada"})).await;
        is(&own, 409, "own_reset");
        let reset = call("/organizers/reset", json!({"name": "Eve"})).await;
        assert_eq!(reset.status, 200);
        is(&post(&app, "/invitation", &json!({"token": token})).await, 410, "link_invalid");
        assert_eq!(call("/organizers/remove", json!({"name": "Eve"})).await.status, 200);
        is(&call("/organizers/remove", json!({"name": "Eve"})).await, 404, "organizer_not_found");
    }

    async fn a_reset_by_an_owner_ends_sessions_and_tokens(engine: Engine) {
        let app = TestApp::new(engine).await;
        let (ada, eve) = (app.organizer("Ada", &[Role::Owner]).await,
            app.organizer("Eve", &[Role::Organizer]).await);
        let owner = app.organizer_session(&ada, true).await;
        let (proven, unproven) =
            (app.organizer_session(&eve, true).await, app.organizer_session(&eve, false).await);
        let (stolen, of_owner) =
            (app.organizer_token(&eve).await, app.organizer_token(&ada).await);
        assert_eq!(by_token(&app, &stolen).await, 200);
        let name = eve.name.clone();
        let reset = post_in(&app, &owner, "/organizers/reset", &json!({"name": name})).await;
        assert_eq!(reset.status, 200, "{}", reset.text());
        assert_eq!(by_token(&app, &stolen).await, 401, "no earlier credential is valid");
        for session in [&proven, &unproven] {
            is(&get_in(&app, session, "/me").await, 401, "login_needed");
        }
        assert_eq!(by_token(&app, &of_owner).await, 200, "the tokens of others stay valid");
    }

    async fn writes_come_from_the_own_site_alone(engine: Engine) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let session = app.organizer_session(&ada, true).await;
        let own = app.url.clone();
        let word = "not from another site";
        let cases: &[(&[(&str, &str)], bool)] = &[
            (&[("sec-fetch-site", "same-origin"), ("x-organize", "1")], true),
            (&[("origin", &own), ("x-organize", "1")], true),
            (&[("sec-fetch-site", "cross-site"), ("x-organize", "1")], false),
            (&[("sec-fetch-site", "same-site"), ("x-organize", "1")], false),
            (&[("sec-fetch-site", "none"), ("x-organize", "1")], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("origin", &own)], false),
            (&[("origin", "https://evil.example"), ("x-organize", "1")], false),
            (&[("origin", "null"), ("x-organize", "1")], false),
            (&[("x-organize", "1")], false),
        ];
        for (headers, is_let_in) in cases {
            let mut call = Call::new("POST", "/api/organize/factor/new").session(&session);
            for (name, value) in *headers {
                call = call.header(name, value);
            }
            let reply = call.json("{}").send(&app).await;
            let expected = if *is_let_in { 200 } else { 403 };
            assert_eq!(reply.status, expected, "{word}: {headers:?} {}", reply.text());
        }
        // Cross-site requests are refused on all other routes too, with or without a session.
        for path in organizers_posts() {
            let call = Call::new("POST", &path).header("sec-fetch-site", "cross-site");
            let call = call.header("x-organize", "1").session(&session).json("{}");
            let reply = call.send(&app).await;
            assert_eq!(reply.json()["code"], "request_cross_site", "{path}");
        }
        // A browser does not send a script's token on its own.
        let token = app.organizer_token(&ada).await;
        let call = Call::new("GET", "/api/organize/me").header("x-api-key", &token);
        assert_eq!(call.send(&app).await.status, 200);
        // The cookie is invalid on other routes, and a team's token is invalid here.
        let team = app.team("The Team").await;
        let call = Call::organize("GET", "/me").session(&session).header("x-api-key", &team.token);
        assert_eq!(call.send(&app).await.status, 404);
        let call = Call::new("GET", "/api/challenge").session(&session);
        assert_eq!(call.send(&app).await.status, 401);
    }
}

on_both_engines! {
    async fn organizers_answers_are_for_no_other_origin(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.site.allowed_origins = vec!["https://other.example".to_owned()];
        })
        .await;
        for method in ["GET", "OPTIONS"] {
            let call = Call::new(method, "/api/organize/me");
            let call = call.header("origin", "https://other.example");
            let call = call.header("access-control-request-method", "GET");
            let reply = call.send(&app).await;
            assert_eq!(reply.header("access-control-allow-origin"), "", "no other origin");
        }
        let call = Call::new("GET", "/api/ctf").header("origin", "https://other.example");
        let allowed = call.send(&app).await;
        assert_eq!(allowed.header("access-control-allow-origin"), "https://other.example");
    }
}

/// Paths of all organizer endpoints that write.
fn organizers_posts() -> Vec<String> {
    let description: Value =
        serde_json::from_str(&flagship_server::openapi()).expect("the description is JSON");
    let paths = description["paths"].as_object().expect("an object").iter();
    let posts = paths
        .filter(|(path, item)| path.starts_with("/api/organize/") && item.get("post").is_some());
    posts.map(|(path, _)| path.clone()).collect()
}

/// Kind of caller, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Anonymous,
    Team,
    BannedTeam,
    Session(Role),
    Token(Role),
    EndedSession,
    EndedToken,
    NoFactor,
    StaleFactor,
}

impl Caller {
    fn all() -> Vec<Self> {
        let mut all = vec![Self::Anonymous, Self::Team, Self::BannedTeam];
        all.extend(Role::ALL.map(Self::Session));
        all.extend(Role::ALL.map(Self::Token));
        all.extend([Self::EndedSession, Self::EndedToken, Self::NoFactor, Self::StaleFactor]);
        all
    }

    fn words(self) -> String {
        match self {
            Self::Anonymous => "anonymous".to_owned(),
            Self::Team => "a team".to_owned(),
            Self::BannedTeam => "a banned team".to_owned(),
            Self::Session(role) => format!("{role}, by session"),
            Self::Token(role) => format!("{role}, by token"),
            Self::EndedSession => "an ended session of an owner".to_owned(),
            Self::EndedToken => "a revoked token of an owner".to_owned(),
            Self::NoFactor => "an owner's session without two-factor authentication".to_owned(),
            Self::StaleFactor => {
                "an owner's session with two-factor authentication older than 15 minutes".to_owned()
            }
        }
    }
}

/// An event with a caller of each kind.
struct Callers {
    app: TestApp,
    teams: [Team; 2],
    organizers: Vec<Organizer>,
}

impl Callers {
    async fn new() -> Self {
        let app = TestApp::new(Engine::Sqlite).await;
        let (team, banned) = (app.team("The Team").await, app.team("Banned").await);
        app.run(commands::ban("Banned")).await;
        let mut organizers = Vec::new();
        for role in Role::ALL {
            organizers.push(app.organizer(&format!("The {role}"), &[role]).await);
        }
        Self { teams: [team, banned], app, organizers }
    }

    fn of(&self, role: Role) -> &Organizer {
        let index = Role::ALL.iter().position(|it| *it == role).expect("all roles are there");
        &self.organizers[index]
    }

    /// A call with new credentials of this caller, because some calls revoke them.
    async fn with_pass(&self, caller: Caller, call: Call) -> Call {
        let app = &self.app;
        let owner = self.of(Role::Owner);
        let team = async |team: &Team| app.log_in(&app.player(), &team.name, team.id).await.token;
        match caller {
            Caller::Anonymous => call,
            Caller::Team => call.header("x-api-key", team(&self.teams[0]).await),
            Caller::BannedTeam => call.header("x-api-key", team(&self.teams[1]).await),
            Caller::Session(role) => {
                call.session(&app.organizer_session(self.of(role), true).await)
            }
            Caller::Token(role) => {
                call.header("x-api-key", app.organizer_token(self.of(role)).await)
            }
            Caller::EndedSession => {
                let token = app.organizer_session(owner, true).await;
                app.advance(SESSION_MS);
                call.session(&token)
            }
            Caller::EndedToken => {
                let token = app.organizer_token(owner).await;
                app.advance(31 * 24 * 60 * MINUTE_MS);
                call.header("x-api-key", token)
            }
            Caller::NoFactor => call.session(&app.organizer_session(owner, false).await),
            Caller::StaleFactor => {
                let token = app.organizer_session(owner, true).await;
                app.advance(15 * MINUTE_MS);
                call.session(&token)
            }
        }
    }
}

impl Callers {
    async fn status(&self, caller: Caller, method: &str, path: &str, body: &str) -> u16 {
        let call = Call::new(method, path).header("sec-fetch-site", "same-origin");
        let call = self.with_pass(caller, call.header("x-organize", "1")).await;
        let call = if method == "POST" { call.json(body.to_owned()) } else { call };
        call.send(&self.app).await.status
    }
}

/// Status of every route for every caller, in the format of the docs page. The body is `{}`, so an
/// authorized caller gets 422.
async fn matrix() -> String {
    let description: Value =
        serde_json::from_str(&flagship_server::openapi()).expect("the description is JSON");
    let callers = Callers::new().await;
    let mut page = String::from(
        "# Authorization\n\n\
         A test generates this page from the list of all routes and fails if a status differs. \
         Each request\nhas the body `{}`: 422, or 415 for a file, means that the caller is \
         authorized. 401 means no login,\n403 no two-factor authentication; 404 also hides what a \
         role may not see. Other statuses are\nthose of an event without challenges.\n\n",
    );
    for (number, caller) in Caller::all().into_iter().enumerate() {
        page += &format!("{}. {}\n", number + 1, caller.words());
    }
    page += "\n```\n";
    let numbers: String = (1..=Caller::all().len()).map(|it| format!("{it:>4}")).collect();
    let paths = description["paths"].as_object().expect("an object");
    let width = paths.keys().map(|path| "POST ".len() + path.len()).max().expect("some routes");
    page += &format!("{:<width$}{numbers}\n", "");
    let routes = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("an object").keys();
        methods.map(move |method| (method.to_uppercase(), path.clone()))
    });
    for (method, path) in routes {
        let at = path.replace(['{', '}'], "");
        let mut line = format!("{:<width$}", format!("{method:<5}{path}"));
        for caller in Caller::all() {
            line += &format!("{:>4}", callers.status(caller, &method, &at, "{}").await);
        }
        page += &line;
        page.push('\n');
    }
    page += "```\n\n`POST /api/organize/actions` with each action:\n\n```\n";
    page += &format!("{:<width$}{numbers}\n", "");
    let mut rows = String::new();
    for action in ACTIONS {
        let action = action.rule.name;
        let mut line = format!("{action:<width$}");
        for caller in Caller::all() {
            let body = json!({"action": action}).to_string();
            let status = callers.status(caller, "POST", "/api/organize/actions", &body).await;
            line += &format!("{status:>4}");
        }
        rows += &line;
        rows.push('\n');
    }
    let stated = generated::authorization_rows(width, status_of);
    assert_eq!(rows, stated, "each action authorizes the callers of its rule");
    page += &rows;
    page + "```\n"
}

/// Status of an action without arguments for its authorized callers, counted from 0. The first one
/// pauses or resumes the event.
fn status_of(action: &str, caller: usize) -> u16 {
    match (action, caller) {
        ("event.pause" | "event.resume", 0) => 200,
        ("event.pause" | "event.resume", _) => 409,
        ("code.make", _) => 200,
        _ => 422,
    }
}

#[tokio::test]
async fn every_route_authorizes_the_callers_of_the_table() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/authorization.md");
    let matrix = matrix().await;
    if std::env::var_os("FLAGSHIP_BLESS").is_some() {
        std::fs::write(&file, &matrix).expect("it is written");
    }
    let mut committed = std::fs::read_to_string(&file).unwrap_or_default();
    let words = "FLAGSHIP_BLESS=1 writes it";
    if control("every_route_authorizes_the_callers_of_the_table", words) {
        committed = committed.replacen("401", "200", 1);
    }
    assert!(matrix == committed, "docs/authorization.md differs; {words}:\n{matrix}");
}
