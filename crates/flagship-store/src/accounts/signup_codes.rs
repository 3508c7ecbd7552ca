//! Codes that let teams sign up. The uses of a code are the accounts that signed up with it, so an
//! account that is not confirmed in time frees its use.

use crate::accounts::UNCONFIRMED_MS;
use crate::engine::{insert, run};
use crate::{Db, Result, Tx};

/// Maximum rows per insert of codes.
const INSERT_ROWS_MAX: usize = 500;

/// A code with its uses. No `Debug`, because the code is a secret.
#[derive(Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SignupCode {
    /// The code, without hyphens.
    pub code: String,
    /// Label given by the organizers; can be empty.
    pub label: String,
    /// Maximum number of accounts.
    pub uses: i64,
    /// Number of accounts that use it.
    pub used: i64,
    /// Time at which it was made, in epoch milliseconds.
    pub made_at_ms: i64,
    /// Time at which it was revoked, in epoch milliseconds.
    pub revoked_at_ms: Option<i64>,
}

impl SignupCode {
    /// True if another team can sign up with the code.
    pub fn is_valid(&self) -> bool {
        self.revoked_at_ms.is_none() && self.used < self.uses
    }
}

/// Query of the codes and their uses. `$1` is the time of the latest signup that has expired.
const CODES: &str = "select c.code, c.label, c.uses, c.made_at_ms, c.revoked_at_ms, \
    (select count(*) from accounts a where a.signup_code = c.code \
    and (a.confirmed_at_ms is not null or a.created_at_ms > $1)) as used from signup_codes c";

/// Stores new codes.
pub async fn add_in(
    tx: &mut Tx,
    codes: &[String],
    label: &str,
    uses: i64,
    now_ms: i64,
) -> Result<()> {
    for codes in codes.chunks(INSERT_ROWS_MAX) {
        let sql = "insert into signup_codes (code, label, uses, made_at_ms) ";
        insert!(tx => sql, codes, |code| (code.as_str(), label, uses, now_ms), "");
    }
    Ok(())
}

/// Returns all codes, newest first.
pub async fn all(db: &Db, now_ms: i64) -> Result<Vec<SignupCode>> {
    let sql = sqlx::AssertSqlSafe(format!("{CODES} order by c.made_at_ms desc, c.code"));
    Ok(run!(db.read() => query_as(sql, now_ms - UNCONFIRMED_MS).fetch_all))
}

/// Returns a code.
pub async fn find_in(tx: &mut Tx, code: &str, now_ms: i64) -> Result<Option<SignupCode>> {
    let sql = sqlx::AssertSqlSafe(format!("{CODES} where c.code = $2"));
    Ok(run!(tx => query_as(sql, now_ms - UNCONFIRMED_MS, code).fetch_optional))
}

/// True if a team can sign up with the code now. The transaction of the signup checks this again,
/// with [`is_valid_in`].
pub async fn is_valid(db: &Db, code: &str, now_ms: i64) -> Result<bool> {
    is_valid_in(&mut db.snapshot().await?, code, now_ms).await
}

/// True if a team can sign up with the code in this transaction, which holds the accounts lock.
pub async fn is_valid_in(tx: &mut Tx, code: &str, now_ms: i64) -> Result<bool> {
    Ok(find_in(tx, code, now_ms).await?.is_some_and(|code| code.is_valid()))
}

/// Revokes a code, or makes a revoked one valid again if the time is `None`.
pub async fn set_revoked_in(tx: &mut Tx, code: &str, at_ms: Option<i64>) -> Result<()> {
    let sql = "update signup_codes set revoked_at_ms = $2 where code = $1";
    run!(tx => query(sql, code, at_ms).execute);
    Ok(())
}

/// Deletes a code unless an account has used it. Returns true if it was deleted.
pub async fn remove_unused_in(tx: &mut Tx, code: &str) -> Result<bool> {
    let sql = "delete from signup_codes where code = $1 \
               and not exists (select 1 from accounts where signup_code = $1)";
    Ok(run!(tx => query(sql, code).execute) > 0)
}
