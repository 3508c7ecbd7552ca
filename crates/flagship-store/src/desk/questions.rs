//! Questions of teams, and what organizers told them. Who asks is private.

use flagship_game::ChallengeId;
use serde::{Deserialize, Serialize};

use crate::engine::{Tx, run};
use crate::{Db, Lock, Result};

/// Most questions of a team that wait for an answer.
pub const OPEN_MAX: i64 = 3;
/// Most questions that are listed for a team.
const OWN_MAX: i64 = 200;

/// What became of a question.
pub mod state {
    /// It waits for an answer.
    pub const OPEN: &str = "open";
    /// It has an answer.
    pub const ANSWERED: &str = "answered";
    /// It was closed without one.
    pub const CLOSED: &str = "closed";
}

/// A question; or, if its text is empty, something that organizers told a team unasked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub struct Row {
    /// Its id.
    pub id: i64,
    /// The team that asked.
    pub account_id: i64,
    /// The challenge that it is about.
    pub challenge_id: Option<String>,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// What the team asks.
    pub text: String,
    /// One of [`state`].
    pub state: String,
    /// The answer.
    pub answer: Option<String>,
    /// When it was answered or closed.
    pub answered_at_ms: Option<i64>,
}

pub(crate) const COLUMNS: &str = "select id, account_id, challenge_id, at_ms, text, state, answer, \
                       answered_at_ms from questions";

/// Keeps a question of a team; `None` if it has [`OPEN_MAX`] that wait.
pub async fn ask(
    db: &Db,
    account_id: i64,
    challenge: Option<&ChallengeId>,
    text: &str,
    now_ms: i64,
) -> Result<Option<i64>> {
    if open_in(&mut db.snapshot().await?, account_id).await? >= OPEN_MAX {
        // Without the lock, which others wait for.
        return Ok(None);
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    if open_in(&mut tx, account_id).await? >= OPEN_MAX {
        return Ok(None);
    }
    let row = Row {
        id: new_id(),
        account_id,
        challenge_id: challenge.map(|id| id.as_str().to_owned()),
        at_ms: now_ms,
        text: text.to_owned(),
        state: state::OPEN.to_owned(),
        answer: None,
        answered_at_ms: None,
    };
    put_in(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(Some(row.id))
}

/// How many questions of a team wait for an answer.
async fn open_in(tx: &mut Tx, account_id: i64) -> Result<i64> {
    let sql = "select count(*) from questions where account_id = $1 and state = $2";
    Ok(run!(tx => query_scalar(sql, account_id, state::OPEN).fetch_one))
}

/// Writes to a team unasked, about a challenge or not.
pub async fn tell_in(
    tx: &mut Tx,
    account_id: i64,
    challenge: Option<&ChallengeId>,
    text: String,
    now_ms: i64,
) -> Result<()> {
    let row = Row {
        id: new_id(),
        account_id,
        challenge_id: challenge.map(|id| id.as_str().to_owned()),
        at_ms: now_ms,
        text: String::new(),
        state: state::ANSWERED.to_owned(),
        answer: Some(text),
        answered_at_ms: Some(now_ms),
    };
    put_in(tx, &row).await
}

/// Number of messages that organizers wrote to a team since a time. Those of a challenge that was
/// judged again are not among them: whoever writes to the team could tell that its flag counts.
pub async fn told_since_in(tx: &mut Tx, account_id: i64, since_ms: i64) -> Result<i64> {
    let sql = "select count(*) from questions where account_id = $1 and at_ms > $2 \
               and text = '' and challenge_id is null";
    Ok(run!(tx => query_scalar(sql, account_id, since_ms).fetch_one))
}

/// An answer to a team, or something that organizers wrote to it unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::FromRow)]
pub struct Told {
    /// The id of the question.
    pub id: i64,
    /// The team.
    pub account_id: i64,
    /// Time of the answer, in epoch milliseconds.
    pub answered_at_ms: i64,
}

/// The answers and messages after a time.
pub async fn told_after(db: &Db, after_ms: i64) -> Result<Vec<Told>> {
    let sql = "select id, account_id, answered_at_ms from questions \
               where answered_at_ms > $1 and state = $2";
    Ok(run!(db.read() => query_as(sql, after_ms, state::ANSWERED).fetch_all))
}

/// A random id that JavaScript's numbers hold.
pub fn new_id() -> i64 {
    rand::random_range(1..1 << 53)
}

/// Writes a question in place of the one with its id.
pub async fn put_in(tx: &mut Tx, row: &Row) -> Result<()> {
    let sql = "insert into questions (id, account_id, challenge_id, at_ms, text, state, \
               answer, answered_at_ms) values ($1, $2, $3, $4, $5, $6, $7, $8) \
               on conflict (id) do update set state = excluded.state, \
               answer = excluded.answer, answered_at_ms = excluded.answered_at_ms";
    run!(tx => query(sql, row.id, row.account_id, &row.challenge_id, row.at_ms, &row.text,
        &row.state, &row.answer, row.answered_at_ms).execute);
    Ok(())
}

/// A question.
pub async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Row>> {
    Ok(run!(tx => query_as(COLUMNS + " where id = $1", id).fetch_optional))
}

/// A question.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<Row>> {
    by_id_in(&mut db.snapshot().await?, id).await
}

/// The questions of a team and what it was told, the newest first.
pub async fn of_team(db: &Db, account_id: i64) -> Result<Vec<Row>> {
    let sql = format!("{COLUMNS} where account_id = $1 order by at_ms desc, id limit $2");
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(run!(db.read() => query_as(sql, account_id, OWN_MAX).fetch_all))
}

/// A question with the name of its team.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Asked {
    /// The question.
    #[sqlx(flatten)]
    pub row: Row,
    /// The team's name.
    pub team: String,
}

/// Most questions that are listed for organizers.
const LISTED_MAX: i64 = 500;

/// The questions of all teams: those that wait, the oldest first; then the others, the newest
/// first.
pub async fn all(db: &Db) -> Result<Vec<Asked>> {
    let sql = "select q.id, q.account_id, q.challenge_id, q.at_ms, q.text, q.state, q.answer, \
               q.answered_at_ms, a.name as team from questions q \
               join accounts a on a.id = q.account_id where q.text <> '' \
               order by case when q.state = 'open' then 0 else 1 end, \
               case when q.state = 'open' then q.at_ms else -q.at_ms end, q.id limit $1";
    Ok(run!(db.read() => query_as(sql, LISTED_MAX).fetch_all))
}
