//! What is asked of a database to see that it works: one small read, one small write.

use crate::engine::on;
use crate::{Db, Lock, Result};

/// The number of the journal's last entry; 0 without one.
pub async fn last_seq(db: &Db) -> Result<i64> {
    let mut conn = db.read().await?;
    let sql = "select coalesce(max(seq), 0) from journal";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}

/// Takes the lane's lock, writes what is there already, and makes it durable: what a full disk or
/// a lost lock refuses to the lane, it refuses here.
pub async fn write(db: &Db) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    on!(&mut tx, conn => {
        let sql = "update meta set value = value where key = 'generation'";
        sqlx::query(sql).execute(conn).await?;
    });
    tx.commit().await
}
