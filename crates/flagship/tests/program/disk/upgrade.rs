//! Databases of every released version are migrated, and a newer one is refused. After an
//! interruption at any moment, the next start completes the migration.
//!
//! `tests/released` has a dump of each version on each engine: `VERSION.sqlite.sql` by sqlite3's
//! `.dump`, `VERSION.postgres.sql` by `pg_dump --inserts --no-owner`. All hold the same event.

use std::time::Duration;

use flagship_testkit::{Engine, on_both_engines};
use rand::RngExt;
use sqlx::Connection;

use crate::event::EventFolder;
use crate::faults::{Calls, Fault, Faults, KILL};
use crate::process::{TestSite, run};
use crate::{is_torture, until};

/// The event secret of the dumps.
const SECRET: &str = "the-secret-of-the-released-event.................................";

/// The dumps for an engine, by version.
fn released(engine: Engine) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/released");
    let suffix = match engine {
        Engine::Sqlite => ".sqlite.sql",
        Engine::Postgres => ".postgres.sql",
    };
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut dumps: Vec<(String, String)> = files
        .filter_map(|file| {
            let name = file.file_name()?.to_str()?.strip_suffix(suffix)?.to_owned();
            Some((name, std::fs::read_to_string(&file).unwrap()))
        })
        .collect();
    dumps.sort();
    assert!(!dumps.is_empty(), "there are dumps for {engine:?}");
    dumps
}

/// The database of a released version.
async fn released_site(engine: Engine, dump: &str) -> TestSite {
    let site = TestSite::bare(engine).await;
    let sql = sqlx::AssertSqlSafe(dump.to_owned());
    match &site.test.url {
        None => {
            let file = format!("sqlite://{}?mode=rwc", site.file("flagship.db").display());
            let mut conn = sqlx::SqliteConnection::connect(&file).await.unwrap();
            sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
            conn.close().await.unwrap();
        }
        Some(url) => {
            let mut conn = sqlx::PgConnection::connect(url).await.unwrap();
            sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
            conn.close().await.unwrap();
        }
    }
    std::fs::write(site.file("secret"), SECRET).unwrap();
    site
}

on_both_engines! {
    async fn databases_of_every_released_version_are_upgraded(engine: Engine) {
        for (version, dump) in released(engine) {
            eprintln!("from {version}");
            let site = released_site(engine, &dump).await;
            let event = EventFolder::new();
            let said = site.run(&["journal", "verify"]).await.ok();
            assert!(said.starts_with("13 entries, "), "{version}: {said}");
            assert!(said.contains("entries before 14 were written by Flagship 0.1"), "{said}");
            let server = site.serve(&event).await;
            let ranking = server.player().ranking().await;
            assert_eq!(ranking, ["Ants", "Bees 🐝"], "the ranking is as it was in {version}");
            let board = server.player().board().await;
            let (ants, bees) = (&board["Ants"], &board["Bees 🐝"]);
            assert_eq!((ants.solves["one"].0, ants.solves["two"].0, ants.award), (2, 1, 7));
            assert_eq!(bees.solves["one"].0, 1);
            let (status, answer) = server.player().log_in("Bees 🐝", "correct horse").await;
            assert_eq!(status, 200, "{version}: {answer}");
            let bees = server.player().with_token(answer["token"].as_str().unwrap());
            bees.solves("two").await;
            assert_eq!(server.player().log_in("Cats", "correct horse").await.0, 403, "banned");
            server.stop().await;
            site.run(&["journal", "verify"]).await.ok();
        }
    }

    /// The journal of an event created by 0.1.0 is signed once, starting at its end at the time of
    /// the upgrade.
    async fn a_journal_that_0_1_0_began_is_signed_once(engine: Engine) {
        for (version, dump) in released(engine) {
            let site = released_site(engine, &dump).await;
            for _ in 0..2 {
                site.run(&["team", "award", "Ants", "5", "--reason", "x"]).await.ok();
            }
            let said = site.run(&["journal", "verify"]).await.ok();
            assert!(said.starts_with("15 entries, "), "{version}: {said}");
            let rows = site.test.journal().await;
            let (seq, at_ms, salt, body, hash) = &rows[13];
            site.test.execute("delete from journal where seq > 13").await;
            let records = "delete from meta where key in ('journal_head', 'flags_mac')";
            site.test.execute(records).await;
            site.run(&["journal", "head"]).await.ok();
            let row = format!("{seq}, {at_ms}, '{salt}', '{body}', '{hash}'");
            let insert = format!("insert into journal values ({row})");
            site.test.execute(Box::leak(insert.into_boxed_str())).await;
            let words = "the record of the journal's head is missing";
            site.run(&["journal", "verify"]).await.fails(words);
        }
    }

    async fn a_database_of_a_newer_version_is_refused(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let before = site.test.journal().await;
        let newer = "insert into _sqlx_migrations select 9000, description, installed_on, success, \
                     checksum, execution_time from _sqlx_migrations where version = 1";
        site.test.execute(newer).await;
        let serve = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        for words in [&serve[..], &["journal", "verify"], &["reveal"], &["backup", "nowhere"]] {
            let word = "created by a newer Flagship (schema version 9000)";
            site.run(words).await.fails(word);
        }
        let done = site.run(&["doctor"]).await;
        assert!(done.out.contains("problem  database: this database was created by a newer"));
        assert_eq!(site.test.journal().await, before);
    }
}

