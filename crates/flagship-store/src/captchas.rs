//! Captcha solutions that were used: each is good once, on all nodes together.

use crate::engine::on;
use crate::{Db, Lock, Result};

/// Marks a solution as used; `false` when it was used before. Forgets those that expired.
pub async fn spend(db: &Db, signature: &str, expires_at_ms: i64, now_ms: i64) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let is_new = on!(&mut tx, conn => {
        sqlx::query("delete from used_captchas where expires_at_ms <= $1")
            .bind(now_ms).execute(&mut *conn).await?;
        let sql = "insert into used_captchas (signature, expires_at_ms) values ($1, $2) \
                   on conflict (signature) do nothing";
        sqlx::query(sql).bind(signature).bind(expires_at_ms).execute(conn).await?.rows_affected()
    }) == 1;
    tx.commit().await?;
    Ok(is_new)
}
