//! The kept fold, seen from outside: a start from it answers as a start from the journal.

use std::fs;

use flagship_store::fold::Fold;
use flagship_store::kept::Keeper;
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, TeamChange};
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, TestApp, on_both_engines, until};

/// Entries from which on a fold is kept.
const KEPT_MIN: i64 = 10_000;

fn award(points: i64) -> Op {
    let (name, reason) = ("Ants".to_owned(), "a write-up".to_owned());
    Op::Team { name, change: TeamChange::Award { points, reason } }
}

async fn board(it: &TestApp) -> String {
    let reply = Call::new("GET", "/api/scoreboard").send(it).await;
    assert_eq!(reply.status, 200);
    reply.text().to_owned()
}

on_both_engines! {
    async fn an_orderly_stop_keeps_a_long_journals_fold_and_a_start_begins_with_it(engine: Engine) {
        let it = TestApp::playing(engine, event(), vec![draft("a")]).await;
        it.teams(&["Ants"]).await;
        let (key, clock) = (it.app.config().key.clone(), it.clock());
        let test = it.stop().await;
        let file = test.data.path().join("fold");
        assert!(!file.exists(), "a short journal is folded soon enough");
        let writer = Writer::open(test.reopen().await, &key, clock.clone()).await;
        let mut writer = writer.expect("the books open");
        while writer.contest().seq() < KEPT_MIN {
            writer.step(&vec![award(1).by(Actor::CommandLine); 1000]).await.expect("it is written");
        }
        let it = TestApp::on(test, clock.clone(), |_| {}).await;
        let before = board(&it).await;
        let test = it.stop().await;
        let keeper = Keeper::new(test.data.path(), &key, writer.generation());
        let kept = keeper.read().expect("the stop kept it");
        assert_eq!(&kept.contest, writer.contest());
        writer.step(&[award(1).by(Actor::CommandLine)]).await.expect("it is written");
        let it = TestApp::on(test, clock, |_| {}).await;
        assert_ne!(board(&it).await, before, "what came after is on the board");
        assert_eq!(it.app.contest().as_ref(), writer.contest());
    }

    async fn a_planted_fold_is_seen_through_and_players_are_told_the_truth(engine: Engine) {
        let it = TestApp::playing(engine, event(), vec![draft("a")]).await;
        it.teams(&["Ants"]).await;
        it.run(award(7)).await;
        let truth = board(&it).await;
        let (key, clock) = (it.app.config().key.clone(), it.clock());
        let test = it.stop().await;
        let writer = Writer::open(test.reopen().await, &key, clock.clone()).await;
        let writer = writer.expect("the books open");
        let keeper = Keeper::new(test.data.path(), &key, writer.generation());
        // Who has the event's secret can lie for a moment; without it, not at all.
        let lie = Fold { contest: writer.contest().clone(), head: writer.head().to_owned() };
        let file = test.data.path().join("fold");
        keeper.write(&lie).expect("it is written");
        let text = fs::read_to_string(&file).expect("it is there");
        let (_, text) = text.split_once('\n').expect("a line with the seal");
        let text = text.replace("\"award\":7", "\"award\":8");
        fs::write(&file, format!("{}\n{text}", key.mac("kept fold", &[&text]))).expect("written");
        let it = TestApp::on(test, clock, |_| {}).await;
        until("the journal has the last word", async || board(&it).await == truth).await;
        assert!(!file.exists(), "the lie is thrown away");
        assert_eq!(it.app.contest().as_ref(), writer.contest());
    }
}
