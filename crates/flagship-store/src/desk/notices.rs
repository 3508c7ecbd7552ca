//! Scheduled notices. The lane publishes them at their time.

use serde::{Deserialize, Serialize};

use crate::engine::{Tx, run};
use crate::{Db, Result};

/// A scheduled notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub struct ScheduledNotice {
    /// The id.
    pub id: i64,
    /// Publication time, in epoch milliseconds.
    pub at_ms: i64,
    /// The title.
    pub title: String,
    /// The text, as sanitized HTML.
    pub html: String,
    /// The challenge that the notice is about.
    pub challenge_id: Option<String>,
    /// True if the notice interrupts players.
    pub urgent: bool,
    /// Time until which the notice interrupts players, in epoch milliseconds.
    #[serde(default)]
    pub urgent_until_ms: Option<i64>,
}

const COLUMNS: &str = "select id, at_ms, title, html, challenge_id, urgent, urgent_until_ms \
                       from due_notices";

/// Scheduled notices, earliest first.
pub async fn waiting(db: &Db) -> Result<Vec<ScheduledNotice>> {
    due_in(&mut db.snapshot().await?, i64::MAX).await
}

/// A scheduled notice.
pub async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<ScheduledNotice>> {
    Ok(run!(tx => query_as(COLUMNS + " where id = $1", id).fetch_optional))
}

/// Schedules a notice, or cancels it.
pub async fn put_in(tx: &mut Tx, id: i64, due: Option<&ScheduledNotice>) -> Result<()> {
    run!(tx => query("delete from due_notices where id = $1", id).execute);
    if let Some(due) = due {
        let sql = "insert into due_notices (id, at_ms, title, html, challenge_id, urgent, \
                   urgent_until_ms) values ($1, $2, $3, $4, $5, $6, $7)";
        run!(tx => query(sql, due.id, due.at_ms, &due.title, &due.html, &due.challenge_id,
            due.urgent, due.urgent_until_ms).execute);
    }
    Ok(())
}

/// Scheduled notices that are due, earliest first.
pub(crate) async fn due_in(tx: &mut Tx, now_ms: i64) -> Result<Vec<ScheduledNotice>> {
    Ok(run!(tx => query_as(COLUMNS + " where at_ms <= $1 order by at_ms, id", now_ms).fetch_all))
}
