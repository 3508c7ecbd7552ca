//! Activity of one team, from each table that contains it.

use sqlx::QueryBuilder;

use crate::actions::{Record, name_object, one_of, solve_object, team_object};
use crate::desk::questions::{self, COLUMNS};
use crate::engine::{on, run};
use crate::{Db, Result, actions};

/// Start of the next page: only rows with this time and a lower id, or with an earlier time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageStart {
    /// Time, in epoch milliseconds.
    pub at_ms: i64,
    /// The id.
    pub id: i64,
}

/// An email to a team. No `Debug`, because the mail server's reply can contain the address.
#[derive(Clone, sqlx::FromRow)]
pub struct Mail {
    /// The id.
    pub id: i64,
    /// The subject.
    pub subject: String,
    /// Time of queuing, in epoch milliseconds.
    pub created_at_ms: i64,
    /// Time of sending, in epoch milliseconds.
    pub sent_at_ms: Option<i64>,
    /// Time of the next attempt; `None` if sent or given up.
    pub next_at_ms: Option<i64>,
    /// Number of attempts.
    pub attempts: i64,
    /// Reply of the mail server to the last failed attempt.
    pub last_error: Option<String>,
}

/// Returns the newest emails to an address, at most `count_max`.
pub async fn mails(db: &Db, address: &str, before: PageStart, count_max: i64) -> Result<Vec<Mail>> {
    let sql = "select id, subject, created_at_ms, sent_at_ms, next_at_ms, attempts, last_error \
               from outbox where address = $1 and subject <> '' and created_at_ms <= $2 \
               and (created_at_ms < $2 or id < $3) order by created_at_ms desc, id desc limit $4";
    Ok(run!(db.read() => query_as(sql, address, before.at_ms, before.id, count_max).fetch_all))
}

/// Returns the newest questions of a team and messages to it, at most `count_max`.
pub async fn questions(
    db: &Db,
    account_id: i64,
    before: PageStart,
    count_max: i64,
) -> Result<Vec<questions::Row>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where account_id = $1 and at_ms <= $2 \
        and (at_ms < $2 or id < $3) order by at_ms desc, id desc limit $4",
        account_id, before.at_ms, before.id, count_max).fetch_all))
}

/// Returns the newest actions with these names about a team and its solves, at most `count_max`.
pub async fn actions(
    db: &Db,
    account_id: i64,
    names: &[&str],
    before: PageStart,
    count_max: i64,
) -> Result<Vec<Record>> {
    let PageStart { at_ms, id } = before;
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
