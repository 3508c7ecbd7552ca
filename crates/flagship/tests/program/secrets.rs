//! Secrets do not leak: every secret contains a canary. The tests send all kinds of requests and
//! search responses, logs, exports and the database for the canaries.

use std::io::Read;

use flagship_control::control;
use flagship_testkit::{Engine, on_both_engines};
use serde_json::{Value, json};
use sqlx::Connection;

use crate::event::{EventFolder, Times};
use crate::process::{Server, TestSite};
use crate::until;

/// A team with a canary in each of its fields.
struct Crew {
    name: String,
    email: String,
    password: String,
    token: String,
}

/// All output of the program, with its source.
#[derive(Default)]
struct Seen(Vec<(String, String)>);

impl Seen {
    fn add(&mut self, what: impl Into<String>, text: impl Into<String>) {
        self.0.push((what.into(), text.into()));
    }

    fn assert_without(&self, canaries: &[String]) {
        for canary in canaries {
            for (what, text) in &self.0 {
                // Canaries look the same in plain text, in JSON and in Rust's debug format.
                assert!(!text.contains(canary), "{canary} is in {what}");
            }
        }
    }
}

const CHALLENGES: [&str; 3] = ["one", "two", "three"];

fn flag(id: &str) -> String {
    format!("flag{{CANARY-{id}-7d1f}}")
}

fn event() -> EventFolder {
    let event = EventFolder::new();
    for id in CHALLENGES {
        event.write(
            &format!("challenges/{id}/challenge.yml"),
            &format!(
                "name: Challenge {id}\nid: {id}\ncategory: misc\ndescription: What?\n\
                 type: standard\nvalue: 50\nflags:\n  - {:?}\n\
                 \x20 - {{type: static, content: {:?}, data: case_insensitive}}\n\
                 \x20 - {{type: decoy, content: {:?}}}\n",
                flag(id),
                format!("FLAG{{CANARY-{id}-any-case}}"),
                format!("FLAG{{CANARY-{id}-decoy}}"),
            ),
        );
    }
    event
}

/// Sends requests of every kind and records the responses with their headers.
async fn talk(server: &Server, seen: &mut Seen, token: &str, crew: &Crew) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let login = |password: &str| {
        json!({"team": crew.name, "password": password,
        "captchaToken": "off"})
    };
    let solve = |flag: &str| json!({"challengeId": "one", "flag": flag});
    let signup = json!({"teamName": crew.name, "email": crew.email, "country": "IT",
        "password": crew.password, "captchaToken": "off"});
    let mut calls: Vec<(&str, String, Option<Value>)> = vec![
        ("POST", "/api/solve".into(), Some(solve("flag{CANARY-wrong-7d1f}"))),
        ("POST", "/api/solve".into(), Some(solve("flag{CANARY-one-decoy}"))),
        ("POST", "/api/solve".into(), Some(solve(&flag("one")))),
        ("POST", "/api/login".into(), Some(login("CANARY-wrong-password"))),
        ("POST", "/api/signup".into(), Some(signup)),
        ("POST", "/api/forgot".into(), Some(json!({"email": crew.email}))),
        ("POST", "/api/resend".into(), Some(json!({"email": crew.email}))),
        ("POST", "/api/reset".into(), Some(json!({"token": token, "password": crew.password}))),
        ("POST", "/api/confirm".into(), Some(json!({"token": token}))),
        ("POST", "/api/confirm".into(), Some(json!({"token": 7, "password": crew.password}))),
        ("PUT", "/api/login".into(), Some(login(&crew.password))),
        ("GET", "/api/none".into(), None),
        ("GET", "/".into(), None),
    ];
    for path in ["ctf", "rules", "challenge", "scoreboard", "ctftime", "live", "captcha"] {
        calls.push(("GET", format!("/api/{path}"), None));
    }
    calls.push(("GET", format!("/api/team/{}", crew.name.replace(' ', "%20")), None));
    for (method, path, body) in calls {
        let method = method.parse().unwrap();
        let mut request = http.request(method, format!("{}{path}", server.url));
        request = request.header("x-api-key", token).header("cookie", format!("apitoken={token}"));
        if let Some(body) = &body {
            request = request.json(body);
        }
        let answer = request.send().await.unwrap();
        let head = format!("{} {:?}", answer.status(), answer.headers());
        seen.add(format!("the answer of {path}"), head + &answer.text().await.unwrap());
    }
}

