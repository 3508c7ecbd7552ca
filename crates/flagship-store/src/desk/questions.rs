//! Private questions of teams, the answers, and messages from organizers.

use flagship_game::ChallengeId;
use serde::{Deserialize, Serialize};

use crate::engine::{Tx, run};
use crate::{Db, Lock, Result};

/// Maximum open questions per team.
pub const OPEN_MAX: i64 = 3;
/// Maximum questions listed for a team.
const OWN_MAX: i64 = 200;

/// States of a question.
pub mod state {
    /// Waiting for an answer.
    pub const OPEN: &str = "open";
    /// Answered.
    pub const ANSWERED: &str = "answered";
    /// Closed without an answer.
    pub const CLOSED: &str = "closed";
}

/// A question, or a message from the organizers if the text is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub struct Row {
    /// The id.
    pub id: i64,
    /// The team that asked.
    pub account_id: i64,
    /// The challenge that the question is about.
    pub challenge_id: Option<String>,
    /// Time of the question, in epoch milliseconds.
    pub at_ms: i64,
    /// The question's text.
    pub text: String,
    /// One of [`state`].
    pub state: String,
    /// The answer.
    pub answer: Option<String>,
    /// Time of the answer or of closing, in epoch milliseconds.
    pub answered_at_ms: Option<i64>,
}

pub(crate) const COLUMNS: &str = "select id, account_id, challenge_id, at_ms, text, state, answer, \
                       answered_at_ms from questions";

/// Stores a team's question; `None` if it already has [`OPEN_MAX`] open questions.
pub async fn ask(
    db: &Db,
    account_id: i64,
    challenge: Option<&ChallengeId>,
    text: &str,
    now_ms: i64,
) -> Result<Option<i64>> {
    if open_in(&mut db.snapshot().await?, account_id).await? >= OPEN_MAX {
        // Checked first without the lock, because other writers wait for it.
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

/// Number of a team's open questions.
async fn open_in(tx: &mut Tx, account_id: i64) -> Result<i64> {
    let sql = "select count(*) from questions where account_id = $1 and state = $2";
    Ok(run!(tx => query_scalar(sql, account_id, state::OPEN).fetch_one))
}

/// Sends a message to a team, optionally about a challenge.
pub async fn message_team_in(
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

/// Number of messages to a team since a time. Messages from rejudging do not count: otherwise the
/// limit would reveal to the organizer that the team's submission was accepted.
pub async fn messages_since_in(tx: &mut Tx, account_id: i64, since_ms: i64) -> Result<i64> {
    let sql = "select count(*) from questions where account_id = $1 and at_ms > $2 \
               and text = '' and challenge_id is null";
    Ok(run!(tx => query_scalar(sql, account_id, since_ms).fetch_one))
}

/// An answer or a message to a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::FromRow)]
pub struct Reply {
    /// The id of the question.
    pub id: i64,
    /// The team.
    pub account_id: i64,
    /// Time of the answer, in epoch milliseconds.
    pub answered_at_ms: i64,
}

/// The answers and messages after a time.
pub async fn replies_after(db: &Db, after_ms: i64) -> Result<Vec<Reply>> {
    let sql = "select id, account_id, answered_at_ms from questions \
               where answered_at_ms > $1 and state = $2";
    Ok(run!(db.read() => query_as(sql, after_ms, state::ANSWERED).fetch_all))
}

/// Returns a random id that fits into a JavaScript number.
pub fn new_id() -> i64 {
    rand::random_range(1..1 << 53)
}

/// Inserts a question, or updates the one with the same id.
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

/// Questions of a team and messages to it, newest first.
pub async fn of_team(db: &Db, account_id: i64) -> Result<Vec<Row>> {
    let sql = format!("{COLUMNS} where account_id = $1 order by at_ms desc, id limit $2");
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(run!(db.read() => query_as(sql, account_id, OWN_MAX).fetch_all))
}

/// A question with the name of its team.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TeamQuestion {
    /// The question.
    #[sqlx(flatten)]
    pub row: Row,
    /// The team's name.
    pub team: String,
}

/// Maximum questions listed for organizers.
const LISTED_MAX: i64 = 500;

/// Questions of all teams: open ones first, oldest first; then the others, newest first.
pub async fn all(db: &Db) -> Result<Vec<TeamQuestion>> {
    let sql = "select q.id, q.account_id, q.challenge_id, q.at_ms, q.text, q.state, q.answer, \
               q.answered_at_ms, a.name as team from questions q \
               join accounts a on a.id = q.account_id where q.text <> '' \
               order by case when q.state = 'open' then 0 else 1 end, \
               case when q.state = 'open' then q.at_ms else -q.at_ms end, q.id limit $1";
    Ok(run!(db.read() => query_as(sql, LISTED_MAX).fetch_all))
}
