//! SQLite-specific statements, and polling in place of hints.

use std::time::Duration;

use sqlx::Connection;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{Sqlite, SqlitePool};

use crate::Result;

/// Polling interval for writes by other processes.
const HINT_POLL: Duration = Duration::from_millis(50);

/// Detects writes by other processes.
pub(super) struct HintListener {
    conn: PoolConnection<Sqlite>,
    version: i64,
}

impl HintListener {
    pub(super) async fn begin(pool: &SqlitePool) -> Result<Self> {
        let mut conn = pool.acquire().await?;
        let version = data_version(&mut conn).await?;
        Ok(Self { conn, version })
    }

    pub(super) async fn wait(&mut self) -> Result<()> {
        loop {
            tokio::time::sleep(HINT_POLL).await;
            let now = data_version(&mut self.conn).await?;
            if now != self.version {
                self.version = now;
                return Ok(());
            }
        }
    }
}

async fn data_version(conn: &mut PoolConnection<Sqlite>) -> Result<i64> {
    conn.ping().await?;
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(&mut **conn).await?)
}

/// Table, column and type, as written in the migrations.
pub(super) const COLUMNS: &str = "select m.name, c.name, lower(c.type) \
    from sqlite_master m join pragma_table_info(m.name) c \
    where m.type = 'table' and m.name not in ('_sqlx_migrations', 'sqlite_sequence') \
    order by m.name, c.cid";
/// The names of all tables.
pub(super) const TABLES: &str = "select name from sqlite_master \
    where type = 'table' and name not in ('_sqlx_migrations', 'sqlite_sequence') order by name";
/// The size of the database.
pub(super) const BYTES: &str = "select page_count * page_size \
    from pragma_page_count(), pragma_page_size()";
