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

use crate::fault::DatabaseFault;
use crate::{Clock, Result, StoreError};

/// Migrations, shared by both engines.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Read connections per node. With SQLite, one of them confirms verdicts.
const READERS_MAX: u32 = 9;
/// Other connections of the shared PostgreSQL pool, for hints, accounts and budgets. Attachments
/// use a read connection, which is spare because verdicts are confirmed on another pool.
const OTHERS_MAX: u32 = 3;
/// PostgreSQL connections that a rush of logins cannot occupy: one for the lane, one for the health
/// check and two that confirm verdicts.
const JOURNAL_MAX: u32 = 4;
/// Maximum concurrent transactions per node on accounts, and the same number on budgets and on
/// attachments. Further transactions wait before they take a connection, so the lane waits for at
/// most one of each kind.
const WRITERS_MAX: usize = 1;
/// Maximum wait for a lock or a connection.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// Maximum time for an idle PostgreSQL connection to respond before it is used. Another connection
/// replaces it after that.
const IDLE_RESPONSE_MAX: Duration = Duration::from_secs(1);

/// Query that returns a row if the database was written with a secret.
const SECRET_CHECK: &str = "select 1 from meta where key = 'secret_check'";
/// Maximum number of another program's tables that an error names.
const NAMED_MAX: usize = 3;

/// Contents of a database before it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseContents {
    /// Empty, or tables without an event.
    Nothing,
    /// An event, written with a secret.
    Event,
}

/// A value whose type depends on the engine.
#[derive(Clone, Debug)]
pub enum PerEngine<S, P> {
    /// The value for SQLite.
    Sqlite(S),
    /// The value for PostgreSQL.
    Postgres(P),
}

/// SQLite pools: many readers, one writer.
#[derive(Clone, Debug)]
pub struct SqlitePools {
    read: SqlitePool,
    write: SqlitePool,
}

/// PostgreSQL pools. In a server, a transaction that waits for the accounts lock never occupies the
/// lane's connection. A command has a single pool.
#[derive(Clone, Debug)]
pub struct PgPools {
    shared: PgPool,
    journal: PgPool,
}

/// Maximum sizes of the PostgreSQL pools.
#[derive(Clone, Copy)]
pub struct PgPoolSizes {
    shared: u32,
    /// `None` if the lane shares the other pool.
    journal: Option<u32>,
}

impl PgPoolSizes {
    /// Sizes for a server.
    pub const SERVER: Self = Self { shared: READERS_MAX + OTHERS_MAX, journal: Some(JOURNAL_MAX) };
    /// Sizes for a command, which runs one statement at a time.
    pub const COMMAND: Self = Self { shared: 1, journal: None };
}

/// A database handle.
#[derive(Clone, Debug)]
pub struct Db {
    pools: PerEngine<SqlitePools, PgPools>,
    account_writers: Arc<Semaphore>,
    budget_writers: Arc<Semaphore>,
    attachment_writers: Arc<Semaphore>,
}

/// A read-only connection.
pub type Conn = PerEngine<PoolConnection<Sqlite>, PoolConnection<Postgres>>;

/// A transaction that can write. Rolled back if dropped without `commit`.
pub type Tx = PerEngine<OpenTx<Sqlite>, OpenTx<Postgres>>;

/// A transaction with its write permit.
#[derive(Debug)]
pub struct OpenTx<D: Database> {
    tx: Transaction<'static, D>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl<D: Database> Deref for OpenTx<D> {
    type Target = D::Connection;
    fn deref(&self) -> &D::Connection {
        &self.tx
    }
}

impl<D: Database> DerefMut for OpenTx<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        &mut self.tx
    }
}

/// A lock held by one writing transaction at a time, across all nodes. SQLite has a single lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// For appending to the journal.
    Journal = 0x464c_4147,
    /// For changing accounts, sessions and email.
    Accounts,
    /// For counting against limits that nodes share.
    Budgets,
    /// For storing attachments in the database.
    Attachments,
}

