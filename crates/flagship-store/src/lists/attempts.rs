//! Counts of incorrect submissions by team, challenge and time.

use crate::engine::run;
use crate::{Db, Result};

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Incorrect submissions of a team for a challenge.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TeamAttempts {
    /// The challenge.
    pub challenge_id: String,
    /// The team's account.
    pub account_id: i64,
    /// Number of submissions.
    pub count: i64,
    /// Time of the last submission, in epoch milliseconds.
    pub last_at_ms: i64,
}

/// Incorrect submissions for a challenge in one minute.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct MinuteAttempts {
    /// The challenge.
    pub challenge_id: String,
    /// Minutes since the epoch.
    pub minute: i64,
    /// Number of submissions.
    pub count: i64,
}

/// Counts the incorrect submissions in a time range by team and challenge. Reads only the index on
/// the time, which contains all counted columns.
pub async fn by_team(db: &Db, from_ms: i64, until_ms: i64) -> Result<Vec<TeamAttempts>> {
    let sql = "select challenge_id, account_id, count(*) as count, max(at_ms) as last_at_ms \
               from wrong_flags where at_ms >= $1 and at_ms < $2 \
               group by challenge_id, account_id";
    Ok(run!(db.read() => query_as(sql, from_ms, until_ms).fetch_all))
}

/// Returns the accounts with incorrect submissions in a time range.
pub async fn teams_between(db: &Db, from_ms: i64, until_ms: i64) -> Result<Vec<(i64,)>> {
    let sql = "select distinct account_id from wrong_flags where at_ms >= $1 and at_ms < $2";
    Ok(run!(db.read() => query_as(sql, from_ms, until_ms).fetch_all))
}

/// Counts the incorrect submissions in a time range by challenge and minute.
pub async fn by_minute(db: &Db, from_ms: i64, until_ms: i64) -> Result<Vec<MinuteAttempts>> {
    let sql = "select challenge_id, at_ms / $3 as minute, count(*) as count \
               from wrong_flags where at_ms >= $1 and at_ms < $2 \
               group by challenge_id, at_ms / $3";
    Ok(run!(db.read() => query_as(sql, from_ms, until_ms, MINUTE_MS).fetch_all))
}
