//! Monitoring: metrics, health checks, the log.

use std::collections::BTreeMap;

use flagship_control::control;
use flagship_testkit::{Engine, on_both_engines};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::player::{Player, flag};
use crate::process::{Server, TestSite, program, run};
use crate::until;

/// The samples of a scrape, by name and labels.
async fn scrape(watched: &Player) -> BTreeMap<String, f64> {
    let (status, text) = watched.text("/metrics").await;
    assert_eq!(status, 200, "{text}");
    assert!(text.ends_with("# EOF\n"), "the text is complete: {text}");
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        (name.to_owned(), value.parse().unwrap_or_else(|_| panic!("{line} has a number")))
    };
    samples.map(sample).collect()
}

on_both_engines! {
    async fn metrics_count_what_happens(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.write(
            "challenges/both/challenge.yml",
            "name: Both\nid: both\ncategory: misc\ndescription: Find two.\ntype: standard\n\
             value: 100\nflags: [\"flag{left}\", \"flag{right}\"]\nlogic: all\n",
        );
        let server = site.serve_with(&event, |command| {
            command.args(["--metrics", "127.0.0.1:0"]);
        }).await;
        let watched = server.player().at(&server.watched().await);
        let tokens = site.import(2).await;
        let (one, two) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
        let (_socket, _) = one.watch().await;
        one.solves("one").await;
        one.solves("one").await;
        two.solves("one").await;
        assert_eq!(two.post("/solve", &flag("both", "flag{left}")).await.0, 200);
        for (guess, status) in [("a", 200), ("b", 200), ("c", 200), ("d", 429)] {
            assert_eq!(two.post("/solve", &flag("three", guess)).await.0, status);
        }
        assert_eq!(server.player().log_in("Team 1", "wrong").await.0, 401);
        assert_eq!(server.player().text("/nowhere").await.0, 404);
        let now = scrape(&watched).await;
        for (sample, value) in [
            ("flagship_submissions_total{outcome=\"right\"}", 2.0),
            ("flagship_submissions_total{outcome=\"part\"}", 1.0),
            ("flagship_submissions_total{outcome=\"repeated\"}", 1.0),
            ("flagship_submissions_total{outcome=\"wrong\"}", 3.0),
            ("flagship_submissions_total{outcome=\"throttled\"}", 1.0),
            ("flagship_ready", 1.0),
            ("flagship_sockets", 1.0),
            ("flagship_lane_queue", 0.0),
            ("flagship_lane_failures_total", 0.0),
            ("flagship_password_queue", 0.0),
            ("flagship_mails{state=\"waiting\"}", 0.0),
        ] {
            assert_eq!(now.get(sample), Some(&value), "{sample} in {now:#?}");
        }
        let answers = |route: &str, method: &str, status: &str| {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            let name = format!("flagship_http_request_duration_seconds_count{{{labels}}}");
            now.get(&name).copied().unwrap_or_default()
        };
        assert_eq!(answers("/api/solve", "POST", "2xx"), 7.0, "{now:#?}");
        assert_eq!(answers("/api/solve", "POST", "4xx"), 1.0);
        assert_eq!(answers("/api/login", "POST", "4xx"), 1.0);
        assert_eq!(answers("/api/live", "GET", "1xx"), 1.0);
        assert_eq!(answers("site", "GET", "4xx"), 1.0);
        assert!(now["flagship_connections"] >= 1.0 && now["flagship_journal_entries"] > 5.0);
        assert!(now["flagship_lane_commit_seconds_count"] >= 2.0);
        assert!(now["flagship_lane_batch_operations_sum"] >= 2.0);
        assert!(now["process_resident_memory_bytes"] > 1e6 && now["process_open_fds"] > 3.0);
        assert!(now["process_cpu_seconds_total"] > 0.0);
        let database = if engine == Engine::Sqlite { "SQLite" } else { "PostgreSQL" };
        let build = format!("version=\"{}\",database=\"{database}\"", env!("CARGO_PKG_VERSION"));
        assert!(now.contains_key(&format!("flagship_build_info{{{build}}}")), "{now:#?}");
        server.stop().await;
    }
}

#[tokio::test]
async fn health_reports_whether_a_server_responds() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let words = ["health", "--url", &server.url];
    run(program(&words)).await.ok();
    let mut by_variable = program(&["health"]);
    by_variable.env("FLAGSHIP_LISTEN", &address);
    assert!(run(by_variable).await.ok().contains("is healthy"));
    let url = server.url.clone();
    server.stop().await;
    run(program(&["health", "--url", &url])).await.fails("is not healthy");
    // Accepts connections and never responds.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().unwrap().to_string();
    run(program(&["health", "--listen", &silent])).await.fails("no response within 3 s");
    run(program(&["health", "--listen", "nowhere"])).await.is_wrong_usage();
}

