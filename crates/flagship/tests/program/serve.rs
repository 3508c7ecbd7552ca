//! `flagship serve`: the printed address, environment variables, shutdown.

use std::time::Duration;

use flagship_testkit::{Engine, on_both_engines};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use sqlx::Connection;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::event::EventFolder;
use crate::process::{self, Server, TestSite, program};
use crate::until;

/// Maximum duration of a shutdown.
const STOP_MAX: Duration = Duration::from_secs(5);

on_both_engines! {
    async fn serve_prints_one_line_and_ends_in_time_with_open_connections(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let (status, info) = server.player().get("/ctf").await;
        assert_eq!((status, &info["name"]), (200, &json!("Small CTF")));
        let (mut socket, _) = server.player().watch().await;
        let address = server.url.strip_prefix("http://").unwrap().to_owned();
        let mut half_a_head = TcpStream::connect(&address).await.unwrap();
        half_a_head.write_all(b"GET /api/ctf HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        let mut half_a_body = TcpStream::connect(&address).await.unwrap();
        let request = b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                        Content-Length: 100\r\n\r\n{\"team\":";
        half_a_body.write_all(request).await.unwrap();
        // The server has read the earlier bytes when it answers a later connection.
        server.player().get("/ctf").await;
        let out = server.out();
        assert_eq!(out.len(), 1, "{out:?}");
        let took = server.stop().await;
        assert!(took < STOP_MAX, "it took too long to end: {took:?}");
        // A scoreboard that was pushed before the shutdown may still arrive.
        while socket.next().await.is_some() {}
    }

    async fn without_files_an_owner_sets_the_event_up(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let event = EventFolder::new();
        let serve = async || {
            let server = Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
            until("the link is printed", async || server.out().len() == 2).await;
            server
        };
        let link_of = |server: &Server| {
            let line = server.out()[1].clone();
            let link = line.rsplit(' ').next().expect("a link").to_owned();
            assert!(link.starts_with(&format!("{}/organize/invite#", server.url)), "{line}");
            link.rsplit('#').next().expect("a token").to_owned()
        };
        let shown = async |server: &Server, token: &str| {
            let url = format!("{}/api/organize/invitation", server.url);
            let call = reqwest::Client::new().post(url).json(&json!({"token": token}));
            let call = call.header("sec-fetch-site", "same-origin").header("x-organize", "1");
            call.send().await.expect("it answers").status().as_u16()
        };
        let server = serve().await;
        let (status, info) = server.player().get("/ctf").await;
        assert_eq!((status, &info["name"]), (200, &json!(null)));
        assert_eq!(info["status"], "unknown");
        let first = link_of(&server);
        assert_eq!(shown(&server, &first).await, 200);
        server.stop().await;
        let server = serve().await;
        let second = link_of(&server);
        let words = "a later start prints a link that replaces the previous one";
        assert_eq!(shown(&server, &first).await, 410, "{words}");
        assert_eq!(shown(&server, &second).await, 200);
        server.stop().await;
        // The server runs with files first, and then without: no setting is lost.
        let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
        let brand = "\n[site]\nbanner = \"Hello\"\nlogo = \"brand/l.svg\"\n[[site.sponsors]]\n\
                     name = \"Harbour\"\nlogo = \"brand/l.svg\"\n";
        event.write("event.toml", &(toml + brand));
        event.write("brand/l.svg", "<svg viewBox='0 0 3 2'></svg>");
        event.write("pages/us.md", "# About *us*\n\nFrom {start} on.\n");
        site.apply(&event).await.ok();
        site.serve(&event).await.stop().await;
        for _ in 0..2 {
            let server = serve().await;
            let (_, info) = server.player().get("/ctf").await;
            assert_eq!(info["name"], "Small CTF");
            assert_eq!((&info["site"]["banner"], &info["site"]["logo"]["width"]),
                (&json!("Hello"), &json!(3)));
            let (status, page) = server.player().get("/pages/us").await;
            assert_eq!((status, &page["title"]), (200, &json!("About us")));
            server.stop().await;
        }
        let folder = site.file("pulled");
        let dir = folder.to_str().unwrap();
        site.run(&["pull", "--event", dir]).await.ok();
        process::run(program(&["check", "--event", dir])).await.ok();
        for path in ["brand/logo.svg", "brand/sponsor-1.svg", "pages/us.md"] {
            assert!(folder.join(path).exists(), "{path}");
        }
    }

    async fn serve_ends_in_time_while_the_database_is_locked(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let token = site.import(1).await.remove(0);
        let team = server.team(&token).await;
        assert_eq!(team.challenges().await.len(), 3);
        match &site.test.url {
            None => {
                let file = format!("sqlite://{}", site.file("flagship.db").display());
                let mut lock = sqlx::SqliteConnection::connect(&file).await.unwrap();
                sqlx::raw_sql("begin immediate").execute(&mut lock).await.unwrap();
                end_while_waiting(server, team).await;
                lock.close().await.unwrap();
            }
            Some(url) => {
                let mut lock = sqlx::PgConnection::connect(url).await.unwrap();
                let sql = "begin; lock table journal in access exclusive mode";
                sqlx::raw_sql(sql).execute(&mut lock).await.unwrap();
                end_while_waiting(server, team).await;
                lock.close().await.unwrap();
            }
        }
        let verified = site.run(&["journal", "verify"]).await.ok();
        assert!(verified.contains("entries"), "{verified}");
    }

    async fn environment_variables_replace_options(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let mut command = program(&["serve"]);
        command.env("FLAGSHIP_EVENT", event.dir()).env("FLAGSHIP_DATA", site.data());
        command.env("FLAGSHIP_LISTEN", "127.0.0.1:0").env("FLAGSHIP_LOG", "warn");
        command.env("FLAGSHIP_SECRET_FILE", site.file("key"));
        command.env("FLAGSHIP_PUBLIC_URL", "https://ctf.example.org/").env("FLAGSHIP_DEMO", "no");
        if let Some(url) = &site.test.url {
            command.env("FLAGSHIP_DATABASE", url);
        }
        let server = Server::start(command).await;
        assert!(site.file("key").exists() && !site.file("secret").exists());
        let err = server.err();
        assert!(!err.is_empty() && err.iter().all(|line| !line.contains("INFO")), "{err:?}");
        let signup = json!({"teamName": "The Ants", "email": "ants@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(server.player().post("/signup", &signup).await.0, 201);
        until("the mail is there", async || {
            let mails = std::fs::read_dir(site.file("mail")).into_iter().flatten().flatten();
            let texts = mails.filter_map(|mail| std::fs::read_to_string(mail.path()).ok());
            // The encoding of an email may split a line.
            texts.into_iter().any(|text| text.contains("https://ctf.example.org/confirm"))
        })
        .await;
        server.stop().await;
    }

    async fn a_second_start_continues_the_event(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let token = site.import(1).await.remove(0);
        server.team(&token).await.solves("one").await;
        let before = server.player().board().await;
        server.stop().await;
        // Only the first start applies the files; later changes need `apply`.
        event.challenge("four", "type: standard\nvalue: 1");
        let server = site.serve(&event).await;
        assert_eq!(server.player().board().await, before);
        assert_eq!(server.team(&token).await.challenges().await.len(), 3);
        server.stop().await;
    }
}

/// Submits a flag that the server cannot answer yet; then shuts the server down.
async fn end_while_waiting(server: Server, team: crate::player::Player) {
    let mut solve = tokio::spawn(async move { team.solve("one").await });
    let answered = tokio::time::timeout(Duration::from_millis(300), &mut solve).await;
    assert!(answered.is_err(), "the lane waits for the lock: {answered:?}");
    let took = server.stop().await;
    assert!(took < STOP_MAX, "{took:?}");
    solve.abort();
}

#[tokio::test]
async fn serve_disables_transparent_huge_pages() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    assert!(status.contains("\nTHP_enabled:\t0\n"), "{status}");
}

#[tokio::test]
async fn serve_dumps_no_core() {
    // The program inherits the system's hard limit.
    let most = getrlimit(Resource::Core).maximum;
    setrlimit(Resource::Core, Rlimit { current: most, maximum: most }).unwrap();
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve_with(&event, |it| _ = it.env_remove("FLAGSHIP_CORE_DUMPS")).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(line.split_whitespace().nth(4), Some("0"), "{line}");
}

#[tokio::test]
async fn a_taken_address_is_reported() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let words = ["serve", "--event", event.dir(), "--listen", &address];
    site.run(&words).await.fails(&format!("listen on {address}"));
}
