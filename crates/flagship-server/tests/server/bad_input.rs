//! Invalid input to every endpoint: the JSON response has one message and the correct status,
//! nothing is changed, and the input is not echoed.

use std::sync::Arc;

use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Engine, Reply, Team, TestApp, TestDb, nasty, on_both_engines};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PASSWORD: &str = "correct horse battery";
const LARGE: u16 = 413;
const NOT_JSON_TYPE: u16 = 415;
const NOT_JSON: u16 = 400;
const WRONG_SHAPE: u16 = 422;

/// An endpoint with a body.
struct Post {
    path: &'static str,
    /// A well-formed body that is rejected.
    body: Value,
    /// Status of the rejection.
    refused: u16,
    /// True if third-party clients use the endpoint, so that unknown members are ignored.
    player: bool,
    /// Optional members.
    optional: &'static [&'static str],
}

fn posts() -> Vec<Post> {
    let token = nasty::MARK;
    let post = |path, body, refused| Post { path, body, refused, player: true, optional: &[] };
    let ours = |path, body, refused| Post { player: false, ..post(path, body, refused) };
    vec![
        Post {
            optional: &["studentTeam", "country"],
            ..post(
                "/api/signup",
                json!({"teamName": "zQ7mark", "email": "a@example.org",
                "country": "IT", "password": PASSWORD, "captchaToken": "", "studentTeam": true}),
                400,
            )
        },
        post("/api/login", json!({"team": token, "password": PASSWORD, "captchaToken": ""}), 400),
        post("/api/solve", json!({"flag": token, "challengeId": token}), 404),
        ours("/api/confirm", json!({"token": token}), 410),
        ours("/api/address", json!({"token": token}), 410),
        ours(
            "/api/signup/address",
            json!({"teamName": token, "email": "a@example.org", "password": PASSWORD,
                "captchaToken": ""}),
            400,
        ),
        ours("/api/account/country", json!({"country": token}), 422),
        ours("/api/account/sessions/end", json!({"id": token}), 404),
        ours("/api/account/password", json!({"password": token, "newPassword": "x"}), 422),
        ours("/api/account/email", json!({"password": token, "email": token}), 422),
        ours("/api/reset", json!({"token": token, "password": PASSWORD}), 410),
        ours("/api/join", json!({"token": token, "password": PASSWORD}), 410),
        ours("/api/resend", json!({"email": token}), 422),
        ours("/api/forgot", json!({"email": token}), 422),
    ]
}

async fn playing(engine: Engine) -> (TestApp, Team) {
    let test = Arc::new(TestDb::new(engine).await);
    let app = TestApp::playing_on(test, event(), vec![draft("one")], |config| {
        let limits = &mut config.settings.limits;
        limits.submissions_per_challenge_per_10_s = 0;
        limits.submissions_per_team_per_minute = 0;
        limits.signups_per_network_per_hour = 0;
        limits.failed_logins_per_team_per_minute = 0;
    })
    .await;
    let team = app.team("The Lighthouse").await;
    (app, team)
}

/// Asserts the properties of every rejection.
fn refused(reply: &Reply, status: u16, what: &str) {
    assert_eq!(reply.status, status, "{what}: {}", reply.text());
    refused_somehow(reply, what);
}

fn refused_somehow(reply: &Reply, what: &str) {
    assert!((400..500).contains(&reply.status), "{what}: {} {}", reply.status, reply.text());
    assert_eq!(reply.header("content-type"), "application/json", "{what}");
    let json = reply.json();
    let members: Vec<&String> = json.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["code", "message"], "{what}");
    let code = json["code"].as_str().expect("a code");
    assert!(!code.contains(nasty::MARK), "{what}: {code}");
    let words = json["message"].as_str().expect("a sentence");
    let is_sentence = (8..100).contains(&words.len()) && !words.contains(['\n', '{', '<', '`']);
    assert!(is_sentence, "{what}: {words}");
    assert!(!words.contains(nasty::MARK), "{what}: {words}");
    secured(reply, what);
}

/// Asserts the headers of every response.
fn secured(reply: &Reply, what: &str) {
    let policy = reply.header("content-security-policy");
    for part in
        ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]
    {
        assert!(policy.contains(part), "{what}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{what}: {policy}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(reply.header(name), value, "{what}");
    }
}

