//! Passes: what lets an organizer in. Stored by a digest of their tokens, a MAC under the event's
//! secret: who can write to the database alone cannot make one.

use crate::engine::names::names;
use crate::engine::{Tx, run};
use crate::{Db, Lock, Result, StoreError};

/// How long an invitation is valid, in milliseconds.
pub const INVITATION_MS: i64 = 24 * 3_600_000;
/// How long a session lasts, in milliseconds.
pub const SESSION_MS: i64 = 12 * 3_600_000;
/// How long a session lasts whose second factor was not given, in milliseconds.
pub const UNPROVEN_MS: i64 = 15 * 60_000;
/// Most sessions of an organizer whose second factor was not given.
pub const UNPROVEN_MAX: i64 = 10;
/// A day, in milliseconds.
pub(crate) const DAY_MS: i64 = 24 * 3_600_000;

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sets the password and the second factor, once.
    Invitation,
    /// A browser that is signed in.
    Session,
    /// For a script, which never gives a second factor.
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

/// A pass as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Pass {
    /// The digest of its token.
    pub digest: String,
    /// Whose it is.
    pub organizer_id: i64,
    /// What it is for.
    #[sqlx(try_from = "String")]
    pub kind: Kind,
    /// When it was made, in epoch milliseconds.
    pub created_at_ms: i64,
    /// When it ends, in epoch milliseconds.
    pub expires_at_ms: i64,
    /// When the second factor was last given, in epoch milliseconds.
    pub factor_at_ms: Option<i64>,
}

const COLUMNS: &str = "select digest, organizer_id, kind, created_at_ms, expires_at_ms, \
                       factor_at_ms from organizer_passes";

/// Creates an invitation, or a session whose second factor is to be given.
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

/// The living pass of a token.
pub(crate) async fn find_in(tx: &mut Tx, digest: &str, now_ms: i64) -> Result<Option<Pass>> {
    Ok(run!(tx => query_as(COLUMNS + " where digest = $1 and expires_at_ms > $2", digest, now_ms)
        .fetch_optional))
}

/// The living sessions and tokens of an organizer, the newest first.
pub async fn of(db: &Db, organizer_id: i64, now_ms: i64) -> Result<Vec<Pass>> {
    let sql = sqlx::AssertSqlSafe(format!(
        "{COLUMNS} where organizer_id = $1 and expires_at_ms > $2 and kind <> 'invitation' \
         order by created_at_ms desc, digest"
    ));
    Ok(run!(db.read() => query_as(sql, organizer_id, now_ms).fetch_all))
}

/// Marks a session as proven by a second factor, by which it lasts [`SESSION_MS`] from its
/// beginning; `false` if it has ended.
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

/// Ends the oldest sessions of an organizer whose second factor was not given, so that there are
/// fewer than [`UNPROVEN_MAX`]: who has the password alone cannot fill the list.
pub(super) async fn end_oldest_unproven_in(tx: &mut Tx, organizer_id: i64) -> Result<()> {
    let sql = "delete from organizer_passes where digest in (select digest from organizer_passes \
               where organizer_id = $1 and kind = 'session' and factor_at_ms is null \
               order by created_at_ms desc, digest limit 1000 offset $2)";
    run!(tx => query(sql, organizer_id, UNPROVEN_MAX - 1).execute);
    Ok(())
}

/// Ends the sessions of an organizer but one.
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
