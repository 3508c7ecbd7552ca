//! Counts of open tasks for organizers.

use crate::engine::run;
use crate::{Db, Result};

/// Counts for the overview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// Number of unconfirmed accounts.
    pub unconfirmed: i64,
    /// Number of open questions.
    pub questions: i64,
    /// Time at which the oldest unsent email was queued, in epoch milliseconds.
    pub mail_since_ms: Option<i64>,
    /// Number of nodes that run, or were killed and not restarted.
    pub nodes: i64,
}

/// Returns the counts.
pub async fn counts(db: &Db) -> Result<Counts> {
    let sql = "select (select count(*) from accounts where confirmed_at_ms is null) \
               as unconfirmed, \
               (select count(*) from questions where state = 'open' and text <> '') as questions, \
               (select min(created_at_ms) from outbox where next_at_ms is not null \
               and subject <> '') as mail_since_ms, \
               (select count(*) from nodes) as nodes";
    Ok(run!(db.read() => query_as(sql).fetch_one))
}
