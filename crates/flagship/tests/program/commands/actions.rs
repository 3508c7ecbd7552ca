//! `flagship action` and `flagship actions`: runs, lists, undoes and verifies organizer actions
//! from the command line.

use std::collections::BTreeSet;
use std::time::Duration;

use flagship_testkit::on_both_engines;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::player::flag;
use crate::process::{self, Done, Server, TestSite, program};
use crate::until;

/// One action of each kind that does not need a question, in order. `NOW` stands for a time in the
/// event.
const ACTIONS: [&str; 34] = [
    "team.ban --team Crabs --reason x",
    "team.unban --team Crabs --reason x",
    "team.hide --team Crabs --reason x",
    "team.show --team Crabs --reason x",
    "team.award --reason x --points -5 --team Ants",
    "team.rename --team Crabs --name Lobsters --offensive --reason x",
    "team.country --team Lobsters --country FR --reason x",
    "team.note --team Ants --text loud",
    "team.message --team Ants --text Hello",
    "team.confirm --team Bees --reason x",
    "team.resend --team Wasps --reason x",
    "team.reset --team Ants --reason x",
    "team.code --team Ants --reason x",
    "team.end_sessions --team Otters --reason x",
    "solve.withdraw --team Ants --challenge one --reason x",
    "solve.count --team Otters --challenge three --at NOW --reason x",
    "challenge.hide --challenge three",
    "challenge.release --challenges spare,three",
    "challenge.status --challenge one --status broken --note patience",
    "challenge.rejudge --challenge one --reason x",
    "challenge.attempts --challenge one --team Otters --reason x",
    "event.times --end 2099-01-01T00:00:00Z",
    "event.name --timezone Europe/Rome --flag-format ctf{...}",
    "event.rules --text kind",
    "page.set --page us --text <h1>Us</h1> --position 1",
    "page.remove --page us",
    "event.pause",
    "event.resume --moves",
    "notice.post --title Hello --text=*there* --urgent",
    "notice.correct --notice NOTICE --title Hello --text again",
    "notice.withdraw --notice NOTICE",
    "challenge.close --challenge three",
    "team.test --team Crew",
    "evidence.state --team Ants --other Otters --state looked_at --reason x",
];

/// Actions that cannot be undone.
const FINAL: [&str; 9] = [
    "evidence.state",
    "team.message",
    "team.note",
    "team.confirm",
    "team.resend",
    "team.reset",
    "team.code",
    "team.end_sessions",
    "team.test",
];
/// Actions that print a code.
const WITH_CODES: [&str; 2] = ["team.code", "team.test"];

/// Runs `flagship action` with words separated by spaces.
async fn action(site: &TestSite, line: &str) -> Done {
    let words: Vec<&str> = ["action"].into_iter().chain(line.split(' ')).collect();
    site.run(&words).await
}

/// Returns the action ID in the output.
fn id_of(said: &str) -> String {
    let line = said.lines().find_map(|line| line.strip_prefix("action "));
    line.and_then(|line| line.split(';').next()).expect("a line with the id").to_owned()
}

async fn listed(site: &TestSite) -> Vec<Value> {
    let said = site.run(&["actions", "--json"]).await.ok();
    serde_json::from_str(&said).expect("a list")
}

async fn sign_up(server: &Server, team: &str) {
    let signup = json!({"teamName": team, "email": format!("{team}@example.org"),
        "country": "IT", "password": "correct horse", "captchaToken": "off"});
    assert_eq!(server.player().post("/signup", &signup).await.0, 201);
}

