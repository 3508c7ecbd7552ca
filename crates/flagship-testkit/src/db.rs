//! A database of its own for each test, on either engine.

use flagship_store::Db;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, FromRow};
use tempfile::TempDir;

/// Names the PostgreSQL server that tests may make databases on.
const POSTGRES: &str = "FLAGSHIP_TEST_POSTGRES";

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A new database on the test server.
    Postgres,
}

/// An empty database, and the folder that goes with it.
pub struct TestDb {
    /// Opened, with its schema.
    pub db: Db,
    /// `--data` for commands.
    pub data: TempDir,
    /// `--database` for commands, when it is not the file in `data`.
    pub url: Option<String>,
}

impl TestDb {
    /// Makes a new database.
    ///
    /// # Panics
    /// When it cannot be made: a test on an engine that is not there has failed, not passed.
    pub async fn new(engine: Engine) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let url = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(create_postgres().await),
        };
        let db = open(&data, url.as_deref()).await;
        Self { db, data, url }
    }

    /// Changes the database behind the program's back.
    pub async fn execute(&self, sql: &'static str) {
        match &self.url {
            None => {
                let file = format!("sqlite://{}", self.data.path().join("flagship.db").display());
                let mut conn = sqlx::SqliteConnection::connect(&file).await.expect("it opens");
                sqlx::query(sql).execute(&mut conn).await.expect("the statement runs");
            }
            Some(url) => {
                let mut conn = sqlx::PgConnection::connect(url).await.expect("it opens");
                sqlx::query(sql).execute(&mut conn).await.expect("the statement runs");
            }
        }
    }

    /// The rows of the journal as they are stored: number, time, salt, body, hash.
    pub async fn journal(&self) -> Vec<(i64, i64, String, String, String)> {
        self.rows("select seq, at_ms, salt, body, hash from journal order by seq").await
    }

    /// Team and challenge of every living solve, in the order of the journal.
    pub async fn solves(&self) -> Vec<(String, String)> {
        let sql = "select name, challenge_id from solves join accounts on id = team_id \
                   order by seq";
        self.rows(sql).await
    }

    /// What a query gives.
    ///
    /// # Panics
    /// When the database does not answer it.
    pub async fn rows<T>(&self, sql: &'static str) -> Vec<T>
    where
        T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>,
    {
        match &self.url {
            None => {
                let file = format!("sqlite://{}", self.data.path().join("flagship.db").display());
                let mut conn = sqlx::SqliteConnection::connect(&file).await.expect("it opens");
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

    /// Opens the same database once more, as another node would.
    pub async fn reopen(&self) -> Db {
        open(&self.data, self.url.as_deref()).await
    }
}

async fn open(data: &TempDir, url: Option<&str>) -> Db {
    match url {
        None => Db::open_sqlite(&data.path().join("flagship.db")).await,
        Some(url) => Db::open_postgres(url).await,
    }
    .expect("the test database opens")
}

async fn create_postgres() -> String {
    let server = std::env::var(POSTGRES)
        .unwrap_or_else(|_| panic!("{POSTGRES} is not set: run the tests by `cargo xtask test`"));
    let name = format!("flagship_test_{:032x}", rand::random::<u128>());
    let mut conn = sqlx::PgConnection::connect(&server).await.expect("the test server answers");
    let sql = sqlx::AssertSqlSafe(format!("create database {name}"));
    sqlx::query(sql).execute(&mut conn).await.expect("a database is made");
    let (base, _) = server.rsplit_once('/').expect("the address names a database");
    format!("{base}/{name}")
}

/// Makes one test per engine of each function: `name::sqlite` and `name::postgres`.
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
