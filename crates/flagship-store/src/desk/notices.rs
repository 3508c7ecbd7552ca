//! Notices that wait for their time. The lane publishes them.

use serde::{Deserialize, Serialize};

use crate::engine::{Tx, run};
use crate::{Db, Result};

/// A notice that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub struct Due {
    /// Its id.
    pub id: i64,
    /// When it is published, in epoch milliseconds.
    pub at_ms: i64,
    /// Its title.
    pub title: String,
    /// Its text, as sanitised HTML.
    pub html: String,
    /// The challenge that it is about.
    pub challenge_id: Option<String>,
    /// Whether players see it at once.
    pub urgent: bool,
    /// Time from which it does not interrupt players any more, in epoch milliseconds.
    #[serde(default)]
    pub urgent_until_ms: Option<i64>,
}

const COLUMNS: &str = "select id, at_ms, title, html, challenge_id, urgent, urgent_until_ms \
                       from due_notices";

/// The notices that wait, the earliest first.
pub async fn waiting(db: &Db) -> Result<Vec<Due>> {
    due_in(&mut db.snapshot().await?, i64::MAX).await
}

/// A notice that waits.
pub async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Due>> {
    Ok(run!(tx => query_as(COLUMNS + " where id = $1", id).fetch_optional))
}

/// Lets a notice wait, or not any more.
pub async fn put_in(tx: &mut Tx, id: i64, due: Option<&Due>) -> Result<()> {
    run!(tx => query("delete from due_notices where id = $1", id).execute);
    if let Some(due) = due {
        let sql = "insert into due_notices (id, at_ms, title, html, challenge_id, urgent, \
                   urgent_until_ms) values ($1, $2, $3, $4, $5, $6, $7)";
        run!(tx => query(sql, due.id, due.at_ms, &due.title, &due.html, &due.challenge_id,
            due.urgent, due.urgent_until_ms).execute);
    }
    Ok(())
}

/// The notices whose time has come, the earliest first.
pub(crate) async fn due_in(tx: &mut Tx, now_ms: i64) -> Result<Vec<Due>> {
    Ok(run!(tx => query_as(COLUMNS + " where at_ms <= $1 order by at_ms, id", now_ms).fetch_all))
}