/// The files of the site.
async fn site_files(server: &Server, seen: &mut Seen) {
    let player = server.player();
    let (_, page) = player.text("/").await;
    let links = page.split(['"', '\'']).filter(|text| text.starts_with("/static/"));
    for link in links {
        let (status, text) = player.text(link).await;
        assert_eq!(status, 200, "{link}");
        seen.add(format!("the site's {link}"), text);
    }
}

async fn sign_up(site: &TestSite, server: &Server) -> Crew {
    let mut crew = Crew {
        name: "The Canaries".to_owned(),
        email: "canary-address-7d1f@example.org".to_owned(),
        password: "CANARY-password-7d1f".to_owned(),
        token: String::new(),
    };
    let body = json!({"teamName": crew.name, "email": crew.email, "country": "IT",
        "password": crew.password, "captchaToken": "off"});
    assert_eq!(server.player().post("/signup", &body).await.0, 201);
    let link = mailed(site, "confirm").await;
    assert_eq!(server.player().post("/confirm", &json!({"token": link})).await.0, 200);
    let (status, answer) = server.player().log_in(&crew.name, &crew.password).await;
    assert_eq!(status, 200, "{answer}");
    crew.token = answer["token"].as_str().unwrap().to_owned();
    crew
}

/// The token of an emailed link, by the kind of link.
async fn mailed(site: &TestSite, kind: &str) -> String {
    let mark = format!("/{kind}#");
    let mut found = None;
    until("the mail is there", async || {
        let files = std::fs::read_dir(site.file("mail")).into_iter().flatten().flatten();
        let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        let link = |text: String| {
            text.replace("=\r\n", "").split_once(&mark).map(|(_, it)| {
                it.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
            })
        };
        found = texts.filter_map(link).next();
        found.is_some()
    })
    .await;
    found.unwrap()
}

