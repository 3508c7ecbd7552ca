//! What changes with the challenges that organizers see.

use crate::engine::on;
use crate::{Db, Result};

/// A number that changes with every challenge that is made, edited, released, hidden or applied,
/// and with the event's times: each of these is an action.
pub async fn revision(db: &Db) -> Result<i64> {
    let mut conn = db.read().await?;
    let sql = "select coalesce(max(id), 0) from actions \
               where action like 'challenge.%' or action like 'event.%'";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}
