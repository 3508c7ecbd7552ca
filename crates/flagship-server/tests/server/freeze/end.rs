//! The end of the event: when results are revealed.

use super::*;

/// `revealed` of `/ctf` while the event runs, in the freeze, after the end and after a reveal.
async fn revealed(engine: Engine, event: Event) -> [bool; 4] {
    let app = TestApp::playing(engine, event, Vec::new()).await;
    let revealed = async || app.player().get("/ctf").await.json["revealed"].as_bool();
    let mut all = Vec::new();
    for _ in 0..3 {
        app.settled().await;
        all.push(revealed().await.expect("a boolean"));
        app.advance(HOUR_MS);
    }
    if all.last() == Some(&false) {
        app.run(commands::reveal()).await;
    }
    all.push(revealed().await.expect("a boolean"));
    <[bool; 4]>::try_from(all).unwrap_or_else(|_| unreachable!("there are four"))
}

on_both_engines! {
    async fn the_board_is_revealed_by_the_end_or_by_organizers(engine: Engine) {
        let auto = event();
        let manual = Event { reveal: Reveal::Manual, ..event() };
        let unfrozen = Event { freeze_ms: None, ..manual.clone() };
        assert_eq!(revealed(engine, auto).await, [false, false, true, true]);
        assert_eq!(revealed(engine, manual).await, [false, false, false, true]);
        assert_eq!(revealed(engine, unfrozen).await, [false, false, true, true]);
    }

    async fn the_event_has_the_number_of_its_last_public_change(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.team("Early").await.solves("one").await;
        let number = async |player: &Player| player.get("/ctf").await.json["seq"].clone();
        let before = app.fresh_board().await["seq"].clone();
        assert_eq!(number(&app.player()).await, before);
        app.advance(HOUR_MS);
        app.settled().await;
        let late = app.team("Late").await;
        let frozen = app.fresh_board().await["seq"].clone();
        assert!(frozen.as_u64() > before.as_u64(), "{frozen} after {before}");
        late.solves("one").await;
        for player in [&app.player(), &late.player] {
            assert_eq!(number(player).await, frozen, "a hidden solve has no number");
        }
    }

    async fn a_team_that_joins_after_the_end_is_nowhere_until_the_event_runs_again(
        engine: Engine
    ) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.team("Early").await.solves("one").await;
        app.advance(2 * HOUR_MS);
        app.settled().await;
        let public = async || {
            let player = app.player();
            let feed = player.get("/ctftime").await.json;
            (app.fresh_board().await, feed, player.get("/team/Late").await.status)
        };
        let before = public().await;
        let (mut socket, _) = Socket::watching(&app).await;
        let late = app.team("Late").await;
        assert_eq!(public().await, before, "the published result stays");
        assert_eq!(before.2, 404);
        assert_eq!(late.player.get("/ctf").await.json["loggedTeam"], "Late", "it may log in");
        assert_eq!(row(&late.board().await, "Late"), None);
        let truth = view::board(&app.app.contest(), Viewer::Organizer);
        assert!(truth.rows().all(|row| row.name() != "Late"), "nor is it in exports");

        let event = Event { end_ms: Some(app.now_ms() + HOUR_MS), ..event() };
        app.run(Op::Apply(Box::new(Plan::new(event, vec![draft("one")])))).await;
        app.settled().await;
        assert!(row(&app.fresh_board().await, "Late").is_some(), "it takes part");
        // No `newteam` message preceded the snapshot.
        let next = socket.next().await;
        assert_eq!(next["event"], "scoreboard", "{next}");
        late.solves("one").await;
    }
}
