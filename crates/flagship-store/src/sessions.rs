//! Sessions: which account a token belongs to. Nodes keep them in memory and follow the changes.

use crate::engine::{Tx, on};
use crate::key::token_hash;
use crate::{Db, Lock, Result};

/// How long a session lasts, in milliseconds.
pub const SESSION_MS: i64 = 48 * 3_600_000;

/// A session as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
    /// The account.
    pub account_id: i64,
    /// When it expires, in epoch milliseconds.
    pub expires_at_ms: i64,
    /// Whether it was ended earlier.
    pub revoked: bool,
    /// The revision of its last change.
    pub rev: i64,
}

const COLUMNS: &str = "select token_hash, account_id, expires_at_ms, revoked, rev from sessions";

/// Creates a session for a token that the caller generated.
pub async fn create(db: &Db, token: &str, account_id: i64, now_ms: i64) -> Result<Session> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let session = create_in(&mut tx, token, account_id, now_ms).await?;
    tx.commit().await?;
    Ok(session)
}

/// The same within a transaction that holds the lock on accounts.
pub async fn create_in(tx: &mut Tx, token: &str, account_id: i64, now_ms: i64) -> Result<Session> {
    let rev = next_rev(tx).await?;
    let (token_hash, expires_at_ms) = (token_hash(token), now_ms + SESSION_MS);
    let session = Session { token_hash, account_id, expires_at_ms, revoked: false, rev };
    on!(tx, conn => {
        sqlx::query("delete from sessions where expires_at_ms <= $1")
            .bind(now_ms).execute(&mut *conn).await?;
        let sql = "insert into sessions (token_hash, account_id, expires_at_ms, revoked, rev) \
                   values ($1, $2, $3, $4, $5)";
        sqlx::query(sql).bind(&session.token_hash).bind(account_id).bind(expires_at_ms)
            .bind(false).bind(rev).execute(conn).await?;
    });
    Ok(session)
}

/// Creates a session if the account still has this password hash. `None` if a new password was set
/// since the old one was checked: setting one ends all sessions.
pub async fn log_in(
    db: &Db,
    token: &str,
    account_id: i64,
    password_hash: &str,
    now_ms: i64,
) -> Result<Option<Session>> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "select count(*) from accounts where id = $1 and password_hash = $2";
    let same: i64 = on!(&mut tx, conn => {
        sqlx::query_scalar(sql).bind(account_id).bind(password_hash).fetch_one(conn).await?
    });
    if same == 0 {
        return Ok(None);
    }
    let session = create_in(&mut tx, token, account_id, now_ms).await?;
    tx.commit().await?;
    Ok(Some(session))
}

/// Revokes one session.
pub async fn revoke(db: &Db, token_hash: &str) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let rev = next_rev(&mut tx).await?;
    on!(&mut tx, conn => {
        sqlx::query("update sessions set revoked = true, rev = $2 where token_hash = $1")
            .bind(token_hash).bind(rev).execute(conn).await?;
    });
    tx.commit().await
}

/// Revokes all sessions of an account within a transaction.
pub(crate) async fn revoke_all_in(tx: &mut Tx, account_id: i64) -> Result<()> {
    let rev = next_rev(tx).await?;
    on!(tx, conn => {
        sqlx::query("update sessions set revoked = true, rev = $2 where account_id = $1")
            .bind(account_id).bind(rev).execute(conn).await?;
    });
    Ok(())
}

/// Sessions that changed after revision `rev`, oldest first.
pub async fn changed_after(db: &Db, rev: i64) -> Result<Vec<Session>> {
    let mut conn = db.read().await?;
    let sql = format!("{COLUMNS} where rev > $1 order by rev");
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(on!(&mut conn, conn => sqlx::query_as(sql).bind(rev).fetch_all(conn).await?))
}

async fn next_rev(tx: &mut Tx) -> Result<i64> {
    let sql = "select cast(coalesce(max(rev), 0) + 1 as bigint) from sessions";
    Ok(on!(tx, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}
