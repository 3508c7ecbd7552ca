//! Headers of every response, for each status of each route. The routes come from the API
//! description, so a new route is always tested.

use std::collections::BTreeSet;
use std::sync::Arc;

use flagship_control::control;
use flagship_game::Attachment;
use flagship_server::openapi;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Engine, Reply, Team, TestApp, TestDb, on_both_engines};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;

/// Asserts the headers that every response needs.
fn assert_secured(reply: &Reply, what: &str, is_tls: bool, is_page: bool) {
    let policy = reply.header("content-security-policy");
    let common = ["default-src 'none'", "object-src 'none'", "base-uri 'none'"];
    for part in common.into_iter().chain(["frame-ancestors 'none'"]) {
        assert!(policy.contains(part), "{what}: {policy}");
    }
    for part in ["script-src 'self';", "require-trusted-types-for 'script'", "frame-src 'none'"] {
        assert_eq!(policy.contains(part), is_page, "{what}: {policy}");
    }
    for hole in ["unsafe", "*", "http:", "data: ;", "blob:"] {
        assert!(!policy.contains(hole), "{what}: {policy}");
    }
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
        ("strict-transport-security", if is_tls { "max-age=31536000" } else { "" }),
    ] {
        assert_eq!(reply.header(name), value, "{what}: {name}");
    }
    for absent in ["server", "x-powered-by", "set-cookie", "access-control-allow-origin"] {
        assert!(!reply.headers.contains_key(absent), "{what}: {absent}");
    }
}

/// Asserts that proxies do not store responses that depend on a token, and that caches store the
/// others separately by token.
fn assert_not_cached(reply: &Reply, what: &str, is_api: bool, must_not_store: bool) {
    let varies = reply.headers.get_all("vary").iter();
    let varies = varies.filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
    if is_api {
        assert!(varies.contains("x-api-key"), "{what}: vary {varies}");
    }
    let caching = reply.header("cache-control");
    if must_not_store {
        assert!(caching.contains("no-store"), "{what}: {caching}");
    } else if is_api {
        assert!(["no-cache", "no-store"].iter().any(|it| caching.contains(it)), "{what}");
    }
}

struct Walk {
    app: TestApp,
    is_tls: bool,
    /// A header that a control test removes.
    taken: Option<&'static str>,
    statuses: BTreeSet<u16>,
}

impl Walk {
    async fn send(&mut self, method: &str, path: &str, token: &str, call: Call) -> Reply {
        let call = if token.is_empty() { call } else { call.header("x-api-key", token) };
        let mut reply = call.send(&self.app).await;
        if let Some(name) = self.taken {
            reply.headers.remove(name);
        }
        let what = format!("{method} {path} {} {:?}", reply.status, reply.text().get(..60));
        let is_api = path.starts_with("/api");
        let is_page = reply.header("content-type").starts_with("text/html");
        assert_secured(&reply, &what, self.is_tls, is_page);
        let is_read = method == "GET" || method == "HEAD";
        assert_not_cached(&reply, &what, is_api, !token.is_empty() || (is_api && !is_read));
        if [429, 503].contains(&reply.status) {
            let seconds: u64 = reply.header("retry-after").parse().expect("whole seconds");
            assert!((1..=3600).contains(&seconds), "{what}");
        }
        self.statuses.insert(reply.status);
        reply
    }

    /// Sends all requests to one path.
    async fn address(&mut self, path: &str, tokens: [&str; 3]) {
        for token in tokens {
            for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
                let call = Call::new(method, path);
                let reply = self.send(method, path, token, call.clone()).await;
                let etag = reply.header("etag").to_owned();
                if !etag.is_empty() {
                    let again = call.header("if-none-match", etag);
                    let again = self.send(method, path, token, again).await;
                    assert_eq!(again.status, 304, "{path}");
                }
            }
            for (kind, body) in [
                ("text/plain", "x".to_owned()),
                ("application/json", "{".to_owned()),
                ("application/json", "[]".to_owned()),
                ("application/json", "x".repeat(70_000)),
            ] {
                // The server may close a connection without reading the body.
                let call = Call::new("POST", path).header("connection", "close");
                let call = call.header("content-type", kind).body(body);
                self.send("POST", path, token, call).await;
            }
        }
    }

    async fn posts(&mut self, path: &str, token: &str, body: &Value, status: u16) -> Reply {
        let call = Call::new("POST", path).json(body.to_string());
        let reply = self.send("POST", path, token, call).await;
        assert_eq!(reply.status, status, "{path} {body}: {}", reply.text());
        reply
    }
}

