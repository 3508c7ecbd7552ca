//! Browsers in which an organizer has logged in before have separate rate limits.

use flagship_store::organizers::totp;
use flagship_store::organizers::{self, Changer, Role};
use flagship_testkit::organizer::{PASSWORD, SECRET};
use flagship_testkit::{Call, Reply, TestApp, on_both_engines};
use serde_json::{Value, json};

const MINUTE_MS: i64 = 60_000;
const NAME: &str = "__Host-organizer-device";

/// A call from the venue's network.
async fn post(app: &TestApp, path: &str, cookies: &str, body: &Value) -> Reply {
    let call = Call::organize("POST", path).header("x-forwarded-for", "198.51.100.7");
    call.header("cookie", cookies).json(body.to_string()).send(app).await
}

async fn sign_in(app: &TestApp, name: &str, password: &str, device: &str) -> u16 {
    let body = json!({"name": name, "password": password, "captchaToken": "off"});
    post(app, "/session", device, &body).await.status
}

async fn give_code(app: &TestApp, cookies: &str, code: &str) -> Reply {
    post(app, "/factor", cookies, &json!({"code": code})).await
}

/// Enters a new code in an organizer's session; returns the cookie that identifies the browser.
async fn known_browser(app: &TestApp, session: &str) -> String {
    app.advance(totp::STEP_MS);
    let code = totp::code(SECRET, app.now_ms() / totp::STEP_MS);
    let reply = give_code(app, &format!("__Host-organizer={session}"), &code).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let cookie = reply.header("set-cookie");
    let (pair, attributes) = cookie.split_once("; ").expect("a cookie with attributes");
    assert_eq!(attributes, "Path=/; Max-Age=15552000; Secure; HttpOnly; SameSite=Strict");
    assert!(pair.starts_with(NAME), "{cookie}");
    pair.to_owned()
}

on_both_engines! {
    async fn wrong_passwords_of_others_in_the_network_leave_a_known_browser_its_own(
        engine: Engine
    ) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let bob = app.organizer("Bob", &[Role::Owner]).await;
        let session = app.organizer_session(&ada, false).await;
        let device = known_browser(&app, &session).await;
        for _ in 0..10 {
            assert_eq!(sign_in(&app, "Ada", "wrong", "").await, 401);
            assert_eq!(sign_in(&app, "Bob", "wrong", "").await, 401);
        }
        assert_eq!(sign_in(&app, "Ada", PASSWORD, "").await, 429, "another browser waits");
        let words = "a known browser is accepted";
        assert_eq!(sign_in(&app, "Ada", PASSWORD, &device).await, 200, "{words}");
        // The cookie is valid only for one organizer, and only if unmodified.
        assert_eq!(sign_in(&app, "Bob", PASSWORD, &device).await, 429);
        let mut altered = device.clone();
        altered.pop();
        for forged in [altered, format!("{NAME}=1.2.3.4.5"), format!("{NAME}=")] {
            assert_eq!(sign_in(&app, "Ada", PASSWORD, &forged).await, 429, "{forged}");
        }
        // The cookie is not a session and does not allow additional guesses.
        let me = Call::organize("GET", "/me").header("cookie", &device).send(&app).await;
        assert_eq!(me.status, 401);
        for _ in 0..10 {
            assert_eq!(sign_in(&app, "Ada", "wrong", &device).await, 401);
        }
        assert_eq!(sign_in(&app, "Ada", PASSWORD, &device).await, 429, "guesses are counted");
        // After a password change the organizer must log in again.
        let db = &app.test.db;
        let seal = app.app.seal();
        let by = Changer::CommandLine(&seal);
        app.advance(2 * MINUTE_MS);
        assert_eq!(sign_in(&app, "Ada", PASSWORD, &device).await, 200);
        let hash = flagship_server::hash_of(PASSWORD.as_bytes());
        let sql = format!("update organizers set password_hash = '{hash}' where name = 'Ada'");
        app.test.execute(sql.leak()).await;
        for _ in 0..10 {
            assert_eq!(sign_in(&app, "Ada", "wrong", "").await, 401);
        }
        assert_eq!(sign_in(&app, "Ada", PASSWORD, &device).await, 429, "of the old password");
        let removed = organizers::remove(db, by, "Ada", app.now_ms()).await;
        assert!(removed.expect("it is written").is_ok(), "{}", bob.name);
        app.organizer("Ada", &[Role::Owner]).await;
        assert_eq!(sign_in(&app, "Ada", PASSWORD, &device).await, 429, "the former cookie");
    }

    async fn wrong_codes_of_a_thief_leave_a_known_browser_its_own(engine: Engine) {
        let app = TestApp::new(engine).await;
        let ada = app.organizer("Ada", &[Role::Owner]).await;
        let thief = app.organizer_session(&ada, false).await;
        let session = app.organizer_session(&ada, false).await;
        let device = known_browser(&app, &session).await;
        let of_thief = format!("__Host-organizer={thief}");
        for _ in 0..10 {
            assert_eq!(give_code(&app, &of_thief, "000000").await.status, 422);
        }
        let session = app.organizer_session(&ada, false).await;
        app.advance(totp::STEP_MS);
        let code = totp::code(SECRET, app.now_ms() / totp::STEP_MS);
        let unknown = format!("__Host-organizer={session}");
        let known = format!("{unknown}; {device}");
        assert_eq!(give_code(&app, &unknown, &code).await.status, 429, "another browser waits");
        let reply = give_code(&app, &known, &code).await;
        assert_eq!(reply.status, 200, "a known browser gives its code");
        assert_eq!(reply.header("set-cookie"), "", "it keeps its cookie");
    }

    async fn who_uses_an_invitation_has_a_known_browser(engine: Engine) {
        let app = TestApp::new(engine).await;
        let token = app.invite("Ada", &[Role::Owner]).await;
        let shown = post(&app, "/invitation", "", &json!({"token": token})).await.json();
        let secret = shown["secret"].as_str().expect("a secret").as_bytes();
        let secret = data_encoding::BASE32_NOPAD.decode(secret).expect("base32");
        let code = totp::code(&secret, app.now_ms() / totp::STEP_MS);
        let body = json!({"token": token, "password": PASSWORD, "code": code,
            "enrolment": shown["enrolment"]});
        let reply = post(&app, "/enrol", "", &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let cookies = reply.headers.get_all("set-cookie").into_iter();
        let cookies: Vec<&str> = cookies.filter_map(|it| it.to_str().ok()).collect();
        let device = cookies.iter().find(|it| it.starts_with(NAME)).expect("the browser is known");
        assert!(cookies.iter().any(|it| it.starts_with("__Host-organizer=")), "{cookies:?}");
        let device = device.split(';').next().expect("a pair");
        for _ in 0..10 {
            assert_eq!(sign_in(&app, "Ada", "wrong", "").await, 401);
        }
        assert_eq!(sign_in(&app, "Ada", PASSWORD, device).await, 200);
    }
}
