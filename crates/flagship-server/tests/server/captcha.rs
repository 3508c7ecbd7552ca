//! Captchas: proof of work, which the tests solve, and calls to the services that verify captchas.

use std::time::Duration;

use altcha::{Challenge, Payload, SolveChallengeOptions};
use data_encoding::BASE64;
use flagship_game::Secret;
use flagship_pack::CaptchaProvider;
use flagship_server::Config;
use flagship_store::Lock;
use flagship_testkit::{Answer, NOW_MS, Player, TestApp, on_both_engines, solved_captcha, until};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{body_string, header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

const PROVIDERS: [CaptchaProvider; 3] =
    [CaptchaProvider::Recaptcha, CaptchaProvider::Hcaptcha, CaptchaProvider::Turnstile];

async fn log_in(player: &Player, captcha: &str) -> Answer {
    let body = json!({"team": "Nobody", "password": "whatever it is", "captchaToken": captcha});
    player.post("/login", &body).await
}

/// True if the captcha was accepted and only the password was rejected.
fn is_taken(answer: &Answer) -> bool {
    match (answer.status, answer.message()) {
        (401, "Incorrect team name or password.") => true,
        (400, "Invalid captcha") => false,
        _ => panic!("neither accepted nor invalid: {answer:?}"),
    }
}

fn altcha_on(config: &mut Config) {
    config.settings.captcha.provider = CaptchaProvider::Altcha;
    config.settings.limits.failed_logins_per_team_per_minute = 0;
}

fn solve(challenge: Challenge) -> Payload {
    let solution = altcha::solve_challenge(SolveChallengeOptions::new(&challenge));
    Payload { solution: solution.expect("well formed").expect("solvable"), challenge }
}

/// The token in the widget's format.
fn token(payload: &Payload) -> String {
    BASE64.encode(&serde_json::to_vec(payload).expect("it is plain data"))
}

async fn solved(player: &Player) -> Payload {
    let answer = player.get("/captcha").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["cache-control"], "no-store");
    solve(serde_json::from_value(answer.json).expect("a challenge"))
}

