//! Passes: credentials of organizers, stored by a digest of their tokens. The digest is a MAC under
//! the event's secret, so write access to the database is not enough to create one.

use crate::engine::names::names;
use crate::engine::{Tx, run};
use crate::{Db, Lock, Result, StoreError};

/// Lifetime of an invitation, in milliseconds.
pub const INVITATION_MS: i64 = 24 * 3_600_000;
/// Lifetime of a session, in milliseconds.
pub const SESSION_MS: i64 = 12 * 3_600_000;
/// Lifetime of a session without two-factor authentication, in milliseconds.
pub const UNPROVEN_MS: i64 = 15 * 60_000;
/// Maximum sessions per organizer without two-factor authentication.
pub const UNPROVEN_MAX: i64 = 10;
/// A day, in milliseconds.
pub(crate) const DAY_MS: i64 = 24 * 3_600_000;

/// Purpose of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An invitation: sets the password and the second factor, once.
    Invitation,
    /// A browser session.
    Session,
    /// An API token, which never has a second factor.
    Token,
}

names!(Kind; Invitation = "invitation", Session = "session", Token = "token");

impl TryFrom<String> for Kind {
    type Error = StoreError;

    fn try_from(text: String) -> Result<Self> {
        let kind = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        kind.ok_or_else(|| StoreError::Corrupt(format!("an organizer's pass of kind {text:?}")))
    }
}

/// A stored pass.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Pass {
    /// Digest of the token.
    pub digest: String,
    /// The organizer.
    pub organizer_id: i64,
    /// Purpose.
    #[sqlx(try_from = "String")]
    pub kind: Kind,
    /// Creation time, in epoch milliseconds.
    pub created_at_ms: i64,
    /// Expiry time, in epoch milliseconds.
    pub expires_at_ms: i64,
    /// Time of the last two-factor authentication, in epoch milliseconds.
    pub factor_at_ms: Option<i64>,
}

const COLUMNS: &str = "select digest, organizer_id, kind, created_at_ms, expires_at_ms, \
                       factor_at_ms from organizer_passes";

/// Creates an invitation, or a session that still needs the second factor.
pub(super) async fn create_in(
    tx: &mut Tx,
    digest: &str,
    organizer_id: i64,
    kind: Kind,
    now_ms: i64,
) -> Result<()> {
    let duration_ms = if kind == Kind::Invitation { INVITATION_MS } else { UNPROVEN_MS };
    insert(tx, digest, organizer_id, kind, now_ms, now_ms + duration_ms).await
}

pub(crate) async fn insert(
    tx: &mut Tx,
    digest: &str,
    organizer_id: i64,
    kind: Kind,
    now_ms: i64,
    expires_at_ms: i64,
) -> Result<()> {
    run!(tx => query("delete from organizer_passes where expires_at_ms <= $1", now_ms).execute);
    let sql = "insert into organizer_passes (digest, organizer_id, kind, created_at_ms, \
               expires_at_ms) values ($1, $2, $3, $4, $5)";
    run!(tx => query(sql, digest, organizer_id, kind.as_str(), now_ms, expires_at_ms).execute);
    Ok(())
}

/// Returns the valid pass with this digest.
pub(crate) async fn find_in(tx: &mut Tx, digest: &str, now_ms: i64) -> Result<Option<Pass>> {
    Ok(run!(tx => query_as(COLUMNS + " where digest = $1 and expires_at_ms > $2", digest, now_ms)
        .fetch_optional))
}

/// Returns the valid sessions and tokens of an organizer, newest first.
pub async fn of(db: &Db, organizer_id: i64, now_ms: i64) -> Result<Vec<Pass>> {
    let sql = sqlx::AssertSqlSafe(format!(
        "{COLUMNS} where organizer_id = $1 and expires_at_ms > $2 and kind <> 'invitation' \
         order by created_at_ms desc, digest"
    ));
    Ok(run!(db.read() => query_as(sql, organizer_id, now_ms).fetch_all))
}

/// Sessions and tokens of an organizer.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Access {
    /// The organizer.
    pub organizer_id: i64,
    /// Number of sessions with two-factor authentication.
    pub sessions: i64,
    /// Number of API tokens.
    pub tokens: i64,
    /// Time of the newest login, in epoch milliseconds; `None` if no session is left.
    pub logged_in_at_ms: Option<i64>,
}

/// Counts the valid sessions and tokens of all organizers who have any.
pub async fn access(db: &Db, now_ms: i64) -> Result<Vec<Access>> {
    let sql = "select organizer_id, \
               coalesce(sum(case when kind = 'session' then 1 else 0 end), 0) as sessions, \
               coalesce(sum(case when kind = 'token' then 1 else 0 end), 0) as tokens, \
               max(case when kind = 'session' then created_at_ms end) as logged_in_at_ms \
               from organizer_passes where expires_at_ms > $1 \
               and (kind = 'token' or (kind = 'session' and factor_at_ms is not null)) \
               group by organizer_id";
    Ok(run!(db.read() => query_as(sql, now_ms).fetch_all))
}

/// Marks a session as authenticated by the second factor, which extends it to [`SESSION_MS`] from
/// its beginning; `false` if it has ended.
pub(super) async fn prove_in(
    tx: &mut Tx,
    session: &str,
    organizer_id: i64,
    now_ms: i64,
) -> Result<bool> {
    let sql = "update organizer_passes set factor_at_ms = $3, expires_at_ms = created_at_ms + $4 \
               where digest = $1 and organizer_id = $2 and kind = 'session' and expires_at_ms > $3";
    let proven = run!(tx => query(sql, session, organizer_id, now_ms, SESSION_MS).execute);
    Ok(proven == 1)
}

/// Ends one pass of an organizer; `false` if there is none with this digest.
pub async fn end(db: &Db, organizer_id: i64, digest: &str) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let is_ended = end_in(&mut tx, organizer_id, digest).await?;
    tx.commit().await?;
    Ok(is_ended)
}

pub(crate) async fn end_in(tx: &mut Tx, organizer_id: i64, digest: &str) -> Result<bool> {
    let sql = "delete from organizer_passes where organizer_id = $1 and digest = $2";
    let ended = run!(tx => query(sql, organizer_id, digest).execute);
    Ok(ended == 1)
}

/// Ends an organizer's oldest sessions without two-factor authentication until fewer than
/// [`UNPROVEN_MAX`] remain, so that a stolen password is not enough to fill the list.
pub(super) async fn end_oldest_unproven_in(tx: &mut Tx, organizer_id: i64) -> Result<()> {
    let sql = "delete from organizer_passes where digest in (select digest from organizer_passes \
               where organizer_id = $1 and kind = 'session' and factor_at_ms is null \
               order by created_at_ms desc, digest limit 1000 offset $2)";
    run!(tx => query(sql, organizer_id, UNPROVEN_MAX - 1).execute);
    Ok(())
}

/// Ends all sessions of an organizer except one.
pub(super) async fn end_others_in(tx: &mut Tx, organizer_id: i64, session: &str) -> Result<()> {
    let sql = "delete from organizer_passes where organizer_id = $1 and kind = 'session' \
               and digest <> $2";
    run!(tx => query(sql, organizer_id, session).execute);
    Ok(())
}

/// Ends all passes of these kinds of an organizer.
pub(super) async fn end_all_in(tx: &mut Tx, organizer_id: i64, kinds: &[Kind]) -> Result<()> {
    for kind in kinds {
        let sql = "delete from organizer_passes where organizer_id = $1 and kind = $2";
        run!(tx => query(sql, organizer_id, kind.as_str()).execute);
    }
    Ok(())
}
