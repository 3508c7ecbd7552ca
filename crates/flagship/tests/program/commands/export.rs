//! `flagship export`: results in the organizers' view and in the public view, which omits solves
//! during the freeze.

use flagship_control::control;
use flagship_game::published::{PublishedJournal, Verified};
use flagship_game::{ChallengeId, Viewer, view};
use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::{EventFolder, Times};
use crate::process::{Server, TestSite, read_csv};
use crate::until;

/// All exports in one view.
async fn exports(site: &TestSite, view: &str) -> Vec<String> {
    let mut all = Vec::new();
    for what in ["ctftime", "standings", "solves", "winners"] {
        for format in ["json", "csv"] {
            let words = ["export", what, "--view", view, "--format", format];
            let done = site.run(&words).await;
            if (what, format) == ("ctftime", "csv") {
                done.fails("remove --format csv");
            } else {
                all.push(done.ok());
            }
        }
    }
    all
}

async fn json_of(site: &TestSite, words: &[&str]) -> Value {
    let text = site.run(&[&["export"][..], words].concat()).await.ok();
    serde_json::from_str(&text).expect("an export is JSON")
}

/// An event in which Team 1 and Team 2 solved `one` before the freeze, and Team 2 solved `two`
/// after it.
async fn frozen(site: &TestSite, event: &EventFolder, reveal: &str) -> (Server, Times) {
    event.challenge("deep", "type: standard\nvalue: 5\nrequirements: [spare]");
    let server = site.serve(event).await;
    let tokens = site.import(3).await;
    let (first, second) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
    first.solves("one").await;
    second.solves("one").await;
    let times = Times { freeze: Some(event.now() + 1), ..Times::RUNNING };
    event.set_times(times, reveal);
    site.apply(event).await.ok();
    until("the board is frozen", async || first.get("/ctf").await.1["status"] == "frozen").await;
    let before = exports(site, "public").await;
    second.solves("two").await;
    assert_eq!(
        exports(site, "public").await,
        before,
        "the public view does not change in the freeze"
    );
    (server, times)
}

