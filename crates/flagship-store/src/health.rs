//! Health checks of the database: one small read, one small write.

use crate::engine::on;
use crate::{Db, Lock, Result};

/// The sequence number of the journal's last entry, 0 without one.
pub async fn last_seq(db: &Db) -> Result<i64> {
    let mut conn = db.read().await?;
    let sql = "select coalesce(max(seq), 0) from journal";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}

/// Takes the lane's lock, writes a value that differs from the one before, and commits: a full disk
/// or a lost lock fails here as it would in the lane. SQLite does not write a value that is equal.
pub async fn write(db: &Db) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    on!(&mut tx, conn => {
        let sql = "insert into meta (key, value) values ('health_check', '0') \
                   on conflict (key) do update \
                   set value = case meta.value when '0' then '1' else '0' end";
        sqlx::query(sql).execute(conn).await?;
    });
    tx.commit().await
}
