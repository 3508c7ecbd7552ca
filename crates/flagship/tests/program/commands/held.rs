//! `apply` does not override `challenge hide` and `challenge release`.

use flagship_testkit::on_both_engines;

use crate::event::{EventFolder, Times};
use crate::player::Player;
use crate::process::TestSite;
use crate::until;

const LATER: Times = Times { end: 7_200_000, ..Times::RUNNING };

async fn sees(team: &Player, ids: &[&str]) {
    until(&format!("the team sees {ids:?}"), async || team.challenges().await == ids).await;
}

on_both_engines! {
    async fn a_hide_by_command_survives_apply(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        team.solves("three").await;
        site.run(&["challenge", "hide", "three"]).await.ok();
        sees(&team, &["two", "one"]).await;
        event.set_times(LATER, "auto");
        let said = site.apply(&event).await.ok();
        let stays = "three stays hidden (set live); run \
                     `flagship challenge release three` to change that\n";
        assert!(said.starts_with("change the event\n") && said.contains(stays), "{said}");
        assert!(said.ends_with("\n1 change applied\n"), "{said}");
        let words = "a hidden challenge is shown again";
        assert_eq!(team.challenges().await, ["two", "one"], "{words}");
        event.challenge("three", "type: dynamic\nextra: {initial: 400, minimum: 50}");
        let said = site.apply(&event).await.ok();
        assert!(said.starts_with("change three (not visible)\n"), "{said}");
        assert!(said.contains(stays), "{said}");
        server.stop().await;
        let server = site.serve(&event).await;
        let team = team.at(&server.url);
        assert_eq!(team.challenges().await, ["two", "one"], "after a restart");
        assert_eq!(site.apply(&event).await.ok(), format!("{stays}nothing to change\n"));
        site.run(&["challenge", "release", "three"]).await.ok();
        sees(&team, &["two", "one", "three"]).await;
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        assert_eq!(server.player().board().await["Team 1"].solves.len(), 1);
        server.stop().await;
        site.run(&["journal", "verify"]).await.ok();
    }

    async fn a_release_by_command_survives_apply(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.challenge("four", "type: standard\nvalue: 10\nrelease: 2099-01-01T00:00:00Z");
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        for id in ["spare", "four"] {
            site.run(&["challenge", "release", id]).await.ok();
        }
        let all = ["four", "spare", "two", "one", "three"];
        sees(&team, &all).await;
        event.set_times(LATER, "auto");
        let said = site.apply(&event).await.ok();
        for id in ["spare", "four"] {
            let stays = format!("{id} stays released (set live); run \
                                 `flagship challenge hide {id}` to change that\n");
            assert!(said.contains(&stays), "{said}");
        }
        assert_eq!(team.challenges().await, all, "the challenge stays released");
        site.run(&["challenge", "hide", "spare"]).await.ok();
        sees(&team, &["four", "two", "one", "three"]).await;
        let said = site.apply(&event).await.ok();
        assert!(!said.contains("spare"), "the file agrees: {said}");
        server.stop().await;
    }

    async fn a_hidden_challenge_stays_hidden_when_its_time_comes(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let soon = (jiff::Timestamp::now() + jiff::SignedDuration::from_secs(4)).to_string();
        let timed = |value: u32| format!("type: standard\nvalue: {value}\nrelease: {soon}");
        event.challenge("four", &timed(10));
        event.challenge("five", &timed(20));
        let server = site.serve(&event).await;
        let team = server.team(&site.import(1).await[0]).await;
        site.run(&["challenge", "hide", "four"]).await.ok();
        event.challenge("four", &timed(15));
        site.apply(&event).await.ok();
        sees(&team, &["five", "two", "one", "three"]).await;
        server.stop().await;
    }
}
