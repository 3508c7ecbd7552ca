//! The two databases. Only this file branches on the engine.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{Sqlite, SqliteSynchronous};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Database, Encode, PgConnection, Pool, Postgres,
    QueryBuilder, SqlSafeStr, Transaction, Type,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::trouble::Trouble;
use crate::{Clock, Result, StoreError};

/// One SQL text for both.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Read connections per node, one of which confirms verdicts for SQLite.
const READERS_MAX: u32 = 9;
/// PostgreSQL's other shared connections: for hints, accounts and budgets. Of the readers one is
/// spare: verdicts are confirmed on another pool.
const OTHERS_MAX: u32 = 3;
/// PostgreSQL's connections for what no crowd at the door may delay: the lane, the health check and
/// two that confirm verdicts.
const JOURNAL_MAX: u32 = 4;
/// Concurrent transactions on accounts per node, and as many on budgets. Others wait before they
/// take a connection, so the lane waits for at most one of each.
const WRITERS_MAX: usize = 1;
/// How long a writer waits for its lock or connection.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// A row if the database was written with a secret.
const SECRET_CHECK: &str = "select 1 from meta where key = 'secret_check'";
/// How many tables of another program are named.
const NAMED_MAX: usize = 3;

/// What a database holds that is about to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Nothing, or tables without an event.
    Nothing,
    /// An event, which was written with a secret.
    Event,
}

/// A value of one type or the other, by engine.
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

/// PostgreSQL's two pools. In a server, a transaction that waits for the lock on accounts never
/// holds the lane's connection. A command has one pool.
#[derive(Clone, Debug)]
pub struct PgPools {
    shared: PgPool,
    journal: PgPool,
}

/// How many connections PostgreSQL's pools open at most.
#[derive(Clone, Copy)]
pub struct PgPoolSizes {
    shared: u32,
    /// `None` if the lane shares the other pool.
    journal: Option<u32>,
}

impl PgPoolSizes {
    /// For a server.
    pub const SERVER: Self = Self { shared: READERS_MAX + OTHERS_MAX, journal: Some(JOURNAL_MAX) };
    /// For a command, which does one thing after the other.
    pub const COMMAND: Self = Self { shared: 1, journal: None };
}

/// A database.
#[derive(Clone, Debug)]
pub struct Db {
    pools: Side<SqlitePools, PgPools>,
    account_writers: Arc<Semaphore>,
    budget_writers: Arc<Semaphore>,
}

/// A connection that only reads.
pub type Conn = Side<PoolConnection<Sqlite>, PoolConnection<Postgres>>;

/// A transaction that may write. Dropped without `commit`, it is rolled back.
pub type Tx = Side<Open<Sqlite>, Open<Postgres>>;

/// A transaction, and its permit among those that write under the same lock.
#[derive(Debug)]
pub struct Open<D: Database> {
    tx: Transaction<'static, D>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl<D: Database> Deref for Open<D> {
    type Target = D::Connection;
    fn deref(&self) -> &D::Connection {
        &self.tx
    }
}

impl<D: Database> DerefMut for Open<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        &mut self.tx
    }
}

/// A lock that one writing transaction holds at a time, over all nodes. SQLite has a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// For appending to the journal.
    Journal = 0x464c_4147,
    /// For changing accounts, sessions and mail.
    Accounts,
    /// For counting what several nodes limit together.
    Budgets,
}

