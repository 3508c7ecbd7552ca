//! The state snapshot over HTTP: a server started from it gives the same responses as one started
//! from the journal.

use std::fs;

use flagship_store::fold::Fold;
use flagship_store::lane::Writer;
use flagship_store::ops::Actor;
use flagship_store::snapshot::SnapshotFile;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, TestApp, commands, on_both_engines, until};

/// Minimum number of entries for which a snapshot is saved.
const ENTRIES_MIN: i64 = 1_000;

async fn board(it: &TestApp) -> String {
    let reply = Call::new("GET", "/api/scoreboard").send(it).await;
    assert_eq!(reply.status, 200);
    reply.text().to_owned()
}

on_both_engines! {
    async fn a_shutdown_saves_the_fold_of_a_long_journal_for_the_next_start(engine: Engine) {
        let it = TestApp::playing(engine, event(), vec![draft("a")]).await;
        it.teams(&["Ants"]).await;
        let (key, clock) = (it.app.config().key.clone(), it.clock());
        let test = it.stop().await;
        let file = test.data.path().join("fold");
        assert!(!file.exists(), "the fold of a short journal is not saved");
        let writer = Writer::open(test.reopen().await, &key, clock.clone()).await;
        let mut writer = writer.expect("the journal opens");
        let award = commands::award("Ants", 1).by(Actor::CommandLine);
        while writer.contest().seq() < ENTRIES_MIN {
            writer.step(&vec![award.clone(); 500]).await.expect("it is written");
        }
        let it = TestApp::on(test, clock.clone(), |_| {}).await;
        let before = board(&it).await;
        let test = it.stop().await;
        let keeper = SnapshotFile::new(test.data.path(), &key, writer.generation());
        let kept = keeper.read().expect("the shutdown saved it");
        assert_eq!(&kept.contest, writer.contest());
        writer.step(&[award]).await.expect("it is written");
        let it = TestApp::on(test, clock, |_| {}).await;
        assert_ne!(board(&it).await, before, "later entries are on the board");
        assert_eq!(it.app.contest().as_ref(), writer.contest());
    }

    async fn a_forged_saved_fold_is_detected_and_replaced(engine: Engine) {
        let it = TestApp::playing(engine, event(), vec![draft("a")]).await;
        it.teams(&["Ants"]).await;
        it.run(commands::award("Ants", 7)).await;
        let truth = board(&it).await;
        let (key, clock) = (it.app.config().key.clone(), it.clock());
        let test = it.stop().await;
        let writer = Writer::open(test.reopen().await, &key, clock.clone()).await;
        let writer = writer.expect("the journal opens");
        let keeper = SnapshotFile::new(test.data.path(), &key, writer.generation());
        // A forgery sealed with the event's secret is used until the check detects it. Other
        // forgeries are never used.
        let lie = Fold { contest: writer.contest().clone(), head: writer.head().to_owned() };
        let file = test.data.path().join("fold");
        keeper.write(&lie).expect("it is written");
        let text = fs::read_to_string(&file).expect("it is there");
        let (_, text) = text.split_once('\n').expect("a line with the seal");
        let text = text.replace("\"award\":7", "\"award\":8");
        fs::write(&file, format!("{}\n{text}", key.mac("kept fold", &[&text]))).expect("written");
        let it = TestApp::on(test, clock, |_| {}).await;
        until("the fold of the journal replaces the forgery", async || {
            board(&it).await == truth
        }).await;
        assert!(!file.exists(), "the forged file is deleted");
        assert_eq!(it.app.contest().as_ref(), writer.contest());
    }
}
