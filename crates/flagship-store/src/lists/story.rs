//! What happened to one team, from each table that knows of it.

use crate::actions::Record;
use crate::desk::questions;
use crate::engine::on;
use crate::{Db, Result, actions};

/// The end of what was read before: only what has this time and a lower id, or an earlier time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// In epoch milliseconds.
    pub at_ms: i64,
    /// The id.
    pub id: i64,
}

/// A mail to a team. No `Debug`: the server's words may have the address.
#[derive(Clone, sqlx::FromRow)]
pub struct Mail {
    /// Its id.
    pub id: i64,
    /// Its subject.
    pub subject: String,
    /// When it was queued, in epoch milliseconds.
    pub created_at_ms: i64,
    /// When it was sent.
    pub sent_at_ms: Option<i64>,
    /// When it is tried next; `None` if it was sent or given up.
    pub next_at_ms: Option<i64>,
    /// How often it was tried.
    pub attempts: i64,
    /// What the mail server said when it refused it.
    pub last_error: Option<String>,
}

/// The newest mails to an address, at most `count_max`.
pub async fn mails(db: &Db, address: &str, before: Before, count_max: i64) -> Result<Vec<Mail>> {
    let mut conn = db.read().await?;
    let sql = "select id, subject, created_at_ms, sent_at_ms, next_at_ms, attempts, last_error \
               from outbox where address = $1 and subject <> '' and created_at_ms <= $2 \
               and (created_at_ms < $2 or id < $3) order by created_at_ms desc, id desc limit $4";
    Ok(on!(&mut conn, conn => {
        sqlx::query_as(sql).bind(address).bind(before.at_ms).bind(before.id).bind(count_max)
            .fetch_all(conn).await?
    }))
}

/// The newest questions of a team and what it was told, at most `count_max`.
pub async fn questions(
    db: &Db,
    account_id: i64,
    before: Before,
    count_max: i64,
) -> Result<Vec<questions::Row>> {
    let mut conn = db.read().await?;
    let sql = "select id, account_id, challenge_id, at_ms, text, state, answer, answered_at_ms \
               from questions where account_id = $1 and at_ms <= $2 \
               and (at_ms < $2 or id < $3) order by at_ms desc, id desc limit $4";
    Ok(on!(&mut conn, conn => {
        sqlx::query_as(sql).bind(account_id).bind(before.at_ms).bind(before.id).bind(count_max)
            .fetch_all(conn).await?
    }))
}

/// The newest of `actions` about a team and its solves, at most `count_max`.
pub async fn actions(
    db: &Db,
    account_id: i64,
    actions: &[&str],
    before: Before,
    count_max: i64,
) -> Result<Vec<Record>> {
    actions::about_team(db, account_id, actions, (before.at_ms, before.id), count_max).await
}
