//! Health checks of the database: one small read, one small write.

use crate::engine::run;
use crate::{Db, Lock, Result};

/// The sequence number of the journal's last entry, 0 without one.
pub async fn last_seq(db: &Db) -> Result<i64> {
    let sql = "select coalesce(max(seq), 0) from journal";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
}

/// Takes the lane's lock, changes a value and commits, so that a full disk or a lost lock fails
/// here as it would in the lane. The value must change, because SQLite does not write an equal
/// value.
pub async fn write(db: &Db) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    let sql = "insert into meta (key, value) values ('health_check', '0') \
               on conflict (key) do update \
               set value = case meta.value when '0' then '1' else '0' end";
    run!(&mut tx => query(sql).execute);
    tx.commit().await
}