async fn walking(engine: Engine, public_url: &str) -> (Walk, Team) {
    let test = Arc::new(TestDb::new(engine).await);
    let mut drafts = vec![draft("one"), draft("two"), draft("three")];
    for (draft, digest) in drafts.iter_mut().zip(["ab", "cd"]) {
        let attachment = Attachment {
            name: "a".into(),
            digest: digest.repeat(32),
            bytes: 2,
            picture: None,
            per_team: false,
        };
        draft.challenge.attachments.push(attachment);
    }
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("ab".repeat(32)), "ok").expect("a file");
    let app = TestApp::playing_on(test, event(), drafts, |config| {
        config.public_url = public_url.to_owned();
        config.settings.limits.failed_logins_per_team_per_minute = 3;
    })
    .await;
    let team = app.team("The Lighthouse").await;
    let is_tls = public_url.starts_with("https:");
    (Walk { app, is_tls, taken: None, statuses: BTreeSet::new() }, team)
}

/// The paths of the API description, with values for their parameters.
fn described() -> Vec<String> {
    let description: Value = serde_json::from_str(&openapi()).expect("JSON");
    let paths = description["paths"].as_object().expect("paths").keys();
    paths
        .map(|path| {
            let part =
                |part: &str| if part.starts_with('{') { "x".into() } else { part.to_owned() };
            path.split('/').map(part).collect::<Vec<_>>().join("/")
        })
        .collect()
}

// Runs on one database: headers do not depend on it, and there are thousands of requests.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_status_of_every_route_has_its_headers() {
    let header = "x-content-type-options";
    let is_taken = control("every_status_of_every_route_has_its_headers", header);
    let (mut walk, team) = walking(Engine::Sqlite, "http://ctf.example.org").await;
    walk.taken = is_taken.then_some(header);
    let others = [
        "/",
        "/scoreboard",
        "/challenge",
        "/team/x",
        "/none",
        "/api",
        "/api/",
        "/api/none",
        "/openapi.json",
        "/static/none.js",
        "/favicon.svg",
        "/index.html",
        "/%ff",
        "//api/ctf",
    ];
    let bad = format!("fsp_{}", "x".repeat(43));
    for path in described().iter().map(String::as_str).chain(others) {
        // A logout with a valid token would end the session.
        let good = if path == "/api/logout" { "" } else { team.token.as_str() };
        walk.address(path, ["", good, &bad]).await;
    }
    let statuses = &walk.statuses;
    assert!([401, 404, 405, 413, 415, 422].iter().all(|it| statuses.contains(it)), "{statuses:?}");

    let own = team.token.as_str();
    for (id, status) in [("one", 200), ("two", 500)] {
        let card = team.card(id).await.expect("it is there");
        let link = card["attachments"][0]["link"].as_str().expect("a link").to_owned();
        let reply = walk.send("GET", &link, "", Call::new("GET", &link)).await;
        assert_eq!(reply.status, status, "{link}");
    }
    let flag = |flag: &str| json!({"challengeId": "one", "flag": flag});
    for (flag, status) in [("flag{one}", 200), (" ", 400), ("b", 429)].map(|it| (flag(it.0), it.1))
    {
        let guesses = if status == 429 { 3 } else { 0 };
        for i in 0..guesses {
            let wrong = json!({"challengeId": "one", "flag": format!("guess {i}")});
            walk.posts("/api/solve", own, &wrong, 200).await;
        }
        walk.posts("/api/solve", own, &flag, status).await;
    }
    let signup = json!({"teamName": "The Island", "email": "i@example.org", "country": "IT",
        "password": "correct horse", "captchaToken": "off"});
    walk.posts("/api/signup", "", &signup, 201).await;
    walk.posts("/api/signup", "", &signup, 409).await;
    let login = json!({"team": "The Island", "password": "correct horse", "captchaToken": "off"});
    walk.posts("/api/login", "", &login, 403).await;
    let link = json!({"token": walk.app.mail_to("i@example.org").await.token("confirm")});
    walk.posts("/api/confirm", "", &link, 200).await;
    walk.posts("/api/confirm", "", &link, 410).await;
    walk.posts("/api/login", "", &login, 200).await;
    let wrong = json!({"team": "The Island", "password": "wrong", "captchaToken": "off"});
    for status in [401, 401, 401, 429] {
        walk.posts("/api/login", "", &wrong, status).await;
    }

    let url = walk.app.url.replacen("http", "ws", 1) + "/api/live";
    let (_socket, response) = connect_async(url).await.expect("the live channel opens");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let opened = Reply { status, headers, body: Vec::new() };
    assert_secured(&opened, "the live channel", walk.is_tls, false);
    assert_not_cached(&opened, "the live channel", true, false);
    walk.statuses.insert(status);

    // A missing table simulates an unavailable database.
    walk.app.test.execute("alter table accounts rename to elsewhere").await;
    walk.posts("/api/login", "", &wrong_elsewhere(), 503).await;
    let seen: Vec<u16> = walk.statuses.into_iter().collect();
    let all = [101, 200, 201, 304, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503];
    assert_eq!(seen, all, "every status except 408, which takes half a minute");
}