on_both_engines! {
    async fn results_are_written_in_both_forms(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(3).await;
        let first = server.team(&tokens[0]).await;
        first.solves("one").await;
        first.solves("two").await;
        server.team(&tokens[1]).await.solves("one").await;
        site.run(&["team", "award", "Team 2", "7", "--reason", "a bug"]).await.ok();
        let standings = json_of(&site, &["standings"]).await;
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
        let first_one = json_of(&site, &["standings", "--top", "1"]).await;
        assert_eq!(first_one, json!([rows[0]]));
        let csv = site.run(&["export", "standings", "--format", "csv"]).await.ok();
        let begin = "rank,team,country,points,award,solves,last_solve\n1,Team 1,IT,150,";
        assert!(csv.starts_with(begin), "{csv}");
        for what in ["ctftime", "journal"] {
            let done = site.run(&["export", what, "--format", "csv"]).await;
            done.fails("this export is JSON only");
            assert_eq!(done.out, "");
        }
        let students = json_of(&site, &["standings", "--students"]).await;
        let students = students.as_array().unwrap();
        let names: Vec<&Value> = students.iter().map(|row| &row["team"]).collect();
        assert_eq!(names, ["Team 1", "Team 3"], "their ranks among themselves");
        assert_eq!(students[1]["rank"], 2);
        let solves = site.run(&["export", "solves", "--format", "csv"]).await.ok();
        let solves: Vec<Vec<String>> =
            read_csv(&solves).into_iter().map(|row| row[1..].to_vec()).collect();
        assert_eq!(solves, [
            ["Team 1", "one", "Challenge one", "1", "100"],
            ["Team 1", "two", "Challenge two", "1", "50"],
            ["Team 2", "one", "Challenge one", "2", "100"],
        ]);
        let people = json!({"members": ["Ada", "Bo"]});
        assert_eq!(first.post("/account/members", &people).await.0, 200);
        let winners = json_of(&site, &["winners", "--top", "1"]).await;
        assert_eq!(winners, json!([{"place": 1, "team": "Team 1", "country": "IT", "points": 150,
            "email": "team1@example.org", "student": true, "members": "Ada; Bo"}]));
        let public = json_of(&site, &["winners", "--view", "public"]).await;
        assert_eq!((&public[0]["email"], public.as_array().unwrap().len()), (&json!(null), 2));
        assert_eq!(public[0]["members"], json!(null));
        let feed = json_of(&site, &["ctftime"]).await;
        assert_eq!(feed, server.player().get("/ctftime").await.1, "the feed of the server");
        assert_eq!(feed["standings"][1]["score"], 107);
        site.run(&["export", "ctftime", "--students"]).await.fails("--students does not apply");
        let kept = (standings, solves);
        server.stop().await;
        assert_eq!(json_of(&site, &["standings"]).await, kept.0, "the same after the stop");
    }

    async fn the_public_export_hides_the_freeze_until_the_reveal(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let (server, times) = frozen(&site, &event, "manual").await;
        let organizer = exports(&site, "organizer").await;
        let words = "the public sees what is frozen";
        let all = control("the_public_export_hides_the_freeze_until_the_reveal", words);
        let public = exports(&site, if all { "organizer" } else { "public" }).await;
        assert_ne!(organizer[0], public[0], "the public sees what is frozen");
        assert_eq!(json_of(&site, &["standings"]).await[0]["team"], "Team 2");
        let warning = "contains hidden solves";
        let done = site.run(&["export", "ctftime"]).await;
        assert!(done.err.contains(warning), "{done:?}");
        let done = site.run(&["export", "ctftime", "--view", "public"]).await;
        assert_eq!(done.err, "");
        let refusal = "the journal can be exported after the event has ended and been revealed";
        site.run(&["export", "journal"]).await.fails(refusal);
        site.run(&["export", "journal", "--view", "organizer"]).await.fails(refusal);
        event.set_times(Times { end: event.now(), ..times }, "manual");
        site.apply_confirmed(&event).await.ok();
        site.run(&["export", "journal"]).await.fails(refusal);
        site.run(&["reveal"]).await.ok();
        let exported = site.run(&["export", "ctftime"]).await;
        assert_eq!(exported.err, "", "nothing is hidden after the reveal");
        let revealed = exports(&site, "public").await;
        assert_eq!(revealed[..5], organizer[..5], "equal except for the winners' addresses");
        server.stop().await;
        assert_publishes(&site).await;
    }

    async fn the_text_of_a_challenge_that_no_team_unlocked_is_not_published(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        for (id, required, text) in [("vault", "three", "a treasure"), ("cellar", "one", "a wine")]
        {
            let lines = format!("type: standard\nvalue: 5\nrequirements: [{required}]");
            event.challenge(id, &lines);
            let path = format!("challenges/{id}/challenge.yml");
            let file = std::fs::read_to_string(event.file(&path)).unwrap();
            event.write(&path, &file.replace("What is it?", text));
        }
        let server = site.serve(&event).await;
        server.team(&site.import(1).await[0]).await.solves("one").await;
        site.run(&["team", "award", "Team 1", "7", "--reason", "a kindness"]).await.ok();
        event.set_times(Times { end: event.now(), ..Times::RUNNING }, "auto");
        site.apply_confirmed(&event).await.ok();
        server.stop().await;
        let done = site.run(&["export", "journal"]).await;
        assert!(done.err.contains("1 entry is withheld: challenges never"), "{done:?}");
        let journal: Value = serde_json::from_str(&done.ok()).unwrap();
        let text = journal.to_string();
        assert!(!text.contains("a kindness"), "a reason is published: {text}");
        assert!(text.contains("a wine") && !text.contains("a treasure"), "{text}");
        let published: PublishedJournal = serde_json::from_value(journal).unwrap();
        let Verified { contest, withheld, .. } = published.verify().unwrap();
        assert_eq!(contest.team_named("Team 1").map(|team| team.award), Some(7));
        let vault = ChallengeId::parse("vault").unwrap();
        assert_eq!((contest.challenge(&vault), withheld), (None, 1));
    }

    async fn a_stopped_events_journal_can_be_published(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let (server, times) = frozen(&site, &event, "auto").await;
        server.stop().await;
        // The event ends while no server is running.
        let end = event.now() + 3_000;
        event.set_times(Times { end, ..times }, "auto");
        site.apply(&event).await.ok();
        site.run(&["export", "journal"]).await.fails("after the event has ended and been revealed");
        until("the event is over", async || event.now() > end).await;
        assert_publishes(&site).await;
    }
}

/// Reads the published journal again and verifies its hashes.
async fn assert_publishes(site: &TestSite) {
    let journal = json_of(site, &["journal"]).await;
    let text = journal.to_string();
    for private in ["example.org", "flag{one}", "flag{spare}", "fsp_", "password", "spare", "deep"]
    {
        assert!(!text.contains(private), "{private} is published");
    }
    let published: PublishedJournal = serde_json::from_value(journal).unwrap();
    let Verified { contest, hash, withheld, .. } = published.verify().unwrap();
    assert_eq!(withheld, 1, "the challenge that requires a hidden one");
    let verified = site.run(&["journal", "verify"]).await.ok();
    assert!(verified.contains(&hash), "{verified}");
    let board = view::board(&contest, Viewer::Public);
    let folded: Vec<Value> = board.rows().map(|row| json!([row.name(), row.points()])).collect();
    let standings = json_of(site, &["standings"]).await;
    let official: Vec<Value> = standings
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["team"], row["points"]]))
        .collect();
    assert_eq!(folded, official);
    assert_eq!(folded.len(), 3);
}
