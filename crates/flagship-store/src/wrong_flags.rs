//! The organizers' record of wrong flags, written in batches in the background, and by
//! the lane in the freeze.

use crate::engine::{Tx, on};
use crate::{Db, Lock, Result, journal};

/// A wrong flag, without its text.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct WrongFlag {
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The keyed digest of the text.
    pub digest: String,
}

/// Records a batch.
pub async fn record(db: &Db, batch: &[WrongFlag]) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    record_in(&mut tx, batch).await?;
    tx.commit().await
}

pub(crate) async fn record_in(tx: &mut Tx, batch: &[WrongFlag]) -> Result<()> {
    let rows: Vec<_> = batch.iter().map(|row| (random_id(), row)).collect();
    insert(tx, &rows, false).await
}

/// Records a batch of the freeze, and does the same for `discarded`, of which nothing remains; the
/// statements also name `left_out`, of which they insert nothing. Which of the three a flag is in
/// changes neither the statements nor the commit, so the time that the transaction takes does not
/// tell.
pub(crate) async fn record_alike_in(
    tx: &mut Tx,
    batch: &[WrongFlag],
    discarded: &[WrongFlag],
    left_out: &[WrongFlag],
) -> Result<()> {
    let kept = batch.iter().map(|row| (random_id(), row));
    let discarded = discarded.iter().map(|row| (-random_id(), row));
    let left_out = left_out.iter().map(|row| (0, row));
    let rows: Vec<_> = kept.chain(discarded).chain(left_out).collect();
    if rows.is_empty() {
        return Ok(());
    }
    insert(tx, &rows, true).await?;
    on!(tx, conn => {
        sqlx::query("delete from wrong_flags where id < 0").execute(conn).await?;
    });
    Ok(())
}

fn random_id() -> i64 {
    rand::random_range(1..i64::MAX)
}

/// Inserts rows. With `leaves_out`, those with the id 0 are only named in the statement.
async fn insert(tx: &mut Tx, rows: &[(i64, &WrongFlag)], leaves_out: bool) -> Result<()> {
    let (before, after) = journal::around(leaves_out);
    for rows in journal::runs(rows) {
        on!(&mut *tx, conn => {
            let sql = "insert into wrong_flags (id, account_id, challenge_id, at_ms, digest) ";
            let mut insert = sqlx::QueryBuilder::new(sql);
            insert.push(before).push_values(rows, |mut line, (id, row)| {
                line.push_bind(*id).push_bind(row.account_id);
                line.push_bind(&row.challenge_id).push_bind(row.at_ms).push_bind(&row.digest);
            });
            insert.push(after).build().execute(conn).await?;
        });
    }
    Ok(())
}

/// A flag that a team sent: a right one that counts, or a wrong one.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct SentFlag {
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The team's name.
    pub team: String,
    /// The challenge.
    pub challenge_id: String,
    /// Whether it was right.
    pub is_right: bool,
    /// How many teams sent the same wrong text; 0 for a right flag.
    pub teams: i64,
}

/// The newest flags that were sent, at most `count_max`, oldest first.
pub async fn newest(db: &Db, count_max: i64) -> Result<Vec<SentFlag>> {
    let mut conn = db.read().await?;
    let sql = "with same as (select challenge_id, digest, count(distinct account_id) as teams \
                   from wrong_flags group by challenge_id, digest), \
               sent as (select j.at_ms, s.team_id, s.challenge_id, true as is_right, \
                       cast(0 as bigint) as teams \
                   from solves s join journal j on j.seq = s.seq \
                   union all select w.at_ms, w.account_id, w.challenge_id, false, same.teams \
                   from wrong_flags w join same \
                   on same.challenge_id = w.challenge_id and same.digest = w.digest) \
               select sent.at_ms, a.name as team, sent.challenge_id, sent.is_right, sent.teams \
               from sent join accounts a on a.id = sent.team_id \
               order by sent.at_ms desc, a.name, sent.challenge_id limit $1";
    let mut rows: Vec<SentFlag> =
        on!(&mut conn, conn => sqlx::query_as(sql).bind(count_max).fetch_all(conn).await?);
    rows.reverse();
    Ok(rows)
}

/// The number of recorded wrong flags.
pub async fn count(db: &Db) -> Result<i64> {
    let mut conn = db.read().await?;
    let sql = "select count(*) from wrong_flags";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}
