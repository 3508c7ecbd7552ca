//! Team sessions. Nodes cache them in memory and follow changes.

use crate::engine::{Conn, Tx, on, run};
use crate::key::token_hash;
use crate::{Db, Lock, Result, meta};

/// Lifetime of a session, in milliseconds.
pub const SESSION_MS: i64 = 48 * 3_600_000;
/// Maximum time for which a revoked session is stored, in milliseconds. A node that has not read
/// changes for this long reloads all sessions.
pub const REVOKED_MS: i64 = 5 * 60_000;
/// Maximum active sessions per account. A further session ends the oldest one.
pub const SESSIONS_MAX: i64 = 100;
/// Meta key of the highest revision among deleted revoked sessions.
const DELETED_REV: &str = "sessions_deleted_rev";

/// A stored session.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
    /// The account.
    pub account_id: i64,
    /// Time at which the session expires and its row can be deleted, in epoch milliseconds.
    pub expires_at_ms: i64,
    /// True if the session was revoked.
    pub revoked: bool,
    /// Revision of the last change.
    pub rev: i64,
}

/// Stored origin of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOrigin {
    /// The network, as counted by rate limits.
    pub network: Option<String>,
    /// Browser and operating system: `Firefox, Linux`.
    pub browser: Option<String>,
}

/// An active session, as shown to its team.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ActiveSession {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
    /// Expiry time, in epoch milliseconds.
    pub expires_at_ms: i64,
    /// Network from which the session was started.
    pub network: Option<String>,
    /// Browser with which the session was started.
    pub browser: Option<String>,
    /// Time of the last use after the start, in epoch milliseconds.
    pub seen_at_ms: Option<i64>,
}

/// Changes of the sessions table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionChanges {
    /// Sessions, oldest change first.
    pub sessions: Vec<Session>,
    /// True if `sessions` contains all sessions instead of the changed ones, because rows of
    /// changed sessions were deleted.
    pub is_all: bool,
}

const COLUMNS: &str = "select token_hash, account_id, expires_at_ms, revoked, rev from sessions";

/// Creates a session for a token that the caller generated.
pub async fn create(db: &Db, token: &str, account_id: i64, now_ms: i64) -> Result<Session> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let session = create_in(&mut tx, token, account_id, now_ms).await?;
    tx.commit().await?;
    Ok(session)
}

/// Like [`create`], within a transaction that holds the accounts lock.
pub async fn create_in(tx: &mut Tx, token: &str, account_id: i64, now_ms: i64) -> Result<Session> {
    create_with_in(tx, token, account_id, &SessionOrigin::default(), now_ms).await
}

/// Like [`create_in`], with the session's origin.
pub(crate) async fn create_with_in(
    tx: &mut Tx,
    token: &str,
    account_id: i64,
    origin: &SessionOrigin,
    now_ms: i64,
) -> Result<Session> {
    let rev = next_rev(tx).await?;
    let (token_hash, expires_at_ms) = (token_hash(token), now_ms + SESSION_MS);
    let session = Session { token_hash, account_id, expires_at_ms, revoked: false, rev };
    delete_expired(tx, now_ms).await?;
    let sql = "insert into sessions (token_hash, account_id, expires_at_ms, revoked, rev, network, \
               browser) values ($1, $2, $3, $4, $5, $6, $7)";
    run!(tx => query(sql, &session.token_hash, account_id, expires_at_ms, false, rev,
        &origin.network, &origin.browser).execute);
    run!(tx => query(REVOKE + " where account_id = $1 and not revoked and rev <= \
        (select rev from sessions where account_id = $1 and not revoked \
        order by rev desc limit 1 offset $4)",
        account_id, rev, now_ms + REVOKED_MS, SESSIONS_MAX).execute);
    Ok(session)
}

/// Deletes expired sessions. Must run in a transaction that inserts a session: the highest revision
/// in the table then never decreases, and nodes that follow the table notice the new session.
async fn delete_expired(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let sql = "delete from sessions where expires_at_ms <= $1 returning rev, revoked";
    let deleted: Vec<(i64, bool)> = run!(tx => query_as(sql, now_ms).fetch_all);
    // Nodes detect expired sessions with their own clock.
    let revoked = deleted.into_iter().filter(|(_, revoked)| *revoked).map(|(rev, _)| rev);
    let Some(rev) = revoked.max() else { return Ok(()) };
    let known = meta::get(tx, DELETED_REV).await?.and_then(|known| known.parse().ok());
    meta::set(tx, DELETED_REV, &known.map_or(rev, |known: i64| known.max(rev)).to_string()).await
}