on_both_engines! {
    async fn each_action_is_done_recorded_and_taken_back(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let one = "name: Challenge one\nid: one\ncategory: misc\ndescription: What is it?\n\
            type: standard\nvalue: 100\nattempts: 9\nflags: [\"flag{one}\"";
        event.write("challenges/one/challenge.yml", &format!("{one}]\n"));
        let server = site.serve(&event).await;
        let tokens = site.import_csv("name,email\nAnts,a@example.org\nCrabs,c@example.org\n\
                                      Otters,o@example.org\n").await;
        server.team(&tokens[0].1).await.solves("one").await;
        let otters = server.team(&tokens[2].1).await;
        assert_eq!(otters.post("/solve", &flag("one", "flag{other}")).await.0, 200);
        for team in ["Bees", "Wasps"] {
            sign_up(&server, team).await;
        }
        let flags = async || site.run(&["flags", "list", "--json"]).await.ok();
        until("the wrong flag is recorded", async || flags().await.contains("wrong")).await;
        event.write("challenges/one/challenge.yml", &format!("{one}, \"flag{{other}}\"]\n"));
        site.apply(&event).await.ok();
        let before = server.player().board().await;
        let now = Timestamp::now() - SignedDuration::from_secs(1);
        let mut notice = String::new();
        let mut done = Vec::new();
        for line in ACTIONS {
            let line = line.replace("NOW", &now.to_string()).replace("NOTICE", &notice);
            let said = action(&site, &line).await.ok();
            let name = line.split(' ').next().unwrap();
            assert!(said.starts_with("The command line "), "{said}");
            assert_eq!(said.contains("undo with"), !FINAL.contains(&name), "{said}");
            assert_eq!(said.contains("reset code ("), WITH_CODES.contains(&name), "{said}");
            if let Some(posted) = said.lines().find_map(|line| line.strip_prefix("notice ")) {
                notice = posted.to_owned();
            }
            done.push((name.to_owned(), id_of(&said)));
        }
        let all = listed(&site).await;
        let newest: Vec<(String, String)> = all.iter().rev()
            .map(|it| (it["action"].as_str().unwrap().to_owned(), it["id"].to_string()))
            .filter(|(name, _)| !["event.apply", "team.import"].contains(&name.as_str()))
            .collect();
        assert_eq!(newest, done, "they are recorded in order");
        let commands: Vec<&Value> = all.iter().rev().map(|it| &it["action"]).take(3).collect();
        assert_eq!(commands, ["event.apply", "team.import", "event.apply"]);
        let of_apply = all.iter().find(|it| it["action"] == "event.apply").unwrap();
        assert_eq!(of_apply["about"], json!(["challenge one", "text one"]));
        // The log contains the flag format, which an action changed: `flag{...}`.
        let recorded = json!(all).to_string().replace("flag{...}", "");
        assert!(!recorded.contains("flag{"), "no flag is recorded");
        for (name, id) in done.iter().rev() {
            let undone = site.run(&["actions", "undo", id, "--reason", "a rehearsal"]).await;
            match FINAL.contains(&name.as_str()) {
                true => undone.fails("cannot be undone: "),
                false => assert!(undone.ok().contains(&format!("undid action {id}: "))),
            }
        }
        let player = server.player();
        let mut expected = before;
        expected.insert("Bees".to_owned(), player.board().await["Bees"].clone());
        until("all is as before", async || player.board().await == expected).await;
        // No question exists yet.
        for line in ["question.answer --question 1 --text Yes", "question.close --question 1"] {
            action(&site, line).await.fails("no open question with this ID");
        }
        let help = process::run(program(&["action", "--help"])).await.ok();
        let names = help.split("[possible values: ").nth(1).unwrap().split(']').next().unwrap();
        let names: BTreeSet<&str> = names.split(',').map(str::trim).collect();
        let tried = ACTIONS.iter().map(|line| line.split(' ').next().unwrap());
        let tried = tried.chain(["question.answer", "question.close"]);
        // Separate tests cover these actions.
        let apart = ["answers.set", "brand.set", "challenge.create", "challenge.edit", "code.make",
            "code.revoke", "event.reveal", "hint.free", "settings.set", "team.address",
            "team.admit", "team.divisions"];
        let tried: BTreeSet<&str> = tried.chain(apart).collect();
        assert_eq!(names, tried, "each action is tried");
        server.stop().await;
        let said = site.run(&["actions", "verify"]).await.ok();
        // The total includes undos and the earlier commands.
        let count = done.len() + ACTIONS.len() - FINAL.len() + commands.len();
        assert_eq!(said, format!("{count} actions verified\n"));
    }

    async fn an_altered_action_is_found(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        assert_eq!(site.run(&["actions", "verify"]).await.ok(), "1 action verified\n");
        action(&site, "event.pause --reason power").await.ok();
        let words = "was modified";
        site.test.execute("update actions set actor = 'Eve' where action = 'event.pause'").await;
        let verified = site.run(&["actions", "verify"]).await;
        assert!(verified.err.contains(words), "{words}: {verified:?}");
        verified.fails(words);
        let said = site.run(&["actions"]).await.ok();
        assert!(said.contains("Eve paused the event.") && said.contains("power"), "{said}");
    }

    async fn a_waiting_team_gets_a_place(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
        let limit = "[registration]\nmax_teams = 1\nwaiting_list = true\n";
        event.write("event.toml", &(toml + limit));
        let server = site.serve(&event).await;
        site.import(1).await;
        sign_up(&server, "Bees").await;
        action(&site, "team.admit --team Bees --reason x").await.fails("not confirmed yet");
        action(&site, "team.confirm --team Bees --reason x").await.ok();
        let teams = site.run(&["team", "list"]).await.ok();
        assert!(teams.contains("waiting list"), "{teams}");
        action(&site, "team.ban --team Bees --reason x").await.fails("on the waiting list");
        let said = action(&site, "team.admit --team Bees --reason x").await.ok();
        assert!(said.contains("gave \"Bees\" a place"), "{said}");
        let teams = site.run(&["team", "list"]).await.ok();
        assert!(!teams.contains("waiting list"), "{teams}");
        until("the signup and the place are in emails", async || {
            std::fs::read_dir(site.file("mail")).map_or(0, Iterator::count) == 2
        })
        .await;
        server.stop().await;
    }

    async fn addresses_come_only_from_a_file(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        site.import_csv("name,email\nAnts,ants@example.org\n").await;
        let line = "team.address --team Ants --reason asked --email new@example.org";
        let done = action(&site, line).await;
        done.is_wrong_usage();
        let is_told = done.err.contains("`--fields -`") && !done.err.contains("new@example.org");
        assert!(is_told, "{done:?}");
        let file = site.file("fields.json");
        let fields = file.to_str().unwrap();
        std::fs::write(&file, r#"{"email": "new@example.org"}"#).unwrap();
        let words = ["action", "team.address", "--team", "Ants", "--fields", fields];
        site.run(&words).await.fails("team.address needs a reason");
        let said = site.run(&[&words[..], &["--reason", "asked"]].concat()).await.ok();
        assert!(said.contains("changed the email of \"Ants\""), "{said}");
        let teams = site.run(&["team", "list"]).await.ok();
        assert!(teams.contains("new@example.org"), "{teams}");
        let actions = site.run(&["actions", "--json"]).await.ok();
        assert!(!actions.contains("example.org"), "no address is recorded: {actions}");
        until("both addresses are notified", async || {
            let mails = std::fs::read_dir(site.file("mail")).map_or(0, Iterator::count);
            mails == 2
        })
        .await;
        std::fs::write(&file, "{\"team\": \"Ants\",\n points}").unwrap();
        site.run(&words).await.fails("line 2 column 2");
        std::fs::write(&file, "[]").unwrap();
        site.run(&words).await.fails("as a JSON object");
        std::fs::write(&file, r#"{"team": "Ants", "email": "x@example.org"}"#).unwrap();
        site.run(&words).await.fails("is given both as an argument and in");
        server.stop().await;
    }

    async fn a_challenge_is_made_and_edited_from_a_file(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let file = site.file("fields.json");
        let run = async |action: &str, fields: Value| {
            std::fs::write(&file, json!({"fields": fields}).to_string()).unwrap();
            let file = file.to_str().unwrap();
            site.run(&["action", action, "--challenge", "five", "--fields", file]).await
        };
        let new = json!({"name": "Five", "category": "misc", "description": "What is it?",
            "type": "standard", "value": 30, "flags": ["flag{five}"]});
        let said = run("challenge.create", new.clone()).await.ok();
        assert!(said.contains("created the challenge five"), "{said}");
        run("challenge.create", new).await.fails("this challenge already exists");
        let said = run("challenge.edit", json!({"value": 40})).await.ok();
        assert!(said.contains("edited five: value"), "{said}");
        run("challenge.edit", json!({"value": "many"})).await.fails("challenge.edit: ");
        let points = async || {
            let said = site.run(&["challenge", "list", "--json"]).await.ok();
            let all: Vec<Value> = serde_json::from_str(&said).unwrap();
            all.iter().find(|it| it["id"] == "five").expect("it is listed")["points"].clone()
        };
        assert_eq!(points().await, json!(40));
        site.run(&["actions", "undo", &id_of(&said)]).await.ok();
        assert_eq!(points().await, json!(30));
        assert!(!json!(listed(&site).await).to_string().contains("flag{"), "no flag is recorded");
    }

    async fn a_preview_changes_nothing(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(2).await;
        for token in &tokens {
            server.team(token).await.solves("one").await;
        }
        let (journal, actions) = (site.test.journal().await, listed(&site).await);
        let award = ["action", "team.award", "--preview", "--team", "Team 2", "--points", "7"];
        let said = site.run(&award).await.ok();
        let expected = "The command line awarded \"Team 2\" 7 points.\n\
                        2 teams change rank\n    \
                        rank 2 → 1: \"Team 2\", points 100 → 107\n    \
                        rank 1 → 2: \"Team 1\", points 100 → 100\n\
                        preview only; nothing was changed\n";
        assert_eq!(said, expected);
        assert_eq!(site.test.journal().await, journal);
        assert_eq!(listed(&site).await, actions);
        let given = [&award[..2], &award[3..], &["--reason", "x"]].concat();
        let id = id_of(&site.run(&given).await.ok());
        let said = site.run(&["actions", "undo", &id, "--preview"]).await.ok();
        assert!(said.contains("rank 1 → 2: \"Team 2\"") && said.contains("nothing was changed"),
            "{said}");
        let took = until("the award is shown", async || {
            server.player().board().await["Team 2"].award == 7
        })
        .await;
        assert!(took < Duration::from_secs(1), "players waited for {took:?}");
        server.stop().await;
    }

    async fn later_actions_and_applied_files_stand_in_the_way(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        site.import(1).await;
        let said = site.run(&["actions", "undo", "1000000000"]).await;
        said.fails("no action with this ID; list all with `flagship actions`");
        let hide = id_of(&action(&site, "challenge.hide --challenge three").await.ok());
        let back = id_of(&action(&site, "challenge.release --challenge three").await.ok());
        let done = site.run(&["actions", "undo", &hide]).await;
        done.fails(&format!("in this order: `flagship actions undo {back}`\n"));
        site.run(&["actions", "undo", &back]).await.ok();
        event.challenge("three", "type: dynamic\nextra: {initial: 400, minimum: 50}");
        site.apply(&event).await.ok();
        let apply = listed(&site).await[0].clone();
        assert_eq!((&apply["action"], &apply["undoable"]), (&json!("event.apply"), &json!(false)));
        let apply = apply["id"].to_string();
        let done = site.run(&["actions", "undo", &hide]).await;
        done.fails(&format!("event files have been applied since (action {apply}): "));
        let done = site.run(&["actions", "undo", &apply]).await;
        done.fails("cannot be undone: Apply the previous files again.");
        let pause = id_of(&site.run(&["event", "pause", "--reason", "power"]).await.ok());
        site.run(&["actions", "undo", &pause]).await.ok();
        let done = site.run(&["actions", "undo", &pause]).await;
        done.fails(&format!("action {pause} was already undone by action "));
        let older = site.run(&["actions", "--before", &hide]).await.ok();
        assert!(older.contains("imported 1 team.") && !older.contains("hid three"), "{older}");
    }

    async fn short_forms_are_recorded_with_their_reason(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        site.import(2).await;
        let text = site.file("notice.md");
        std::fs::write(&text, "Flags of *one* are right.\n").unwrap();
        let text = text.to_str().unwrap();
        let lines: [(&[&str], &str, &str); 9] = [
            (&["team", "ban", "Team 1", "--reason", "cheats"], "cheats", "banned \"Team 1\""),
            (&["team", "unban", "Team 1"], "", "unbanned \"Team 1\""),
            (&["team", "award", "Team 1", "5", "--reason", "a bug"], "a bug", "Team 1\" 5 points"),
            (&["challenge", "hide", "one", "--reason", "broken"], "broken", "hid one"),
            (&["team", "rename", "Team 2", "Otters"], "", "renamed \"Team 2\" to \"Otters\""),
            (&["event", "extend", "30"], "", "changed the event times"),
            (&["event", "pause"], "", "paused the event"),
            (&["event", "resume", "--moves"], "", "resumed the event"),
            (&["notice", "post", "Hello", "--text", text], "", "posted a notice: Hello"),
        ];
        for (words, reason, sentence) in lines {
            site.run(words).await.ok();
            let newest = listed(&site).await[0].clone();
            let said = newest["sentence"].as_str().unwrap();
            assert!(said.contains(sentence), "{said}");
            assert_eq!(newest["reason"], json!(reason), "{words:?}");
        }
        let renamed = site.run(&["team", "rename", "Team 1", "Otters"]).await;
        renamed.fails("is or was used by another team");
        site.run(&["team", "rename", "Team 1", "x"]).await.fails("team.rename: ");
        let status = site.run(&["status", "--json"]).await.ok();
        assert!(status.contains("Small CTF"), "{status}");
        let journal = site.test.journal().await;
        assert!(!format!("{journal:?}").contains("a bug"), "the public journal has no reason");
    }

    async fn a_reveal_before_the_end_is_meant(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let reveal = ["action", "event.reveal", "--name", "Small CTF"];
        site.run(&reveal).await.fails("the scoreboard is not frozen");
        action(&site, &format!("event.times --force --freeze {}", Timestamp::now())).await.ok();
        site.run(&["action", "event.reveal", "--name", "Large CTF"]).await.fails("event.reveal: ");
        let shows = "\nfrozen results are revealed to everyone immediately; \
                     this cannot be undone\n";
        let said = site.run(&[&reveal[..], &["--preview"]].concat()).await.ok();
        assert!(said.contains(shows), "{said}");
        let ends = "\nthe event ends immediately\n";
        let later = Timestamp::now() + SignedDuration::from_mins(1);
        for (times, expected) in [
            (format!("--freeze {later}"), [true, false]),
            (format!("--end {}", Timestamp::now()), [true, true]),
            ("--end 2099-01-01T00:00:00Z".to_owned(), [false, false]),
        ] {
            let said = action(&site, &format!("event.times --preview {times}")).await.ok();
            assert_eq!([shows, ends].map(|line| said.contains(line)), expected, "{said}");
            assert!(said.ends_with("preview only; nothing was changed\n"), "{said}");
        }
        site.run(&reveal).await.fails("add --force");
        let said = site.run(&[&["action", "--force"], &reveal[1..]].concat()).await.ok();
        assert!(said.contains("cannot be undone: The final ranking has been published."), "{said}");
        let said = site.run(&["reveal"]).await.ok();
        assert_eq!(said, "already revealed\n");
    }
}
