//! Organizers' commands during and after an event: `team`, `challenge`, `reveal`.

use std::time::Duration;

use flagship_testkit::on_both_engines;
use serde_json::Value;

use crate::event::{EventFolder, Times};
use crate::player::{Player, board};
use crate::process::{Server, TestSite};
use crate::until;

/// Waits until the scoreboard lists exactly these teams.
async fn listed(server: &Server, teams: &[&str]) {
    let player = server.player();
    until(&format!("the teams are {teams:?}"), async || {
        player.board().await.into_keys().collect::<Vec<_>>() == teams
    })
    .await;
}

async fn solved(server: &Server, team: &str, count: usize) {
    let player = server.player();
    until(&format!("{team} has solved {count}"), async || {
        player.board().await.get(team).is_some_and(|row| row.solves.len() == count)
    })
    .await;
}

async fn award_is(player: &Player, points: i64) {
    until(&format!("the award is {points}"), async || {
        player.board().await.get("Team 1").is_some_and(|row| row.award == points)
    })
    .await;
}

on_both_engines! {
    async fn team_commands_take_effect(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(3).await;
        let first = server.team(&tokens[0]).await;
        first.solves("one").await;
        for token in &tokens[1..] {
            server.team(token).await.solves("one").await;
        }
        let (mut socket, _) = server.player().watch().await;
        let said = site.run(&["team", "ban", "Team 1"]).await.ok();
        assert_eq!(said, "\"Team 1\" is banned\n");
        let snapshot = socket.find(|message| message["event"] == "scoreboard").await;
        assert_eq!(board(&snapshot)["Team 2"].solves["one"].0, 1, "the next solve moves up");
        listed(&server, &["Team 2", "Team 3"]).await;
        assert_eq!(first.solve("one").await.0, 401);
        let again = site.run(&["team", "ban", "Team 1"]).await.ok();
        assert_eq!(again, "\"Team 1\" is already banned\n");
        site.run(&["team", "unban", "Team 1"]).await.ok();
        let again = site.run(&["team", "unban", "Team 1"]).await.ok();
        assert_eq!(again, "\"Team 1\" is not banned\n");
        listed(&server, &["Team 1", "Team 2", "Team 3"]).await;
        assert_eq!(server.player().board().await["Team 1"].solves["one"].0, 1);
        assert_eq!(first.solve("one").await.0, 401, "its sessions are over");
        site.run(&["team", "hide", "Team 2"]).await.ok();
        listed(&server, &["Team 1", "Team 3"]).await;
        server.team(&tokens[1]).await.solves("three").await;
        site.run(&["team", "show", "Team 2"]).await.ok();
        listed(&server, &["Team 1", "Team 2", "Team 3"]).await;
        solved(&server, "Team 2", 2).await;
        let withdrawn = site.run(&["team", "withdraw", "Team 1", "one"]).await.ok();
        assert_eq!(withdrawn, "withdrew the solve of one by \"Team 1\"\n");
        until("the solve is gone", async || {
            server.player().board().await["Team 1"].solves.is_empty()
        })
        .await;
        site.run(&["team", "withdraw", "Team 1", "one"]).await.fails("has not solved one");
        server.team(&tokens[2]).await.solves("three").await;
        for words in [&["team", "ban", "Nobody"][..], &["team", "withdraw", "Nobody", "one"]] {
            site.run(words).await.fails("no team named \"Nobody\"");
        }
        let before = server.player().board().await;
        server.stop().await;
        site.run(&["team", "ban", "Team 3"]).await.ok();
        let server = site.serve(&event).await;
        let mut expected = before;
        expected.remove("Team 3");
        assert_eq!(server.player().board().await, expected);
        server.stop().await;
        site.run(&["journal", "verify"]).await.ok();
    }

    async fn awards_may_be_negative_and_options_in_any_order(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        site.import(2).await;
        let player = server.player();
        let mut total = 0;
        for (words, points) in [
            (&["Team 1", "25", "--reason", "bug found"][..], 25),
            (&["--reason", "late", "Team 1", "-40"], -40),
            (&["Team 1", "--reason", "late", "-5"], -5),
            (&["Team 1", "-2", "--reason=-again-"], -2),
        ] {
            total += points;
            let said = site.run(&[&["team", "award"][..], words].concat()).await.ok();
            assert_eq!(said, format!("{points} points awarded; total award {total}\n"));
            award_is(&player, total).await;
        }
        let one = site.run(&["team", "award", "Team 1", "1", "--reason", "x"]).await.ok();
        assert_eq!(one, format!("1 point awarded; total award {}\n", total + 1));
        total += 1;
        award_is(&player, total).await;
        assert_eq!(player.ranking().await, ["Team 2", "Team 1"],
            "a team with negative points is last");
        for points in ["0", "1000000001", "-1000000001"] {
            let words = ["team", "award", "Team 1", points, "--reason", "x"];
            site.run(&words).await.fails("an award must be between 1 and 1000000000 points");
        }
        award_is(&player, total).await;
        server.stop().await;
    }

    async fn challenge_commands_take_effect(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        assert_eq!(team.challenges().await, ["two", "one", "three"]);
        assert_eq!(team.solve("spare").await.0, 404, "a hidden challenge is unknown");
        let (mut socket, _) = server.player().watch().await;
        assert_eq!(site.run(&["challenge", "release", "spare"]).await.ok(), "spare is released\n");
        socket.find(|message| message["challenges"].to_string().contains("spare")).await;
        assert!(team.challenges().await.contains(&"spare".to_owned()));
        team.solves("spare").await;
        team.solves("one").await;
        // A challenge that requires a hidden one is hidden, too.
        let said = site.run(&["challenge", "hide", "one"]).await.ok();
        let with_it = "two requires it, so it is hidden too, with its points";
        assert_eq!(said, format!("one is hidden\n{with_it}\n"));
        until("two challenges are left", async || {
            team.challenges().await == ["spare", "three"]
        }).await;
        assert_eq!(team.solve("one").await.0, 404);
        solved(&server, "Team 1", 1).await;
        site.run(&["challenge", "release", "one"]).await.ok();
        until("all challenges are shown", async || team.challenges().await.len() == 4).await;
        solved(&server, "Team 1", 2).await;
        let already = site.run(&["challenge", "release", "one"]).await.ok();
        assert_eq!(already, "one is already released\n");
        site.run(&["challenge", "hide", "nine"]).await.fails("no challenge with the ID \"nine\"");
        site.run(&["challenge", "hide", "n/ne"]).await.fails("is not a challenge ID");
        server.stop().await;
        site.run(&["challenge", "hide", "three"]).await.ok();
        let server = site.serve(&event).await;
        solved(&server, "Team 1", 2).await;
        let (_, snapshot) = server.player().get("/scoreboard").await;
        assert!(!snapshot["challenges"].to_string().contains("\"three\""), "{snapshot}");
        server.stop().await;
    }

    async fn a_manual_reveal_requires_the_command(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.set_times(Times::RUNNING, "manual");
        let server = site.serve(&event).await;
        let tokens = site.import(2).await;
        server.team(&tokens[0]).await.solves("one").await;
        for words in [&["reveal"][..], &["reveal", "--force"]] {
            site.run(words).await.fails("the scoreboard is not frozen");
        }
        let now = Times { freeze: Some(event.now()), ..Times::RUNNING };
        event.set_times(now, "manual");
        site.apply(&event).await.ok();
        let player = server.player();
        until("the board is frozen", async || player.get("/ctf").await.1["status"] == "frozen")
            .await;
        server.team(&tokens[1]).await.solves("three").await;
        let frozen = player.board().await;
        assert!(frozen["Team 2"].solves.is_empty(), "the freeze hides it");
        event.set_times(Times { end: event.now(), ..now }, "manual");
        site.apply_confirmed(&event).await.ok();
        until("the event is over", async || player.get("/ctf").await.1["status"] == "ended").await;
        assert_eq!(player.board().await, frozen, "the end alone reveals nothing");
        let (mut socket, _) = player.watch().await;
        let said = site.run(&["reveal"]).await.ok();
        assert_eq!(said, "the final scoreboard is revealed\n");
        let is_shown = |message: &Value| {
            message["event"] == "scoreboard" && board(message)["Team 2"].solves.len() == 1
        };
        socket.find(is_shown).await;
        let again = site.run(&["reveal"]).await.ok();
        assert_eq!(again, "already revealed\n");
        server.stop().await;
    }

    async fn a_reveal_before_the_end_requires_force(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let now = Times { freeze: Some(event.now()), ..Times::RUNNING };
        event.set_times(now, "manual");
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        let player = server.player();
        until("the board is frozen", async || player.get("/ctf").await.1["status"] == "frozen")
            .await;
        team.solves("one").await;
        let done = site.run(&["reveal"]).await;
        done.fails("the event has not ended");
        assert!(done.err.contains("`flagship reveal --force`"), "{done:?}");
        let is_hidden = player.board().await["Team 1"].solves.is_empty();
        assert!(is_hidden, "the freeze is lifted without force");
        let said = site.run(&["reveal", "--force"]).await.ok();
        assert_eq!(said, "the final scoreboard is revealed\n");
        solved(&server, "Team 1", 1).await;
        team.solves("three").await;
        server.stop().await;
    }

    async fn an_automatic_reveal_happens_at_the_end(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        let end = event.now() + 2_500;
        let freeze = Some(event.now());
        event.set_times(Times { freeze, end, ..Times::RUNNING }, "auto");
        site.apply(&event).await.ok();
        let player = server.player();
        until("the board is frozen", async || player.get("/ctf").await.1["status"] == "frozen")
            .await;
        team.solves("one").await;
        let (mut socket, frozen) = player.watch().await;
        assert!(board(&frozen)["Team 1"].solves.is_empty());
        let is_shown = |message: &Value| {
            message["event"] == "scoreboard" && board(message)["Team 1"].solves.len() == 1
        };
        socket.find(is_shown).await;
        assert_eq!(team.solve("three").await.0, 403, "flags are no longer accepted");
        server.stop().await;
    }

    async fn a_ban_by_another_process_ends_sessions_and_sockets_in_a_second(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        let (mut socket, first) = team.watch().await;
        assert!(board(&first).contains_key("Team 1"));
        site.run(&["team", "ban", "Team 1"]).await.ok();
        let took = until("the session is over", async || {
            team.get("/ctf").await.1["loggedTeam"].is_null()
        })
        .await;
        assert!(took < Duration::from_secs(1), "the session lived on for {took:?}");
        let fresh = socket.find(|message| message["event"] == "scoreboard").await;
        assert!(!board(&fresh).contains_key("Team 1"), "its socket receives the public board");
        assert_eq!(team.solve("one").await.0, 401);
        site.run(&["team", "unban", "Team 1"]).await.ok();
        let back = socket.find(|message| message["event"] == "scoreboard").await;
        assert!(board(&back).contains_key("Team 1"));
        assert!(team.get("/ctf").await.1["loggedTeam"].is_null(), "the session stays revoked");
        server.stop().await;
    }
}
