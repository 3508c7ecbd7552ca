//! `flagship doctor` names each problem and nothing else. The program's files are readable by their
//! owner alone, whatever the umask is.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flagship_control::control;
use flagship_testkit::{Engine, on_both_engines};
use serde_json::json;

use crate::event::EventFolder;
use crate::process::{Done, Server, TestSite, program, under_umask};
use crate::until;

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// The lines with problems.
fn problems(done: &Done) -> Vec<&str> {
    assert!(done.out.lines().all(|line| line.starts_with("ok ") || line.starts_with("problem ")));
    done.out.lines().filter(|line| line.starts_with("problem ")).collect()
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
    async fn a_sound_place_has_no_problem_and_each_fault_is_named(engine: Engine) {
        let (site, event) = (TestSite::new(engine).await, EventFolder::new());
        set_mode(site.data(), 0o755);
        site.apply(&event).await.ok();
        let words = ["doctor", "--event", event.dir(), "--public-url", "https://ctf.example.org"];
        let doctor = async || site.run(&words).await;
        let done = doctor().await;
        assert!(problems(&done).is_empty(), "{done:?}");
        let said = done.ok();
        let version = format!("{}, schema version ", env!("CARGO_PKG_VERSION"));
        for word in ["journal: ", " entries", "TLS", "MiB", "no mail is sent", &version] {
            assert!(said.contains(word), "{word}: {said}");
        }

        let plain = ["doctor", "--public-url", "http://ctf.example.org"];
        finds(&site.run(&plain).await, "public URL", "not protected");
        site.run(&["doctor", "--public-url", "http://localhost:8080"]).await.ok();

        set_mode(site.data(), 0o755);
        finds(&doctor().await, "file modes", "has mode 755");
        set_mode(site.data(), 0o700);

        let secret = site.file("secret");
        let right = std::fs::read(&secret).unwrap();
        std::fs::write(&secret, "x".repeat(64)).unwrap();
        finds(&doctor().await, "journal", "another secret");
        std::fs::write(&secret, right).unwrap();

        event.write("challenges/bad/challenge.yml", "name: [");
        finds(&doctor().await, "event's files", "challenge.yml:");
        std::fs::remove_dir_all(event.file("challenges/bad")).unwrap();

        site.test.execute("update journal set body = replace(body, 'CTF', 'FTC')").await;
        finds(&doctor().await, "journal", "entry 1 does not match");
        site.test.execute("update journal set body = replace(body, 'FTC', 'CTF')").await;
        doctor().await.ok();

        // A mail server that does not listen.
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = closed.local_addr().unwrap().port();
        let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
        let smtp = format!(
            "transport = \"smtp\"\nfrom = \"ctf@example.org\"\nhost = \"127.0.0.1\"\n\
             port = {port}\ntls = \"none\""
        );
        event.write("event.toml", &toml.replace("transport = \"file\"", &smtp));
        doctor().await.ok();
        drop(closed);
        finds(&doctor().await, "mail", "connect to `127.0.0.1:");
    }

    async fn what_is_written_is_its_owners_alone_whatever_the_umask(engine: Engine) {
        let (site, event) = (TestSite::bare(engine).await, EventFolder::new());
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
        if control("what_is_written_is_its_owners_alone_whatever_the_umask", "open to others") {
            std::fs::set_permissions(tokens, std::fs::Permissions::from_mode(0o644)).unwrap();
        }
        list(&data, &mut found);
        server.stop().await;
        let open: Vec<_> = found.iter().filter(|(_, mode)| mode & 0o077 != 0).collect();
        assert!(open.is_empty(), "open to others: {open:?}");
        let has = |name: &str| found.iter().any(|(path, _)| path.ends_with(name));
        assert!(has("/secret") && has("/tokens.csv") && has("/files"), "{found:?}");
        assert_eq!(has("/flagship.db-wal"), engine == Engine::Sqlite, "{found:?}");
    }
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
