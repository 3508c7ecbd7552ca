//! `flagship journal verify` detects and names changes made directly in the database. Forgeries
//! that keep the hash chain intact are tested in `forged`.

use flagship_testkit::{Engine, on_both_engines};

use crate::event::{EventFolder, Times};
use crate::process::TestSite;

/// Plays an event in which three teams solve one challenge each; returns the last sequence number
/// of the journal.
async fn played(site: &TestSite, event: &EventFolder) -> i64 {
    let server = site.serve(event).await;
    for token in site.import(3).await {
        server.team(&token).await.solves("one").await;
    }
    let said = site.run(&["journal", "verify"]).await.ok();
    let (first, _) = said.split_once('\n').unwrap();
    let (count, rest) = first.split_once(" entries, hash chain intact; ").unwrap();
    let head = rest.strip_prefix("last hash ").unwrap();
    assert!(head.len() == 64 && head.chars().all(|c| c.is_ascii_hexdigit()), "{said}");
    server.stop().await;
    assert_eq!(site.run(&["journal", "verify"]).await.ok(), said, "the same after the stop");
    count.parse().unwrap()
}

#[tokio::test]
async fn a_single_head_is_counted_in_the_singular() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    let head = site.run(&["journal", "head"]).await.ok();
    let said = site.run(&["journal", "verify", "--against", head.trim()]).await.ok();
    assert!(said.contains("the journal extends 1 head up to entry "), "{said}");
}

on_both_engines! {
    async fn every_kind_of_change_is_detected_and_named(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        // The event, 3 challenges, the start, 3 teams, 3 solves.
        assert_eq!(played(&site, &event).await, 11);
        for (change, back, word) in [
            ("update journal set body = replace(body, 'IT', 'FR') where seq = 7",
             "update journal set body = replace(body, 'FR', 'IT') where seq = 7",
             "journal entry 7 does not match"),
            ("update journal set at_ms = at_ms - 1 where seq = 9",
             "update journal set at_ms = at_ms + 1 where seq = 9",
             "journal entry 9 does not match"),
            ("update journal set salt = salt || 'x' where seq = 1",
             "update journal set salt = replace(salt, 'x', '') where seq = 1",
             "journal entry 1 does not match"),
            ("update journal set seq = 99 where seq = 10",
             "update journal set seq = 10 where seq = 99",
             "journal entry 11 does not match"),
            ("update journal set seq = 12 where seq = 11",
             "update journal set seq = 11 where seq = 12",
             "journal entry 12 does not match"),
            ("update solves set seq = 5 where seq = 10",
             "update solves set seq = 10 where seq = 5",
             "journal entry 10 and the table of solves do not agree"),
            ("insert into solves (team_id, challenge_id, seq) values (1, 'one', 3)",
             "delete from solves where team_id = 1",
             "journal entry 3 and the table of solves do not agree"),
        ] {
            site.test.execute(change).await;
            site.run(&["journal", "verify"]).await.fails(word);
            site.test.execute(back).await;
            site.run(&["journal", "verify"]).await.ok();
        }
        // The hash chain of a truncated journal is valid, but the table of solves reveals the
        // truncation.
        site.test.execute("delete from journal where seq = 11").await;
        site.run(&["journal", "verify"]).await.fails("journal entry 11 and the table of solves");
    }

    async fn a_changed_journal_is_not_served(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let change = "update journal set body = replace(body, 'IT', 'FR') where seq = 7";
        site.test.execute(change).await;
        let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let advice = "journal entry 7 does not match). Keep a copy of the data folder";
        site.run(&words).await.fails(advice);
        site.run(&["journal", "verify"]).await.fails(advice);
        site.run(&["export", "standings"]).await.fails("journal entry 7 does not match");
        site.run(&["team", "ban", "Team 1"]).await.fails("journal entry 7 does not match");
    }

    async fn a_withdrawn_solve_is_not_exported_and_the_journal_verifies(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        site.run(&["team", "withdraw", "Team 2", "one"]).await.ok();
        let said = site.run(&["journal", "verify"]).await.ok();
        assert!(said.starts_with("12 entries"), "{said}");
        let solves = site.run(&["export", "solves", "--format", "csv"]).await.ok();
        assert!(!solves.contains("Team 2") && solves.contains("Team 3,one,Challenge one,2,"),
            "the next solve moves up: {solves}");
    }

    async fn words_of_notices_that_were_taken_back_are_not_published(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.set_times(Times { end: -1000, ..Times::RUNNING }, "auto");
        site.apply(&event).await.ok();
        let action = async |words: &[&str]| site.run(&[&["action"], words].concat()).await.ok();
        let post = async |title: &str| {
            let said = action(&["notice.post", "--title", title, "--text", "x"]).await;
            let id = said.lines().find_map(|line| line.strip_prefix("notice "));
            id.expect("its id").to_owned()
        };
        post("Stands").await;
        let gone = post("Too early").await;
        action(&["notice.withdraw", "--notice", &gone]).await;
        let wrong = post("Misspelt").await;
        action(&["notice.correct", "--notice", &wrong, "--title", "Spelt", "--text", "x"]).await;
        let published = site.run(&["export", "journal", "--view", "organizer"]).await.ok();
        let has = |title: &str| published.contains(title);
        assert!(has("Stands") && has("Spelt"), "{published}");
        assert!(!has("Too early") && !has("Misspelt"), "{published}");
    }
}