fn post(post: &Post, team: &Team) -> Call {
    Call::new("POST", post.path).header("x-api-key", &team.token)
}

/// The body with one member set.
fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[name] = value;
    body
}

fn without(body: &Value, name: &str) -> Value {
    let mut body = body.clone();
    body.as_object_mut().expect("an object").remove(name);
    body
}

fn names(body: &Value) -> Vec<&str> {
    body.as_object().expect("an object").keys().map(String::as_str).collect()
}

on_both_engines! {
    async fn a_body_that_is_not_json_is_refused(engine: Engine) {
        let (app, team) = playing(engine).await;
        let before = nasty::everything(&app.test).await;
        for it in posts() {
            let what = it.path;
            let text = it.body.to_string();
            refused(&post(&it, &team).send(&app).await, NOT_JSON_TYPE, what);
            refused(&post(&it, &team).json("").send(&app).await, NOT_JSON, what);
            let untyped = post(&it, &team).header("content-type", "").body(text.clone());
            refused(&untyped.send(&app).await, NOT_JSON_TYPE, &format!("{what} of no type"));
            for kind in ["text/plain", "text/json", "application/jsonp", "application/xml",
                "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                "application/json-patch+json", "application", "\u{e9}", "json"] {
                let call = post(&it, &team).header("content-type", kind).body(text.clone());
                refused(&call.send(&app).await, NOT_JSON_TYPE, &format!("{what} {kind}"));
            }
            let good = ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;"];
            for kind in good {
                let call = post(&it, &team).header("content-type", kind).body(text.clone());
                refused(&call.send(&app).await, it.refused, &format!("{what} {kind}"));
            }
            // Parsers do not validate text that they skip, so the server must validate it.
            let mut unread = text.as_bytes()[..text.len() - 1].to_vec();
            unread.extend_from_slice(b",\"unknown\":\"\xff\"}");
            refused(&post(&it, &team).json(unread).send(&app).await, NOT_JSON, what);
            for broken in nasty::broken_json() {
                let reply = post(&it, &team).json(broken.clone()).send(&app).await;
                let start = String::from_utf8_lossy(&broken[..broken.len().min(40)]).into_owned();
                refused(&reply, NOT_JSON, &format!("{what} {start}"));
            }
        }
        assert_eq!(nasty::everything(&app.test).await, before);
    }

    async fn a_body_of_the_wrong_shape_is_refused(engine: Engine) {
        let (app, team) = playing(engine).await;
        let before = nasty::everything(&app.test).await;
        for it in posts() {
            let send = async |body: &Value| {
                post(&it, &team).json(body.to_string()).send(&app).await
            };
            refused(&send(&it.body).await, it.refused, it.path);
            for deep in nasty::deep_json() {
                let reply = post(&it, &team).json(deep).send(&app).await;
                refused(&reply, WRONG_SHAPE, &format!("{} deep", it.path));
            }
            for shape in nasty::no_objects(names(&it.body).len()) {
                refused(&send(&shape).await, WRONG_SHAPE, &format!("{} {shape}", it.path));
            }
            for name in names(&it.body) {
                let what = format!("{} {name}", it.path);
                let missing = send(&without(&it.body, name)).await;
                let expected = if it.optional.contains(&name) { it.refused } else { WRONG_SHAPE };
                refused(&missing, expected, &format!("{what} missing"));
                for value in nasty::no_strings() {
                    if name == "studentTeam" && value.is_boolean() {
                        continue;
                    }
                    let what = format!("{what} {value}");
                    refused(&send(&with(&it.body, name, value)).await, WRONG_SHAPE, &what);
                }
                for lone in ["\\ud800", "\\udc00\\ud800", "x\\udfffx"] {
                    let text = with(&it.body, name, json!("HERE")).to_string();
                    let reply = post(&it, &team).json(text.replace("HERE", lone)).send(&app).await;
                    refused(&reply, NOT_JSON, &format!("{what} {lone}"));
                }
                let twice = it.body.to_string();
                let twice = format!("{},\"{name}\":{}}}", &twice[..twice.len() - 1], it.body[name]);
                let reply = post(&it, &team).json(twice).send(&app).await;
                refused(&reply, WRONG_SHAPE, &format!("{what} twice"));
            }
        }
        assert_eq!(nasty::everything(&app.test).await, before);
    }

    async fn unknown_members_are_refused_except_where_clients_rely_on_them(
        engine: Engine
    ) {
        let (app, team) = playing(engine).await;
        for it in posts() {
            for value in [json!(nasty::MARK), json!({"deep": [[[{}]]]}), Value::Null] {
                let body = with(&it.body, "isAdmin", value);
                let reply = post(&it, &team).json(body.to_string()).send(&app).await;
                let expected = if it.player { it.refused } else { WRONG_SHAPE };
                refused(&reply, expected, it.path);
            }
        }
        // Dangerous members are not accepted.
        let signup = json!({"teamName": "The Harbour", "email": "b@example.org", "country": "IT",
            "password": PASSWORD, "captchaToken": "off", "confirmed": true, "id": 1,
            "confirmed_at_ms": 1, "confirmedAtMs": 1, "isOrganizer": true, "award": 1000});
        let reply = Call::new("POST", "/api/signup").json(signup.to_string()).send(&app).await;
        assert_eq!(reply.status, 201);
        let login = json!({"team": "The Harbour", "password": PASSWORD, "captchaToken": "off"});
        let reply = Call::new("POST", "/api/login").json(login.to_string()).send(&app).await;
        refused(&reply, 403, "the team is not confirmed");
        let solve = json!({"challengeId": "one", "flag": "flag{no}", "correct": true});
        let call = Call::new("POST", "/api/solve").header("x-api-key", &team.token);
        let answer = call.json(solve.to_string()).send(&app).await.json();
        assert_eq!(answer, json!({"correct": false}));
    }

    async fn nasty_strings_are_refused_or_harmless(engine: Engine) {
        let (app, team) = playing(engine).await;
        let before = nasty::everything(&app.test).await;
        for it in posts() {
            for name in names(&it.body) {
                if name == "studentTeam" || ["/api/solve flag", "/api/login captchaToken"]
                    .contains(&format!("{} {name}", it.path).as_str()) {
                    continue;
                }
                for text in nasty::strings() {
                    // The invalid captcha rejects a signup that nothing rejects earlier.
                    let mut body = with(&it.body, name, json!(text));
                    if it.path == "/api/signup" && name == "captchaToken" {
                        body["teamName"] = json!("x");
                    }
                    let reply = post(&it, &team).json(body.to_string()).send(&app).await;
                    let start: String = text.chars().take(20).collect();
                    refused_somehow(&reply, &format!("{} {name} {start:?}", it.path));
                    let is_telling = text.trim().len() > 6;
                    assert!(!is_telling || !reply.text().contains(&text), "{}: {text}", it.path);
                }
            }
        }
        // The captcha is off and accepts any text, so the strings reach the database.
        for text in nasty::strings().into_iter().filter(|text| text.len() < 100) {
            let body = json!({"team": text, "password": text, "captchaToken": text});
            let reply = Call::new("POST", "/api/login").json(body.to_string()).send(&app).await;
            let expected = if text.is_empty() { 400 } else { 401 };
            refused(&reply, expected, &format!("login {text:?}"));
        }
        assert_eq!(nasty::everything(&app.test).await, before);
        for flag in nasty::strings() {
            let body = json!({"challengeId": "one", "flag": flag}).to_string();
            let reply = post(&posts()[2], &team).json(body).send(&app).await;
            if reply.status == 200 {
                assert_eq!(reply.json(), json!({"correct": false}));
            } else {
                refused(&reply, 400, "empty or too long");
            }
        }
        assert_eq!(app.app.contest().seq(), 4, "the event, its start, a challenge, a team");
    }

    async fn bodies_that_are_too_large_are_refused(engine: Engine) {
        let (app, team) = playing(engine).await;
        let before = nasty::everything(&app.test).await;
        for it in posts() {
            let fill = |bytes: usize| {
                let text = it.body.to_string();
                let blanks = " ".repeat(bytes - text.len());
                format!("{}{blanks}}}", &text[..text.len() - 1])
            };
            let send = async |body: String| post(&it, &team).json(body).send(&app).await;
            refused(&send(fill(16 * 1024)).await, it.refused, it.path);
            for bytes in [16 * 1024 + 1, 100_000, 1_500_000] {
                let body = fill(bytes);
                refused(&send(body).await, LARGE, &format!("{} {bytes}", it.path));
            }
            let name = names(&it.body)[0];
            let huge = with(&it.body, name, json!("x".repeat(1_000_000)));
            refused(&send(huge.to_string()).await, LARGE, it.path);
        }
        assert_eq!(nasty::everything(&app.test).await, before);
    }

    async fn a_logout_has_an_empty_response(engine: Engine) {
        let (app, team) = playing(engine).await;
        let logout = || Call::new("POST", "/api/logout").header("x-api-key", &team.token);
        refused(&logout().json("{").send(&app).await, NOT_JSON, "broken");
        refused(&logout().json("[]").send(&app).await, WRONG_SHAPE, "a list");
        refused(&logout().json("{\"all\":true}").send(&app).await, WRONG_SHAPE, "unknown");
        let plain = logout().header("content-type", "text/plain").body("bye");
        refused(&plain.send(&app).await, NOT_JSON_TYPE, "plain");
        refused(&Call::new("POST", "/api/logout").send(&app).await, 401, "anonymous");
        let empty = logout().header("content-type", "application/json");
        assert_eq!(empty.send(&app).await.status, 200);
        refused(&logout().send(&app).await, 401, "twice");
    }

    async fn requests_with_invalid_tokens_are_anonymous(engine: Engine) {
        let (app, team) = playing(engine).await;
        let almost = format!("{}x", &team.token[..46]);
        let longer = format!("{}x", team.token);
        let upper = team.token.to_uppercase();
        let bearer = format!("Bearer {}", team.token);
        let quoted = format!("\"{}\"", team.token);
        let long = "x".repeat(20_000);
        let tokens: [&[u8]; 13] = [
            b"", b"fsp_", b"null", b"undefined", b"\xff\xfe\x80", "fsp_\u{e9}".as_bytes(),
            b"eyJhbGciOiJub25lIn0.e30.", almost.as_bytes(), longer.as_bytes(), upper.as_bytes(),
            bearer.as_bytes(), quoted.as_bytes(), long.as_bytes(),
        ];
        for token in tokens {
            let what = String::from_utf8_lossy(&token[..token.len().min(60)]).into_owned();
            let get = |path: &str| Call::new("GET", path).header("x-api-key", token).send(&app);
            let ctf = get("/api/ctf").await;
            assert_eq!((ctf.status, &ctf.json()["loggedTeam"]), (200, &Value::Null), "{what}");
            refused(&get("/api/challenge").await, 401, &what);
            assert_eq!(get("/api/scoreboard").await.status, 200, "{what}");
            assert_eq!(get("/api/team/The%20Lighthouse").await.status, 200, "{what}");
        }
        for name in ["cookie", "authorization", "x-auth-token", "x-forwarded-user"] {
            let value = format!("token={}; X-Api-Key={}", team.token, team.token);
            let call = Call::new("GET", "/api/challenge").header(name, value);
            refused(&call.send(&app).await, 401, name);
        }
        let own = Call::new("GET", "/api/challenge").header("x-api-key", &team.token);
        assert_eq!(own.send(&app).await.status, 200);
    }

    async fn unknown_paths_are_refused_in_json(engine: Engine) {
        let (app, team) = playing(engine).await;
        let before = nasty::everything(&app.test).await;
        let none = [
            "/api", "/api/", "/api/none", "/api/ctf/", "/api/ctf/x", "/api//ctf", "/api/CTF",
            "/api/%63tf/x", "/api/%00", "/api/%ff", "/api/team", "/api/files", "/api/files/a/b/c",
            "/api/../api/none", "/api/admin", "/api/solve/one", "/api/zQ7mark?zQ7mark=zQ7mark",
            "/static/none.js", "/static/..%2f..%2fsecret",
        ];
        for path in none {
            for method in ["GET", "POST", "DELETE"] {
                let reply = Call::new(method, path).send(&app).await;
                if reply.status == 405 && path.starts_with("/static") {
                    continue;
                }
                refused(&reply, 404, &format!("{method} {path}"));
            }
        }
        for (path, works) in [("/api/ctf", "GET"), ("/api/challenge", "GET"),
            ("/api/solve", "POST"), ("/api/login", "POST"), ("/api/scoreboard", "GET"),
            ("/api/team/x", "GET"), ("/api/live", "GET"), ("/openapi.json", "GET")] {
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
                if method == works {
                    continue;
                }
                for kind in ["text/plain", "application/json"] {
                    let call = Call::new(method, path).header("content-type", kind);
                    let reply = call.header("x-api-key", &team.token).send(&app).await;
                    refused(&reply, 405, &format!("{method} {path}"));
                    assert!(reply.header("allow").contains(works), "{method} {path}: {reply:?}");
                }
            }
        }
        assert_eq!(nasty::everything(&app.test).await, before);
    }

    async fn get_ignores_a_content_type_and_head_has_no_body(engine: Engine) {
        let (app, team) = playing(engine).await;
        for path in ["/api/ctf", "/api/challenge", "/api/scoreboard", "/api/rules", "/api/ctftime",
            "/api/team/The%20Lighthouse", "/openapi.json"] {
            let call = |method| {
                let call = Call::new(method, path).header("content-type", "application/json");
                call.header("x-api-key", &team.token)
            };
            let get = call("GET").send(&app).await;
            let kind = get.header("content-type");
            assert_eq!((get.status, kind), (200, "application/json"), "{path}");
            assert_eq!(get.header("cache-control"), "no-store", "{path}: the request has a token");
            secured(&get, path);
            let head = call("HEAD").send(&app).await;
            assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
            for name in ["content-type", "etag", "cache-control", "content-length"] {
                assert_eq!(head.header(name), get.header(name), "{path} {name}");
            }
            secured(&head, path);
            let json = call("GET").body("{\"a\":").send(&app).await;
            assert_eq!(json.status, 200, "{path}: an unexpected body is not read");
        }
        let anonymous = Call::new("GET", "/api/scoreboard").send(&app).await;
        assert_eq!(anonymous.header("cache-control"), "no-cache");
        assert!(anonymous.headers.get_all("vary").iter().any(|it| it == "x-api-key"));
        for tag in [anonymous.header("etag"), "*", "\"x\", \u{e9}", "W/\"x\""] {
            let call = Call::new("GET", "/api/scoreboard").header("if-none-match", tag);
            let reply = call.send(&app).await;
            let known = tag == anonymous.header("etag");
            assert!(reply.status == 200 || reply.status == 304, "{tag}");
            assert!(!known || (reply.status == 304 && reply.body.is_empty()), "{tag}");
            assert_eq!(reply.header("etag"), anonymous.header("etag"));
            secured(&reply, tag);
        }
        for encodings in ["gzip;q=0, br;q=0", "identity", "br, gzip", "gzip", ";;,,;q=", "\u{e9}"] {
            let call = Call::new("GET", "/api/scoreboard").header("accept-encoding", encodings);
            let reply = call.send(&app).await;
            let packed = reply.header("content-encoding");
            assert_eq!(packed.is_empty(), reply.body == anonymous.body, "{encodings}: {packed}");
        }
    }

    async fn invalid_http_ends_only_its_own_connection(engine: Engine) {
        let (app, _) = playing(engine).await;
        let huge = "x".repeat(1 << 20);
        let long = format!("GET /api/{huge} HTTP/1.1\r\nHost: x\r\n\r\n");
        let huge = format!("GET /api/ctf HTTP/1.1\r\nHost: x\r\nX: {huge}\r\n\r\n");
        let many = "X: y\r\n".repeat(5_000);
        let many = format!("GET /api/ctf HTTP/1.1\r\nHost: x\r\n{many}\r\n");
        let texts: [&[u8]; 8] = [
            huge.as_bytes(), many.as_bytes(), long.as_bytes(), b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n",
            b"GET /api/ctf HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
            b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        ];
        for text in texts {
            let address = app.url.strip_prefix("http://").expect("an address");
            let mut stream = tokio::net::TcpStream::connect(address).await.expect("it listens");
            // The server may close the connection before it has read the whole text.
            drop(stream.write_all(text).await);
            drop(stream.shutdown().await);
            let mut answer = Vec::new();
            drop(stream.read_to_end(&mut answer).await);
            let start = String::from_utf8_lossy(&answer[..answer.len().min(12)]).into_owned();
            let is_refused = answer.is_empty() || start.starts_with("HTTP/1.1 4")
                || start.starts_with("HTTP/1.0 4");
            assert!(is_refused, "{:?}: {start}", &text[..8]);
        }
        assert_eq!(Call::new("GET", "/api/ctf").send(&app).await.status, 200);
    }
}
