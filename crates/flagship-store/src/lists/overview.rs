//! What waits for organizers, counted.

use crate::engine::run;
use crate::{Db, Result};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// Accounts that are not confirmed.
    pub unconfirmed: i64,
    /// Questions that wait for an answer.
    pub questions: i64,
    /// Since when the oldest mail waits that is not sent, in epoch milliseconds.
    pub mail_since_ms: Option<i64>,
    /// Nodes that run, or were killed and not started again.
    pub nodes: i64,
}

/// Counts it.
pub async fn counts(db: &Db) -> Result<Counts> {
    let sql = "select (select count(*) from accounts where confirmed_at_ms is null) \
               as unconfirmed, \
               (select count(*) from questions where state = 'open' and text <> '') as questions, \
               (select min(created_at_ms) from outbox where next_at_ms is not null \
               and subject <> '') as mail_since_ms, \
               (select count(*) from nodes) as nodes";
    Ok(run!(db.read() => query_as(sql).fetch_one))
}
