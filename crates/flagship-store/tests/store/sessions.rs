//! The sessions table: retention of revoked sessions, and reads by nodes.

use flagship_store::Lock;
use flagship_store::key::token_hash;
use flagship_store::sessions::{self, REVOKED_MS};
use flagship_testkit::{Engine, TestDb, on_both_engines};

async fn count(test: &TestDb) -> i64 {
    let rows: Vec<(i64,)> = test.rows("select count(*) from sessions").await;
    rows[0].0
}

/// Sets the default isolation level to one with a snapshot per transaction.
const OLD_SNAPSHOTS: &str = "do $$ begin execute format('alter database %I set \
    default_transaction_isolation = %L', current_database(), 'repeatable read'); end $$";

on_both_engines! {
    async fn when_sessions_were_seen_is_noted_in_one_statement(engine: Engine) {
        let test = TestDb::new(engine).await;
        let mut seen = Vec::new();
        for (number, at_ms) in [(1, 10), (2, 20), (3, 30)] {
            let session = sessions::create(&test.db, &format!("token {number}"), number, 0).await;
            seen.push((session.expect("it begins").token_hash, at_ms));
        }
        sessions::revoke(&test.db, &seen[2].0, 0).await.expect("it is revoked");
        sessions::note_seen(&test.db, &seen).await.expect("it is noted");
        let older = [(seen[0].0.clone(), 11), (seen[1].0.clone(), 19)];
        sessions::note_seen(&test.db, &older).await.expect("it is noted");
        sessions::note_seen(&test.db, &[]).await.expect("nothing is noted");
        let sql = "select account_id, coalesce(seen_at_ms, 0) from sessions order by account_id";
        let rows: Vec<(i64, i64)> = test.rows(sql).await;
        assert_eq!(rows, [(1, 11), (2, 20), (3, 0)], "the latest of each that lives");
    }

    async fn a_writer_sees_earlier_writes_under_any_isolation_default(engine: Engine) {
        let test = TestDb::new(engine).await;
        if engine == Engine::Postgres {
            test.execute(OLD_SNAPSHOTS).await;
        }
        let (first, second) = (test.reopen().await, test.reopen().await);
        let mut tx = first.begin(Lock::Accounts).await.expect("it has the lock");
        let waits = tokio::spawn(async move {
            let mut tx = second.begin(Lock::Accounts).await.expect("it has the lock after that");
            let session = sessions::create_in(&mut tx, "second", 8, 0).await.expect("it begins");
            tx.commit().await.expect("it is written");
            session
        });
        let sql = "select count(*) from pg_locks where not granted";
        while engine == Engine::Postgres && test.rows::<(i64,)>(sql).await[0].0 == 0 {
            tokio::task::yield_now().await;
        }
        let first = sessions::create_in(&mut tx, "first", 7, 0).await.expect("it begins");
        tx.commit().await.expect("it is written");
        let second = waits.await.expect("it does not panic");
        let rev = first.rev + 1;
        assert_eq!(second.rev, rev, "its revision follows");
    }

    async fn revoked_sessions_are_deleted_after_some_minutes(engine: Engine) {
        let test = TestDb::new(engine).await;
        let db = &test.db;
        let create = async |token: &str, now_ms| {
            sessions::create(db, token, 7, now_ms).await.expect("a session begins")
        };
        let tokens = ["one", "two", "three", "four"];
        for token in tokens {
            create(token, 0).await;
        }
        let late_rev = create("five", 0).await.rev;
        for token in tokens {
            sessions::revoke(db, &token_hash(token), 1_000).await.expect("it is ended");
        }
        let all = sessions::changed_after(db, 0).await.expect("it is read").sessions;
        let prompt_rev = all.last().expect("five").rev;
        assert_eq!(all.iter().filter(|session| session.revoked).count(), 4);

        create("soon", 999 + REVOKED_MS).await;
        assert_eq!(count(&test).await, 6, "nodes may not have read them yet");
        create("later", 1_000 + REVOKED_MS).await;
        assert_eq!(count(&test).await, 3, "3 are left");

        // A node that has read them reads only new sessions; another node reads all.
        let changed = sessions::changed_after(db, prompt_rev).await.expect("it is read");
        assert_eq!((changed.sessions.len(), changed.is_all), (2, false));
        let changed = sessions::changed_after(db, late_rev).await.expect("it is read");
        assert_eq!((changed.sessions.len(), changed.is_all), (3, true));
        let newest = changed.sessions.last().expect("later").rev;
        let changed = sessions::changed_after(db, newest).await.expect("it is read");
        assert_eq!((changed.sessions.len(), changed.is_all), (0, false));
    }
}

#[tokio::test]
async fn a_login_finds_expired_sessions_by_an_index() {
    let test = TestDb::new(Engine::Sqlite).await;
    let plan = "explain query plan delete from sessions where expires_at_ms <= 0";
    let steps: Vec<(i64, i64, i64, String)> = test.rows(plan).await;
    let is_by_index = steps.iter().any(|step| step.3.contains("USING INDEX sessions_expiry"));
    assert!(is_by_index, "{steps:?} is not by the index");
}
