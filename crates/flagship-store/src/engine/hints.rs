//! Hints that this or another process wrote something.

use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgListener;
use sqlx::sqlite::Sqlite;

use super::{Db, HINT_CHANNEL, Side};
use crate::Result;

/// How often SQLite is polled for writes of other processes.
const HINT_POLL: Duration = Duration::from_millis(50);
/// How long a node waits for a hint of PostgreSQL before it looks for changes anyway.
const HINT_SILENCE: Duration = Duration::from_millis(500);
/// How long after it took hints of PostgreSQL a node takes no others: a hint comes with every commit,
/// its own ones included, and following it takes eight statements.
const HINT_PAUSE: Duration = Duration::from_millis(20);

/// A stream of hints. They carry no data; lost, late and duplicate hints are harmless.
pub struct Hints(Side<(PoolConnection<Sqlite>, i64), (Box<PgListener>, Instant)>);

impl Hints {
    /// Waits until something may have been written. Takes all hints that have arrived: one reading
    /// follows them all.
    ///
    /// # Errors
    /// The stream is broken: pause, then open a new one.
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
            Side::Postgres((listener, not_before)) => {
                if Instant::now() < *not_before {
                    tokio::time::sleep_until((*not_before).into()).await;
                }
                let mut silence = HINT_SILENCE;
                while let Ok(hint) = tokio::time::timeout(silence, listener.recv()).await {
                    (_, silence) = (hint?, Duration::ZERO);
                }
                *not_before = Instant::now() + HINT_PAUSE;
                Ok(())
            }
        }
    }
}

impl Db {
    /// A stream of hints that this or another process wrote something.
    pub async fn hints(&self) -> Result<Hints> {
        Ok(Hints(match &self.pools {
            Side::Sqlite(pools) => {
                let mut conn = pools.read.acquire().await?;
                let version = data_version(&mut conn).await?;
                Side::Sqlite((conn, version))
            }
            Side::Postgres(pools) => {
                let mut listener = PgListener::connect_with(&pools.shared).await?;
                listener.listen(HINT_CHANNEL).await?;
                Side::Postgres((Box::new(listener), Instant::now()))
            }
        }))
    }
}

async fn data_version(conn: &mut PoolConnection<Sqlite>) -> Result<i64> {
    conn.ping().await?;
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(&mut **conn).await?)
}
