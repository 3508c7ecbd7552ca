//! What happened to one team, from each table that knows of it.

use sqlx::QueryBuilder;

use crate::actions::{Record, name_object, one_of, solve_object, team_object};
use crate::desk::questions::{self, COLUMNS};
use crate::engine::{on, run};
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
    let sql = "select id, subject, created_at_ms, sent_at_ms, next_at_ms, attempts, last_error \
               from outbox where address = $1 and subject <> '' and created_at_ms <= $2 \
               and (created_at_ms < $2 or id < $3) order by created_at_ms desc, id desc limit $4";
    Ok(run!(db.read() => query_as(sql, address, before.at_ms, before.id, count_max).fetch_all))
}

/// The newest questions of a team and what it was told, at most `count_max`.
pub async fn questions(
    db: &Db,
    account_id: i64,
    before: Before,
    count_max: i64,
) -> Result<Vec<questions::Row>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where account_id = $1 and at_ms <= $2 \
        and (at_ms < $2 or id < $3) order by at_ms desc, id desc limit $4",
        account_id, before.at_ms, before.id, count_max).fetch_all))
}

/// The newest actions with these names about a team and its solves, at most `count_max`.
pub async fn actions(
    db: &Db,
    account_id: i64,
    names: &[&str],
    before: Before,
    count_max: i64,
) -> Result<Vec<Record>> {
    let Before { at_ms, id } = before;
    Ok(on!(db.read(), conn => {
        let sql = "where id in (select action_id from action_objects where (object in (";
        let mut query = QueryBuilder::new(format!("{} {sql}", actions::COLUMNS));
        query.push_bind(team_object(account_id)).push(", ").push_bind(name_object(account_id));
        query.push(") or object like ").push_bind(solve_object(account_id, "%")).push(")");
        one_of(&mut query, "action", names.iter().copied());
        query.push(") and at_ms <= ").push_bind(at_ms);
        query.push(" and (at_ms < ").push_bind(at_ms).push(" or id < ").push_bind(id);
        query.push(") order by at_ms desc, id desc limit ").push_bind(count_max);
        query.build_query_as().fetch_all(conn).await?
    }))
}
