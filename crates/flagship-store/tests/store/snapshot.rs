//! State snapshots: a start from a snapshot gives the state of the journal, whatever the file
//! contains.

use std::fs;
use std::path::{Path, PathBuf};

use flagship_game::{Event, Reveal};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Plan, Request};
use flagship_store::{Clock, Key};
use flagship_testkit::{Engine, TestDb, commands, numbered_team, on_both_engines, short_event};

const NOW_MS: i64 = 1_700_000_000_000;

fn key() -> Key {
    Key::new(b"secret")
}

fn plan() -> Plan {
    Plan::new(short_event(NOW_MS), Vec::new())
}

fn award(points: i64) -> Request {
    commands::award("team number 1", points).by(Actor::CommandLine)
}

/// An event with a snapshot in its data folder.
struct Place {
    test: TestDb,
}

impl Place {
    async fn new(engine: Engine) -> Self {
        let place = Self { test: TestDb::new(engine).await };
        let mut writer = place.truth().await;
        let apply = Op::Apply(Box::new(plan())).by(Actor::CommandLine);
        let teams = Op::import((0..3).map(numbered_team).collect()).by(Actor::CommandLine);
        // The second step writes everything that is due by then.
        for requests in [&[apply, teams, award(10)][..], &[]] {
            writer.step(requests).await.expect("written");
        }
        place
    }

    fn data(&self) -> &Path {
        self.test.data.path()
    }

    fn file(&self) -> PathBuf {
        self.data().join("fold")
    }

    async fn open_with_snapshot(&self, data: &Path) -> Writer {
        let db = self.test.reopen().await;
        Writer::open_with_snapshot(db, &key(), Clock::manual(NOW_MS), data)
            .await
            .expect("the database opens")
    }

    /// A writer that folded the journal without the snapshot.
    async fn truth(&self) -> Writer {
        let db = self.test.reopen().await;
        Writer::open(db, &key(), Clock::manual(NOW_MS)).await.expect("the database opens")
    }

    async fn keep(&self) {
        let mut writer = self.open_with_snapshot(self.data()).await;
        writer.snapshot_task().expect("it is verified")().expect("the file is written");
        assert_eq!(writer.entries_since_snapshot(), 0);
    }

    /// Writes a text with a valid seal.
    fn plant(&self, text: &str) {
        let seal = key().mac("kept fold", &[text]);
        fs::write(self.file(), format!("{seal}\n{text}")).expect("the file is written");
    }

    fn text(&self) -> String {
        let file = fs::read_to_string(self.file()).expect("the file is there");
        file.split_once('\n').expect("a line with the seal").1.to_owned()
    }
}

fn assert_same(one: &Writer, other: &Writer, what: &str) {
    assert_eq!(one.contest(), other.contest(), "{what}");
    assert_eq!(one.head(), other.head(), "{what}");
}

