//! The end of the event: what is revealed when.

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
}