/// Runs the same code on the connection of either engine. The connection can come from a database:
/// `on!(db.read(), conn => …)`.
macro_rules! on {
    ($db:ident.$conn:ident(), $name:ident => $body:expr) => {
        $crate::engine::on!(&mut $db.$conn().await?, $name => $body)
    };
    ($side:expr, $conn:ident => $body:expr) => {
        match $side {
            $crate::engine::PerEngine::Sqlite(conn) => {
                let $conn = &mut **conn;
                $body
            }
            $crate::engine::PerEngine::Postgres(conn) => {
                let $conn = &mut **conn;
                $body
            }
        }
    };
}

/// Runs one statement with its values on either engine. The connection can come from a database:
/// `run!(db.read() => query_as(sql, id).fetch_all)`. The SQL can be a constant followed by a
/// literal. `query(…).execute` returns the number of rows.
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

/// Inserts rows with one statement that ends with `end`: `insert!(tx => "insert into names
/// (name_key, account_id) ", rows, |(key, id)| (key, id), end)`.
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

/// Appends a list of values in parentheses.
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

/// Begins a transaction. If the caller is dropped, the statement still completes, and the
/// transaction is then rolled back. sqlx itself would miss a transaction whose start was cancelled,
/// and the next user of the connection would read an old snapshot.
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

    /// Opens or creates the SQLite database in `file` without migrating it.
    pub async fn connect_sqlite(file: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // Deleted values, such as emailed links, are also overwritten in the file.
            .pragma("secure_delete", "on")
            .busy_timeout(BUSY_WAIT);
        let pool = || {
            // Either limit would make sqlx run a reaper task, whose loop can underflow a counter
            // and never end.
            let options = SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None);
            // A connection to a file cannot be lost, so it is not tested before use: each test
            // waits for another thread. sqlx also tests each returned connection.
            options.test_before_acquire(false).acquire_timeout(BUSY_WAIT)
        };
        // A batch of incorrect submissions changes thousands of pages. With less memory, SQLite
        // would write these pages several times, and the undo log of each statement to a file.
        let writer = options.clone().pragma("cache_size", "-16384").pragma("temp_store", "memory");
        let write = pool()
            .max_connections(1)
            .after_release(|conn, _| {
                Box::pin(async move {
                    // On a full disk, SQLite rolls back a transaction without sqlx noticing, and
                    // sqlx then cannot begin another one on this connection. Closes such a
                    // connection.
                    conn.ping().await?;
                    Ok(!conn.is_in_transaction())
                })
            })
            .connect_with(writer)
            .await?;
        let read = pool()
            .max_connections(READERS_MAX)
            .connect_lazy_with(options.read_only(true).pragma("query_only", "on"));
        Ok(Self::over(PerEngine::Sqlite(SqlitePools { read, write })))
    }

    /// Inspects the existing SQLite database in `file` without writing to it.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] if it belongs to another program.
    pub async fn inspect_sqlite(file: &Path) -> Result<DatabaseContents> {
        match Self::inspect_file(file, true).await {
            // A killed process left a transaction that must be rolled back first.
            Err(error) if error.fault().is_some_and(|it| it.0 == DatabaseFault::Denied) => {
                Self::inspect_file(file, false).await
            }
            looked => looked,
        }
    }

    async fn inspect_file(file: &Path, read_only: bool) -> Result<DatabaseContents> {
        let options = SqliteConnectOptions::new().filename(file).read_only(read_only);
        let mut conn = options.busy_timeout(BUSY_WAIT).connect().await?;
        let tables: Vec<String> = sqlx::query_scalar(sqlite::TABLES).fetch_all(&mut conn).await?;
        let secret = match holds(&tables)? {
            true => sqlx::query(SECRET_CHECK).fetch_optional(&mut conn).await?.is_some(),
            false => false,
        };
        conn.close().await?;
        Ok(if secret { DatabaseContents::Event } else { DatabaseContents::Nothing })
    }

    fn over(pools: PerEngine<SqlitePools, PgPools>) -> Self {
        let writers = || Arc::new(Semaphore::new(WRITERS_MAX));
        Self {
            pools,
            account_writers: writers(),
            budget_writers: writers(),
            attachment_writers: writers(),
        }
    }

    /// Connects to the PostgreSQL database at `url` without migrating it.
    ///
    /// # Errors
    /// [`StoreError::TransactionPooler`] if a pooler between them splits sessions.
    pub async fn connect_postgres(url: &str, sizes: PgPoolSizes) -> Result<Self> {
        let options = sqlx::postgres::PgConnectOptions::from_str(url)?;
        // No column is a float, and PgBouncer rejects this parameter.
        let options = options.extra_float_digits(None);
        let pool = |max| {
            let lasting = PgPoolOptions::new().idle_timeout(None).max_lifetime(None);
            // The tests of sqlx have no time limit. If the server's machine disappeared, they would
            // occupy the whole pool until TCP gives up, after a quarter of an hour.
            let tested = lasting.test_before_acquire(false).before_acquire(|conn, _| {
                Box::pin(async move { Ok(postgres::responds(conn, IDLE_RESPONSE_MAX).await) })
            });
            let tested = tested.after_release(|conn, _| {
                Box::pin(async move { Ok(postgres::responds(conn, BUSY_WAIT).await) })
            });
            tested.acquire_timeout(BUSY_WAIT).max_connections(max)
        };
        let shared = pool(sizes.shared).connect_with(options.clone()).await?;
        let mut first = shared.acquire().await?;
        let (journal, is_split) = match sizes.journal {
            None => {
                let mut second = options.connect().await?;
                let is_split = postgres::splits_sessions(&mut first, &mut second).await?;
                second.close().await?;
                (shared.clone(), is_split)
            }
            Some(max) => {
                let journal = pool(max).connect_lazy_with(options);
                let mut second = journal.acquire().await?;
                let is_split = postgres::splits_sessions(&mut first, &mut second).await?;
                drop(second);
                (journal, is_split)
            }
        };
        drop(first);
        if is_split {
            return Err(StoreError::TransactionPooler);
        }
        Ok(Self::over(PerEngine::Postgres(PgPools { shared, journal })))
    }

    /// Inspects a PostgreSQL database without writing to it. Returns `Nothing` for SQLite; use
    /// `inspect_sqlite`.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] if it has another program's tables.
    pub async fn inspect(&self) -> Result<DatabaseContents> {
        let PerEngine::Postgres(pools) = &self.pools else { return Ok(DatabaseContents::Nothing) };
        let mut conn = pools.shared.acquire().await?;
        let tables: Vec<String> =
            sqlx::query_scalar(postgres::TABLES).fetch_all(&mut *conn).await?;
        let secret = match holds(&tables)? {
            true => sqlx::query(SECRET_CHECK).fetch_optional(&mut *conn).await?.is_some(),
            false => false,
        };
        Ok(if secret { DatabaseContents::Event } else { DatabaseContents::Nothing })
    }

    /// Migrates the schema to `version`, or to the newest one. Each step runs in a transaction.
    pub async fn migrate(&self, version: Option<i64>) -> Result<()> {
        let migrated = match (&self.pools, version) {
            (PerEngine::Sqlite(pools), None) => MIGRATIONS.run(&pools.write).await,
            (PerEngine::Sqlite(pools), Some(version)) => {
                MIGRATIONS.run_to(version, &pools.write).await
            }
            (PerEngine::Postgres(pools), None) => MIGRATIONS.run(&pools.shared).await,
            (PerEngine::Postgres(pools), Some(version)) => {
                MIGRATIONS.run_to(version, &pools.shared).await
            }
        };
        migrated.map_err(|error| match error {
            MigrateError::VersionMissing(version) => StoreError::Newer(version),
            error => error.into(),
        })
    }

    /// Newest schema version known to this program.
    pub fn schema_known() -> i64 {
        MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
    }

    /// Creates an empty PostgreSQL database next to the one at `url` and returns its URL. `name`
    /// must consist of lower-case letters, digits and underscores.
    pub async fn create_beside(url: &str, name: &str) -> Result<String> {
        let mut conn = PgConnection::connect(url).await?;
        let sql = AssertSqlSafe(format!("create database {name}"));
        sqlx::query(sql).execute(&mut conn).await?;
        conn.close().await?;
        let options = sqlx::postgres::PgConnectOptions::from_str(url)?;
        Ok(options.database(name).to_url_lossy().into())
    }

    /// Drops a database created by `create_beside`.
    pub async fn drop_beside(url: &str, name: &str) -> Result<()> {
        let mut conn = PgConnection::connect(url).await?;
        let sql = AssertSqlSafe(format!("drop database if exists {name} with (force)"));
        sqlx::query(sql).execute(&mut conn).await?;
        Ok(conn.close().await?)
    }

    /// Display name of the engine.
    pub fn engine(&self) -> &'static str {
        match &self.pools {
            PerEngine::Sqlite(_) => "SQLite",
            PerEngine::Postgres(_) => "PostgreSQL",
        }
    }

    pub(crate) async fn read(&self) -> Result<Conn> {
        Ok(match &self.pools {
            PerEngine::Sqlite(pools) => PerEngine::Sqlite(pools.read.acquire().await?),
            PerEngine::Postgres(pools) => PerEngine::Postgres(pools.shared.acquire().await?),
        })
    }

    /// Returns a connection for a short read that submissions wait for. Reads of accounts do not
    /// delay it.
    pub(crate) async fn read_at_once(&self) -> Result<Conn> {
        match &self.pools {
            PerEngine::Sqlite(_) => self.read().await,
            PerEngine::Postgres(pools) => Ok(PerEngine::Postgres(pools.journal.acquire().await?)),
        }
    }

    /// Begins a write transaction that holds `lock` until it ends.
    pub async fn begin(&self, lock: Lock) -> Result<Tx> {
        let permit = self.permit(lock).await?;
        Ok(match &self.pools {
            PerEngine::Sqlite(pools) => {
                let tx = pools.write.begin_with("begin immediate").await?;
                PerEngine::Sqlite(OpenTx { tx, _permit: permit })
            }
            PerEngine::Postgres(pools) => {
                let pool = if lock == Lock::Journal { &pools.journal } else { &pools.shared };
                let mut tx = begin(pool, postgres::ISOLATION).await?;
                let begin =
                    sqlx::query(postgres::BEGIN).bind(lock as i64).bind(postgres::HINT_CHANNEL);
                begin.execute(&mut *tx).await?;
                PerEngine::Postgres(OpenTx { tx, _permit: permit })
            }
        })
    }

    /// Returns a permit to write under a lock; `None` for the journal, which has its own
    /// connections. A timeout returns the pool's timeout error.
    async fn permit(&self, lock: Lock) -> Result<Option<OwnedSemaphorePermit>> {
        let writers = match lock {
            Lock::Journal => return Ok(None),
            Lock::Accounts => &self.account_writers,
            Lock::Budgets => &self.budget_writers,
            Lock::Attachments => &self.attachment_writers,
        };
        let permit = timeout(BUSY_WAIT, writers.clone().acquire_owned()).await;
        let permit = permit.map_err(|_| sqlx::Error::PoolTimedOut)?;
        Ok(Some(permit.map_err(|_| sqlx::Error::PoolClosed)?))
    }

    /// Begins a read-only transaction on a consistent snapshot. Writes can continue.
    pub async fn snapshot(&self) -> Result<Tx> {
        self.snapshot_on(|pools| &pools.shared).await
    }

    /// Like [`Self::snapshot`], on the connection of the lane's next step. Statements prepared on
    /// it save that step one round trip, for which other nodes would wait.
    pub(crate) async fn journal_snapshot(&self) -> Result<Tx> {
        self.snapshot_on(|pools| &pools.journal).await
    }

    async fn snapshot_on(&self, pool: impl Fn(&PgPools) -> &PgPool) -> Result<Tx> {
        Ok(match &self.pools {
            PerEngine::Sqlite(pools) => {
                PerEngine::Sqlite(OpenTx { tx: begin(&pools.read, "begin").await?, _permit: None })
            }
            PerEngine::Postgres(pools) => {
                let sql = "begin isolation level repeatable read read only";
                PerEngine::Postgres(OpenTx { tx: begin(pool(pools), sql).await?, _permit: None })
            }
        })
    }

    /// Returns a clock anchored to PostgreSQL's current time, which all nodes share. With SQLite,
    /// the anchor is the time of this machine.
    pub async fn clock(&self) -> Result<Clock> {
        Ok(match &self.pools {
            PerEngine::Sqlite(_) => Clock::system(),
            PerEngine::Postgres(pools) => {
                let now = sqlx::query_scalar(postgres::NOW_MS).fetch_one(&pools.shared);
                Clock::anchored(now.await?)
            }
        })
    }

    /// The schema version of the database.
    pub async fn schema(&self) -> Result<i64> {
        self.snapshot().await?.schema().await
    }

    /// First problem found by SQLite's integrity check, if any.
    pub async fn damage(&self) -> Result<Option<String>> {
        let PerEngine::Sqlite(pools) = &self.pools else { return Ok(None) };
        let sql = "pragma integrity_check(1)";
        let said: String = sqlx::query_scalar(sql).fetch_one(&pools.read).await?;
        Ok((said != "ok").then_some(said))
    }

    /// Size of the database in bytes, without SQLite's write-ahead log.
    pub async fn bytes(&self) -> Result<u64> {
        let size: i64 = match &self.pools {
            PerEngine::Sqlite(pools) => {
                sqlx::query_scalar(sqlite::BYTES).fetch_one(&pools.read).await?
            }
            PerEngine::Postgres(pools) => {
                sqlx::query_scalar(postgres::BYTES).fetch_one(&pools.shared).await?
            }
        };
        Ok(size.unsigned_abs())
    }

    /// Moves all data from SQLite's write-ahead log into the database file, so that the file is
    /// complete without the log. Closing the database does this too, but ignores errors such as a
    /// full disk.
    ///
    /// # Errors
    /// Fails if not all data was moved.
    pub async fn checkpoint(&self) -> Result<()> {
        let PerEngine::Sqlite(pools) = &self.pools else { return Ok(()) };
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
            PerEngine::Sqlite(pools) => {
                pools.read.close().await;
                pools.write.close().await;
            }
            PerEngine::Postgres(pools) => {
                pools.shared.close().await;
                pools.journal.close().await;
            }
        }
    }

    /// Returns a stream of hints, which report writes by this or another process.
    pub async fn hints(&self) -> Result<Hints> {
        Ok(Hints(match &self.pools {
            PerEngine::Sqlite(pools) => {
                PerEngine::Sqlite(sqlite::HintListener::begin(&pools.read).await?)
            }
            PerEngine::Postgres(pools) => {
                PerEngine::Postgres(Box::new(postgres::HintListener::begin(&pools.shared).await?))
            }
        }))
    }
}

