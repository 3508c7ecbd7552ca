//! Data behind the evidence of cheating: incorrect submissions by time, downloads, networks of
//! teams, and the organizers' decisions.

use crate::actions::{COLUMNS, Record};
use crate::engine::run;
use crate::{Db, Result};

/// An incorrect submission, without its text.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct IncorrectSubmission {
    /// Random id.
    pub id: i64,
    /// Time of the submission, in epoch milliseconds.
    pub at_ms: i64,
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// Keyed digest of the text.
    pub digest: String,
    /// Name of the kind of near miss.
    pub near: Option<String>,
    /// Account of the team that owns the flag.
    pub of_team: Option<i64>,
}

/// Returns the oldest incorrect submissions after a time and an id, at most `count_max`, oldest
/// first.
pub async fn wrong_after(
    db: &Db,
    after: (i64, i64),
    count_max: i64,
) -> Result<Vec<IncorrectSubmission>> {
    let sql = "select id, at_ms, account_id, challenge_id, digest, near, of_team from wrong_flags \
               where at_ms >= $1 and (at_ms > $1 or id > $2) order by at_ms, id limit $3";
    Ok(run!(db.read() => query_as(sql, after.0, after.1, count_max).fetch_all))
}

/// Returns the recorded texts that an exact flag of their challenge accepts now, as challenge and
/// digest. They were submitted before the flags were corrected.
pub async fn right_texts(db: &Db) -> Result<Vec<(String, String)>> {
    // Compare prefixes of digests, which are indexed.
    let sql = "select challenge_id, digest from flags join wrong_flags using (challenge_id) \
               where kind = 'exact' and digest = value \
               and substr(digest, 1, 10) = substr(value, 1, 10) \
               union \
               select challenge_id, digest from flags join wrong_flags using (challenge_id) \
               where kind = 'exact' and case_insensitive and folded = value \
               and folded is not null and substr(folded, 1, 10) = substr(value, 1, 10)";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// A team that used a network or downloaded an attachment of a challenge, with the times.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct FirstAndLastSeen {
    /// The team.
    pub team_id: i64,
    /// The network, or the challenge.
    pub what: String,
    /// Time of the first use, in epoch milliseconds.
    pub first_ms: i64,
    /// Time of the last use, in epoch milliseconds.
    pub last_ms: i64,
}

/// Returns the attachment downloads by team and challenge, of which the last one is at or after
/// `since_ms`.
pub async fn downloads(db: &Db, since_ms: i64) -> Result<Vec<FirstAndLastSeen>> {
    let sql = "select team_id, object as what, min(first_ms) as first_ms, \
               max(last_ms) as last_ms from sightings \
               where last_ms >= $1 and kind = 'download' group by team_id, object";
    Ok(run!(db.read() => query_as(sql, since_ms).fetch_all))
}

/// The networks that each team has used at or after `since_ms`.
pub async fn networks(db: &Db, since_ms: i64) -> Result<Vec<FirstAndLastSeen>> {
    let sql = "select team_id, network as what, min(first_ms) as first_ms, \
               max(last_ms) as last_ms from sightings \
               where last_ms >= $1 and network <> '' group by team_id, network";
    Ok(run!(db.read() => query_as(sql, since_ms).fetch_all))
}

/// Decisions of organizers about evidence, oldest first.
pub async fn states(db: &Db) -> Result<Vec<Record>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where action = 'evidence.state' order by id")
        .fetch_all))
}
