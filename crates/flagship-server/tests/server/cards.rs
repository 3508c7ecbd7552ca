//! Challenge lists of teams after every kind of change equal those of a server that has just read
//! the journal.

use flagship_game::{Attachment, Event, Scoring};
use flagship_store::challenges::Draft;
use flagship_store::ops::{Op, Plan};
use flagship_testkit::player::{HOUR_MS, draft, draft_after, event};
use flagship_testkit::{Call, NOW_MS, Team, TestApp, commands, on_both_engines, until};

/// The team whose list must not depend on anything hidden from it, and two other teams.
const NAMES: [&str; 3] = ["Ants", "Bees", "Cats"];

fn drafts(description: &str) -> Vec<Draft> {
    let mut drafts = vec![draft("one"), draft_after("two", &["one"]), draft("three")];
    drafts[1].challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 10 };
    drafts[1].challenge.attachments = vec![Attachment {
        name: "a \"b\".txt".into(),
        digest: "ab".repeat(32),
        bytes: 3,
        picture: None,
        per_team: false,
    }];
    drafts[1].challenge.description = description.to_owned();
    drafts[2].hidden = true;
    drafts
}

fn apply(event: Event, description: &str) -> Op {
    Op::Apply(Box::new(Plan::new(event, drafts(description))))
}

/// The responses to the teams, including refusals.
async fn lists(app: &TestApp, teams: &[Team]) -> Vec<String> {
    let mut lists = Vec::new();
    for team in teams {
        let call = Call::new("GET", "/api/challenge").header("x-api-key", &team.token);
        lists.push(call.send(app).await.text().to_owned());
    }
    lists
}

/// Waits until the lists equal those of a newly started server; returns the teams whose lists
/// differ from `before`.
async fn changed(app: &TestApp, teams: &[Team], before: &mut Vec<String>) -> Vec<&'static str> {
    let fresh = app.second_node(|_| {}).await;
    let expected = lists(&fresh, teams).await;
    fresh.stop().await;
    until("the lists are fresh", async || lists(app, teams).await == expected).await;
    let differ = (0..teams.len()).filter(|&team| before[team] != expected[team]);
    let names = differ.map(|team| NAMES[team]).collect();
    *before = expected;
    names
}

on_both_engines! {
    async fn a_challenge_list_equals_that_of_a_restarted_server(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts("<p>First.</p>")).await;
        let teams = app.teams(&NAMES).await;
        let [ants, bees, cats] = &teams[..] else { unreachable!("there are three") };
        let mut before = lists(&app, &teams).await;
        let mut since = async || changed(&app, &teams, &mut before).await;
        assert!(since().await.is_empty());

        bees.solves("one").await;
        assert_eq!(since().await, NAMES, "its number of solves changed");
        app.run(apply(event(), "<p>Second.</p>")).await;
        assert_eq!(since().await, ["Bees"], "the challenge is locked for the others");
        app.run(commands::show("three", true)).await;
        assert_eq!(since().await, NAMES);
        app.run(commands::show("three", false)).await;
        assert_eq!(since().await, NAMES);
        app.run(commands::hide_team("Cats")).await;
        assert!(since().await.is_empty(), "the hidden team has solved nothing");
        cats.solves("one").await;
        assert_eq!(since().await, ["Cats"]);
        app.run(commands::show_team("Cats")).await;
        assert_eq!(since().await, ["Ants", "Bees"]);
        app.run(commands::withdraw("Cats", "one")).await;
        assert_eq!(since().await, NAMES);
        app.run(commands::award("Bees", 1)).await;
        assert!(since().await.is_empty());

        app.advance(HOUR_MS);
        app.settled().await;
        assert!(since().await.is_empty());
        cats.solves("one").await;
        assert_eq!(since().await, ["Cats"], "the freeze hides the solve from others");
        ants.solves("one").await;
        assert_eq!(since().await, ["Ants"]);
        app.run(commands::ban("Bees")).await;
        assert_eq!(since().await, NAMES);
        app.run(commands::reveal()).await;
        assert_eq!(since().await, ["Ants", "Cats"]);
        let start_ms = Some(NOW_MS + HOUR_MS + HOUR_MS / 2);
        app.run(apply(Event { start_ms, freeze_ms: None, ..event() }, "<p>Second.</p>")).await;
        assert_eq!(since().await, ["Ants", "Cats"]);
        assert_eq!(before[0], r#"{"challenges":[]}"#);
    }
}
