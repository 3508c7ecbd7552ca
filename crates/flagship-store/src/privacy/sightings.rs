//! Sightings: networks and activities of teams, each with first time, last time and count. Written
//! in batches in the background. Sightings of several nodes add up. A crash loses at most the last
//! seconds.

use std::collections::BTreeMap;

use crate::engine::names::names;
use crate::engine::{insert, on, run};
use crate::sessions::SESSION_MS;
use crate::{Db, Lock, Result};

/// Maximum rows per statement.
const ROWS_MAX: usize = 500;

/// Activity of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Logging in.
    Login,
    /// Reading the list of challenges.
    List,
    /// Downloading an attachment.
    Download,
    /// An incorrect submission.
    Wrong,
    /// A correct submission: a solve, or one of several flags.
    Right,
}

names!(Kind; Login = "login", List = "list", Download = "download", Wrong = "wrong",
    Right = "right");

/// Team, activity and network of a sighting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SightingKey {
    /// The team.
    pub team_id: i64,
    /// Activity.
    pub kind: Kind,
    /// The challenge; empty for activities without one.
    pub object: String,
    /// The network, as counted by rate limits; empty for networks beyond the stored maximum.
    pub network: String,
}

/// First time, last time and count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightingTimes {
    /// Time, in epoch milliseconds.
    pub first_ms: i64,
    /// Time, in epoch milliseconds.
    pub last_ms: i64,
    /// Number of times.
    pub count: i64,
}

impl SightingTimes {
    /// Returns a single time.
    pub fn once(at_ms: i64) -> Self {
        Self { first_ms: at_ms, last_ms: at_ms, count: 1 }
    }

    /// Combines two ranges.
    pub fn add(&mut self, other: Self) {
        self.first_ms = self.first_ms.min(other.first_ms);
        self.last_ms = self.last_ms.max(other.last_ms);
        self.count += other.count;
    }
}

/// A stored row.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Sighting {
    /// The team.
    pub team_id: i64,
    /// Name of a [`Kind`].
    pub kind: String,
    /// The challenge, or empty.
    pub object: String,
    /// The network; empty for networks beyond the stored maximum.
    pub network: String,
    /// First time, in epoch milliseconds.
    pub first_ms: i64,
    /// Last time, in epoch milliseconds.
    pub last_ms: i64,
    /// Number of times.
    pub count: i64,
}

const COLUMNS: &str =
    "select team_id, kind, object, network, first_ms, last_ms, count from sightings";

/// Adds a batch.
pub async fn record(db: &Db, batch: &BTreeMap<SightingKey, SightingTimes>) -> Result<()> {
    let rows: Vec<_> = batch.iter().collect();
    let mut tx = db.begin(Lock::Accounts).await?;
    for rows in rows.chunks(ROWS_MAX) {
        let into = "insert into sightings \
                    (team_id, kind, object, network, first_ms, last_ms, count) ";
        let end = " on conflict (team_id, kind, object, network) do update set \
                   first_ms = case when excluded.first_ms < sightings.first_ms \
                       then excluded.first_ms else sightings.first_ms end, \
                   last_ms = case when excluded.last_ms > sightings.last_ms \
                       then excluded.last_ms else sightings.last_ms end, \
                   count = sightings.count + excluded.count";
        insert!(&mut tx => into, rows, |(seen, times)| (seen.team_id, seen.kind.as_str(),
            &seen.object, &seen.network, times.first_ms, times.last_ms, times.count), end);
    }
    tx.commit().await
}

/// Returns the sightings of a team.
pub async fn of_team(db: &Db, team_id: i64) -> Result<Vec<Sighting>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where team_id = $1", team_id).fetch_all))
}

/// Returns the teams that logged in, read the list of challenges or downloaded an attachment since
/// a time.
pub async fn online_since(db: &Db, from_ms: i64) -> Result<Vec<(i64,)>> {
    let sql = "select distinct team_id from sightings \
               where last_ms >= $1 and kind in ('login', 'list', 'download')";
    Ok(run!(db.read() => query_as(sql, from_ms).fetch_all))
}

/// Returns the teams and challenges of solves from a network. If a team solved a challenge again,
/// only the last network counts.
pub async fn solves_from(db: &Db, network: &str) -> Result<Vec<(i64, String)>> {
    let sql = "select s.team_id, s.object from sightings s \
               where s.network = $1 and s.kind = 'right' and not exists \
               (select 1 from sightings o where o.team_id = s.team_id and o.kind = 'right' \
               and o.object = s.object and o.last_ms > s.last_ms)";
    Ok(run!(db.read() => query_as(sql, network).fetch_all))
}

/// Returns team, challenge and network of solves.
pub async fn of_solves(db: &Db, solves: &[(i64, String)]) -> Result<Vec<(i64, String, String)>> {
    let mut all = Vec::with_capacity(solves.len());
    for solves in solves.chunks(ROWS_MAX) {
        let mut some: Vec<(i64, String, String)> = on!(db.read(), conn => {
            let sql = "select team_id, object, network from sightings \
                       where kind = 'right' and (team_id, object) in (";
            let mut select = sqlx::QueryBuilder::new(sql);
            select.push_values(solves, |mut line, (team_id, object)| {
                line.push_bind(*team_id).push_bind(object);
            });
            select.push(") order by last_ms").build_query_as().fetch_all(conn).await?
        });
        all.append(&mut some);
    }
    Ok(all)
}

/// Erases one batch of old data: sightings last seen before a time, and networks of earlier
/// incorrect submissions and sessions. Returns true if there may be more.
pub async fn forget(db: &Db, until_ms: i64) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "delete from sightings where (team_id, kind, object, network) in \
               (select team_id, kind, object, network from sightings where last_ms < $1 limit $2)";
    let seen = run!(&mut tx => query(sql, until_ms, ROWS_MAX as i64).execute);
    // Avoids the index of times, which starts with all rows that are already erased.
    let sql = "update wrong_flags set network = null where id in (select id from wrong_flags \
               where network is not null and at_ms + 0 < $1 limit $2)";
    let flags = run!(&mut tx => query(sql, until_ms, ROWS_MAX as i64).execute);
    let sql = "update sessions set network = null where network is not null and expires_at_ms < $1";
    let sessions = run!(&mut tx => query(sql, until_ms + SESSION_MS).execute);
    let has_more = seen + flags + sessions > 0;
    if has_more {
        tx.commit().await?;
    }
    Ok(has_more)
}
