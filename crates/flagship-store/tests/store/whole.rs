//! A database file without its log is complete after a checkpoint.

use flagship_store::{Db, StoreError, health};
use flagship_testkit::{Engine, TestDb, on_both_engines};
use sqlx::Connection;

on_both_engines! {
    async fn a_database_reports_its_size_and_is_checkpointed(engine: Engine) {
        let test = TestDb::new(engine).await;
        assert!(test.db.bytes().await.expect("it is read") > 64 * 1024);
        test.db.checkpoint().await.expect("no other connection is open");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_checkpoint_the_file_is_complete_without_its_log() {
    let test = TestDb::new(Engine::Sqlite).await;
    health::write(&test.db).await.expect("it is written");
    let file = test.data.path().join("flagship.db");
    let log = "flagship.db-wal";
    let logged = || std::fs::metadata(test.data.path().join(log)).map_or(0, |about| about.len());
    assert!(logged() > 0, "the log is not empty");
    test.db.checkpoint().await.expect("no other connection is open");
    assert_eq!(logged(), 0);
    let copy = test.data.path().join("alone.db");
    std::fs::copy(&file, &copy).expect("it is copied");
    let db = Db::connect_sqlite(&copy).await.expect("it opens");
    assert_eq!(db.schema().await.expect("it is read"), Db::schema_known());
    assert_eq!(db.damage().await.expect("it is checked"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkpoint_blocked_by_a_reader_is_an_error() {
    let test = TestDb::new(Engine::Sqlite).await;
    let url = format!("sqlite://{}", test.data.path().join("flagship.db").display());
    let mut reader = sqlx::SqliteConnection::connect(&url).await.expect("it opens");
    let mut reading = reader.begin().await.expect("it begins");
    sqlx::query("select * from meta").fetch_all(&mut *reading).await.expect("it is read");
    health::write(&test.db).await.expect("it is written");
    let done = test.db.checkpoint().await;
    assert!(matches!(done, Err(StoreError::Unmoved)), "{done:?}");
    reading.rollback().await.expect("it ends");
    test.db.checkpoint().await.expect("no other connection is open");
}
