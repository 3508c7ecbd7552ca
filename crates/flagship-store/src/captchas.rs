//! Used captcha solutions. Each is accepted once across all nodes.

use std::collections::HashSet;

use crate::engine::{on, push_list, run};
use crate::{Db, Lock, Result};

/// Solution of a proof-of-work challenge issued by this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The challenge's nonce.
    pub nonce: String,
    /// Expiry time of the challenge, in epoch milliseconds.
    pub expires_at_ms: i64,
}

/// Marks solutions as used, in one transaction, and returns the nonces that were unused until now.
/// If every solution was already used, runs one read and no transaction. Deletes expired rows.
pub async fn spend(db: &Db, solutions: &[Solution], now_ms: i64) -> Result<HashSet<String>> {
    let used = used(db, solutions).await?;
    let unused: Vec<_> = solutions.iter().filter(|it| !used.contains(&it.nonce)).collect();
    if unused.is_empty() {
        return Ok(HashSet::new());
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    run!(&mut tx => query("delete from used_captchas where expires_at_ms <= $1", now_ms).execute);
    let spent: Vec<String> = on!(&mut tx, conn => {
        let sql = "insert into used_captchas (signature, expires_at_ms) ";
        let mut insert = sqlx::QueryBuilder::new(sql);
        insert.push_values(unused, |mut line, it| {
            line.push_bind(&it.nonce).push_bind(it.expires_at_ms);
        });
        insert.push(" on conflict (signature) do nothing returning signature");
        insert.build_query_scalar().fetch_all(conn).await?
    });
    tx.commit().await?;
    Ok(spent.into_iter().collect())
}

async fn used(db: &Db, solutions: &[Solution]) -> Result<HashSet<String>> {
    let used: Vec<String> = on!(db.read(), conn => {
        let sql = "select signature from used_captchas where signature in ";
        let mut select = sqlx::QueryBuilder::new(sql);
        push_list(&mut select, solutions.iter().map(|it| &it.nonce));
        select.build_query_scalar().fetch_all(conn).await?
    });
    Ok(used.into_iter().collect())
}
