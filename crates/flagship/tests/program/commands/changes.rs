//! Output of `apply` for each change, and changes that require confirmation.

use flagship_testkit::on_both_engines;

use crate::event::{EventFolder, Times};
use crate::process::TestSite;
use crate::until;

const REFUSED: &str = "nothing was applied: 1 change is destructive; add `--confirm 1` to \
                       apply them";

on_both_engines! {
    async fn every_change_is_shown_with_the_teams_that_change_rank(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(3).await;
        for (token, id) in tokens.iter().zip(["three", "one"]) {
            server.team(token).await.solves(id).await;
        }
        event.challenge("one", "type: standard\nvalue: 1000\nposition: 7\nhints: [look]");
        event.set_times(Times { end: 7_200_000, ..Times::RUNNING }, "manual");
        let dry = site.run(&["apply", "--event", event.dir(), "--dry-run"]).await.ok();
        let lines: Vec<&str> = dry.lines().collect();
        let [event_line, end, reveal, rest @ ..] = &lines[..] else { panic!("{dry}") };
        assert_eq!((*event_line, *reveal), ("change the event", "    reveal: auto → manual"));
        assert!(end.starts_with("    end: 20") && end.contains("+00:00 → 20"), "{dry}");
        assert_eq!(rest, [
            "change one",
            "    points: 100 → 1000",
            "    hints: none → 1 \"<p>look</p>\"",
            "    position: none → 7",
            "2 teams change rank",
            "    rank 2 → 1: \"Team 2\", points 100 → 1000",
            "    rank 1 → 2: \"Team 1\", points 500 → 500",
            "warning: adds the hint 1 to one, which a team has already solved",
            "nothing was applied",
        ]);
        assert_eq!(server.player().ranking().await, ["Team 1", "Team 2", "Team 3"]);
        let said = site.apply(&event).await.ok();
        let same = said.replace("2 changes applied", "nothing was applied");
        assert_eq!(same, dry, "the changes are those of the dry run");
        server.player().board().await;
        assert_eq!(server.player().ranking().await, ["Team 2", "Team 1", "Team 3"]);
        // Flags are not printed.
        let text = std::fs::read_to_string(event.file("challenges/two/challenge.yml")).unwrap();
        event.write("challenges/two/challenge.yml", &text.replace("flag{two}", "flag{neo}"));
        let said = site.apply(&event).await.ok();
        assert_eq!(said, "change the flags of two\n    flags: changed\n1 change applied\n");
        server.stop().await;
    }

    async fn a_destructive_change_requires_confirm(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(2).await;
        let team = server.team(&tokens[1]).await;
        team.solves("three").await;
        let words = "a destructive change is applied";
        let confirm = |count: &'static str| ["apply", "--event", event.dir(), "--confirm", count];
        let table: [(&str, &dyn Fn(), &str); 3] = [
            ("start", &|| {
                event.set_times(Times { start: 1_800_000, ..Times::RUNNING }, "auto");
            }, "destructive: the event has already started; challenges and points disappear \
                until the new start"),
            ("end", &|| event.set_times(Times { end: -1_000, ..Times::RUNNING }, "auto"),
                "destructive: the new end is in the past, so the event ends immediately"),
            ("three", &|| {
                event.set_times(Times::RUNNING, "auto");
                std::fs::remove_dir_all(event.file("challenges/three")).unwrap();
            }, "destructive: removes the released challenge three with its solves and points"),
        ];
        let before = (team.get("/challenge").await, server.player().board().await);
        for (name, change, line) in table {
            change();
            let dry = site.run(&["apply", "--event", event.dir(), "--dry-run"]).await.ok();
            assert!(dry.lines().any(|it| it == line), "{name}: {dry}");
            assert!(dry.ends_with(&format!("\n{REFUSED}\n")), "{name}: {dry}");
            for arguments in [&confirm("0")[..3], &confirm("2")] {
                let done = site.run(arguments).await;
                assert!(done.out.lines().any(|it| it == line), "{words}: {name}: {done:?}");
                done.fails(REFUSED);
            }
            let after = (team.get("/challenge").await, server.player().board().await);
            assert_eq!(after.0.0, 200, "{words}: {after:?}");
            assert_eq!(after.1, before.1, "{words}");
        }
        assert_eq!(server.player().ranking().await, ["Team 2", "Team 1"]);
        let said = site.run(&confirm("1")).await.ok();
        assert!(said.ends_with("\n1 change applied\n"), "{said}");
        assert!(said.contains("\n2 teams change rank\n"), "{said}");
        until("it is gone", async || !team.challenges().await.contains(&"three".to_owned())).await;
        server.stop().await;
    }

    async fn a_manual_reveal_set_live_is_not_undone_without_confirmation(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let freeze = Some(Times::RUNNING.end - 1_000);
        event.set_times(Times { freeze, ..Times::RUNNING }, "auto");
        let server = site.serve(&event).await;
        site.run(&["action", "event.name", "--reveal", "manual"]).await.ok();
        let done = site.run(&["apply", "--event", event.dir()]).await;
        let line = "destructive: reveals the final scoreboard automatically at the end, without \
                    `flagship reveal`";
        assert!(done.out.lines().any(|it| it == line), "{done:?}");
        done.fails(REFUSED);
        site.run(&["apply", "--event", event.dir(), "--confirm", "1"]).await.ok();
        server.stop().await;
    }

    async fn a_released_challenge_keeps_a_flag_unless_it_is_confirmed(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        for id in ["three", "spare"] {
            let path = format!("challenges/{id}/challenge.yml");
            let text = std::fs::read_to_string(event.file(&path)).unwrap();
            event.write(&path, &text.replace("flags:", "notes:"));
        }
        let line = "destructive: leaves the released challenge three without a flag, so it cannot \
                    be solved; check `flags` in its file";
        let before = site.run(&["challenge", "list", "--json"]).await.ok();
        let dry = site.run(&["apply", "--event", event.dir(), "--dry-run"]).await.ok();
        assert!(dry.lines().any(|it| it == line), "{dry}");
        assert!(dry.ends_with(&format!("\n{REFUSED}\n")), "the hidden one does not count: {dry}");
        let done = site.apply(&event).await;
        done.fails(REFUSED);
        let after = site.run(&["challenge", "list", "--json"]).await.ok();
        assert_eq!(after, before, "nothing was applied");
        let said = site.apply_confirmed(&event).await.ok();
        assert!(said.ends_with("\n2 changes applied\n"), "{said}");
        std::fs::remove_dir_all(event.file("challenges/one")).unwrap();
        let path = "challenges/two/challenge.yml";
        let text = std::fs::read_to_string(event.file(path)).unwrap();
        let text = text.replace("flags:", "notes:").replace("requirements: [one]", "");
        event.write(path, &text);
        let done = site.apply(&event).await;
        done.fails("2 changes are destructive; add `--confirm 2` to apply them");
        site.run(&["apply", "--event", event.dir(), "--confirm", "2"]).await.ok();
    }

    async fn a_change_that_lifts_the_freeze_requires_confirm(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let frozen = Times { freeze: Some(-30_000), ..Times::RUNNING };
        event.set_times(frozen, "manual");
        let server = site.serve(&event).await;
        server.team(&site.import(1).await[0]).await.solve("one").await;
        let is_hidden = async || server.player().board().await["Team 1"].solves.is_empty();
        let refused = async |times: Times, reveal: &str| {
            event.set_times(times, reveal);
            let done = site.apply(&event).await;
            let line = "destructive: lifts the freeze and reveals hidden solves to everyone; \
                        cannot be undone";
            assert!(done.out.lines().any(|it| it == line), "{done:?}");
            done.fails(REFUSED);
            assert!(is_hidden().await, "the freeze is lifted without confirmation: {done:?}");
        };
        for freeze in [None, Some(-1_000), Some(1_800_000)] {
            refused(Times { freeze, ..frozen }, "manual").await;
        }
        // An earlier freeze hides more; an automatic reveal has no effect before the end.
        let earlier = Times { freeze: Some(-40_000), ..frozen };
        for reveal in ["auto", "manual"] {
            event.set_times(earlier, reveal);
            site.apply(&event).await.ok();
        }
        let over = Times { end: event.now(), ..earlier };
        event.set_times(over, "manual");
        site.apply_confirmed(&event).await.ok();
        refused(over, "auto").await;
        let said = site.apply_confirmed(&event).await.ok();
        assert!(said.ends_with("\n1 change applied\n"), "{said}");
        until("all is shown", async || !is_hidden().await).await;
        server.stop().await;
    }

    async fn a_wrong_folder_and_a_new_name_are_noticed(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let other = EventFolder::new();
        for id in ["one", "two", "three", "spare"] {
            std::fs::remove_dir_all(other.file(&format!("challenges/{id}"))).unwrap();
        }
        other.challenge("nine", "type: standard\nvalue: 1");
        let done = site.apply(&other).await;
        done.fails("3 changes are destructive; add `--confirm 3` to apply them");
        for line in ["remove one", "remove two", "remove three", "remove spare", "release nine"] {
            assert!(done.out.lines().any(|it| it == line), "{done:?}");
        }
        // Without an `id`, a challenge's ID changes with its name.
        let path = "challenges/three/challenge.yml";
        let text = std::fs::read_to_string(event.file(path)).unwrap();
        event.write(path, &text.replace("name: Challenge three\nid: three", "name: Drei"));
        let done = site.apply(&event).await;
        done.fails(REFUSED);
        let advice = "; if drei is the same challenge renamed, add `id: three` to it\n";
        assert!(done.out.contains(advice), "{done:?}");
        server.stop().await;
    }

    async fn harmless_changes_require_no_confirm(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        // Neither creating a past event nor moving an event that has not begun is destructive.
        event.set_times(Times { start: -7_200_000, freeze: None, end: -3_600_000 }, "auto");
        site.apply(&event).await.ok();
        event.set_times(Times { start: 3_600_000, freeze: None, end: 7_200_000 }, "auto");
        site.run(&["apply", "--event", event.dir(), "--confirm", "1"]).await.ok();
        event.set_times(Times { start: 1_800_000, freeze: None, end: 9_000_000 }, "manual");
        site.apply(&event).await.ok();
        event.challenge("one", "type: standard\nvalue: 1\nstate: hidden");
        assert!(site.apply(&event).await.ok().starts_with("hide one\n"));
        std::fs::remove_dir_all(event.file("challenges/spare")).unwrap();
        assert_eq!(site.apply(&event).await.ok(), "remove spare\n1 change applied\n");
    }
}