/// Runs the same code on the connection of either engine, which may be one that a database gives.
macro_rules! on {
    ($db:ident.$conn:ident(), $name:ident => $body:expr) => {
        $crate::engine::on!(&mut $db.$conn().await?, $name => $body)
    };
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

/// Runs one statement with its values on the connection of either engine, which may be one that a
/// database gives: `run!(db.read() => query_as(sql, id).fetch_all)`. The SQL may be a constant and
/// a literal after it. `query(…).execute` returns the number of rows.
macro_rules! run {
    ($db:ident.$conn:ident() => $($statement:tt)*) => {
        $crate::engine::run!(&mut $db.$conn().await? => $($statement)*)
    };
    ($side:expr => $kind:ident($head:ident + $end:literal $($values:tt)*).$fetch:ident) => {
        $crate::engine::run!($side => $kind(
            sqlx::AssertSqlSafe([$head, $end].concat()) $($values)*
        ).$fetch)
    };
    ($side:expr => query($sql:expr $(, $value:expr)*).execute) => {
        $crate::engine::on!($side, conn => {
            sqlx::query($sql)$(.bind($value))*.execute(conn).await?.rows_affected()
        })
    };
    ($side:expr => $kind:ident($sql:expr $(, $value:expr)*).$fetch:ident) => {
        $crate::engine::on!($side, conn => {
            sqlx::$kind($sql)$(.bind($value))*.$fetch(conn).await?
        })
    };
}

/// Inserts rows in one statement, which ends with `end`:
/// `insert!(tx => "insert into names (name_key, account_id) ", rows, |(key, id)| (key, id), end)`.
macro_rules! insert {
    ($side:expr => $into:expr, $rows:expr, |$row:pat_param| ($($value:expr),+), $end:expr) => {
        $crate::engine::on!($side, conn => {
            let mut insert = sqlx::QueryBuilder::new($into);
            insert.push_values($rows, |mut line, $row| {
                $(line.push_bind($value);)+
            });
            insert.push($end).build().execute(conn).await?;
        })
    };
}
pub(crate) use {insert, on, run};

/// Goes on with a list of values in parentheses.
pub(crate) fn push_list<'q, D, T>(query: &mut QueryBuilder<D>, of: impl IntoIterator<Item = T>)
where
    D: Database,
    T: Encode<'q, D> + Type<D>,
{
    let mut listed = query.push("(").separated(", ");
    for it in of {
        listed.push_bind(it);
    }
    query.push(")");
}

/// Begins a transaction. The statement runs to its end even if the caller is dropped, and is then
/// rolled back: sqlx does not notice a transaction whose beginning was cancelled, and the next user
/// of the connection would read the database as it was then.
async fn begin<D: Database>(pool: &Pool<D>, sql: &'static str) -> Result<Transaction<'static, D>> {
    let conn = pool.acquire().await?;
    let beginning = tokio::spawn(Transaction::begin(conn, Some(sql.into_sql_str())));
    Ok(beginning.await.map_err(|_| sqlx::Error::PoolClosed)??)
}

impl Db {
    /// Opens or creates the SQLite database in `file`, and brings its schema up to date.
    pub async fn open_sqlite(file: &Path) -> Result<Self> {
        let db = Self::connect_sqlite(file).await?;
        db.migrate(None).await?;
        Ok(db)
    }

    /// Opens or creates the SQLite database in `file`, whatever its schema.
    pub async fn connect_sqlite(file: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // Deleted values, such as mailed links, are also overwritten in the file.
            .pragma("secure_delete", "on")
            .busy_timeout(BUSY_WAIT);
        let pool = || {
            // With either of the two, sqlx runs a reaper task, whose loop can read a count one
            // below zero and then never ends.
            let options = SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None);
            // A file does not hang up. sqlx still tests each connection that is given back, and
            // both tests wait for another thread.
            options.test_before_acquire(false).acquire_timeout(BUSY_WAIT)
        };
        // A batch of wrong flags touches thousands of pages. With less memory they are written
        // several times, and the undo log of each statement goes to a file.
        let writer = options.clone().pragma("cache_size", "-16384").pragma("temp_store", "memory");
        let write = pool()
            .max_connections(1)
            .after_release(|conn, _| {
                Box::pin(async move {
                    // A full disk rolls a transaction back without sqlx noticing, which would then
                    // never begin another on this connection. Such a connection is closed.
                    conn.ping().await?;
                    Ok(!conn.is_in_transaction())
                })
            })
            .connect_with(writer)
            .await?;
        let read = pool()
            .max_connections(READERS_MAX)
            .connect_lazy_with(options.read_only(true).pragma("query_only", "on"));
        Ok(Self::over(Side::Sqlite(SqlitePools { read, write })))
    }

    /// Looks at the SQLite database in `file`, which exists, without writing to it.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] if another program made it.
    pub async fn look_sqlite(file: &Path) -> Result<Holds> {
        match Self::look_into(file, true).await {
            // A program that was killed left a transaction to be rolled back first.
            Err(error) if error.trouble().is_some_and(|it| it.0 == Trouble::Denied) => {
                Self::look_into(file, false).await
            }
            looked => looked,
        }
    }

    async fn look_into(file: &Path, read_only: bool) -> Result<Holds> {
        let options = SqliteConnectOptions::new().filename(file).read_only(read_only);
        let mut conn = options.busy_timeout(BUSY_WAIT).connect().await?;
        let tables: Vec<String> = sqlx::query_scalar(sqlite::TABLES).fetch_all(&mut conn).await?;
        let secret = match holds(&tables)? {
            true => sqlx::query(SECRET_CHECK).fetch_optional(&mut conn).await?.is_some(),
            false => false,
        };
        conn.close().await?;
        Ok(if secret { Holds::Event } else { Holds::Nothing })
    }

    fn over(pools: Side<SqlitePools, PgPools>) -> Self {
        let writers = || Arc::new(Semaphore::new(WRITERS_MAX));
        Self { pools, account_writers: writers(), budget_writers: writers() }
    }

    /// Connects to the PostgreSQL database at `url`, whatever its schema.
    pub async fn connect_postgres(url: &str, sizes: PgPoolSizes) -> Result<Self> {
        let options = sqlx::postgres::PgConnectOptions::from_str(url)?;
        let pool = |max| {
            let lasting = PgPoolOptions::new().idle_timeout(None).max_lifetime(None);
            lasting.acquire_timeout(BUSY_WAIT).max_connections(max)
        };
        let shared = pool(sizes.shared).connect_with(options.clone()).await?;
        let journal = match sizes.journal {
            None => shared.clone(),
            Some(max) => pool(max).connect_lazy_with(options),
        };
        Ok(Self::over(Side::Postgres(PgPools { shared, journal })))
    }

    /// What a PostgreSQL database holds, read without writing to it; `Nothing` for SQLite, which
    /// `look_sqlite` looks at.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] if another program made tables in it.
    pub async fn look(&self) -> Result<Holds> {
        let Side::Postgres(pools) = &self.pools else { return Ok(Holds::Nothing) };
        let mut conn = pools.shared.acquire().await?;
        let tables: Vec<String> =
            sqlx::query_scalar(postgres::TABLES).fetch_all(&mut *conn).await?;
        let secret = match holds(&tables)? {
            true => sqlx::query(SECRET_CHECK).fetch_optional(&mut *conn).await?.is_some(),
            false => false,
        };
        Ok(if secret { Holds::Event } else { Holds::Nothing })
    }

    /// Migrates the schema to the newest version or to `version`, each step in a transaction.
    pub async fn migrate(&self, version: Option<i64>) -> Result<()> {
        let migrated = match (&self.pools, version) {
            (Side::Sqlite(pools), None) => MIGRATIONS.run(&pools.write).await,
            (Side::Sqlite(pools), Some(version)) => MIGRATIONS.run_to(version, &pools.write).await,
            (Side::Postgres(pools), None) => MIGRATIONS.run(&pools.shared).await,
            (Side::Postgres(pools), Some(version)) => {
                MIGRATIONS.run_to(version, &pools.shared).await
            }
        };
        migrated.map_err(|error| match error {
            MigrateError::VersionMissing(version) => StoreError::Newer(version),
            error => error.into(),
        })
    }

    /// The newest schema version that this program knows.
    pub fn schema_known() -> i64 {
        MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
    }

    /// Creates an empty PostgreSQL database beside the one at `url` and returns its URL. The name
    /// consists of lower-case letters, digits and underscores.
    pub async fn create_beside(url: &str, name: &str) -> Result<String> {
        let mut conn = PgConnection::connect(url).await?;
        let sql = AssertSqlSafe(format!("create database {name}"));
        sqlx::query(sql).execute(&mut conn).await?;
        conn.close().await?;
        let options = sqlx::postgres::PgConnectOptions::from_str(url)?;
        Ok(options.database(name).to_url_lossy().into())
    }

    /// Drops a database that `create_beside` made.
    pub async fn drop_beside(url: &str, name: &str) -> Result<()> {
        let mut conn = PgConnection::connect(url).await?;
        let sql = AssertSqlSafe(format!("drop database if exists {name} with (force)"));
        sqlx::query(sql).execute(&mut conn).await?;
        Ok(conn.close().await?)
    }

    /// The name of the engine, for people.
    pub fn engine(&self) -> &'static str {
        match &self.pools {
            Side::Sqlite(_) => "SQLite",
            Side::Postgres(_) => "PostgreSQL",
        }
    }

    pub(crate) async fn read(&self) -> Result<Conn> {
        Ok(match &self.pools {
            Side::Sqlite(pools) => Side::Sqlite(pools.read.acquire().await?),
            Side::Postgres(pools) => Side::Postgres(pools.shared.acquire().await?),
        })
    }

    /// A connection for a short read that flags wait for. No read of an account delays it.
    pub(crate) async fn read_at_once(&self) -> Result<Conn> {
        match &self.pools {
            Side::Sqlite(_) => self.read().await,
            Side::Postgres(pools) => Ok(Side::Postgres(pools.journal.acquire().await?)),
        }
    }

    /// Begins a writing transaction that holds `lock` until its end.
    pub async fn begin(&self, lock: Lock) -> Result<Tx> {
        let permit = self.permit(lock).await?;
        Ok(match &self.pools {
            Side::Sqlite(pools) => {
                let tx = pools.write.begin_with("begin immediate").await?;
                Side::Sqlite(Open { tx, _permit: permit })
            }
            Side::Postgres(pools) => {
                let pool = if lock == Lock::Journal { &pools.journal } else { &pools.shared };
                let mut tx = begin(pool, postgres::ISOLATION).await?;
                let begin =
                    sqlx::query(postgres::BEGIN).bind(lock as i64).bind(postgres::HINT_CHANNEL);
                begin.execute(&mut *tx).await?;
                Side::Postgres(Open { tx, _permit: permit })
            }
        })
    }

    /// A permit to write under a lock; none for the journal, which has its own connections. A
    /// timeout is the same error as that of the pool.
    async fn permit(&self, lock: Lock) -> Result<Option<OwnedSemaphorePermit>> {
        let writers = match lock {
            Lock::Journal => return Ok(None),
            Lock::Accounts => &self.account_writers,
            Lock::Budgets => &self.budget_writers,
        };
        let permit = timeout(BUSY_WAIT, writers.clone().acquire_owned()).await;
        let permit = permit.map_err(|_| sqlx::Error::PoolTimedOut)?;
        Ok(Some(permit.map_err(|_| sqlx::Error::PoolClosed)?))
    }

    /// Begins a read-only transaction on one consistent snapshot, while others go on writing.
    pub async fn snapshot(&self) -> Result<Tx> {
        self.snapshot_on(|pools| &pools.shared).await
    }

    /// The same, on a connection that the lane's next step uses: what is read is prepared there,
    /// and takes one round trip instead of two while other nodes wait for the step.
    pub(crate) async fn snapshot_of_lane(&self) -> Result<Tx> {
        self.snapshot_on(|pools| &pools.journal).await
    }

    async fn snapshot_on(&self, pool: impl Fn(&PgPools) -> &PgPool) -> Result<Tx> {
        Ok(match &self.pools {
            Side::Sqlite(pools) => {
                Side::Sqlite(Open { tx: begin(&pools.read, "begin").await?, _permit: None })
            }
            Side::Postgres(pools) => {
                let sql = "begin isolation level repeatable read read only";
                Side::Postgres(Open { tx: begin(pool(pools), sql).await?, _permit: None })
            }
        })
    }

    /// A clock anchored now: to PostgreSQL's time, which all nodes share, or to this machine's.
    pub async fn clock(&self) -> Result<Clock> {
        Ok(match &self.pools {
            Side::Sqlite(_) => Clock::system(),
            Side::Postgres(pools) => {
                let now = sqlx::query_scalar(postgres::NOW_MS).fetch_one(&pools.shared);
                Clock::anchored(now.await?)
            }
        })
    }

    /// The schema version of the database.
    pub async fn schema(&self) -> Result<i64> {
        self.snapshot().await?.schema().await
    }

    /// The first problem of SQLite's integrity check, if there is one.
    pub async fn damage(&self) -> Result<Option<String>> {
        let Side::Sqlite(pools) = &self.pools else { return Ok(None) };
        let sql = "pragma integrity_check(1)";
        let said: String = sqlx::query_scalar(sql).fetch_one(&pools.read).await?;
        Ok((said != "ok").then_some(said))
    }

    /// The size of the database in bytes, without SQLite's log.
    pub async fn bytes(&self) -> Result<u64> {
        let size: i64 = match &self.pools {
            Side::Sqlite(pools) => sqlx::query_scalar(sqlite::BYTES).fetch_one(&pools.read).await?,
            Side::Postgres(pools) => {
                sqlx::query_scalar(postgres::BYTES).fetch_one(&pools.shared).await?
            }
        };
        Ok(size.unsigned_abs())
    }

    /// Moves everything from SQLite's log into its file, so that the file is whole without the log.
    /// Closing the database does this too, but ignores errors such as a full disk.
    ///
    /// # Errors
    /// If some of it is not in the file.
    pub async fn checkpoint(&self) -> Result<()> {
        let Side::Sqlite(pools) = &self.pools else { return Ok(()) };
        let sql = "pragma wal_checkpoint(truncate)";
        let (busy, logged, moved): (i64, i64, i64) =
            sqlx::query_as(sql).fetch_one(&pools.write).await?;
        if busy != 0 || logged != moved {
            return Err(StoreError::Unmoved);
        }
        Ok(())
    }

    /// Closes all connections once they are released.
    pub async fn close(&self) {
        match &self.pools {
            Side::Sqlite(pools) => {
                pools.read.close().await;
                pools.write.close().await;
            }
            Side::Postgres(pools) => {
                pools.shared.close().await;
                pools.journal.close().await;
            }
        }
    }

    /// A stream of hints that this or another process wrote something.
    pub async fn hints(&self) -> Result<Hints> {
        Ok(Hints(match &self.pools {
            Side::Sqlite(pools) => Side::Sqlite(sqlite::Hearing::begin(&pools.read).await?),
            Side::Postgres(pools) => {
                Side::Postgres(Box::new(postgres::Hearing::begin(&pools.shared).await?))
            }
        }))
    }
}