#[tokio::test]
async fn metrics_are_served_on_their_own_listener_only() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    assert_eq!(server.player().text("/metrics").await.0, 404, "players cannot see metrics");
    assert!(!server.err().iter().any(|line| line.contains("metrics")), "{:?}", server.err());
    server.stop().await;
    let server = site.serve_with(&event, |command| {
        command.env("FLAGSHIP_METRICS", "127.0.0.1:0");
    });
    let server = server.await;
    let watched = server.player().at(&server.watched().await);
    assert_eq!(server.player().text("/metrics").await.0, 404);
    for path in ["/healthz", "/readyz"] {
        let well = (200, "{\"status\":\"ok\"}".to_owned());
        assert_eq!(watched.text(path).await, well, "{path}");
        assert_eq!(server.player().text(path).await, well, "{path}");
    }
    for path in ["/", "/api/ctf", "/openapi.json"] {
        let (status, text) = watched.text(path).await;
        assert_eq!((status, text.contains("message")), (404, true), "{path}: {text}");
    }
    server.stop().await;
}

/// The lines of a JSON log.
fn lines(server: &Server) -> Vec<Value> {
    let read = |line: &String| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    server.err().iter().map(read).collect()
}

#[tokio::test]
async fn each_line_of_a_json_log_is_a_complete_record() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve_with(&event, |command| {
        command.args(["--log-format", "json", "--log", "debug,sqlx=warn"]);
        command.args(["--public-url", "http://ctf.example.org"]);
    });
    let server = server.await;
    assert_eq!(server.player().get("/team/The%20Secret%20Name").await.0, 404);
    let is_answer =
        |line: &Value| line["message"] == "request completed" && line["route"].is_string();
    until("the answer is logged", async || lines(&server).iter().any(is_answer)).await;
    let lines = lines(&server);
    for line in &lines {
        let time = line["timestamp"].as_str().unwrap_or_default();
        assert!(time.ends_with('Z') && time.parse::<Timestamp>().is_ok(), "{line}");
        for member in ["level", "target", "message"] {
            assert!(line[member].as_str().is_some_and(|text| !text.is_empty()), "{line}");
        }
    }
    let answer = lines.iter().find(|line| is_answer(line)).unwrap();
    for (member, value) in [
        ("route", json!("/api/team/{name}")),
        ("method", json!("GET")),
        ("status", json!(404)),
        ("level", json!("DEBUG")),
    ] {
        assert_eq!(answer[member], value, "{answer}");
    }
    assert!(answer["ms"].is_u64(), "{answer}");
    let warned = |line: &Value| line["level"] == "WARN" && line["target"] == "flagship::serve";
    assert!(lines.iter().any(warned), "the log warns about plain http: {lines:?}");
    server.stop().await;
}

on_both_engines! {
    async fn the_log_has_the_events_and_no_secret(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let token = site.import(2).await.remove(0);
        let team = server.team(&token).await;
        assert_eq!(team.post("/solve", &flag("three", "flag{nearly}")).await.0, 200);
        team.solves("one").await;
        assert_eq!(server.player().log_in("Team 1", "hunter2").await.0, 401);
        let signup = json!({"teamName": "Bees", "email": "bees@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(server.player().post("/signup", &signup).await.0, 201);
        for words in [
            &["team", "award", "Team 1", "5", "--reason", "found a bug"][..],
            &["team", "ban", "Team 2"],
            &["challenge", "hide", "three"],
        ] {
            site.run(words).await.ok();
        }
        let mut expected = vec![
            ("team joined", "team=\"Team 1\""),
            ("challenge solved", "challenge=\"one\""),
            ("points awarded", "points=5"),
            ("team status changed", "banned=true"),
            ("challenge hidden", "challenge=\"three\""),
            ("activity since last report", "failed_logins=1"),
            ("activity since last report", "signups=1"),
            ("activity since last report", "wrong_flags=1"),
        ];
        if control("the_log_has_the_events_and_no_secret", "is in the log") {
            expected.push(("nothing of the kind", ""));
        }
        for (message, field) in expected {
            let is_it = |line: &String| {
                line.contains(" INFO ") && line.contains(message) && line.contains(field)
            };
            let what = format!("{message:?} with {field:?} is in the log");
            until(&what, async || server.err().iter().any(is_it)).await;
        }
        let log = server.err().join("\n");
        for secret in ["flag{", "hunter2", "correct horse", &token, "@example.org", "127.0.0.1:"] {
            let rest: Vec<&str> = log.lines().filter(|line| line.contains(secret)).collect();
            assert!(rest.is_empty(), "{secret:?} is in {rest:?}");
        }
        server.stop().await;
    }
}
