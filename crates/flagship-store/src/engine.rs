//! The two databases. No other file tells them apart.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgListener, PgPool, PgPoolOptions};
use sqlx::sqlite::{Sqlite, SqliteSynchronous};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{Connection, Postgres, Transaction};

use crate::{Clock, Result};

/// Connections that read, per node.
const READERS_MAX: u32 = 8;
/// How long a writer waits for its turn.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// How often SQLite is asked whether another process wrote.
const HINT_POLL: Duration = Duration::from_millis(50);
/// How long PostgreSQL's hints may be silent before a node looks for itself.
const HINT_SILENCE: Duration = Duration::from_millis(500);
/// The channel of PostgreSQL's hints; they carry no data.
const HINT_CHANNEL: &str = "flagship";

/// One of two things, by database.
#[derive(Clone, Debug)]
pub enum Side<S, P> {
    /// SQLite's.
    Sqlite(S),
    /// PostgreSQL's.
    Postgres(P),
}

/// SQLite's two pools: many readers, one writer.
#[derive(Clone, Debug)]
pub struct SqlitePools {
    read: SqlitePool,
    write: SqlitePool,
}

/// A database.
#[derive(Clone, Debug)]
pub struct Db(Side<SqlitePools, PgPool>);

/// A connection that only reads.
pub type Conn = Side<PoolConnection<Sqlite>, PoolConnection<Postgres>>;

/// A transaction that may write. Dropped without `commit`, it leaves nothing behind.
pub type Tx = Side<Transaction<'static, Sqlite>, Transaction<'static, Postgres>>;

/// What a writing transaction holds alone, on all nodes together. SQLite has one lock for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Appends to the journal.
    Journal = 0x464c_4147,
    /// Changes accounts, sessions and mail.
    Accounts,
}

/// Runs one piece of code on whichever connection this is.
macro_rules! on {
    ($side:expr, $conn:ident => $body:expr) => {
        match $side {
            $crate::engine::Side::Sqlite(conn) => {
                let $conn = &mut **conn;
                $body
            }
            $crate::engine::Side::Postgres(conn) => {
                let $conn = &mut **conn;
                $body
            }
        }
    };
}
pub(crate) use on;

impl Db {
    /// Opens (and makes) the SQLite database in `file`, and brings its schema up to date.
    pub async fn open_sqlite(file: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY_WAIT);
        let write = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(BUSY_WAIT)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("./migrations").run(&write).await?;
        let read = SqlitePoolOptions::new()
            .max_connections(READERS_MAX)
            .acquire_timeout(BUSY_WAIT)
            .connect_with(options.read_only(true).pragma("query_only", "on"))
            .await?;
        Ok(Self(Side::Sqlite(SqlitePools { read, write })))
    }

    /// Connects to the PostgreSQL database at `url`, and brings its schema up to date.
    pub async fn open_postgres(url: &str) -> Result<Self> {
        let options = sqlx::postgres::PgConnectOptions::from_str(url)?;
        let pool = PgPoolOptions::new()
            .max_connections(READERS_MAX + 4)
            .acquire_timeout(BUSY_WAIT)
            .connect_with(options)
            .await?;
        sqlx::migrate!("./migrations").run(&pool).await?;
        Ok(Self(Side::Postgres(pool)))
    }

    /// What the database is called, for people.
    pub fn engine(&self) -> &'static str {
        match &self.0 {
            Side::Sqlite(_) => "SQLite",
            Side::Postgres(_) => "PostgreSQL",
        }
    }

    pub(crate) async fn read(&self) -> Result<Conn> {
        Ok(match &self.0 {
            Side::Sqlite(pools) => Side::Sqlite(pools.read.acquire().await?),
            Side::Postgres(pool) => Side::Postgres(pool.acquire().await?),
        })
    }

    /// Begins a writing transaction that holds `lock` until it ends.
    pub async fn begin(&self, lock: Lock) -> Result<Tx> {
        Ok(match &self.0 {
            Side::Sqlite(pools) => Side::Sqlite(pools.write.begin_with("begin immediate").await?),
            Side::Postgres(pool) => {
                let mut tx = pool.begin().await?;
                sqlx::query("select pg_advisory_xact_lock($1)")
                    .bind(lock as i64)
                    .execute(&mut *tx)
                    .await?;
                Side::Postgres(tx)
            }
        })
    }

    /// Closes all connections, after those in use are done.
    pub async fn close(&self) {
        match &self.0 {
            Side::Sqlite(pools) => {
                pools.read.close().await;
                pools.write.close().await;
            }
            Side::Postgres(pool) => pool.close().await,
        }
    }

    /// Hints that something was written, by this or another process.
    pub async fn hints(&self) -> Result<Hints> {
        Ok(Hints(match &self.0 {
            Side::Sqlite(pools) => {
                let mut conn = pools.read.acquire().await?;
                let version = data_version(&mut conn).await?;
                Side::Sqlite((conn, version))
            }
            Side::Postgres(pool) => {
                let mut listener = PgListener::connect_with(pool).await?;
                listener.listen(HINT_CHANNEL).await?;
                Side::Postgres(Box::new(listener))
            }
        }))
    }
}

impl Tx {
    /// The time of this transaction in epoch milliseconds, read while the lock is held: the
    /// database server's own where there is one, so that all nodes share it.
    pub(crate) async fn now_ms(&mut self, clock: &Clock) -> Result<i64> {
        match (self, clock) {
            (Side::Postgres(tx), Clock::System { .. }) => {
                let sql = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";
                Ok(sqlx::query_scalar(sql).fetch_one(&mut **tx).await?)
            }
            _ => Ok(clock.now_ms()),
        }
    }

    /// Takes a second lock: always `Accounts` after `Journal`, so that nobody waits in a ring.
    pub(crate) async fn also_lock_accounts(&mut self) -> Result<()> {
        if let Side::Postgres(tx) = self {
            sqlx::query("select pg_advisory_xact_lock($1)")
                .bind(Lock::Accounts as i64)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    /// Makes what was written durable, and hints to other nodes.
    pub async fn commit(self) -> Result<()> {
        match self {
            Side::Sqlite(tx) => tx.commit().await?,
            Side::Postgres(mut tx) => {
                sqlx::query("select pg_notify($1, '')")
                    .bind(HINT_CHANNEL)
                    .execute(&mut *tx)
                    .await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }
}

/// A stream of hints. They carry no data; lost, late and double ones are harmless.
pub struct Hints(Side<(PoolConnection<Sqlite>, i64), Box<PgListener>>);

impl Hints {
    /// Waits until something may have been written. An error is worth a pause and a new stream.
    pub async fn wait(&mut self) -> Result<()> {
        match &mut self.0 {
            Side::Sqlite((conn, version)) => loop {
                tokio::time::sleep(HINT_POLL).await;
                let now = data_version(conn).await?;
                if now != *version {
                    *version = now;
                    return Ok(());
                }
            },
            Side::Postgres(listener) => {
                if let Ok(hint) = tokio::time::timeout(HINT_SILENCE, listener.recv()).await {
                    hint?;
                }
                Ok(())
            }
        }
    }
}

async fn data_version(conn: &mut PoolConnection<Sqlite>) -> Result<i64> {
    conn.ping().await?;
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(&mut **conn).await?)
}