impl Tx {
    /// The current time in epoch milliseconds, read while the lock is held: PostgreSQL's, which all
    /// nodes share, unless it jumped.
    pub async fn now_ms(&mut self, clock: &Clock) -> Result<i64> {
        match (self, clock) {
            (Side::Postgres(tx), Clock::System { .. }) => {
                let said = sqlx::query_scalar(postgres::NOW_MS).fetch_one(&mut **tx).await?;
                Ok(clock.settle(said))
            }
            _ => Ok(clock.now_ms()),
        }
    }

    /// The same, and a value of the table `meta`, in one round trip.
    pub(crate) async fn now_ms_and_meta(
        &mut self,
        clock: &Clock,
        key: &str,
    ) -> Result<(i64, Option<String>)> {
        if let (Side::Postgres(tx), Clock::System { .. }) = (&mut *self, clock) {
            let read = sqlx::query_as(postgres::NOW_MS_AND_META).bind(key);
            let (said, value) = read.fetch_one(&mut **tx).await?;
            return Ok((clock.settle(said), value));
        }
        let read = "select value from meta where key = $1";
        Ok((clock.now_ms(), run!(self => query_scalar(read, key).fetch_optional)))
    }

    /// The tables, each with its columns and their types, in an order that both databases share;
    /// the record of migrations is left out.
    pub(crate) async fn columns(&mut self) -> Result<Vec<(String, String, String)>> {
        Ok(match self {
            Side::Sqlite(tx) => sqlx::query_as(sqlite::COLUMNS).fetch_all(&mut **tx).await?,
            Side::Postgres(tx) => sqlx::query_as(postgres::COLUMNS).fetch_all(&mut **tx).await?,
        })
    }

