//! Problems of the machine or the data folder: the message, the exit code, and that nothing was
//! written.

use std::collections::BTreeMap;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

use flagship_testkit::{Engine, on_both_engines};

use crate::commands::mistakes::foreign;
use crate::event::EventFolder;
use crate::faults::{Calls, ENOSPC, Fault, Faults};
use crate::process::{Done, Server, TestSite, as_stranger, program, run};
use crate::until;

/// Page size of the database.
const PAGE_BYTES: u64 = 4096;

/// The files of a folder with their contents, without those that SQLite creates while the database
/// is open.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(contents(&path));
        } else if !name.ends_with("-shm") && !name.ends_with("-wal") {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

/// Asserts that a command fails with one line that contains each piece once.
#[track_caller]
fn reports(done: &Done, pieces: &[&str]) {
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{pieces:?}: {done:?}");
    let last = done.err.lines().last().unwrap_or_default();
    for piece in pieces {
        assert_eq!(last.matches(piece).count(), 1, "{piece:?}: {done:?}");
    }
}

/// The commands, including `serve`, that read or write an event.
fn commands(event: &EventFolder) -> [Vec<&str>; 5] {
    [
        vec!["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"],
        vec!["apply", "--event", event.dir()],
        vec!["team", "ban", "Team 1"],
        vec!["export", "standings"],
        vec!["status"],
    ]
}

on_both_engines! {
    async fn a_missing_secret_of_an_event_is_reported_and_never_recreated(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let kept = std::fs::read(site.file("secret")).unwrap();
        std::fs::remove_file(site.file("secret")).unwrap();
        let before = contents(site.data());
        for words in commands(&event) {
            let done = site.run(&words).await;
            let advice = "`flagship restore FILE";
            reports(&done, &["secret` is missing", "Nothing was changed", advice]);
        }
        let doctor = site.run(&["doctor"]).await;
        assert_eq!(doctor.out.matches("secret` is missing").count(), 1, "{doctor:?}");
        doctor.fails("1 problem found");
        assert_eq!(contents(site.data()), before, "nothing was written");
        std::fs::write(site.file("secret"), kept).unwrap();
        site.run(&["status"]).await.ok();
    }
}

#[tokio::test]
async fn a_first_start_on_a_taken_address_creates_nothing() {
    let site = TestSite::bare(Engine::Sqlite).await;
    let event = EventFolder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for folder in [site.file("not/yet"), site.data().to_owned()] {
        for (listen, metrics) in [(taken.as_str(), "127.0.0.1:0"), ("127.0.0.1:0", &taken)] {
            let mut command = program(&["serve", "--event", event.dir(), "--listen", listen]);
            command.args(["--metrics", metrics, "--data"]).arg(&folder);
            run(command).await.fails("the address is already in use");
        }
    }
    assert_eq!(std::fs::read_dir(site.data()).unwrap().count(), 0, "nothing was created");
}

#[tokio::test]
async fn a_folder_of_another_user_is_not_reported_as_empty() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    std::fs::set_permissions(event.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let before = contents(site.data());
    let mode = |mode| PermissionsExt::from_mode(mode);
    std::fs::set_permissions(site.data(), mode(0o000)).unwrap();
    for words in commands(&event) {
        let done = run(as_stranger(site.command(&words))).await;
        reports(&done, &["access denied", "`sudo -u flagship flagship ...`"]);
        assert!(!done.err.contains("there is no event"), "{done:?}");
    }
    std::fs::set_permissions(site.data(), mode(0o700)).unwrap();
    assert_eq!(contents(site.data()), before, "nothing was written");
}

#[tokio::test]
async fn a_damaged_database_is_reported_once() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let file = std::fs::OpenOptions::new().write(true).open(site.file("flagship.db")).unwrap();
    let pages = file.metadata().unwrap().len() / PAGE_BYTES;
    for page in 1..pages {
        file.write_all_at(&[0xa5; PAGE_BYTES as usize], page * PAGE_BYTES).unwrap();
    }
    let before = contents(site.data());
    for words in commands(&event) {
        let done = site.run(&words).await;
        reports(
            &done,
            &["the database is damaged", "malformed", "`flagship restore FILE --data NEW`"],
        );
    }
    assert_eq!(contents(site.data()), before, "nothing was written");
}

#[tokio::test]
async fn a_database_of_another_program_is_left_unchanged() {
    let site = TestSite::bare(Engine::Sqlite).await;
    let event = EventFolder::new();
    foreign(&site.file("flagship.db")).await;
    let before = contents(site.data());
    for words in commands(&event) {
        let done = site.run(&words).await;
        reports(&done, &["another program's tables (notes)", "needs its own"]);
    }
    assert_eq!(contents(site.data()), before, "nothing was written");
}

#[tokio::test]
async fn a_full_disk_is_reported_and_the_event_stays_unchanged() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    site.import(1).await;
    let before = site.test.journal().await;
    let faults = Faults::new();
    faults.begin(Fault { calls: Calls::Writes, errno: ENOSPC, first: 1, count: i32::MAX });
    event.challenge("four", "type: standard\nvalue: 10");
    for words in [&["team", "ban", "Team 1"][..], &["apply", "--event", event.dir()]] {
        let mut command = site.command(words);
        command.envs(faults.variables());
        let done = run(command).await;
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.err.contains("the disk is full"), "{done:?}");
        assert!(done.err.contains("Free some space, then run the command again"), "{done:?}");
    }
    assert!(faults.hits() > 0, "the disk was full");
    faults.end();
    assert_eq!(site.test.journal().await, before, "nothing was recorded");
    site.run(&["journal", "verify"]).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_a_folder_is_refused_unless_it_joins() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let mut first = site.serve(&event).await;
    let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
    let word = "--join to run a second one";
    let done = site.run(&words).await;
    reports(&done, &["another server is using", "`systemctl stop flagship`", word]);
    let beside = site.join(&event).await;
    // A killed server leaves no lock behind. The folder stays locked by the server that joined.
    first.kill();
    first.gone().await;
    reports(&site.run(&words).await, &["another server is using"]);
    beside.stop().await;
    site.serve(&event).await.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_was_set_back_is_logged_at_the_start() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let faults = Faults::new();
    faults.set_clock(-86_400);
    let variables = faults.variables();
    let server = site.serve_with(&event, |command| _ = command.envs(variables)).await;
    let warned = async |server: &Server| {
        let is_it = |line: &String| {
            line.contains("last journal entry is 23 h 59 min in the future")
                || line.contains("last journal entry is 1 d 0 h in the future")
        };
        server.err().iter().any(|line| is_it(line) && line.contains("`timedatectl`"))
    };
    until("the log warns about the clock", async || warned(&server).await).await;
    server.stop().await;
}
