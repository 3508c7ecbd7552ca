//! PostgreSQL-specific statements and the notification channel for hints.

use std::time::{Duration, Instant};

use sqlx::postgres::{PgListener, PgPool};

use crate::Result;

/// Notification channel of hints. They carry no data.
pub(super) const HINT_CHANNEL: &str = "flagship";
/// Maximum wait for a hint. A node then checks for changes anyway.
const HINT_SILENCE: Duration = Duration::from_millis(500);
/// Pause after handling hints. Every commit sends a hint, even to the committing node, and a node
/// runs eight statements per hint.
const HINT_PAUSE: Duration = Duration::from_millis(20);

/// Listens for hints.
pub(super) struct HintListener {
    listener: PgListener,
    not_before: Instant,
}

impl HintListener {
    pub(super) async fn begin(pool: &PgPool) -> Result<Self> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(HINT_CHANNEL).await?;
        Ok(Self { listener, not_before: Instant::now() })
    }

    pub(super) async fn wait(&mut self) -> Result<()> {
        if Instant::now() < self.not_before {
            tokio::time::sleep_until(self.not_before.into()).await;
        }
        let mut silence = HINT_SILENCE;
        while let Ok(hint) = tokio::time::timeout(silence, self.listener.recv()).await {
            (_, silence) = (hint?, Duration::ZERO);
        }
        self.not_before = Instant::now() + HINT_PAUSE;
        Ok(())
    }
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
