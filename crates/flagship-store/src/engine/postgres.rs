//! PostgreSQL-specific statements and the notification channel for hints.

use std::time::{Duration, Instant};

use sqlx::postgres::{PgListener, PgPool};
use sqlx::{Connection, PgConnection, Row};
use tokio::time::timeout;

use crate::Result;

/// Notification channel of hints. They carry no data.
pub(super) const HINT_CHANNEL: &str = "flagship";
/// Maximum wait for a hint. A node then checks for changes anyway.
const HINT_SILENCE: Duration = Duration::from_millis(500);
/// Pause after handling hints. Every commit sends a hint, even to the committing node, and a node
/// runs eight statements per hint.
const HINT_PAUSE: Duration = Duration::from_millis(20);

/// Time without a hint after which the listener tests its connection. Nothing else is sent on it,
/// so it would not notice that the server's machine disappeared.
const LISTENER_SILENCE: Duration = Duration::from_secs(5);
/// Maximum time for a response to that test.
const LISTENER_RESPONSE_MAX: Duration = Duration::from_secs(2);

/// Listens for hints.
pub(super) struct HintListener {
    listener: PgListener,
    not_before: Instant,
    heard_at: Instant,
}

impl HintListener {
    pub(super) async fn begin(pool: &PgPool) -> Result<Self> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(HINT_CHANNEL).await?;
        let now = Instant::now();
        Ok(Self { listener, not_before: now, heard_at: now })
    }

    pub(super) async fn wait(&mut self) -> Result<()> {
        if Instant::now() < self.not_before {
            tokio::time::sleep_until(self.not_before.into()).await;
        }
        let mut silence = HINT_SILENCE;
        while let Ok(hint) = timeout(silence, self.listener.recv()).await {
            (_, silence) = (hint?, Duration::ZERO);
            self.heard_at = Instant::now();
        }
        if self.heard_at.elapsed() > LISTENER_SILENCE {
            let test = sqlx::query("select 1").execute(&mut self.listener);
            let responded = timeout(LISTENER_RESPONSE_MAX, test).await;
            responded.map_err(|_| sqlx::Error::PoolTimedOut)??;
            self.heard_at = Instant::now();
        }
        self.not_before = Instant::now() + HINT_PAUSE;
        Ok(())
    }
}

/// True if a connection responds in time.
pub(super) async fn responds(conn: &mut PgConnection, within: Duration) -> bool {
    timeout(within, conn.ping()).await.is_ok_and(|pong| pong.is_ok())
}

/// True if a pooler distributes the statements of one connection over several sessions. Two open
/// connections then have the same session, or one has another session for its next statement.
pub(super) async fn splits_sessions(
    first: &mut PgConnection,
    second: &mut PgConnection,
) -> Result<bool> {
    let session = session_id(first).await?;
    Ok(session_id(second).await? == session || session_id(first).await? != session)
}

async fn session_id(conn: &mut PgConnection) -> Result<i32> {
    // Without a prepared statement, which such a pooler may not support.
    let row = sqlx::raw_sql("select pg_backend_pid()").fetch_one(conn).await?;
    Ok(row.try_get(0)?)
}

/// Makes each statement see all earlier commits, whatever the server's default is. A snapshot taken
/// before the lock would miss the writes of its last holder.
pub(super) const ISOLATION: &str = "begin isolation level read committed";
/// Takes a lock, makes the commit notify other nodes, and makes it wait for the disk whatever the
/// server's default is. A stricter setting of the server stays in effect. All three take one round
/// trip.
pub(super) const BEGIN: &str = "select pg_advisory_xact_lock($1), pg_notify($2, ''), \
    set_config('synchronous_commit', \
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' \
    else 'on' end, true)";
/// Limits the wait for a lock. The limit is far below one second, after which PostgreSQL checks for
/// deadlocks.
pub(super) const WAIT_BRIEFLY: &str = "set local lock_timeout = '20ms'";
/// PostgreSQL's current time, which advances within a transaction.
pub(super) const NOW_MS: &str = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";
/// The current time and a value of the table `meta`.
pub(super) const NOW_MS_AND_META: &str = "select \
    (extract(epoch from clock_timestamp()) * 1000)::bigint, \
    (select value from meta where key = $1)";
/// Table, column and type, as written in the migrations.
pub(super) const COLUMNS: &str = "select table_name::text, column_name::text, data_type::text \
    from information_schema.columns \
    where table_schema = current_schema() and table_name <> '_sqlx_migrations' \
    order by table_name::text collate \"C\", ordinal_position";
/// The names of all tables.
pub(super) const TABLES: &str = "select tablename::text from pg_tables \
    where schemaname = current_schema() and tablename <> '_sqlx_migrations' order by 1";
/// The size of the database.
pub(super) const BYTES: &str = "select pg_database_size(current_database())";