/// Runs `apply` and kills the program in place of its k-th write or sync, with increasing k until
/// `apply` completes, from each version and from an empty database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgrade_interrupted_at_any_write_is_completed() {
    let event = EventFolder::new();
    let from_nothing = ("nothing".to_owned(), String::new());
    for (version, dump) in [from_nothing].into_iter().chain(released(Engine::Sqlite)) {
        let mut k = 1;
        let mut kills = 0;
        loop {
            let site = match dump.as_str() {
                "" => TestSite::bare(Engine::Sqlite).await,
                dump => released_site(Engine::Sqlite, dump).await,
            };
            let faults = Faults::new();
            let fault = Fault { calls: Calls::Both, errno: KILL, first: k, count: 1 };
            faults.begin(fault);
            let mut command = site.command(&["apply", "--event", event.dir()]);
            command.envs(faults.variables());
            let done = run(command).await;
            assert_eq!(done.code.is_none(), faults.hits() == 1, "{version}, {k}: {done:?}");
            site.apply(&event).await.ok();
            site.run(&["journal", "verify"]).await.ok();
            if faults.hits() == 0 {
                break;
            }
            kills += 1;
            // The stride is odd, so that kills alternate between writes and syncs.
            k += if is_torture() { 1 } else { 23 };
        }
        eprintln!("figures: from {version}: {kills} kills, the last before {k} writes and syncs");
        assert!(kills > 2, "a write was interrupted");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_first_start_on_postgres_is_completed() {
    let event = EventFolder::new();
    let mut killed = 0;
    let mut random = crate::seeded();
    for _ in 0..8 {
        let site = TestSite::bare(Engine::Postgres).await;
        let mut child = site.command(&["apply", "--event", event.dir()]).spawn().unwrap();
        let ms = random.random_range(5..60);
        let ended = tokio::time::timeout(Duration::from_millis(ms), child.wait()).await;
        if ended.is_err() {
            child.start_kill().unwrap();
            child.wait().await.unwrap();
            killed += 1;
        }
        // PostgreSQL releases the locks of the killed process after a moment.
        let is_good = async || {
            let done = site.apply(&event).await;
            done.code == Some(0) || {
                eprintln!("retry: {done:?}");
                false
            }
        };
        until("the start completes", is_good).await;
        site.run(&["journal", "verify"]).await.ok();
    }
    assert!(killed > 0, "none was killed in time");
}
