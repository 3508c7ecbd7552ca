//! From which networks teams were seen, and at what: when first, when last, how often. Written in
//! batches in the background; what several nodes saw adds up. Lost are at most the last seconds
//! before a crash.

use std::collections::BTreeMap;

use crate::engine::names::names;
use crate::engine::{insert, on, run};
use crate::sessions::SESSION_MS;
use crate::{Db, Lock, Result};

/// Rows of one statement.
const ROWS_MAX: usize = 500;

/// What a team did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// It logged in.
    Login,
    /// It fetched the list of challenges.
    List,
    /// It fetched a file of a challenge.
    Download,
    /// It sent a wrong flag for a challenge.
    Wrong,
    /// It solved a challenge.
    Right,
}

names!(Kind; Login = "login", List = "list", Download = "download", Wrong = "wrong",
    Right = "right");

/// Who was seen, at what and from where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// The team.
    pub team_id: i64,
    /// What it did.
    pub kind: Kind,
    /// The challenge; empty for what is about none.
    pub object: String,
    /// The network, as the limits count it; empty for all beyond the most that are kept.
    pub network: String,
}

/// When first, when last and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// In epoch milliseconds.
    pub first_ms: i64,
    /// In epoch milliseconds.
    pub last_ms: i64,
    /// How often.
    pub count: i64,
}

impl Times {
    /// Once.
    pub fn once(at_ms: i64) -> Self {
        Self { first_ms: at_ms, last_ms: at_ms, count: 1 }
    }

    /// Both.
    pub fn add(&mut self, other: Self) {
        self.first_ms = self.first_ms.min(other.first_ms);
        self.last_ms = self.last_ms.max(other.last_ms);
        self.count += other.count;
    }
}

/// A row as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Sighting {
    /// The team.
    pub team_id: i64,
    /// A name of [`Kind`].
    pub kind: String,
    /// The challenge, or empty.
    pub object: String,
    /// The network; empty for all beyond the most that are kept.
    pub network: String,
    /// When it was first seen, in epoch milliseconds.
    pub first_ms: i64,
    /// When it was last seen.
    pub last_ms: i64,
    /// How often.
    pub count: i64,
}

const COLUMNS: &str =
    "select team_id, kind, object, network, first_ms, last_ms, count from sightings";

/// Adds a batch.
pub async fn record(db: &Db, batch: &BTreeMap<Seen, Times>) -> Result<()> {
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

/// Those of a team.
pub async fn of_team(db: &Db, team_id: i64) -> Result<Vec<Sighting>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where team_id = $1", team_id).fetch_all))
}

/// The teams and challenges of the solves from a network. A team that solved a challenge again
/// did so from where it did last.
pub async fn solves_from(db: &Db, network: &str) -> Result<Vec<(i64, String)>> {
    let sql = "select s.team_id, s.object from sightings s \
               where s.network = $1 and s.kind = 'right' and not exists \
               (select 1 from sightings o where o.team_id = s.team_id and o.kind = 'right' \
               and o.object = s.object and o.last_ms > s.last_ms)";
    Ok(run!(db.read() => query_as(sql, network).fetch_all))
}

/// From where teams solved challenges: team, challenge and network.
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

/// Erases a little of what was last seen before a time, and the networks of wrong flags and of
/// sessions that began before.
/// True if there may be more.
pub async fn forget(db: &Db, until_ms: i64) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "delete from sightings where (team_id, kind, object, network) in \
               (select team_id, kind, object, network from sightings where last_ms < $1 limit $2)";
    let seen = run!(&mut tx => query(sql, until_ms, ROWS_MAX as i64).execute);
    // Not by the index of times, in which all that were erased before come first.
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