/// Creates a session if the account still has this password hash, in a transaction that holds the
/// accounts lock. Returns `None` if the password was changed after the check, because a password
/// change ends all sessions.
pub async fn log_in(
    tx: &mut Tx,
    token: &str,
    account_id: i64,
    password_hash: &str,
    origin: &SessionOrigin,
    now_ms: i64,
) -> Result<Option<Session>> {
    let sql = "select count(*) from accounts where id = $1 and password_hash = $2";
    let same: i64 = run!(tx => query_scalar(sql, account_id, password_hash).fetch_one);
    if same == 0 {
        return Ok(None);
    }
    create_with_in(tx, token, account_id, origin, now_ms).await.map(Some)
}

/// Returns the active sessions of an account, newest first.
pub async fn active_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<Vec<ActiveSession>> {
    let sql = "select token_hash, expires_at_ms, network, browser, seen_at_ms from sessions \
               where account_id = $1 and not revoked and expires_at_ms > $2 order by rev desc";
    Ok(run!(tx => query_as(sql, account_id, now_ms).fetch_all))
}

/// True if a session is active, checked in the transaction that acts for it.
pub(crate) async fn is_active_in(tx: &mut Tx, token_hash: &str, now_ms: i64) -> Result<bool> {
    let sql = "select count(*) from sessions \
               where token_hash = $1 and not revoked and expires_at_ms > $2";
    let count: i64 = run!(tx => query_scalar(sql, token_hash, now_ms).fetch_one);
    Ok(count > 0)
}

/// Updates the last-seen times of sessions by token digest, in one statement. Does not change
/// revisions.
pub async fn note_seen(db: &Db, seen: &[(String, i64)]) -> Result<()> {
    if seen.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    on!(&mut tx, conn => {
        let mut update = sqlx::QueryBuilder::new("with seen (seen_hash, at_ms) as (");
        update.push_values(seen, |mut line, (token_hash, at_ms)| {
            line.push_bind(token_hash).push_bind(*at_ms);
        });
        update.push(
            ") update sessions set seen_at_ms = seen.at_ms from seen \
             where token_hash = seen.seen_hash and not revoked \
             and (seen_at_ms is null or seen_at_ms < seen.at_ms)",
        );
        update.build().execute(conn).await?;
    });
    tx.commit().await
}

/// Revokes sessions. `$2` is the revision, `$3` the time at which their rows can be deleted.
const REVOKE: &str = "update sessions set revoked = true, rev = $2, network = null, \
                      browser = null, seen_at_ms = null, \
                      expires_at_ms = case when expires_at_ms < $3 then expires_at_ms else $3 end";

/// Revokes one session.
pub async fn revoke(db: &Db, token_hash: &str, now_ms: i64) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let rev = next_rev(&mut tx).await?;
    run!(&mut tx => query(REVOKE + " where token_hash = $1 and not revoked", token_hash, rev,
        now_ms + REVOKED_MS).execute);
    tx.commit().await
}

/// Revokes all sessions of an account within a transaction.
pub async fn revoke_all_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<()> {
    let rev = next_rev(tx).await?;
    run!(tx => query(REVOKE + " where account_id = $1 and not revoked", account_id, rev,
        now_ms + REVOKED_MS).execute);
    Ok(())
}

/// Revokes all sessions of all accounts within a transaction.
pub(crate) async fn revoke_every_in(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let rev = next_rev(tx).await?;
    run!(tx => query(REVOKE + " where $1 and not revoked", true, rev, now_ms + REVOKED_MS).execute);
    Ok(())
}

/// Returns the changes after revision `rev`.
pub async fn changed_after(db: &Db, rev: i64) -> Result<SessionChanges> {
    let mut conn = db.read().await?;
    let sessions = read_after(&mut conn, rev).await?;
    // Rows are only deleted together with a new session, so an unchanged table costs one statement.
    if rev == 0 || sessions.is_empty() || deleted_rev(&mut conn).await? <= rev {
        return Ok(SessionChanges { sessions, is_all: false });
    }
    Ok(SessionChanges { sessions: read_after(&mut conn, 0).await?, is_all: true })
}

async fn read_after(conn: &mut Conn, rev: i64) -> Result<Vec<Session>> {
    Ok(run!(conn => query_as(COLUMNS + " where rev > $1 order by rev", rev).fetch_all))
}

async fn deleted_rev(conn: &mut Conn) -> Result<i64> {
    let sql = "select cast(value as bigint) from meta where key = $1";
    let rev: Option<i64> = run!(conn => query_scalar(sql, DELETED_REV).fetch_optional);
    Ok(rev.unwrap_or_default())
}

async fn next_rev(tx: &mut Tx) -> Result<i64> {
    let sql = "select cast(coalesce(max(rev), 0) + 1 as bigint) from sessions";
    Ok(run!(tx => query_scalar(sql).fetch_one))
}
