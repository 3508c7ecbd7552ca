//! Wrong flags as they are counted: which team sent how many for which challenge, and when.

use crate::engine::run;
use crate::{Db, Result};

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// The wrong flags of a team for a challenge.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OfTeam {
    /// The challenge.
    pub challenge_id: String,
    /// The team's account.
    pub account_id: i64,
    /// How many.
    pub count: i64,
    /// When the last one was sent, in epoch milliseconds.
    pub last_at_ms: i64,
}

/// The wrong flags for a challenge of one minute.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OfMinute {
    /// The challenge.
    pub challenge_id: String,
    /// The minute, counted from the epoch.
    pub minute: i64,
    /// How many.
    pub count: i64,
}

/// The wrong flags from a time on and before another, by team and challenge. Read in the index of
/// that time, which has all that is counted.
pub async fn by_team(db: &Db, from_ms: i64, until_ms: i64) -> Result<Vec<OfTeam>> {
    let sql = "select challenge_id, account_id, count(*) as count, max(at_ms) as last_at_ms \
               from wrong_flags where at_ms >= $1 and at_ms < $2 \
               group by challenge_id, account_id";
    Ok(run!(db.read() => query_as(sql, from_ms, until_ms).fetch_all))
}

/// The same by challenge and minute.
pub async fn by_minute(db: &Db, from_ms: i64, until_ms: i64) -> Result<Vec<OfMinute>> {
    let sql = "select challenge_id, at_ms / $3 as minute, count(*) as count \
               from wrong_flags where at_ms >= $1 and at_ms < $2 \
               group by challenge_id, at_ms / $3";
    Ok(run!(db.read() => query_as(sql, from_ms, until_ms, MINUTE_MS).fetch_all))
}
