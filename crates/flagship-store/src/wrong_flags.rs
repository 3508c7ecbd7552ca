//! The organizers' record of wrong flags, written in batches in the background.

use crate::engine::{Tx, on};
use crate::{Db, Lock, Result};

/// Rows of one insert.
const INSERT_ROWS_MAX: usize = 500;

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
    for rows in batch.chunks(INSERT_ROWS_MAX) {
        on!(&mut *tx, conn => {
            let sql = "insert into wrong_flags (id, account_id, challenge_id, at_ms, digest) ";
            let mut insert = sqlx::QueryBuilder::new(sql);
            insert.push_values(rows, |mut line, row| {
                line.push_bind(rand::random_range(1..i64::MAX)).push_bind(row.account_id);
                line.push_bind(&row.challenge_id).push_bind(row.at_ms).push_bind(&row.digest);
            });
            insert.build().execute(conn).await?;
        });
    }
    Ok(())
}

/// The number of recorded wrong flags.
pub async fn count(db: &Db) -> Result<i64> {
    let mut conn = db.read().await?;
    let sql = "select count(*) from wrong_flags";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}
