//! What teams have in common: wrong flags in the order of time, what was downloaded, and from which
//! networks teams were seen; and what organizers said of it.

use crate::actions::{COLUMNS, Record};
use crate::engine::run;
use crate::{Db, Result};

/// A wrong flag, without its text.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Sent {
    /// Its id, which says nothing.
    pub id: i64,
    /// When it was sent, in epoch milliseconds.
    pub at_ms: i64,
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// The keyed digest of its text.
    pub digest: String,
    /// How it came near a right one, by name.
    pub near: Option<String>,
    /// The account of the team whose flag it is.
    pub of_team: Option<i64>,
}

/// The oldest wrong flags behind a time and an id, at most `count_max`, the oldest first.
pub async fn wrong_after(db: &Db, after: (i64, i64), count_max: i64) -> Result<Vec<Sent>> {
    let sql = "select id, at_ms, account_id, challenge_id, digest, near, of_team from wrong_flags \
               where at_ms >= $1 and (at_ms > $1 or id > $2) order by at_ms, id limit $3";
    Ok(run!(db.read() => query_as(sql, after.0, after.1, count_max).fetch_all))
}

/// The recorded texts that an exact flag of their challenge accepts now, each as its challenge and
/// its digest. They were sent before the flags were corrected.
pub async fn right_texts(db: &Db) -> Result<Vec<(String, String)>> {
    // By the beginnings of digests, which are indexed.
    let sql = "select challenge_id, digest from flags join wrong_flags using (challenge_id) \
               where kind = 'exact' and digest = value \
               and substr(digest, 1, 10) = substr(value, 1, 10) \
               union \
               select challenge_id, digest from flags join wrong_flags using (challenge_id) \
               where kind = 'exact' and case_insensitive and folded = value \
               and folded is not null and substr(folded, 1, 10) = substr(value, 1, 10)";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// A team that was seen from a network, or that fetched a file of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Seen {
    /// The team.
    pub team_id: i64,
    /// The network, or the challenge.
    pub what: String,
    /// When it was first seen, in epoch milliseconds.
    pub first_ms: i64,
    /// When it was last seen.
    pub last_ms: i64,
}

/// Who fetched files of which challenge, of those who did since a time.
pub async fn downloads(db: &Db, since_ms: i64) -> Result<Vec<Seen>> {
    let sql = "select team_id, object as what, min(first_ms) as first_ms, \
               max(last_ms) as last_ms from sightings \
               where last_ms >= $1 and kind = 'download' group by team_id, object";
    Ok(run!(db.read() => query_as(sql, since_ms).fetch_all))
}

/// From which networks teams were seen, of those that were since a time.
pub async fn networks(db: &Db, since_ms: i64) -> Result<Vec<Seen>> {
    let sql = "select team_id, network as what, min(first_ms) as first_ms, \
               max(last_ms) as last_ms from sightings \
               where last_ms >= $1 and network <> '' group by team_id, network";
    Ok(run!(db.read() => query_as(sql, since_ms).fetch_all))
}

/// What organizers said, the oldest first.
pub async fn states(db: &Db) -> Result<Vec<Record>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where action = 'evidence.state' order by id")
        .fetch_all))
}
