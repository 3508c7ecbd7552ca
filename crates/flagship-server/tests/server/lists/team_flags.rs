//! Per-team flags and decoys: correct for one team, or for none.

use flagship_store::challenges::{Draft, Flag};
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, Team, draft, event, exact, key};
use flagship_testkit::{Call, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::get;
use crate::actions::session_of;

const SHARED: &str = "flag{pier_[TEAM]}";

pub fn drafts() -> Vec<Draft> {
    let bait = Flag::Decoy { digest: key().flag_digest("pier", "flag{bait}") };
    let flags = vec![bait, Flag::Team(SHARED.to_owned()), exact("pier", "flag{pier}")];
    vec![draft("one"), Draft { flags, ..draft("pier") }]
}

/// The flag of a team for a challenge.
pub fn own(id: &str, team: &Team) -> String {
    SHARED.replace("[TEAM]", &key().team_code(id, team.id.0))
}

/// The near misses of incorrect submissions with the teams whose flags they match, ordered by time.
async fn recorded(app: &TestApp) -> Vec<(Option<String>, Option<i64>)> {
    app.test.rows("select near, of_team from wrong_flags order by at_ms").await
}

/// Submits an incorrect flag until it is recorded as a near miss: the index for near misses is read
/// concurrently with the first submissions.
pub async fn is_ready(app: &TestApp, team: &Team) {
    let mut sent = 0;
    until("near misses are detected", async || {
        app.advance(15_000);
        team.send("pier", "flag{Bait}").await;
        sent += 1;
        let last = recorded(app).await.pop();
        last.is_some_and(|(near, _)| near.as_deref() == Some("decoy"))
    })
    .await;
    until("all are recorded", async || recorded(app).await.len() == sent).await;
    app.test.execute("delete from wrong_flags").await;
}

async fn tried(app: &TestApp, session: &str, flag: &str) -> Value {
    let body = json!({"challenge": "pier", "flag": flag}).to_string();
    let reply = Call::organize("POST", "/flags/try").session(session).json(body).send(app).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let tried = reply.json();
    json!([tried["correct"], tried["by"], tried["ofTeam"], tried["near"]])
}

on_both_engines! {
    async fn team_flags_are_exported_to_those_who_read_the_challenge(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["Bees", "Ants"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let support = session_of(&app, Role::Support).await;
        let path = "/exports/team-flags?challenge=";
        let listed = get(&app, &organizer, &format!("{path}pier")).await;
        let flag = |name: &str, team: &Team| json!({"team": name, "flag": own("pier", team)});
        assert_eq!(listed, json!([flag("Ants", &teams[1]), flag("Bees", &teams[0])]));
        assert_eq!(get(&app, &organizer, &format!("{path}one")).await, json!([]));
        for (session, id) in [(&organizer, "none"), (&support, "pier")] {
            let path = format!("{path}{id}");
            let reply = Call::organize("GET", &path).session(session).send(&app).await;
            assert_eq!(reply.status, 404, "{id}");
        }
    }

    async fn a_teams_flag_is_right_for_that_team_alone(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["Ants", "Bees", "Cats"]).await;
        let (ants, bees, cats) = (&teams[0], &teams[1], &teams[2]);
        is_ready(&app, ants).await;
        let words = "another team's flag is wrong as any other";
        let mut expected = Vec::new();
        for is_frozen in [false, true] {
            if is_frozen {
                app.advance(HOUR_MS);
                app.settled().await;
            }
            let wrong = async |flag: &str| {
                app.advance(15_000);
                let answer = ants.send("pier", flag).await;
                (answer.status, answer.json)
            };
            let nothing = wrong("flag{nothing}").await;
            assert_eq!(nothing, (200, json!({"correct": false})));
            let theirs = own("pier", bees);
            for flag in ["FLAG{BAIT}", &theirs, &own("one", ants), &theirs.to_uppercase()] {
                assert_eq!(wrong(flag).await, nothing, "{words}");
            }
            let kind = |name: &str| Some(name.to_owned());
            let theirs = (kind("team"), Some(bees.id.0));
            let none = (None, None);
            expected.extend([none.clone(), (kind("decoy"), None), theirs.clone(), none, theirs]);
            until("they are recorded", async || recorded(&app).await.len() == expected.len()).await;
            assert_eq!(recorded(&app).await, expected, "{words}");
            let solver = if is_frozen { cats } else { bees };
            assert_eq!(solver.send("pier", &own("pier", solver)).await.json["correct"], true);
        }
        let digests: Vec<(Option<String>,)> =
            app.test.rows("select digest from solves order by seq").await;
        let of = |team| (Some(key().flag_digest("pier", &own("pier", team))),);
        assert_eq!(digests, [of(bees), of(cats)], "the text that counted is known by its digest");
        assert_eq!(ants.send("pier", &own("pier", ants)).await.json["correct"], true);
    }

    async fn nodes_that_count_together_know_teams_and_decoys(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["Ants", "Bees"]).await;
        let (ants, bees) = (&teams[0], &teams[1]);
        let _second = app.second_node(|_| {}).await;
        let sql = "select node_id from nodes where shares";
        until("both nodes share", async || app.test.rows::<(String,)>(sql).await.len() == 2).await;
        is_ready(&app, ants).await;
        for flag in [own("pier", bees), "flag{BAIT}".to_owned()] {
            app.advance(15_000);
            assert_eq!(ants.send("pier", &flag).await.json["correct"], false);
        }
        let expected = [("team", Some(bees.id.0)), ("decoy", None)];
        let expected = expected.map(|(near, team)| (Some(near.to_owned()), team));
        assert_eq!(recorded(&app).await, expected);
        assert_eq!(bees.send("pier", &own("pier", bees)).await.json["correct"], true);
    }

    async fn a_tried_flag_says_whose_it_is(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["Ants", "Bees"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        for (flag, expected) in [
            (own("pier", &teams[0]), json!([true, 2, "Ants", null])),
            (own("pier", &teams[1]), json!([true, 2, "Bees", null])),
            ("flag{pier}".to_owned(), json!([true, 3, null, null])),
            ("Flag{bait}".to_owned(), json!([false, null, null, "decoy"])),
            (own("pier", &teams[0]).to_uppercase(), json!([false, null, null, "case"])),
            ("flag{x}".to_owned(), json!([false, null, null, null])),
        ] {
            assert_eq!(tried(&app, &organizer, &flag).await, expected, "{flag}");
        }
        assert!(recorded(&app).await.is_empty());
    }

    async fn a_flag_that_teams_get_later_finds_who_sent_the_own_one(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("pier")]).await;
        let teams = app.teams(&["Ants", "Bees", "Cats"]).await;
        app.advance(15_000);
        let first_ms = app.now_ms();
        for (team, of) in [(0, 0), (1, 0), (2, 2)] {
            let flag = own("pier", &teams[of]);
            assert_eq!(teams[team].send("pier", &flag).await.json["correct"], false);
        }
        until("they are recorded", async || recorded(&app).await.len() == 3).await;
        app.run(Op::Apply(Box::new(Plan::new(event(), drafts())))).await;
        app.advance(15_000);
        let session = session_of(&app, Role::Organizer).await;
        let body = json!({"action": "challenge.rejudge", "challenge": "pier", "reason": "late"});
        let call = Call::organize("POST", "/actions").session(&session).json(body.to_string());
        let reply = call.send(&app).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let flags = get(&app, &session, "/flags?verdict=right").await;
        let solves: Vec<_> = flags["flags"].as_array().expect("a list").iter()
            .map(|it| (it["teamName"].clone(), it["at"].clone())).collect();
        let mut expected = ["Cats", "Ants"].map(|name| (json!(name), json!(first_ms))).to_vec();
        let mut solves = solves;
        for all in [&mut solves, &mut expected] {
            all.sort_by_key(|(name, _)| name.to_string());
        }
        assert_eq!(solves, expected, "its own, at the time of the submission");
    }
}
