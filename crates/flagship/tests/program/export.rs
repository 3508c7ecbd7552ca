//! `flagship export`: results for organizers, and for the public nothing that the freeze hides.

use flagship_control::control;
use flagship_game::published::{PublishedJournal, Verified};
use flagship_game::{Viewer, view};
use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::{EventFolder, Times};
use crate::process::{Place, Server, read_csv};
use crate::until;

/// Everything that can be exported, as the public or the organizers see it.
async fn exports(place: &Place, view: &str) -> Vec<String> {
    let mut all = Vec::new();
    for what in ["ctftime", "standings", "solves", "winners"] {
        for format in ["json", "csv"] {
            let words = ["export", what, "--view", view, "--format", format];
            all.push(place.run(&words).await.ok());
        }
    }
    all
}

async fn json_of(place: &Place, words: &[&str]) -> Value {
    let text = place.run(&[&["export"][..], words].concat()).await.ok();
    serde_json::from_str(&text).expect("an export is JSON")
}

/// Team 1 and Team 2 solved `one`, then the board froze, then Team 2 solved `two`.
async fn frozen(place: &Place, event: &EventFolder, reveal: &str) -> (Server, Times) {
    event.challenge("deep", "type: standard\nvalue: 5\nrequirements: [spare]");
    let server = place.serve(event).await;
    let tokens = place.import(3).await;
    let (first, second) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
    first.solves("one").await;
    second.solves("one").await;
    let times = Times { freeze: Some(event.now() + 1), ..Times::RUNNING };
    event.set_times(times, reveal);
    place.apply(event).await.ok();
    until("the board is frozen", async || first.get("/ctf").await.1["status"] == "frozen").await;
    let before = exports(place, "public").await;
    second.solves("two").await;
    assert_eq!(exports(place, "public").await, before, "the freeze leaks nothing");
    (server, times)
}