on_both_engines! {
    async fn a_solution_is_accepted_once(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let player = app.player();
        let token = token(&solved(&player).await);
        assert!(is_taken(&log_in(&player, &token).await));
        assert!(!is_taken(&log_in(&player, &token).await), "a replay is refused");
        let signup = json!({"teamName": "The Team", "email": "ada@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": token});
        assert_eq!(player.post("/signup", &signup).await.message(), "Invalid captcha");
    }

    async fn parallel_uses_of_one_solution_pass_once_on_all_nodes(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let second = app.second_node(altcha_on).await;
        let token = token(&solved(&app.player()).await);
        let mut uses = tokio::task::JoinSet::new();
        for i in 0..20 {
            let player = if i % 2 == 0 { app.player() } else { second.player() };
            let token = token.clone();
            uses.spawn(async move { is_taken(&log_in(&player, &token).await) });
        }
        let taken = uses.join_all().await;
        assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    }

    async fn a_request_refused_as_busy_does_not_spend_the_solution(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let player = app.player();
        let mine = token(&solved(&player).await);
        // Writes are blocked, so that requests wait until all permits are held.
        let spending = app.test.db.begin(Lock::Accounts).await.expect("it begins");
        let mut crowd = tokio::task::JoinSet::new();
        // If the database does not respond, `Retry-After` is shorter.
        let is_refused = |answer: &Answer| answer.status == 503 && answer.retry_after() >= 5;
        until("no permit is left", async || {
            for _ in 0..100 {
                let theirs = solved_captcha(&app.app.config().key, NOW_MS + 60_000);
                let player = player.clone();
                crowd.spawn(async move { log_in(&player, &theirs).await });
            }
            std::iter::from_fn(|| crowd.try_join_next())
                .any(|answer| is_refused(&answer.expect("it ends well")))
        })
        .await;
        assert!(is_refused(&log_in(&player, &mine).await), "the request is refused as busy");
        drop(spending);
        crowd.join_all().await;
        assert!(is_taken(&log_in(&player, &mine).await), "the solution was not spent");
    }

    async fn a_used_solution_is_refused_while_writes_are_blocked(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let second = app.second_node(altcha_on).await;
        let used = token(&solved(&app.player()).await);
        assert!(is_taken(&log_in(&app.player(), &used).await));
        let _writing = app.test.db.begin(Lock::Accounts).await.expect("it begins");
        for node in [&app, &second, &app, &second] {
            let player = node.player();
            let replay = log_in(&player, &used);
            let answer = tokio::time::timeout(Duration::from_secs(3), replay).await;
            let answer = answer.expect("a replay is refused without waiting");
            assert!(!is_taken(&answer), "a replay is refused");
        }
    }

    async fn a_modified_solution_is_refused(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let player = app.player();
        let good = solved(&player).await;
        let changes: [fn(&mut Payload); 8] = [
            |it| it.solution.derived_key = "00".repeat(32),
            |it| it.solution.derived_key = "not hex".to_owned(),
            |it| it.challenge.signature = None,
            |it| it.challenge.signature = it.challenge.signature.take().map(|s| s.to_uppercase()),
            |it| it.challenge.parameters.cost = 1,
            |it| it.challenge.parameters.key_signature = None,
            |it| it.challenge.parameters.expires_at = Some(i64::MAX),
            |it| {
                let later = ("expires".to_owned(), json!(i64::MAX));
                it.challenge.parameters.data = Some([later].into());
            },
        ];
        for (i, change) in changes.into_iter().enumerate() {
            let mut payload = good.clone();
            change(&mut payload);
            assert!(!is_taken(&log_in(&player, &token(&payload)).await), "change {i}");
        }
        for nonsense in ["off", "{}", "e30=", "bnVsbA==", &"A".repeat(15_000)] {
            assert!(!is_taken(&log_in(&player, nonsense).await));
        }
        assert!(!is_taken(&log_in(&player, "").await));
        assert!(is_taken(&log_in(&player, &token(&good)).await),
            "the unmodified solution was not spent");
    }

    async fn a_late_solution_is_refused_by_the_servers_clock(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let (timely, late) = (solved(&app.player()).await, solved(&app.player()).await);
        app.advance(15 * 60_000 - 1);
        assert!(is_taken(&log_in(&app.player(), &token(&timely)).await));
        app.advance(1);
        assert!(!is_taken(&log_in(&app.player(), &token(&late)).await));
    }

    async fn challenges_of_another_event_are_refused(engine: Engine) {
        let app = TestApp::with(engine, altcha_on).await;
        let other = TestApp::with(engine, |config| {
            altcha_on(config);
            config.key = flagship_store::Key::new(b"another secret");
        })
        .await;
        let foreign = token(&solved(&other.player()).await);
        assert!(!is_taken(&log_in(&app.player(), &foreign).await));
    }

    async fn other_captchas_have_no_challenge(engine: Engine) {
        let app = TestApp::new(engine).await;
        assert_eq!(app.player().get("/captcha").await.status, 404);
        assert!(is_taken(&log_in(&app.player(), "off").await),
            "any text is accepted without a captcha");
        assert!(!is_taken(&log_in(&app.player(), "").await), "but not an empty one");
        let ctf = app.player().get("/ctf").await.json;
        assert_eq!(ctf["captcha"], json!({"provider": "off", "siteKey": null}));
    }

    async fn captcha_services_verify_tokens(engine: Engine) {
        for provider in PROVIDERS {
            let service = MockServer::start().await;
            let verdict = |token: &str, answer: Value| {
                Mock::given(method("POST"))
                    .and(path("/siteverify"))
                    .and(header("content-type", "application/x-www-form-urlencoded"))
                    .and(body_string(format!("secret=the+secret%26&response={token}")))
                    .respond_with(ResponseTemplate::new(200).set_body_json(answer))
            };
            verdict("good", json!({"success": true, "hostname": "ctf.example.org"}))
                .mount(&service).await;
            verdict("bad", json!({"success": false, "error-codes": ["invalid-input-response"]}))
                .mount(&service).await;
            verdict("terse", json!({"success": false})).mount(&service).await;
            let app = TestApp::with(engine, asks(provider, &service)).await;
            assert!(is_taken(&log_in(&app.player(), "good").await), "{provider:?}");
            assert!(!is_taken(&log_in(&app.player(), "bad").await), "{provider:?}");
            assert!(!is_taken(&log_in(&app.player(), "terse").await), "{provider:?}");
            let asked = service.received_requests().await.expect("recorded").len();
            assert!(!is_taken(&log_in(&app.player(), "").await), "{provider:?}");
            assert!(!is_taken(&log_in(&app.player(), &"x".repeat(10_000)).await));
            let after = service.received_requests().await.expect("recorded").len();
            assert_eq!(after, asked, "an empty token causes no call");
        }
    }

    async fn one_network_leaves_calls_of_the_service_to_the_others(engine: Engine) {
        let service = MockServer::start().await;
        let verdict = |token: &str, success: bool, delay: Duration| {
            let answer = ResponseTemplate::new(200).set_body_json(json!({"success": success}));
            Mock::given(body_string(format!("secret=the+secret%26&response={token}")))
                .respond_with(answer.set_delay(delay))
        };
        verdict("good", true, Duration::ZERO).mount(&service).await;
        verdict("bad", false, Duration::from_millis(2_500)).mount(&service).await;
        let app = TestApp::with(engine, asks(CaptchaProvider::Turnstile, &service)).await;
        let mut crowd = tokio::task::JoinSet::new();
        for i in 0..300 {
            // All addresses are in one /48.
            let rival = app.player().from_address(&format!("2001:db8:7:{i:x}::1"));
            crowd.spawn(async move { log_in(&rival, "bad").await.status });
        }
        // The first responses are rejections because no permit was free.
        let first = crowd.join_next().await.expect("there are some").expect("it is answered");
        assert_eq!(first, 503);
        let honest = app.player().from_address("198.51.100.1");
        assert_eq!(log_in(&honest, "good").await.status, 401, "other networks can use the service");
        crowd.abort_all();
    }

    async fn disconnected_clients_cause_no_more_calls_of_the_service(engine: Engine) {
        let service = MockServer::start().await;
        let refuses = ResponseTemplate::new(200).set_body_json(json!({"success": false}));
        let slow = refuses.set_delay(Duration::from_millis(200));
        Mock::given(path("/siteverify")).respond_with(slow).mount(&service).await;
        let app = TestApp::with(engine, asks(CaptchaProvider::Turnstile, &service)).await;
        for _ in 0..150 {
            let rival = app.player().from_address("192.0.3.0");
            let asked = log_in(&rival, "made up");
            drop(tokio::time::timeout(Duration::from_millis(10), asked).await);
        }
        let rival = app.player().from_address("192.0.3.0");
        assert_eq!(log_in(&rival, "made up").await.status, 429,
            "the budget of the network is spent");
        let asked = service.received_requests().await.expect("recorded").len();
        assert!(asked <= 100, "{asked}");
    }

    async fn a_failing_service_refuses_everyone_with_an_error(engine: Engine) {
        let elsewhere = MockServer::start().await;
        let good = ResponseTemplate::new(200).set_body_json(json!({"success": true}));
        Mock::given(path("/")).respond_with(good.clone()).expect(0).mount(&elsewhere).await;
        let padding = "x".repeat(70_000);
        let answers = [
            ("an error", ResponseTemplate::new(500).set_body_json(json!({"success": true}))),
            ("a contradiction", ResponseTemplate::new(400).set_body_json(json!({"success": true}))),
            ("nonsense", ResponseTemplate::new(200).set_body_string("<html>")),
            ("nothing", ResponseTemplate::new(200)),
            ("no verdict", ResponseTemplate::new(200).set_body_json(json!({"score": 1}))),
            ("a text", ResponseTemplate::new(200).set_body_json(json!({"success": "true"}))),
            ("a redirect", ResponseTemplate::new(302).insert_header("location", elsewhere.uri())),
            ("a book", ResponseTemplate::new(200)
                .set_body_json(json!({"success": true, "hostname": padding}))),
            ("our fault", ResponseTemplate::new(200)
                .set_body_json(json!({"success": false, "error-codes": ["invalid-input-secret"]}))),
            ("silence", good.set_delay(Duration::from_secs(60))),
        ];
        for (what, answer) in answers {
            let service = MockServer::start().await;
            Mock::given(path("/siteverify")).respond_with(answer).mount(&service).await;
            let app = TestApp::with(engine, asks(CaptchaProvider::Turnstile, &service)).await;
            let start = std::time::Instant::now();
            let answer = log_in(&app.player(), "token").await;
            assert_eq!(answer.status, 503, "{what}: {answer:?}");
            assert!(answer.retry_after() > 0 && answer.message().contains("captcha"), "{what}");
            assert!(start.elapsed() < Duration::from_secs(15), "{what}");
        }
    }

    async fn a_service_that_sends_slowly_is_cut_off_after_three_seconds(engine: Engine) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let verify_url = format!("http://{}/", listener.local_addr().expect("it is bound"));
        let dripping = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("it is asked");
            // A service does not send before it has received a request.
            let asked = stream.read(&mut [0; 4096]).await;
            assert!(asked.is_ok_and(|count| count > 0), "it is asked");
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n";
            let mut more = stream.write_all(head.as_bytes()).await;
            // Sends single bytes without end.
            while more.is_ok() {
                tokio::time::sleep(Duration::from_millis(100)).await;
                more = stream.write_all(b" ").await;
            }
        });
        let app = TestApp::with(engine, |config| {
            config.settings.captcha.provider = CaptchaProvider::Turnstile;
            config.settings.captcha.verify_url = Some(verify_url);
            config.captcha_secret = Some(Secret::new("the secret&"));
        })
        .await;
        let start = std::time::Instant::now();
        let answer = log_in(&app.player(), "token").await;
        assert_eq!(answer.status, 503, "it sends slowly: {answer:?}");
        assert!(answer.retry_after() > 0 && answer.message().contains("captcha"), "{answer:?}");
        let took = start.elapsed();
        assert!((Duration::from_secs(2)..Duration::from_secs(15)).contains(&took), "{took:?}");
        dripping.await.expect("the connection was ended");
    }

    async fn an_unreachable_service_refuses_everyone(engine: Engine) {
        let gone = MockServer::start().await;
        let asks = asks(CaptchaProvider::Hcaptcha, &gone);
        drop(gone);
        let app = TestApp::with(engine, asks).await;
        assert_eq!(log_in(&app.player(), "token").await.status, 503);
    }
}

fn asks(provider: CaptchaProvider, service: &MockServer) -> impl FnOnce(&mut Config) + use<> {
    let verify_url = format!("{}/siteverify", service.uri());
    move |config| {
        config.settings.captcha.provider = provider;
        config.settings.captcha.site_key = Some("the site's key".to_owned());
        config.settings.captcha.verify_url = Some(verify_url);
        config.captcha_secret = Some(Secret::new("the secret&"));
    }
}