    /// How text is sorted by code point, after `order by COLUMN`.
    pub(crate) fn by_code_point(&self) -> &'static str {
        match self {
            Side::Sqlite(_) => "collate binary",
            Side::Postgres(_) => "collate \"C\"",
        }
    }

    /// The version of the schema.
    pub(crate) async fn schema(&mut self) -> Result<i64> {
        let sql = "select max(version) from _sqlx_migrations";
        Ok(run!(self => query_scalar(sql).fetch_one))
    }

    /// Takes a second lock: always `Accounts` after `Journal`, so that there is no deadlock.
    pub(crate) async fn also_lock_accounts(&mut self) -> Result<()> {
        if let Side::Postgres(tx) = self {
            sqlx::query("select pg_advisory_xact_lock($1)")
                .bind(Lock::Accounts as i64)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    /// From now on a row that another transaction has locked for long is an error, which
    /// [`StoreError::is_of_locks`] tells. SQLite locks no rows.
    pub(crate) async fn wait_briefly(&mut self) -> Result<()> {
        if let Side::Postgres(tx) = self {
            sqlx::query(postgres::WAIT_BRIEFLY).execute(&mut **tx).await?;
        }
        Ok(())
    }

    /// Commits durably, and sends a hint to other nodes if it wrote under a lock.
    pub async fn commit(self) -> Result<()> {
        match self {
            Side::Sqlite(open) => open.tx.commit().await?,
            Side::Postgres(open) => open.tx.commit().await?,
        }
        Ok(())
    }
}

/// A stream of hints. They carry no data; lost, late and duplicate hints are harmless.
pub struct Hints(Side<sqlite::Hearing, Box<postgres::Hearing>>);

impl Hints {
    /// Waits until something may have been written. Takes all hints that have arrived: one reading
    /// follows them all.
    ///
    /// # Errors
    /// The stream is broken: pause, then open a new one.
    pub async fn wait(&mut self) -> Result<()> {
        match &mut self.0 {
            Side::Sqlite(hearing) => hearing.wait().await,
            Side::Postgres(hearing) => hearing.wait().await,
        }
    }
}

/// Whether these tables are an event's; an error if they are another program's.
fn holds(tables: &[String]) -> Result<bool> {
    let has = |name: &str| tables.iter().any(|table| table == name);
    if has("meta") && has("journal") {
        return Ok(true);
    }
    if tables.is_empty() {
        return Ok(false);
    }
    let named = tables.iter().take(NAMED_MAX).map(String::as_str);
    Err(StoreError::Foreign(named.collect::<Vec<_>>().join(", ")))
}

pub(crate) mod names;
mod postgres;
mod sqlite;
#[cfg(test)]
mod tests;
