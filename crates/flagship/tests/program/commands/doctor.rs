//! `flagship doctor` reports all problems and no false ones. Only the owner can read files that the
//! program creates, regardless of the umask.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flagship_testkit::{Engine, on_both_engines};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::event::EventFolder;
use crate::process::{Done, Server, TestSite, program, run, under_umask};
use crate::until;

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns the lines with problems.
fn problems(done: &Done) -> Vec<&str> {
    let kinds = ["ok ", "warning ", "problem "];
    let is_known = |line: &str| kinds.iter().any(|kind| line.starts_with(kind));
    assert!(done.out.lines().all(is_known), "{done:?}");
    starting(done, "problem ")
}

fn starting<'a>(done: &'a Done, kind: &str) -> Vec<&'a str> {
    done.out.lines().filter(|line| line.starts_with(kind)).collect()
}

/// Asserts that there is one problem, about `about`, whose message contains `word`.
#[track_caller]
fn finds(done: &Done, about: &str, word: &str) {
    let found = problems(done);
    let is_it = found.len() == 1 && found[0].contains(&format!("{about}: "));
    assert!(is_it && found[0].contains(word), "{about}, {word}: {done:?}");
    done.fails("1 problem");
}

on_both_engines! {
    async fn a_healthy_event_has_no_problems_and_each_fault_is_reported(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        set_mode(site.data(), 0o755);
        site.apply(&event).await.ok();
        let words = ["doctor", "--event", event.dir()];
        let doctor = async || site.run(&words).await;
        let server = site.serve(&event).await;
        let done = site.run(&[&words[..], &["--public-url", &server.url]].concat()).await;
        server.stop().await;
        assert!(problems(&done).is_empty(), "{done:?}");
        let said = done.ok();
        let version = format!("{}, schema version ", env!("CARGO_PKG_VERSION"));
        let answers = "serves \"Small CTF\"";
        for word in ["journal: ", " entries", answers, "MiB", "emails are written", &version] {
            assert!(said.contains(word), "{word}: {said}");
        }

        set_mode(site.data(), 0o755);
        finds(&doctor().await, "file modes", "has mode 755");
        set_mode(site.data(), 0o700);

        let secret = site.file("secret");
        let right = std::fs::read(&secret).unwrap();
        std::fs::write(&secret, "x".repeat(64)).unwrap();
        finds(&doctor().await, "journal", "a different secret");
        std::fs::write(&secret, right).unwrap();

        event.write("challenges/bad/challenge.yml", "name: [");
        finds(&doctor().await, "event's files", "challenge.yml:");
        std::fs::remove_dir_all(event.file("challenges/bad")).unwrap();

        site.test.execute("update journal set body = replace(body, 'CTF', 'FTC')").await;
        let advice = "entry 1 does not match). Keep a copy of the data folder";
        finds(&doctor().await, "journal", advice);
        site.test.execute("update journal set body = replace(body, 'FTC', 'CTF')").await;
        doctor().await.ok();
    }

    async fn doctor_without_files_checks_the_settings_of_the_site(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let (port, mails) = mail_server().await;
        let file = site.file("fields.json");
        let action = async |name: &str, fields: serde_json::Value| {
            std::fs::write(&file, fields.to_string()).unwrap();
            site.run(&["action", name, "--fields", file.to_str().unwrap()]).await.ok();
        };
        let url = ["--public-url", "https://127.0.0.1:1"];
        let serve = [&["serve", "--listen", "127.0.0.1:0"][..], &url].concat();
        let server = Server::start(site.command(&serve)).await;
        action("event.name", json!({"name": "Browser Cup"})).await;
        let smtp = |password: &str| {
            let values = json!({"transport": "smtp", "from": "ctf@example.org",
                "host": "127.0.0.1", "port": port, "tls": "none", "username": "ctf",
                "password": password});
            json!({"section": "mail", "values": values})
        };
        action("settings.set", smtp("wrong")).await;
        let doctor = async || site.run(&["doctor"]).await;
        let done = doctor().await;
        let found = problems(&done);
        // The problems are email, the proxy that https requires, and the site, which this URL does
        // not serve.
        assert!(found.iter().any(|it| it.contains("mail: ")), "{done:?}");
        assert!(found.iter().any(|it| it.contains("rejected the login")), "{done:?}");
        let proxies = "but `trusted_proxies` in [limits] of the site settings is empty";
        assert!(found.iter().any(|it| it.contains(proxies)), "{done:?}");
        let address = "site: `https://127.0.0.1:1` does not serve the event";
        assert!(found.iter().any(|it| it.contains(address)), "{done:?}");
        action("settings.set", smtp("right")).await;
        let limits = json!({"trusted_proxies": ["127.0.0.1"]});
        action("settings.set", json!({"section": "limits", "values": limits})).await;
        let done = doctor().await;
        assert!(done.out.contains("accepts the login"), "{done:?}");
        assert!(done.out.contains("proxies: 1 trusted"), "{done:?}");
        finds(&done, "site", address.strip_prefix("site: ").unwrap());
        server.stop().await;
        assert_eq!(mails.load(Ordering::SeqCst), 0, "no mail is sent");
        // For a URL that is local to this machine, doctor skips the request and says so.
        let server =
            Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
        server.stop().await;
        let done = doctor().await;
        let local = starting(&done, "warning ");
        assert!(local.iter().any(|it| it.contains("public URL: not checked")), "{done:?}");
        done.ok();
    }

    async fn before_the_first_start_doctor_reports_and_creates_nothing(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let event = EventFolder::new();
        let data = site.file("not/yet");
        let mut command = program(&["doctor", "--event", event.dir(), "--public-url"]);
        command.arg("http://127.0.0.1:1").arg("--data").arg(&data);
        if let Some(url) = &site.test.url {
            command.arg("--database").arg(url);
        }
        let done = crate::process::run(command).await;
        assert!(problems(&done).is_empty(), "{done:?}");
        let later = starting(&done, "warning ");
        for about in ["data folder", "secret", "database", "site"] {
            assert!(later.iter().any(|line| line.contains(about)), "{about}: {done:?}");
        }
        done.ok();
        assert!(!site.file("not").exists(), "nothing is created");
    }

    async fn files_are_readable_by_their_owner_only_under_any_umask(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let event = EventFolder::new();
        let data = site.file("made/by/serve");
        let under_0 = |words: &[&str]| {
            let mut command = program(words);
            command.arg("--data").arg(&data);
            if let Some(url) = &site.test.url {
                command.arg("--database").arg(url);
            }
            under_umask("000", &command)
        };
        let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let server = Server::start(under_0(&words)).await;
        let signup = json!({"teamName": "The Ants", "email": "ants@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(server.player().post("/signup", &signup).await.0, 201);
        let mut found = Vec::new();
        until("the mail is there", async || {
            found.clear();
            list(&data, &mut found);
            found.iter().any(|(path, _)| path.ends_with(".eml"))
        })
        .await;
        let (csv, tokens) = (site.file("teams.csv"), data.join("tokens.csv"));
        std::fs::write(&csv, "name,email\nBees,b@example.org\n").unwrap();
        let (csv, tokens) = (csv.to_str().unwrap(), tokens.to_str().unwrap());
        crate::process::run(under_0(&["team", "import", csv, "--tokens", tokens])).await.ok();
        list(&data, &mut found);
        server.stop().await;
        let open: Vec<_> = found.iter().filter(|(_, mode)| mode & 0o077 != 0).collect();
        assert!(open.is_empty(), "accessible to others: {open:?}");
        let has = |name: &str| found.iter().any(|(path, _)| path.ends_with(name));
        assert!(has("/secret") && has("/tokens.csv") && has("/files"), "{found:?}");
        assert_eq!(has("/flagship.db-wal"), engine == Engine::Sqlite, "{found:?}");
    }
}

#[tokio::test]
async fn the_public_url_is_requested_and_requires_tls_and_a_trusted_proxy() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let doctor = async |url: &str| {
        let done = site.run(&["doctor", "--event", event.dir(), "--public-url", url]).await;
        assert_eq!(done.code, Some(1), "{done:?}");
        problems(&done).iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()
    };
    let found = doctor("http://ctf.invalid").await;
    assert!(found[0].contains("public URL: ") && found[0].contains("use https"), "{found:?}");
    assert!(found[1].contains("site: `http://ctf.invalid` does not serve the event"), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
    let found = doctor("https://127.0.0.1:1").await;
    assert!(
        found[0].contains("proxies: https needs a proxy, but `trusted_proxies` in [limits]"),
        "{found:?}"
    );
    assert!(found[1].contains("check that the server is running"), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    event.write("event.toml", &format!("{toml}trusted_proxies = [\"127.0.0.1\"]\n"));
    assert_eq!(doctor("https://127.0.0.1:1").await.len(), 1, "the proxy is trusted");
    let found = doctor("https://127.0.0.1:1/ctf").await;
    assert!(found[0].contains("public URL: ") && found[0].contains("its own host"), "{found:?}");
    event.write("event.toml", &format!("{toml}trusted_proxies = [\"0.0.0.0/0\"]\n"));
    let found = doctor("https://127.0.0.1:1").await;
    let words = "has 0.0.0.0/0: anyone in this network can spoof any address";
    assert!(found[0].contains(words), "{found:?}");
}

#[tokio::test]
async fn doctor_warns_of_signups_that_need_mail_and_get_none() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let word = "mail: emails are written to files, so teams never receive";
    for (url, lines, is_warned) in [
        ("https://ctf.invalid", "", true),
        ("http://127.0.0.1:1", "", true),
        ("https://ctf.invalid", "confirm_email = false", false),
        ("https://ctf.invalid", "open = false", false),
    ] {
        event.write("event.toml", &format!("{toml}[registration]\n{lines}\n"));
        let done = site.run(&["doctor", "--event", event.dir(), "--public-url", url]).await;
        let warnings = starting(&done, "warning ");
        assert_eq!(warnings.iter().any(|it| it.contains(word)), is_warned, "{lines}: {done:?}");
    }
}

/// A mail server that accepts one login and counts emails.
async fn mail_server() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mails = Arc::<AtomicUsize>::default();
    let counted = mails.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (read, mut write) = stream.into_split();
            let mut lines = BufReader::new(read).lines();
            write.write_all(b"220 mail.example.org ESMTP\r\n").await.unwrap();
            while let Ok(Some(line)) = lines.next_line().await {
                // `ctf` and `right`, encoded as SASL PLAIN.
                let answer = match line.split(' ').next().unwrap_or_default() {
                    "EHLO" => "250-mail.example.org\r\n250 AUTH PLAIN",
                    "AUTH" if line.ends_with("AGN0ZgByaWdodA==") => "235 welcome",
                    "AUTH" => "535 5.7.8 authentication failed",
                    "QUIT" => "221 bye",
                    "NOOP" => "250 OK",
                    _ => {
                        counted.fetch_add(1, Ordering::SeqCst);
                        "250 OK"
                    }
                };
                drop(write.write_all(format!("{answer}\r\n").as_bytes()).await);
            }
        }
    });
    (port, mails)
}