impl Tx {
    /// Returns the current time in epoch milliseconds, read while the lock is held. With
    /// PostgreSQL, this is the database's time, which all nodes share, unless that clock jumped.
    pub async fn now_ms(&mut self, clock: &Clock) -> Result<i64> {
        match (self, clock) {
            (PerEngine::Postgres(tx), Clock::System { .. }) => {
                let said = sqlx::query_scalar(postgres::NOW_MS).fetch_one(&mut **tx).await?;
                Ok(clock.settle(said))
            }
            _ => Ok(clock.now_ms()),
        }
    }

    /// Like [`Self::now_ms`], with a value of the table `meta` in the same round trip.
    pub(crate) async fn now_ms_and_meta(
        &mut self,
        clock: &Clock,
        key: &str,
    ) -> Result<(i64, Option<String>)> {
        if let (PerEngine::Postgres(tx), Clock::System { .. }) = (&mut *self, clock) {
            let read = sqlx::query_as(postgres::NOW_MS_AND_META).bind(key);
            let (said, value) = read.fetch_one(&mut **tx).await?;
            return Ok((clock.settle(said), value));
        }
        let read = "select value from meta where key = $1";
        Ok((clock.now_ms(), run!(self => query_scalar(read, key).fetch_optional)))
    }

    /// Returns tables with their columns and column types, in the same order on both engines,
    /// without the migrations table.
    pub(crate) async fn columns(&mut self) -> Result<Vec<(String, String, String)>> {
        Ok(match self {
            PerEngine::Sqlite(tx) => sqlx::query_as(sqlite::COLUMNS).fetch_all(&mut **tx).await?,
            PerEngine::Postgres(tx) => {
                sqlx::query_as(postgres::COLUMNS).fetch_all(&mut **tx).await?
            }
        })
    }

