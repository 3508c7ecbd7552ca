//! `flagship apply`: shows the difference, then applies it whole or not at all.

use flagship_testkit::on_both_engines;
use serde_json::json;

use crate::event::{EventFolder, Times};
use crate::player::{Player, flag};
use crate::process::TestSite;
use crate::until;

mod divisions;

on_both_engines! {
    async fn a_running_server_shows_what_is_applied(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        event.challenge("one", "type: standard\nvalue: 150");
        event.challenge("spare", "type: standard\nvalue: 10\nfiles: [dist/map.txt]");
        event.write("challenges/spare/dist/map.txt", "here be dragons");
        event.challenge("four", "type: speedrun\nextra: {values: [3, 2, 1]}");
        std::fs::remove_dir_all(event.file("challenges/three")).unwrap();
        let before = team.challenges().await;
        let dry = site.run(&["apply", "--event", event.dir(), "--dry-run"]).await.ok();
        let difference = [
            "release four",
            "change one",
            "    points: 100 → 150",
            "release spare",
            "    files: none → map.txt (15 bytes, a3edcc69)",
            "    state: hidden → visible",
            "remove three",
            "destructive: removes the released challenge three with its solves and points; if four \
             is the same challenge renamed, add `id: three` to it",
        ];
        let mut lines: Vec<&str> = dry.lines().collect();
        let last = lines.pop().unwrap();
        assert!(last.starts_with("nothing was applied: 1 change is destructive"), "{last}");
        assert_eq!(lines, difference);
        assert_eq!(team.challenges().await, before);
        let (mut socket, _) = server.player().watch().await;
        let applied = site.apply_confirmed(&event).await.ok();
        let mut lines: Vec<&str> = applied.lines().collect();
        assert_eq!(lines.pop(), Some("4 changes applied"));
        assert_eq!(lines, difference);
        let snapshot = socket
            .find(|message| message["challenges"].to_string().contains("\"id\":\"four\""))
            .await;
        assert!(snapshot["challenges"].to_string().contains("\"maxValue\":150"), "{snapshot}");
        assert_eq!(team.challenges().await, ["four", "spare", "two", "one"]);
        let (_, body) = team.get("/challenge").await;
        let cards = body["challenges"].as_array().unwrap();
        let spare = cards.iter().find(|card| card["id"] == "spare").unwrap();
        let link = spare["attachments"][0]["link"].as_str().unwrap();
        assert_eq!(server.player().text(link).await, (200, "here be dragons".to_owned()));
        team.solves("four").await;
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        server.stop().await;
    }

    async fn new_flags_count_on_the_running_server(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        let path = "challenges/one/challenge.yml";
        let text = std::fs::read_to_string(event.file(path)).unwrap();
        event.write(path, &text.replace("flag{one}", "flag{neo}"));
        let said = site.apply(&event).await.ok();
        assert_eq!(said, "change the flags of one\n    flags: changed\n1 change applied\n");
        until("the new flag counts", async || {
            team.post("/solve", &flag("one", "flag{neo}")).await.1 == json!({"correct": true})
        })
        .await;
        event.write(path, &text.replace("flag{one}", "flag{x}"));
        site.apply(&event).await.ok();
        until("the flag is wrong", async || {
            let answer = team.post("/solve", &flag("one", "flag{neo}")).await;
            answer == (200, json!({"correct": false})) || answer.0 == 429
        })
        .await;
        assert_eq!(server.player().board().await["Team 1"].solves.len(), 1,
            "earlier solves are kept");
        server.stop().await;
    }

    async fn after_apply_every_node_uses_the_new_flags(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let nodes = [site.serve(&event).await, site.join(&event).await];
        let tokens = site.import(20).await;
        let path = "challenges/one/challenge.yml";
        let text = std::fs::read_to_string(event.file(path)).unwrap();
        let mut old = "flag{one}".to_owned();
        let words = "judged by the new flags";
        for (round, tokens) in tokens.chunks(4).enumerate() {
            let new = format!("flag{{{round}}}");
            event.write(path, &text.replace("flag{one}", &new));
            site.apply(&event).await.ok();
            for (node, tokens) in nodes.iter().zip(tokens.chunks(2)) {
                let sent = [(&tokens[0], &old, false), (&tokens[1], &new, true)];
                for (token, flag, is_right) in sent {
                    let team = node.player().with_token(token);
                    let answer = team.post("/solve", &self::flag("one", flag)).await;
                    let right = json!({"correct": is_right});
                    assert_eq!(answer, (200, right), "{words}: {flag} in {round}");
                }
            }
            old = new;
        }
        let [a, b] = nodes;
        tokio::join!(a.stop(), b.stop());
    }

    async fn a_broken_file_applies_nothing(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        let before = team.get("/challenge").await;
        event.challenge("one", "type: standard\nvalue: 150");
        for (path, text, word) in [
            ("challenges/three/challenge.yml", "name: Three\nid: three\ntype: quantum\n", "three"),
            ("challenges/two/challenge.yml", "name: Two\nvalue: {", "two/challenge.yml:2: error"),
            ("challenges/spare/challenge.yml", "id: spare\n", "spare/challenge.yml:1: error"),
            ("event.toml", "[event]\nnme = \"x\"\n", "event.toml:2: error: "),
        ] {
            let kept = std::fs::read_to_string(event.file(path)).ok();
            event.write(path, text);
            let done = site.apply(&event).await;
            done.fails("nothing was applied");
            assert!(done.err.contains(word) && done.out.is_empty(), "{done:?}");
            match kept {
                Some(text) => event.write(path, &text),
                None => unreachable!("all occurred"),
            }
        }
        assert_eq!(team.get("/challenge").await, before);
        site.run(&["apply", "--event", "/nowhere"]).await.fails("/nowhere");
        server.stop().await;
        let said = site.apply(&event).await.ok();
        assert_eq!(said, "change one\n    points: 100 → 150\n1 change applied\n");
    }

    async fn challenges_that_never_loaded_are_left_out_of_apply(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let [four, five] = ["four", "five"].map(|id| format!("challenges/{id}/challenge.yml"));
        event.write(&four, "name: Four\ntype: container\n");
        event.write(&five, "name: Five\nvalue: {");
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        let end_of = async |team: &Player| team.get("/ctf").await.1["endTime"].as_i64();
        let before = end_of(&team).await;
        event.set_times(Times { end: 7_200_000, ..Times::RUNNING }, "auto");
        let done = site.apply(&event).await;
        assert!(done.err.contains("four/challenge.yml:2: error: "), "{done:?}");
        let said = done.ok();
        assert!(said.starts_with("change the event\n    end: "), "{said}");
        let left_out = format!("skipped: {five} has errors\nskipped: {four} has errors\n");
        assert!(said.ends_with(&format!("{left_out}1 change applied\n")), "{said}");
        until("the end is later", async || end_of(&team).await > before).await;
        assert_eq!(team.challenges().await.len(), 3);
        // A broken file may belong to a challenge that no valid file defines.
        std::fs::remove_dir_all(event.file("challenges/three")).unwrap();
        let done = site.apply_confirmed(&event).await;
        let words = "cannot be read, and these challenges are in no other file: three.";
        done.fails(&format!("nothing was applied: {five} {words} Fix the file"));
        assert!(done.out.is_empty(), "{done:?}");
        std::fs::remove_file(event.file(&five)).unwrap();
        site.apply_confirmed(&event).await.ok();
        until("it is gone", async || team.challenges().await == ["two", "one"]).await;
        // After the challenge has been loaded, later errors in its file are rejected.
        event.challenge("four", "type: standard\nvalue: 5");
        site.apply(&event).await.ok();
        event.challenge("four", "type: container");
        let done = site.apply(&event).await;
        done.fails(&format!("the file {four} of the live challenge four has errors"));
        server.stop().await;
    }

    async fn an_event_can_be_applied_before_it_is_served(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let said = site.apply(&event).await.ok();
        assert!(said.starts_with("create the event \"Small CTF\"\n"), "{said}");
        assert!(said.contains("\nadd spare (not visible yet)\n"), "{said}");
        assert!(said.ends_with("\n5 changes applied\n"), "{said}");
        let tokens = site.import(1).await;
        let server = site.serve(&event).await;
        server.team(&tokens[0]).await.solves("one").await;
        server.stop().await;
    }

    async fn apply_starts_from_the_saved_fold(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        site.import(1_000).await;
        let fold = site.file("fold");
        until("a running server saves the fold", async || fold.exists()).await;
        server.stop().await;
        // `apply` verifies only the entries that it reads, so this shows where it starts reading.
        site.test.execute("update journal set hash = 'x' where seq = 5").await;
        event.challenge("one", "type: standard\nvalue: 150");
        let applied = site.apply(&event).await.ok();
        assert_eq!(applied, "change one\n    points: 100 → 150\n1 change applied\n");
        std::fs::remove_file(&fold).unwrap();
        site.apply(&event).await.fails("the hash of journal entry 5 does not match");
    }
}
