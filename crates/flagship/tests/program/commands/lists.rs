//! `flagship status` and the lists: tables for people, and the same data as JSON.

use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::{EventFolder, Times};
use crate::player::flag;
use crate::process::TestSite;

async fn as_json(site: &TestSite, words: &[&str]) -> Value {
    let said = site.run(&[words, &["--json"]].concat()).await.ok();
    serde_json::from_str(&said).expect("it is JSON")
}

on_both_engines! {
    async fn the_lists_show_what_the_event_has(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(3).await;
        let (one, two) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
        one.solves("one").await;
        for team in [&one, &two] {
            assert_eq!(team.post("/solve", &flag("three", "flag{nearly}")).await.0, 200);
        }
        site.run(&["team", "ban", "Team 3"]).await.ok();
        let signup = json!({"teamName": "Bees", "email": "bees@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(server.player().post("/signup", &signup).await.0, 201);
        server.stop().await;

        let status = as_json(&site, &["status"]).await;
        for (pointer, value) in [
            ("/event", json!("Small CTF")),
            ("/status", json!("running")),
            ("/teams/playing", json!(2)),
            ("/teams/banned", json!(1)),
            ("/teams/notConfirmed", json!(1)),
            ("/challenges/shown", json!(3)),
            ("/challenges/all", json!(4)),
            ("/solves", json!(1)),
            ("/wrongFlags", json!(2)),
            ("/servers", json!(0)),
        ] {
            assert_eq!(status.pointer(pointer), Some(&value), "{pointer}: {status}");
        }
        let said = site.run(&["status"]).await.ok();
        for line in [
            "event       Small CTF: running\n",
            "teams       2 active, 0 hidden, 1 banned, 1 unconfirmed\n",
            "challenges  3 visible of 4\n",
            "nodes       none running\n",
            "freeze      none\n",
            " (in 5",
        ] {
            assert!(said.contains(line), "{line}: {said}");
        }

        let teams = as_json(&site, &["team", "list"]).await;
        let named = |row: &Value| (row["team"].clone(), row["state"].clone());
        let rows: Vec<_> = teams.as_array().unwrap().iter().map(named).collect();
        let expected = [("Team 1", "plays"), ("Team 2", "plays"), ("Team 3", "banned"),
            ("Bees", "not confirmed")];
        assert_eq!(rows, expected.map(|(team, state)| (json!(team), json!(state))));
        assert_eq!((&teams[0]["points"], &teams[0]["number"]), (&json!(100), &json!(1)));
        let mails: Vec<&Value> = (0..4).map(|at| &teams[at]["mail"]).collect();
        assert!(mails[..3].iter().all(|mail| mail.is_null()) && mails[3].is_string(), "{mails:?}");
        let said = site.run(&["team", "list"]).await.ok();
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines[0].starts_with("RANK  TEAM    COUNTRY  POINTS"), "{said}");
        assert!(lines[1].starts_with("   1  Team 1  IT          100"), "{said}");

        let challenges = as_json(&site, &["challenge", "list"]).await;
        let named = |row: &Value| (row["id"].clone(), row["state"].clone(), row["solves"].clone());
        let mut rows: Vec<_> = challenges.as_array().unwrap().iter().map(named).collect();
        rows.sort_by_key(|row| row.0.to_string());
        let expected = [("one", "shown", 1), ("spare", "hidden", 0), ("three", "shown", 0),
            ("two", "shown", 0)];
        assert_eq!(rows, expected.map(|(id, state, n)| (json!(id), json!(state), json!(n))));

        let three = challenges.as_array().unwrap().iter().find(|row| row["id"] == "three");
        let three = three.expect("it is there");
        let counts = ["tries", "wrong_last_hour", "stuck", "tried_by", "median_minutes"];
        let counts: Vec<&Value> = counts.iter().map(|it| &three[it]).collect();
        assert_eq!(counts, [&json!(2), &json!(2), &json!(2), &json!(2), &Value::Null]);
        assert_eq!(three["problems"], json!([]));
        for (words, line) in [
            (&["team", "list"][..], "1,Team 1,IT,100,0,1,2"),
            (&["challenge", "list"], "three,Challenge three,misc,shown,500,0,,1,2,2,"),
            (&["status"], "teams.playing,2"),
            (&["status"], "lastBackup,"),
        ] {
            let csv = site.run(&[words, &["--csv"]].concat()).await.ok();
            let words = format!("{line} is not a line of: {csv}");
            assert!(csv.lines().any(|it| it.starts_with(line)), "{words}");
        }
        site.run(&["team", "list", "--csv", "--json"]).await.is_wrong_usage();

        let flags = as_json(&site, &["flags", "list"]).await;
        let flags = flags.as_array().unwrap();
        let verdicts: Vec<&Value> = flags.iter().map(|it| &it["verdict"]).collect();
        assert_eq!(verdicts, ["right", "wrong", "wrong"]);
        assert_eq!(flags[1]["teams_with_same_text"], json!(2), "{flags:?}");
        let said = site.run(&["flags", "list", "--last", "1"]).await.ok();
        assert_eq!(said.lines().count(), 2, "{said}");
        assert!(!said.contains("nearly"), "the text of the flag is not shown: {said}");

        assert_eq!(flags[0]["network"], json!("127.0.0.1"), "{flags:?}");
        for (network, count) in [("127.0.0.1", 3), ("192.0.2.7", 0)] {
            let found = as_json(&site, &["flags", "list", "--network", network]).await;
            assert_eq!(found.as_array().unwrap().len(), count, "{network}");
        }
        let story = as_json(&site, &["team", "story", "Team 1"]).await;
        let kinds: Vec<&Value> = story.as_array().unwrap().iter().map(|it| &it["kind"]).collect();
        assert_eq!(kinds, ["signed_up", "confirmed", "right", "wrong"], "{story}");
        let last = site.run(&["team", "story", "Team 3", "--last", "1"]).await.ok();
        assert!(last.contains("banned \"Team 3\"") && last.lines().count() == 2, "{last}");
        let bees = as_json(&site, &["team", "story", "Bees"]).await;
        assert_eq!((&bees[0]["kind"], &bees[1]["kind"]), (&json!("signed_up"), &json!("mail")));

        let kept = as_json(&site, &["privacy", "show", "Team 1"]).await;
        let rows = |kept: &Value, what: &str| {
            let found = kept.as_array().unwrap().iter().find(|it| it["what"] == what);
            found.unwrap_or_else(|| panic!("{what}: {kept}"))["rows"].clone()
        };
        assert_eq!(rows(&kept, "networks and times of activity"), json!(2), "{kept}");
        assert_eq!(rows(&kept, "networks of incorrect submissions"), json!(1), "{kept}");
        let erase = ["privacy", "erase", "Team 1"];
        site.run(&erase).await.fails("nothing was erased: the event is not over");
        let said = site.run(&[&erase[..], &["--force"]].concat()).await.ok();
        assert!(said.starts_with("erased the personal data of \"Team 1\": "), "{said}");
        let kept = as_json(&site, &["privacy", "show", "Team 1"]).await;
        assert_eq!(rows(&kept, "networks and times of activity"), json!(0), "{kept}");
        assert_eq!(rows(&kept, "incorrect submissions (digest only)"), json!(0), "{kept}");
        assert_eq!(rows(&kept, "solves (public)"), json!(1), "{kept}");
        site.run(&["privacy", "erase", "--all", "--force"]).await.ok();
        let actions = site.run(&["actions"]).await.ok();
        for words in ["erased the personal data of \"Team 1\"", "of all teams"] {
            assert!(actions.contains(words), "{actions}");
        }
        site.run(&["actions", "verify"]).await.ok();
        site.run(&["journal", "verify"]).await.ok();
        let teams = as_json(&site, &["team", "list"]).await;
        assert_eq!((teams.as_array().unwrap().len(), &teams[0]["email"]), (3, &json!("")));
    }

    async fn the_flags_of_teams_are_printed_for_hand_outs(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.write("challenges/pier/challenge.yml", "name: Pier\nid: pier\ncategory: misc\n\
            description: x\ntype: standard\nvalue: 1\n\
            flags:\n- {type: team, content: 'flag{pier_[TEAM]}'}\n\
            - {type: decoy, content: 'flag{bait}'}\n");
        let server = site.serve(&event).await;
        let tokens = site.import(2).await;
        let words = ["flags", "teams", "pier"];
        let flags = as_json(&site, &words).await;
        let own = |at: usize| flags[at]["flag"].as_str().unwrap().to_owned();
        assert_eq!((&flags[0]["team"], &flags[1]["team"]), (&json!("Team 1"), &json!("Team 2")));
        let csv = site.run(&[&words[..], &["--csv"]].concat()).await.ok();
        assert_eq!(csv, format!("team,flag\nTeam 1,{}\nTeam 2,{}\n", own(0), own(1)));
        let one = server.team(&tokens[0]).await;
        for (text, correct) in [(own(1), false), ("flag{bait}".to_owned(), false), (own(0), true)] {
            let sent = json!({"challengeId": "pier", "flag": text});
            assert_eq!(one.post("/solve", &sent).await, (200, json!({"correct": correct})));
        }
        site.run(&["flags", "teams", "one"]).await.fails("one has no per-team flag");
        site.run(&["flags", "teams", "none"]).await.fails("none");
        site.run(&["flags", "teams", "no id"]).await.is_wrong_usage();
        server.stop().await;
    }

    async fn before_the_start_lists_show_what_will_be_visible(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.set_times(Times { start: 3_600_000, freeze: None, end: 7_200_000 }, "auto");
        event.challenge("four", "requirements: [spare]");
        site.serve(&event).await.stop().await;
        let said = site.run(&["status"]).await.ok();
        assert!(said.contains("challenges  3 visible at start, of 5\n"), "{said}");
        let challenges = as_json(&site, &["challenge", "list"]).await;
        let named = |row: &Value| (row["id"].clone(), row["state"].clone());
        let mut rows: Vec<_> = challenges.as_array().unwrap().iter().map(named).collect();
        rows.sort_by_key(|row| row.0.to_string());
        let expected = [("four", "waiting for a requirement"), ("one", "visible at start"),
            ("spare", "hidden"), ("three", "visible at start"),
            ("two", "visible at start")];
        assert_eq!(rows, expected.map(|(id, state)| (json!(id), json!(state))));
    }
}