    /// Collation that sorts text by code point, for use after `order by COLUMN`.
    pub(crate) fn by_code_point(&self) -> &'static str {
        match self {
            PerEngine::Sqlite(_) => "collate binary",
            PerEngine::Postgres(_) => "collate \"C\"",
        }
    }

    /// The version of the schema.
    pub(crate) async fn schema(&mut self) -> Result<i64> {
        let sql = "select max(version) from _sqlx_migrations";
        Ok(run!(self => query_scalar(sql).fetch_one))
    }

    /// Takes a second lock. Always `Accounts` after `Journal`, to avoid deadlocks.
    pub(crate) async fn also_lock_accounts(&mut self) -> Result<()> {
        if let PerEngine::Postgres(tx) = self {
            sqlx::query("select pg_advisory_xact_lock($1)")
                .bind(Lock::Accounts as i64)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    /// Limits the wait for a row lock. [`StoreError::is_lock_timeout`] detects the error after a
    /// longer wait. SQLite has no row locks.
    pub(crate) async fn wait_briefly(&mut self) -> Result<()> {
        if let PerEngine::Postgres(tx) = self {
            sqlx::query(postgres::WAIT_BRIEFLY).execute(&mut **tx).await?;
        }
        Ok(())
    }

    /// Commits durably. Sends a hint to other nodes if the transaction holds a lock.
    pub async fn commit(self) -> Result<()> {
        match self {
            PerEngine::Sqlite(open) => open.tx.commit().await?,
            PerEngine::Postgres(open) => open.tx.commit().await?,
        }
        Ok(())
    }
}

/// A stream of hints. Hints carry no data. Lost, late and duplicate hints are harmless.
pub struct Hints(PerEngine<sqlite::HintListener, Box<postgres::HintListener>>);

impl Hints {
    /// Waits until something may have been written. Consumes all pending hints, since one read
    /// covers them all.
    ///
    /// # Errors
    /// The stream is broken: pause, then open a new one.
    pub async fn wait(&mut self) -> Result<()> {
        match &mut self.0 {
            PerEngine::Sqlite(listener) => listener.wait().await,
            PerEngine::Postgres(listener) => listener.wait().await,
        }
    }
}

/// True if these tables belong to an event; an error if they belong to another program.
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

mod move_lock;
pub(crate) mod names;
mod postgres;
mod sqlite;
#[cfg(test)]
mod tests;