on_both_engines! {
    async fn results_are_written_in_both_forms(engine: Engine) {
        let (place, event) = (Place::new(engine).await, EventFolder::new());
        let server = place.serve(&event).await;
        let tokens = place.import(3).await;
        let first = server.team(&tokens[0]).await;
        first.solves("one").await;
        first.solves("two").await;
        server.team(&tokens[1]).await.solves("one").await;
        place.run(&["team", "award", "Team 2", "7", "--reason", "a bug"]).await.ok();
        let standings = json_of(&place, &["standings"]).await;
        let expected = json!([
            {"rank": 1, "team": "Team 1", "country": "IT", "points": 150, "award": 0, "solves": 2},
            {"rank": 2, "team": "Team 2", "country": "IT", "points": 107, "award": 7, "solves": 1},
            {"rank": 3, "team": "Team 3", "country": "IT", "points": 0, "award": 0, "solves": 0},
        ]);
        let (rows, expected) = (standings.as_array().unwrap(), expected.as_array().unwrap());
        assert_eq!(rows.len(), expected.len());
        for (row, expected) in rows.iter().zip(expected) {
            let mut row = row.as_object().unwrap().clone();
            let last: Value = row.remove("last_solve").unwrap();
            assert_eq!(json!(row), *expected);
            let is_time = last.as_str().is_some_and(|it| it.parse::<jiff::Timestamp>().is_ok());
            assert_eq!(is_time, row["solves"] != 0, "{last}");
        }
        let csv = place.run(&["export", "standings", "--format", "csv"]).await.ok();
        let begin = "rank,team,country,points,award,solves,last_solve\n1,Team 1,IT,150,";
        assert!(csv.starts_with(begin), "{csv}");
        let students = json_of(&place, &["standings", "--students"]).await;
        let students = students.as_array().unwrap();
        let names: Vec<&Value> = students.iter().map(|row| &row["team"]).collect();
        assert_eq!(names, ["Team 1", "Team 3"], "their ranks among themselves");
        assert_eq!(students[1]["rank"], 2);
        let solves = place.run(&["export", "solves", "--format", "csv"]).await.ok();
        let solves: Vec<Vec<String>> =
            read_csv(&solves).into_iter().map(|row| row[1..].to_vec()).collect();
        assert_eq!(solves, [
            ["Team 1", "one", "Challenge one", "1", "100"],
            ["Team 1", "two", "Challenge two", "1", "50"],
            ["Team 2", "one", "Challenge one", "2", "100"],
        ]);
        let winners = json_of(&place, &["winners", "--top", "1"]).await;
        assert_eq!(winners, json!([{"place": 1, "team": "Team 1", "country": "IT", "points": 150,
            "email": "team1@example.org", "student": true}]));
        let public = json_of(&place, &["winners", "--view", "public"]).await;
        assert_eq!((&public[0]["email"], public.as_array().unwrap().len()), (&json!(null), 2));
        let feed = json_of(&place, &["ctftime"]).await;
        assert_eq!(feed, server.player().get("/ctftime").await.1, "the feed of the server");
        assert_eq!(feed["standings"][1]["score"], 107);
        place.run(&["export", "ctftime", "--students"]).await.fails("no --students");
        let kept = (standings, solves);
        server.stop().await;
        assert_eq!(json_of(&place, &["standings"]).await, kept.0, "the same after the stop");
    }

    async fn the_public_sees_nothing_of_the_freeze_and_then_all(engine: Engine) {
        let (place, event) = (Place::new(engine).await, EventFolder::new());
        let (server, times) = frozen(&place, &event, "manual").await;
        let organizer = exports(&place, "organizer").await;
        let words = "the public sees what is frozen";
        let all = control("the_public_sees_nothing_of_the_freeze_and_then_all", words);
        let public = exports(&place, if all { "organizer" } else { "public" }).await;
        assert_ne!(organizer[0], public[0], "the public sees what is frozen");
        assert_eq!(json_of(&place, &["standings"]).await[0]["team"], "Team 2");
        let refusal = "the journal is published after the end and the reveal";
        place.run(&["export", "journal"]).await.fails(refusal);
        place.run(&["export", "journal", "--view", "organizer"]).await.fails(refusal);
        event.set_times(Times { end: event.now(), ..times }, "manual");
        place.apply(&event).await.ok();
        place.run(&["export", "journal"]).await.fails(refusal);
        place.run(&["reveal"]).await.ok();
        let revealed = exports(&place, "public").await;
        assert_eq!(revealed[..6], organizer[..6], "but for the winners' addresses");
        server.stop().await;
        assert_publishes(&place).await;
    }

    async fn a_stopped_events_journal_can_be_published(engine: Engine) {
        let (place, event) = (Place::new(engine).await, EventFolder::new());
        let (server, times) = frozen(&place, &event, "auto").await;
        server.stop().await;
        // The end comes while nobody serves.
        let end = event.now() + 1_000;
        event.set_times(Times { end, ..times }, "auto");
        place.apply(&event).await.ok();
        place.run(&["export", "journal"]).await.fails("after the end and the reveal");
        until("the event is over", async || event.now() > end).await;
        assert_publishes(&place).await;
    }
}

/// The published journal can be folded again by anyone, and its hashes followed.
async fn assert_publishes(place: &Place) {
    let journal = json_of(place, &["journal"]).await;
    let text = journal.to_string();
    for private in ["example.org", "flag{one}", "flag{spare}", "fsp_", "password", "spare", "deep"]
    {
        assert!(!text.contains(private), "{private} is published");
    }
    let published: PublishedJournal = serde_json::from_value(journal).unwrap();
    let Verified { contest, hash, withheld } = published.verify().unwrap();
    assert_eq!(withheld, 1, "the challenge that waits for a hidden one");
    let verified = place.run(&["journal", "verify"]).await.ok();
    assert!(verified.contains(&hash), "{verified}");
    let board = view::board(&contest, Viewer::Public);
    let folded: Vec<Value> = board.rows().map(|row| json!([row.name(), row.points()])).collect();
    let standings = json_of(place, &["standings"]).await;
    let official: Vec<Value> = standings
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["team"], row["points"]]))
        .collect();
    assert_eq!(folded, official);
    assert_eq!(folded.len(), 3);
}
