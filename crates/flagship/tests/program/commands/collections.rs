//! The program checks and serves the challenges of three real events. The repository does not
//! contain them; without them the tests print `NOT CHECKED` and pass.

use std::fs;

use flagship_testkit::{copy_folder, on_both_engines, shared_data};

use crate::event::EventFolder;
use crate::process::{TestSite, program, run};

/// Folder, number of errors, number of loaded challenges, number of visible challenges.
const COLLECTIONS: [(&str, usize, usize, usize); 3] =
    [("tcp1p-2023", 2, 60, 59), ("potluckctf-2023", 29, 0, 0), ("lactf-2023-2026", 205, 0, 0)];

/// An event with the challenges of a collection.
fn event_of(name: &str) -> Option<EventFolder> {
    let from = shared_data(&format!("challenges/{name}"))?;
    let event = EventFolder::new();
    fs::remove_dir_all(event.file("challenges")).unwrap();
    copy_folder(&from, &event.file("challenges")).unwrap();
    Some(event)
}

/// Parses `file:line: error: message`; returns the severity.
fn severity(line: &str) -> Option<&str> {
    let (place, rest) = line.split_once(": ")?;
    let (file, number) = place.rsplit_once(':')?;
    number.parse::<usize>().ok().filter(|line| *line >= 1 && !file.is_empty())?;
    let (severity, message) = rest.split_once(": ")?;
    (["error", "warning", "note"].contains(&severity) && !message.is_empty()).then_some(severity)
}

#[tokio::test]
async fn every_problem_of_a_collection_has_file_and_line() {
    for (name, errors, challenges, _) in COLLECTIONS {
        let Some(event) = event_of(name) else { return };
        let done = run(program(&["check", "--event", event.dir()])).await;
        done.fails(&format!("{errors} errors"));
        let mut lines: Vec<&str> = done.out.lines().collect();
        let summary = lines.pop().unwrap();
        assert!(summary.starts_with(&format!("{challenges} challenges, {errors} errors")));
        let listed: Vec<&str> = lines
            .iter()
            .map(|line| severity(line).unwrap_or_else(|| panic!("{name}: {line:?}")))
            .collect();
        assert_eq!(listed.iter().filter(|it| **it == "error").count(), errors, "{name}");
    }
}

on_both_engines! {
    async fn challenges_of_a_collection_that_load_are_served(engine: Engine) {
        for (name, errors, _, shown) in COLLECTIONS {
            let Some(event) = event_of(name) else { return };
            let site = TestSite::new(engine).await;
            let server = site.serve(&event).await;
            let token = site.import(1).await.remove(0);
            let seen = server.team(&token).await.challenges().await;
            assert_eq!(seen.len(), shown, "{name}: {seen:?}");
            let err = server.err();
            let counted = err.iter().filter(|line| line.contains(&format!("{errors} errors")));
            assert_eq!(counted.count(), 1, "{name}: {err:?}");
            let said = site.apply(&event).await.ok();
            assert!(said.ends_with("nothing to change\n"), "{name}: {said}");
            server.stop().await;
        }
    }
}
