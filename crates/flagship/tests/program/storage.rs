//! Places of attachments: moving, backups and restores between them, and wrong places.

use flagship_store::attachments;
use flagship_testkit::{TestBucket, on_both_engines};
use tokio::process::Command;

use crate::event::EventFolder;
use crate::process::{self, Done, Server, TestSite};

/// Content of the event's only attachment.
const CONTENT: &str = "a harbor chart";

fn event() -> EventFolder {
    let event = EventFolder::new();
    event.write("challenges/one/dist/chart.txt", CONTENT);
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/chart.txt]");
    event
}

/// A command that finds attachments at a place.
fn at(site: &TestSite, words: &[&str], place: &str) -> Command {
    let mut command = site.command(words);
    command.args(["--attachments", place]).envs(TestBucket::KEYS);
    command
}

async fn downloaded(site: &TestSite, server: &Server) -> (u16, String) {
    let token = site.import(1).await.remove(0);
    let team = server.team(&token).await;
    let (_, cards) = team.get("/challenge").await;
    let cards = cards["challenges"].as_array().unwrap();
    let one = cards.iter().find(|card| card["id"] == "one").unwrap();
    let link = one["attachments"][0]["link"].as_str().unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let response = http.get(format!("{}{link}", server.url)).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Checks that the output of a command has no keys.
fn hides_keys(done: &Done) {
    for (_, key) in TestBucket::KEYS {
        assert!(!done.out.contains(key) && !done.err.contains(key), "{key}: {}", done.err);
    }
}

on_both_engines! {
    async fn attachments_are_moved_backed_up_and_restored_from_every_place(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let bucket = TestBucket::new();
        let folder = site.data().to_str().unwrap().to_owned();
        process::run(at(&site, &["apply", "--event", event.dir()], &folder)).await.ok();
        let backups = tempfile::tempdir().unwrap();
        let places = [folder.as_str(), "database", &bucket.url, &folder];
        for (number, pair) in places.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let moved = process::run(at(&site, &["attachments", "move", "--to", to], from)).await;
            hides_keys(&moved);
            let said = moved.ok();
            assert!(said.contains("moved 1 file"), "{said}");
            let again = process::run(at(&site, &["attachments", "move", "--to", to], from)).await;
            let again = again.ok();
            assert!(again.contains("moved 0 files"), "{again}");
            let doctor = process::run(at(&site, &["doctor"], to)).await;
            hides_keys(&doctor);
            assert!(doctor.out.contains("ok       attachments:"), "{}", doctor.out);
            let file = backups.path().join(number.to_string());
            let words = ["backup", file.to_str().unwrap()];
            process::run(at(&site, &words, to)).await.ok();
        }
        // Each backup is restored into another place than the one that it comes from.
        let restored_to = [bucket.url.as_str(), "database", "database"];
        for (number, place) in restored_to.into_iter().enumerate() {
            let restored = TestSite::bare(engine).await;
            let file = backups.path().join(number.to_string());
            let words = ["restore", file.to_str().unwrap()];
            process::run(at(&restored, &words, place)).await.ok();
            let server = restored.serve_with(&event, |command| {
                command.args(["--attachments", place]).envs(TestBucket::KEYS);
            });
            let server = server.await;
            assert_eq!(downloaded(&restored, &server).await, (200, CONTENT.to_owned()));
            for line in server.out().into_iter().chain(server.err()) {
                assert!(TestBucket::KEYS.iter().all(|(_, key)| !line.contains(key)), "{line}");
            }
            server.stop().await;
        }
    }

    async fn files_are_not_moved_while_a_server_runs(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let folder = site.data().to_str().unwrap().to_owned();
        let server = site.serve_with(&event, |command| {
            command.args(["--attachments", &folder]);
        });
        let server = server.await;
        let words = ["attachments", "move", "--to", "database"];
        let expected = match site.test.url {
            Some(_) => "Stop every server first",
            None => "another server is using",
        };
        process::run(at(&site, &words, &folder)).await.fails(expected);
        server.stop().await;
        let moved = process::run(at(&site, &words, &folder)).await.ok();
        assert!(moved.contains("moved 1 file"), "{moved}");
    }

    async fn two_moves_and_a_server_exclude_each_other(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let folder = site.data().to_str().unwrap().to_owned();
        process::run(at(&site, &["apply", "--event", event.dir()], &folder)).await.ok();
        // A move waits for the other end of this pipe.
        let pipe = site.data().join("files").join("ab".repeat(32));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let words = ["attachments", "move", "--to", "database"];
        let first = process::run(at(&site, &words, &folder));
        let others = async {
            let open = move || std::fs::OpenOptions::new().write(true).open(pipe);
            let end = tokio::task::spawn_blocking(open).await.unwrap().unwrap();
            let second = process::run(at(&site, &words, &folder)).await;
            if site.test.url.is_some() {
                second.fails("another `flagship attachments move` of this event is running");
            } else {
                second.fails("another server is using");
                let join = ["serve", "--join", "--listen", "127.0.0.1:0"];
                process::run(at(&site, &join, &folder)).await.fails("another server is using");
            }
            drop(end);
        };
        let (first, ()) = tokio::join!(first, others);
        first.fails("1 file were not");
        let left: Vec<_> = std::fs::read_dir(site.data().join("files")).unwrap().collect();
        assert_eq!(left.len(), 1, "only the pipe stays");
    }

    async fn a_damaged_file_is_stored_again_from_the_event_files(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let apply = ["apply", "--event", event.dir()];
        process::run(at(&site, &apply, "database")).await.ok();
        let db = &site.test.reopen().await;
        let (digest, bytes) = attachments::list(db).await.unwrap().remove(0);
        attachments::remove(db, &digest).await.unwrap();
        assert!(attachments::begin(db, &digest, bytes, 1).await.unwrap());
        let other = vec![b'x'; bytes as usize];
        assert!(attachments::put(db, &digest, 0, &[&other]).await.unwrap());
        assert!(attachments::complete(db, &digest, 1).await.unwrap());
        let backups = tempfile::tempdir().unwrap();
        let backup = async |name: &str| {
            let file = backups.path().join(name);
            let words = ["backup", file.to_str().unwrap()];
            process::run(at(&site, &words, "database")).await
        };
        backup("damaged").await.fails("without 1 file that do not match");
        process::run(at(&site, &apply, "database")).await.ok();
        backup("whole").await.ok();
    }

    async fn a_backup_with_another_place_says_that_files_are_missing(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let bucket = TestBucket::new();
        let place = bucket.url.replace('?', "/spring?");
        process::run(at(&site, &["apply", "--event", event.dir()], &place)).await.ok();
        let backups = tempfile::tempdir().unwrap();
        let file = |name: &str| backups.path().join(name).to_str().unwrap().to_owned();
        let wrong = process::run(at(&site, &["backup", &file("wrong")], &bucket.url)).await;
        hides_keys(&wrong);
        wrong.fails("Check that --attachments is the same as for the server");
        process::run(at(&site, &["backup", &file("right")], &place)).await.ok();
    }

    async fn with_postgresql_attachments_are_in_the_database_by_default(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let mut command = site.command(&["apply", "--event", event.dir()]);
        command.env_remove("FLAGSHIP_ATTACHMENTS");
        process::run(command).await.ok();
        let stored = site.test.rows::<(i64,)>("select bytes from attachments").await;
        let expected = match site.test.url {
            Some(_) => vec![(CONTENT.len() as i64,)],
            None => Vec::new(),
        };
        assert_eq!(stored, expected);
    }

    async fn a_wrong_place_is_explained_without_its_keys(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        site.apply(&event).await.ok();
        let moved = async |to: &str| {
            process::run(site.command(&["attachments", "move", "--to", to])).await
        };
        for (place, piece) in [
            ("s3://ctf", "AWS_ACCESS_KEY_ID"),
            ("s3://id:HIDDEN@ctf", "the URL contains a key"),
            ("s3://ctf?endpoint=ftp://example.org", "`endpoint` must be"),
            ("https://example.org", "expected a folder"),
        ] {
            let done = moved(place).await;
            assert!(!done.err.contains("HIDDEN"), "{}", done.err);
            done.fails(piece);
        }
        let file = site.data().join("no-folder");
        std::fs::write(&file, "x").unwrap();
        moved(file.to_str().unwrap()).await.fails("write to");
        let place = site.data().to_str().unwrap();
        process::run(at(&site, &["attachments", "move", "--to", place], place)).await
            .fails("both names mean the same storage");
    }
}
