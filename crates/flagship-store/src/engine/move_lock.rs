//! The lock of a program that moves all attachments. It lasts longer than a transaction.

use sqlx::{Connection, PgConnection};

use super::{Db, PerEngine};
use crate::Result;

/// Key of the advisory lock. No transaction uses it.
const KEY: i64 = 0x464c_4d56;

/// Held lock. Dropping it closes its connection, and PostgreSQL then releases it.
#[derive(Debug)]
pub struct MoveLock {
    _connection: Option<PgConnection>,
}

impl Db {
    /// Locks the attachments for a move; `None` if another program moves them. With SQLite, the
    /// lock of the data folder excludes other programs.
    pub async fn lock_move(&self) -> Result<Option<MoveLock>> {
        let PerEngine::Postgres(pools) = &self.pools else {
            return Ok(Some(MoveLock { _connection: None }));
        };
        let mut conn = PgConnection::connect_with(&pools.shared.connect_options()).await?;
        let lock = sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(KEY);
        let is_locked: bool = lock.fetch_one(&mut conn).await?;
        Ok(is_locked.then_some(MoveLock { _connection: Some(conn) }))
    }
}
