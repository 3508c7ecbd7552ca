//! What PostgreSQL alone has: statements, and a channel for hints.

use std::time::{Duration, Instant};

use sqlx::postgres::{PgListener, PgPool};

use crate::Result;

/// The channel of hints; they carry no data.
pub(super) const HINT_CHANNEL: &str = "flagship";
/// How long a node waits for a hint before it looks for changes anyway.
const HINT_SILENCE: Duration = Duration::from_millis(500);
/// How long after it took hints a node takes no others: a hint comes with every commit, its own
/// ones included, and following it takes eight statements.
const HINT_PAUSE: Duration = Duration::from_millis(20);

/// Hears hints.
pub(super) struct Hearing {
    listener: PgListener,
    not_before: Instant,
}

impl Hearing {
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

/// Each statement sees what was committed before it, whatever the server's default is: a snapshot
/// from before the lock would miss what its last holder wrote.
pub(super) const ISOLATION: &str = "begin isolation level read committed";
/// Takes a lock, makes the commit send a hint to the nodes, and wait for the disk whatever the
/// server's default is; a stricter setting stays. One round trip for all three.
pub(super) const BEGIN: &str = "select pg_advisory_xact_lock($1), pg_notify($2, ''), \
    set_config('synchronous_commit', \
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' \
    else 'on' end, true)";
/// Ends the wait for a lock long before the server looks for a deadlock, after a second.
pub(super) const WAIT_BRIEFLY: &str = "set local lock_timeout = '20ms'";
/// PostgreSQL's current time, which moves within a transaction.
pub(super) const NOW_MS: &str = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";
/// The same, and a value of the table `meta`.
pub(super) const NOW_MS_AND_META: &str = "select \
    (extract(epoch from clock_timestamp()) * 1000)::bigint, \
    (select value from meta where key = $1)";
/// Table, column and type, as the migrations wrote them.
pub(super) const COLUMNS: &str = "select table_name::text, column_name::text, data_type::text \
    from information_schema.columns \
    where table_schema = current_schema() and table_name <> '_sqlx_migrations' \
    order by table_name::text collate \"C\", ordinal_position";
/// The names of all tables.
pub(super) const TABLES: &str = "select tablename::text from pg_tables \
    where schemaname = current_schema() and tablename <> '_sqlx_migrations' order by 1";
/// The size of the database.
pub(super) const BYTES: &str = "select pg_database_size(current_database())";