#[tokio::test]
async fn doctor_logs_in_to_the_mail_server_as_serve_would_and_sends_nothing() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let (port, mails) = mail_server().await;
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let with = |port: u16| {
        let smtp = format!(
            "transport = \"smtp\"\nfrom = \"ctf@example.org\"\nhost = \"127.0.0.1\"\n\
             port = {port}\ntls = \"none\"\nusername = \"ctf\""
        );
        event.write("event.toml", &toml.replace("transport = \"file\"", &smtp));
    };
    with(port);
    let doctor = async |password: Option<&str>| {
        let mut command = site.command(&["doctor", "--event", event.dir()]);
        command.envs(password.map(|password| ("FLAGSHIP_SMTP_PASSWORD", password)));
        run(command).await
    };
    finds(&doctor(None).await, "mail", "no password: set FLAGSHIP_SMTP_PASSWORD");
    finds(&doctor(Some("wrong")).await, "mail", "rejected the login: check `username` in [mail]");
    let word = "accepts the login";
    let well = doctor(Some("right")).await;
    assert!(well.out.contains(word), "{word}: {well:?}");
    well.ok();
    assert_eq!(mails.load(Ordering::SeqCst), 0, "no mail is sent");
    with(1);
    finds(&doctor(Some("right")).await, "mail", "(connection refused): check `host`, `port`");
}

/// The modes of a folder and of everything in it.
fn list(folder: &Path, found: &mut Vec<(String, u32)>) {
    let mode =
        |path: &Path| std::fs::metadata(path).map_or(0, |it| it.permissions().mode() & 0o777);
    found.push((folder.to_str().unwrap().to_owned(), mode(folder)));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, found);
        } else {
            found.push((path.to_str().unwrap().to_owned(), mode(&path)));
        }
    }
}