fn wrong_elsewhere() -> Value {
    json!({"team": "Another Name", "password": "wrong", "captchaToken": "off"})
}

on_both_engines! {
    async fn with_tls_responses_have_strict_transport_security(engine: Engine) {
        let (mut walk, team) = walking(engine, "https://ctf.example.org").await;
        for path in ["/", "/none", "/static/none.js", "/api/ctf", "/api/solve", "//api/ctf"] {
            walk.address(path, ["", &team.token, "fsp_unknown"]).await;
        }
    }

    async fn only_listed_origins_may_call_from_a_browser(engine: Engine) {
        let listed = "https://play.example.org";
        let app = TestApp::with(engine, |config| {
            config.settings.site.allowed_origins = vec![listed.to_owned()];
        })
        .await;
        let ask = |origin: &str| Call::new("OPTIONS", "/api/solve").header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type,x-api-key");
        let preflight = ask(listed).send(&app).await;
        assert_eq!(preflight.status, 200);
        for (name, value) in [
            ("access-control-allow-origin", listed),
            ("access-control-allow-methods", "GET,POST"),
            ("access-control-allow-headers", "content-type,x-api-key"),
            ("access-control-max-age", "3600"),
        ] {
            assert_eq!(preflight.header(name), value, "{name}");
        }
        let read = Call::new("GET", "/api/scoreboard").header("origin", listed).send(&app).await;
        assert_eq!(read.header("access-control-allow-origin"), listed);
        assert_eq!(read.header("access-control-expose-headers"), "etag,retry-after");
        for other in ["https://evil.example.org", "https://play.example.org.evil.org", "null",
            "http://play.example.org", "https://play.example.org:444"] {
            for reply in [ask(other).send(&app).await,
                Call::new("GET", "/api/ctf").header("origin", other).send(&app).await] {
                let allowed = reply.header("access-control-allow-origin");
                assert_eq!(allowed, "", "another origin is allowed: {other}");
            }
        }
        for reply in [&preflight, &read] {
            let varies = reply.headers.get_all("vary").iter();
            let varies: Vec<_> = varies.map(|it| it.to_str().expect("text")).collect();
            assert!(varies.join(",").contains("origin"), "{varies:?}");
            // Tokens are sent in their own header, so cross-origin requests need no cookie.
            assert!(!reply.headers.contains_key("access-control-allow-credentials"));
        }
        let page = Call::new("GET", "/").send(&app).await;
        let policy = page.header("content-security-policy");
        let own = format!("connect-src 'self' {listed} wss://play.example.org;");
        assert!(policy.contains(&own), "{policy}");
    }

    async fn without_listed_origins_no_other_site_may_read_responses(engine: Engine) {
        let app = TestApp::new(engine).await;
        for method in ["GET", "OPTIONS"] {
            let call = Call::new(method, "/api/ctf").header("origin", "https://a.example.org");
            let reply = call.header("access-control-request-method", "GET").send(&app).await;
            let mut names = reply.headers.keys().map(|name| name.as_str());
            assert!(!names.any(|name| name.starts_with("access-control")), "{reply:?}");
        }
    }

    async fn known_addresses_redirect_and_keep_their_query(engine: Engine) {
        let app = TestApp::new(engine).await;
        for (from, to) in [
            ("/admin", "/organize"),
            ("/challenges", "/challenge"),
            ("/challenges/", "/challenge"),
            ("/register", "/signup"),
            ("/setup", "/organize"),
            ("/teams", "/scoreboard"),
            ("/organize/desk?state=open", "/organize/messages?state=open"),
            ("/organize/flags", "/organize/submissions"),
            ("/organize/log", "/organize/audit-log"),
        ] {
            let reply = Call::new("GET", from).send(&app).await;
            assert_eq!((reply.status, reply.header("location")), (307, to), "{from}");
        }
        for other in ["/challengesx", "/admin/x", "/teamsx", "//teams"] {
            assert_eq!(Call::new("GET", other).send(&app).await.status, 404, "{other}");
        }
    }
}
