//! A temporary database for each test, on either engine.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flagship_store::{Db, PgPoolSizes};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, FromRow};
use tempfile::TempDir;

/// The environment variable with the URL of the PostgreSQL server for tests.
const POSTGRES: &str = "FLAGSHIP_TEST_POSTGRES";
/// Prefix of the names of test databases, before the process ID.
const PREFIX: &str = "flagship_test_";
/// Databases of ended tests that one test drops.
const DROPS_MAX: usize = 4;

/// The kind of database that a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A new database on the test server.
    Postgres,
}

/// An empty database with a data folder.
pub struct TestDb {
    /// The open database, with its schema.
    pub db: Db,
    /// `--data` for commands.
    pub data: TempDir,
    /// `--database` for commands; `None` for SQLite.
    pub url: Option<String>,
}

impl TestDb {
    /// Creates a database.
    ///
    /// # Panics
    /// If it cannot be created: a test must not pass without its engine.
    pub async fn new(engine: Engine) -> Self {
        let data = data_folder();
        let url = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(create_postgres().await),
        };
        let db = open(&data, url.as_deref()).await;
        Self { db, data, url }
    }

    /// Uses the database at this URL, which must be empty or have the schema.
    ///
    /// # Panics
    /// If it cannot be opened.
    pub async fn at(url: String) -> Self {
        let data = data_folder();
        let db = open(&data, Some(&url)).await;
        Self { db, data, url: Some(url) }
    }

    /// Changes the database directly.
    pub async fn execute(&self, sql: &'static str) {
        match &self.url {
            None => {
                let mut conn =
                    sqlx::SqliteConnection::connect(&self.sqlite_url()).await.expect("it opens");
                sqlx::query(sql).execute(&mut conn).await.expect("the statement runs");
            }
            Some(url) => {
                let mut conn = sqlx::PgConnection::connect(url).await.expect("it opens");
                sqlx::query(sql).execute(&mut conn).await.expect("the statement runs");
            }
        }
    }

    /// The stored rows of the journal: number, time, salt, body, hash.
    pub async fn journal(&self) -> Vec<(i64, i64, String, String, String)> {
        self.rows("select seq, at_ms, salt, body, hash from journal order by seq").await
    }

    /// Team and challenge of every stored solve, in the order of the journal.
    pub async fn solves(&self) -> Vec<(String, String)> {
        let sql = "select name, challenge_id from solves join accounts on id = team_id \
                   order by seq";
        self.rows(sql).await
    }

    /// Runs a query.
    ///
    /// # Panics
    /// If the query fails.
    pub async fn rows<T>(&self, sql: &'static str) -> Vec<T>
    where
        T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>,
    {
        match &self.url {
            None => {
                let mut conn =
                    sqlx::SqliteConnection::connect(&self.sqlite_url()).await.expect("it opens");
                let rows = sqlx::query_as(sql).fetch_all(&mut conn).await.expect("it is read");
                conn.close().await.expect("it closes");
                rows
            }
            Some(url) => {
                let mut conn = sqlx::PgConnection::connect(url).await.expect("it opens");
                let rows = sqlx::query_as(sql).fetch_all(&mut conn).await.expect("it is read");
                conn.close().await.expect("it closes");
                rows
            }
        }
    }

    /// The URL of the SQLite database.
    pub(crate) fn sqlite_url(&self) -> String {
        format!("sqlite://{}", self.data.path().join("flagship.db").display())
    }

    /// Opens the database once more, like another node.
    pub async fn reopen(&self) -> Db {
        open(&self.data, self.url.as_deref()).await
    }
}

fn data_folder() -> TempDir {
    // The mode with which the program creates folders.
    let closed = Permissions::from_mode(0o700);
    let data = tempfile::Builder::new().permissions(closed).tempdir();
    data.expect("a temporary folder")
}

async fn open(data: &TempDir, url: Option<&str>) -> Db {
    let db = match url {
        None => Db::connect_sqlite(&data.path().join("flagship.db")).await,
        Some(url) => Db::connect_postgres(url, PgPoolSizes::SERVER).await,
    };
    let db = db.expect("the test database opens");
    db.migrate(None).await.expect("its schema is brought up to date");
    db
}

async fn create_postgres() -> String {
    let server = std::env::var(POSTGRES)
        .unwrap_or_else(|_| panic!("{POSTGRES} is not set: run the tests by `cargo xtask test`"));
    let name = format!("{PREFIX}{}_{:032x}", std::process::id(), rand::random::<u128>());
    let mut conn = sqlx::PgConnection::connect(&server).await.expect("the test server answers");
    drop_leftovers(&mut conn).await;
    let sql = sqlx::AssertSqlSafe(format!("create database {name}"));
    sqlx::query(sql).execute(&mut conn).await.expect("a database is made");
    let (base, _) = server.rsplit_once('/').expect("the address names a database");
    format!("{base}/{name}")
}

/// Drops some databases of processes that have ended. Without this, a run of all tests leaves about
/// 10 GB of them. A test cannot drop its own database, since it may panic.
async fn drop_leftovers(conn: &mut sqlx::PgConnection) {
    let sql = "select datname::text from pg_database where starts_with(datname::text, $1)";
    let names: Vec<String> =
        sqlx::query_scalar(sql).bind(PREFIX).fetch_all(&mut *conn).await.expect("it lists them");
    let has_ended = |name: &&String| {
        let pid = name.strip_prefix(PREFIX).and_then(|rest| rest.split('_').next());
        pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists())
    };
    for name in names.iter().filter(has_ended).take(DROPS_MAX) {
        let sql = sqlx::AssertSqlSafe(format!("drop database if exists {name} with (force)"));
        // Another test may be dropping the same database.
        sqlx::query(sql).execute(&mut *conn).await.ok();
    }
}

/// Defines a test per engine for each function: `name::sqlite` and `name::postgres`.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($engine:ident: Engine) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            use super::*;

            async fn run($engine: $crate::Engine) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                run($crate::Engine::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                run($crate::Engine::Postgres).await;
            }
        }
    )*};
}