/// The whole database: its files for SQLite, or a dump of every table.
async fn stored(site: &TestSite) -> Vec<u8> {
    let Some(url) = &site.test.url else {
        let mut bytes = Vec::new();
        for file in ["flagship.db", "flagship.db-wal", "flagship.db-shm"] {
            bytes.extend(std::fs::read(site.file(file)).unwrap_or_default());
        }
        return bytes;
    };
    let mut conn = sqlx::PgConnection::connect(url).await.unwrap();
    let sql = "select coalesce(string_agg(query_to_xml('select * from ' || quote_ident(tablename), \
               true, false, '')::text, ''), '') from pg_tables where schemaname = 'public'";
    let all: String = sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap();
    all.into_bytes()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

on_both_engines! {
    async fn no_secret_appears_where_it_does_not_belong(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let mut command = site.command(&words);
        command.env("FLAGSHIP_LOG", "trace").env("FLAGSHIP_METRICS", "127.0.0.1:0");
        // The test runs once for each log format.
        let form = if engine == Engine::Sqlite { "text" } else { "json" };
        command.env("FLAGSHIP_LOG_FORMAT", form);
        let server = Server::start(command).await;
        let mut seen = Seen::default();
        let crew = sign_up(&site, &server).await;
        let imported = site.import_csv(
            "name,email,country,student,password\n\
             Imported,canary-import-7d1f@example.org,IT,,CANARY-imported-7d1f\n").await;
        let other = imported[0].1.clone();
        assert!(other.starts_with("fsp_"), "{other}");
        let (mut socket, first) = server.team(&crew.token).await.watch().await;
        seen.add("a snapshot", first.to_string());
        for token in [crew.token.as_str(), &other, "", "fsp_CANARY-no-token"] {
            talk(&server, &mut seen, token, &crew).await;
        }
        site_files(&server, &mut seen).await;
        let watched = server.player().at(&server.watched().await);
        seen.add("the metrics", watched.text("/metrics").await.1);
        let reset = mailed(&site, "reset").await;
        let password = "CANARY-new-password-7d1f";
        let body = json!({"token": reset, "password": password});
        assert_eq!(server.player().post("/reset", &body).await.0, 200);
        let (_, again) = server.player().log_in(&crew.name, password).await;
        let again = again["token"].as_str().expect("the new password is good").to_owned();
        site.run(&["team", "ban", "Imported"]).await.ok();
        site.run(&["team", "award", &crew.name, "5", "--reason", "a bug"]).await.ok();
        let frame = socket.find(|message| message["event"] == "scoreboard").await;
        seen.add("a frame", frame.to_string());
        for what in ["ctftime", "standings", "solves", "winners"] {
            let words = ["export", what, "--view", "public", "--format"];
            seen.add(what, site.run(&[&words[..], &["json"]].concat()).await.ok());
        }
        let over = Times { end: event.now(), ..Times::RUNNING };
        event.set_times(over, "auto");
        seen.add("apply", site.apply_confirmed(&event).await.ok());
        until("the event is over", async || event.now() > over.end + 200).await;
        seen.add("the journal", site.run(&["export", "journal"]).await.ok());
        seen.add("the verdict", site.run(&["journal", "verify"]).await.ok());
        let backup = site.file("backup.tar.gz");
        let words = ["backup", backup.to_str().unwrap()];
        seen.add("the output of backup", site.run(&words).await.ok());

        let flags: Vec<String> = CHALLENGES.iter().map(|id| flag(id)).collect();
        let others = CHALLENGES.iter().flat_map(|id| {
            ["any-case", "decoy"].map(|kind| format!("CANARY-{id}-{kind}"))
        });
        let mut canaries: Vec<String> = others.chain(flags).collect();
        canaries.extend(["flag{CANARY-wrong-7d1f}", "CANARY-wrong-password", &crew.password,
            password, "CANARY-imported-7d1f", &crew.token, &other, &again, &reset]
            .map(str::to_owned));
        let in_database = canaries.clone();
        canaries.extend([crew.email.clone(), "canary-import-7d1f@example.org".to_owned()]);

        let log = [server.err(), server.out()].concat().join("\n");
        assert!(log.contains("INFO"), "the log is not empty: {log}");
        seen.add("the log", log);
        canaries.push(std::fs::read_to_string(site.file("secret")).unwrap().trim().to_owned());
        if control("no_secret_appears_where_it_does_not_belong", "is in the planted text") {
            seen.add("the planted text", flag("one"));
        }
        seen.assert_without(&canaries);
        canaries.pop();
        let running = stored(&site).await;
        server.stop().await;
        let stopped = stored(&site).await;
        let mut packed = Vec::new();
        let mut backup = flate2::read::GzDecoder::new(std::fs::File::open(&backup).unwrap());
        backup.read_to_end(&mut packed).unwrap();
        let all = [("running", running), ("stopped", stopped), ("saved", packed)];
        for (when, bytes) in all {
            assert!(holds(&bytes, &crew.name), "the database is read while it is {when}");
            for canary in &in_database {
                // An emailed link is stored in plain text in the outbox until it is sent.
                let is_link = *canary == reset && when != "stopped";
                assert!(is_link || !holds(&bytes, canary), "{canary} is in the {when} database");
            }
            let folded = canaries[0].to_lowercase();
            assert!(!holds(&bytes, &folded), "{folded} is in the {when} database");
        }
    }
}
