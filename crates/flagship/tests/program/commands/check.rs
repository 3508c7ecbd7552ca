//! `flagship check` and `flagship init`, and what `serve` prints about the files.

use flagship_testkit::Engine;

use crate::event::{EventFolder, Times};
use crate::process::{TestSite, program, run};

/// An event with an error, warnings and notes, two of which are equal.
fn doubtful() -> EventFolder {
    let event = EventFolder::new();
    event.challenge("four", "type: container");
    event.challenge("five", "type: container\nvalue: 7\nauthor: Ada");
    event.challenge("six", "type: standard\nvalue: 7\nauthor: Ada");
    event
}

const SUMMARY: &str = "6 challenges, 1 error, 2 warnings, 2 notes";

#[tokio::test]
async fn problems_are_listed_from_a_severity_on_and_counted() {
    let event = doubtful();
    for (severity, lines) in [("error", 1), ("warning", 3), ("note", 4)] {
        let words = ["check", "--event", event.dir(), "--severity", severity];
        let done = run(program(&words)).await;
        done.fails("1 error");
        let listed: Vec<&str> = done.out.lines().collect();
        assert_eq!(listed.last(), Some(&SUMMARY), "{severity}");
        assert_eq!(listed.len(), lines + 1, "{severity}: {listed:?}");
    }
    let all = run(program(&["check", "--event", event.dir()])).await;
    let gathered =
        "challenges/five/challenge.yml:8: note: 2 challenges: `author` and `attribution`";
    assert!(all.out.lines().any(|line| line.starts_with(gathered)), "{}", all.out);
    run(program(&["check", "--event", event.dir(), "--severity", "loud"])).await.is_wrong_usage();
}

#[tokio::test]
async fn an_event_that_is_over_is_a_warning_of_check() {
    let event = EventFolder::new();
    event.set_times(Times { start: -9_000, freeze: None, end: -1_000 }, "auto");
    let said = run(program(&["check", "--event", event.dir()])).await.ok();
    assert!(said.contains("warning: the event is over: `end` is in the past"), "{said}");
}

#[tokio::test]
async fn serve_counts_problems_and_names_the_command_that_lists_them() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = doubtful();
    let server = site.serve(&event).await;
    let dir = event.dir();
    let line = format!("`{dir}`: {SUMMARY}; `flagship check --event {dir}` lists them");
    let err = server.err();
    assert!(err.contains(&line), "{err:?}");
    assert!(!err.iter().any(|line| line.contains("challenge.yml:")), "{err:?}");
    server.stop().await;
    event.write("event.toml", "[event]\nnme = \"x\"\n");
    let done = site.run(&["serve", "--event", dir]).await;
    done.fails("fix the errors in `event.toml` listed above");
    assert!(done.err.contains("event.toml:2: error: unknown key `nme` in [event]"), "{done:?}");
}

#[tokio::test]
async fn check_serve_and_doctor_count_the_same() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    event.set_times(Times { start: -9_000, freeze: None, end: -1_000 }, "auto");
    let counts = "4 challenges, 0 errors, 2 warnings, 0 notes";
    let checked = run(program(&["check", "--event", event.dir()])).await.ok();
    assert_eq!(checked.lines().last(), Some(counts));
    let server = site.serve(&event).await;
    assert!(server.err().iter().any(|line| line.contains(counts)), "{:?}", server.err());
    server.stop().await;
    let doctor = site.run(&["doctor", "--event", event.dir()]).await;
    assert!(doctor.out.contains(counts), "{doctor:?}");
}

#[tokio::test]
async fn init_makes_an_event_that_check_passes_and_serve_runs() {
    let site = TestSite::new(Engine::Sqlite).await;
    let folder = site.file("new/event");
    let dir = folder.to_str().unwrap();
    let said = run(program(&["init", dir])).await.ok();
    assert!(said.contains(&format!("flagship check --event {dir}")), "{said}");
    for zone in ["UTC", "America/New_York", "Asia/Kathmandu", "nonsense"] {
        let folder = site.file(zone);
        let mut init = program(&["init", folder.to_str().unwrap()]);
        init.env("TZ", zone);
        run(init).await.ok();
        let checked = run(program(&["check", "--event", folder.to_str().unwrap()])).await.ok();
        assert_eq!(checked, "1 challenge, 0 errors, 0 warnings, 0 notes\n", "{zone}");
    }
    let toml = std::fs::read_to_string(folder.join("event.toml")).unwrap();
    assert!(toml.lines().filter(|line| line.starts_with('#')).count() > 10, "{toml}");
    let words = ["serve", "--event", dir, "--listen", "127.0.0.1:0"];
    let server = crate::process::Server::start(site.command(&words)).await;
    assert_eq!(server.player().get("/ctf").await.1["name"], "My CTF");
    server.stop().await;
}

#[tokio::test]
async fn init_writes_nothing_into_a_folder_that_is_not_empty() {
    let event = EventFolder::new();
    let before = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let done = run(program(&["init", event.dir()])).await;
    done.fails("is not empty; nothing was written");
    assert_eq!(std::fs::read_to_string(event.file("event.toml")).unwrap(), before);
    assert!(!event.file("challenges/crypto").exists());
    let file = event.file("rules.md");
    run(program(&["init", file.to_str().unwrap()])).await.fails("create the folder");
    let empty = event.file("empty");
    std::fs::create_dir(&empty).unwrap();
    run(program(&["init", empty.to_str().unwrap()])).await.ok();
}
