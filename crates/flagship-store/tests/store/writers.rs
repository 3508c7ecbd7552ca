//! Concurrent writes of accounts, the lane and reads: which ones wait for which.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use flagship_store::{Lock, health, sessions, settings};
use flagship_testkit::{Engine, TestDb, on_both_engines};
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::task::JoinSet;

/// Number of waiting transactions of accounts: more than there are connections.
const CROWD: usize = 50;
/// Time limit of a read that does not wait, on a busy machine.
const SOON: Duration = Duration::from_secs(3);

on_both_engines! {
    async fn concurrent_account_writes_delay_neither_the_lane_nor_readers(engine: Engine) {
        let test = TestDb::new(engine).await;
        let (db, other_node) = (test.reopen().await, test.reopen().await);
        let writing = other_node.begin(Lock::Accounts).await.expect("it begins");
        let asked = Arc::new(AtomicUsize::new(0));
        let done = Arc::new(AtomicUsize::new(0));
        let mut crowd = JoinSet::new();
        for _ in 0..CROWD {
            let (db, asked, done) = (db.clone(), asked.clone(), done.clone());
            crowd.spawn(async move {
                asked.fetch_add(1, Ordering::SeqCst);
                let tx = db.begin(Lock::Accounts).await.expect("it gets the lock");
                tx.commit().await.expect("it is written");
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        while asked.load(Ordering::SeqCst) < CROWD {
            tokio::task::yield_now().await;
        }
        for _ in 0..20 {
            let read = tokio::time::timeout(SOON, sessions::changed_after(&db, 0)).await;
            read.expect("readers do not wait").expect("it is read");
        }
        if engine == Engine::Postgres {
            // The first connection takes longer than all others.
            health::write(&db).await.expect("the journal is written");
        }
        drop(writing);
        health::write(&db).await.expect("the journal is written");
        let before = done.load(Ordering::SeqCst);
        assert!(before < CROWD / 2, "{before}: the journal waits for one of them at most");
        crowd.join_all().await;
    }

    async fn a_snapshot_that_is_given_up_leaves_no_old_state_to_later_reads(engine: Engine) {
        let test = TestDb::new(engine).await;
        for round in 0..60 {
            let mut beginning = Box::pin(test.db.snapshot());
            // Cancelled somewhere between the first and the last step.
            for _ in 0..=round % 6 {
                if (&mut beginning).now_or_never().is_some() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            drop(beginning);
            let written = BTreeMap::from([("privacy".to_owned(), round.to_string())]);
            settings::set_sections(&test.db, &written).await.expect("it is written");
            // As many at once as there are connections.
            let reads = (0..12).map(|_| settings::site_sections(&test.db));
            for read in join_all(reads).await {
                assert_eq!(read.expect("it is read"), written, "round {round}");
            }
        }
    }
}