on_both_engines! {
    async fn a_start_from_the_saved_fold_reads_the_rest_of_the_journal(engine: Engine) {
        let place = Place::new(engine).await;
        place.keep().await;
        place.truth().await.step(&[award(5), award(-1)]).await.expect("written");
        let mut writer = place.open_with_snapshot(place.data()).await;
        let truth = place.truth().await;
        assert_same(&writer, &truth, "with the rest of the journal");
        let proof = writer.proof().expect("it began with the saved fold");
        let proof = proof.await.expect("it is read");
        assert_eq!(proof.contest.seq(), truth.contest().seq() - 2);
        assert!(writer.snapshot_task().is_none(), "nothing is saved before it is verified");
        assert!(writer.settle(proof).await.expect("it is read"));
        assert!(place.file().exists() && writer.entries_since_snapshot() == 2);
        writer.snapshot_task().expect("it is verified")().expect("the file is written");
        assert_same(&place.open_with_snapshot(place.data()).await, &truth, "saved again");
    }

    async fn the_fold_is_not_saved_while_solves_are_hidden(engine: Engine) {
        let place = Place::new(engine).await;
        let freeze_ms = Some(NOW_MS);
        let event = Event { freeze_ms, reveal: Reveal::Manual, ..short_event(NOW_MS) };
        let mut writer = place.open_with_snapshot(place.data()).await;
        let apply = Op::Apply(Box::new(Plan::new(event, Vec::new()))).by(Actor::CommandLine);
        for requests in [&[apply][..], &[award(1)]] {
            writer.step(requests).await.expect("written");
        }
        assert_eq!(writer.entries_since_snapshot(), 0, "hidden entries are not counted");
        let is_back = writer.contest().hides_new_solves(NOW_MS - 60_000);
        assert!(is_back, "a clock that is set back hides them too");
        let reveal = commands::reveal().by(Actor::CommandLine);
        writer.step(&[reveal]).await.expect("written");
        let seq = writer.contest().seq();
        assert_eq!(writer.entries_since_snapshot(), seq, "after the reveal all are");
    }

    async fn an_invalid_saved_fold_is_ignored(engine: Engine) {
        let place = Place::new(engine).await;
        place.keep().await;
        let (file, text) = (fs::read(place.file()).expect("it is there"), place.text());
        let altered = |at: usize| {
            let mut file = file.clone();
            file[at] ^= 1;
            file
        };
        let sealed = |text: String, key: &Key| {
            format!("{}\n{text}", key.mac("kept fold", &[&text])).into_bytes()
        };
        let swap = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}: {text}");
            sealed(text.replacen(from, to, 1), &key())
        };
        let generation = place.truth().await.generation().to_owned();
        let head = place.truth().await.head().to_owned();
        for (what, bytes) in [
            ("nothing", Vec::new()),
            ("cut off in its seal", file[..30].to_vec()),
            ("cut off", file[..file.len() - 1].to_vec()),
            ("longer", [&file[..], b" "].concat()),
            ("altered in its seal", altered(3)),
            ("altered", altered(file.len() / 2)),
            ("no text", vec![0xff; 5000]),
            ("of another secret", sealed(text.clone(), &Key::new(b"other"))),
            ("of another form", swap("\"format\":8", "\"format\":1")),
            ("of an older program", swap(env!("CARGO_PKG_VERSION"), "0.0.0")),
            ("of another journal", swap(&generation, &"0".repeat(32))),
            ("with another last entry", swap(&head, &"0".repeat(64))),
            ("ahead of the journal", swap("\"seq\":", "\"seq\":9")),
        ] {
            fs::write(place.file(), bytes).expect("the file is written");
            // Partial file of a process that was killed while saving.
            fs::write(place.file().with_extension("part"), &file[..40]).expect("it is written");
            let mut writer = place.open_with_snapshot(place.data()).await;
            assert!(writer.proof().is_none(), "{what}: the file was used");
            assert_same(&writer, &place.truth().await, what);
            writer.snapshot_task().expect("it is verified")().expect("the file is written");
            assert_eq!(fs::read(place.file()).expect("it is there").len(), file.len(), "{what}");
        }
        let nowhere = place.data().join("nowhere");
        assert_same(&place.open_with_snapshot(&nowhere).await, &place.truth().await, "no folder");
    }

    async fn a_forged_saved_fold_is_detected_and_deleted(engine: Engine) {
        let place = Place::new(engine).await;
        place.keep().await;
        let text = place.text();
        assert!(text.contains("\"award\":10"), "{text}");
        place.plant(&text.replace("\"award\":10", "\"award\":99"));
        place.truth().await.step(&[award(5)]).await.expect("written");
        let mut writer = place.open_with_snapshot(place.data()).await;
        let truth = place.truth().await;
        assert_ne!(writer.contest(), truth.contest());
        let proof = writer.proof().expect("its seal is right").await.expect("it is read");
        assert!(!writer.settle(proof).await.expect("it is read"));
        assert_same(&writer, &truth, "settled");
        assert!(!place.file().exists(), "it is deleted");
        assert!(writer.proof().is_none());
    }
}
