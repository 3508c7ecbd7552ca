//! API tokens that organizers create and revoke on the site. Both are recorded in the audit log,
//! without the token.

use serde_json::json;

use crate::engine::{Tx, run};
use crate::organizers::passes::{self, DAY_MS, Kind};
use crate::organizers::record::object;
use crate::organizers::{
    Authorization, Organizer, OrganizerError, OrganizerResult, by_name_in, done,
};
use crate::{Db, Lock, Result, Seal, actions};

/// Maximum valid tokens per organizer.
pub const TOKENS_MAX: i64 = 20;
/// Maximum lifetime of a token, in days.
pub const TOKEN_DAYS_MAX: u32 = 366;

/// Creating one's own token.
pub(crate) const OWN_TOKEN: &str = "account.token";
/// Creating or revoking another organizer's token, as owner.
pub(crate) const TOKEN: &str = "organizer.token";
/// Revoking one's own token.
pub(crate) const END_OWN: &str = "account.end";

/// A valid token and its organizer.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ScriptToken {
    /// The organizer's name.
    pub organizer: String,
    /// Digest of the token.
    pub digest: String,
    /// Creation time, in epoch milliseconds.
    pub created_at_ms: i64,
    /// Expiry time, in epoch milliseconds.
    pub expires_at_ms: i64,
}

/// Returns the valid tokens of all organizers, by name, newest first.
pub async fn tokens(db: &Db, now_ms: i64) -> Result<Vec<ScriptToken>> {
    let sql = "select o.name as organizer, p.digest, p.created_at_ms, p.expires_at_ms \
               from organizer_passes p join organizers o on o.id = p.organizer_id \
               where p.kind = 'token' and p.expires_at_ms > $1 \
               order by o.name, p.created_at_ms desc, p.digest";
    Ok(run!(db.read() => query_as(sql, now_ms).fetch_all))
}

/// Creates a token with the digest `digest`, for another organizer if `name` is given.
pub async fn make_token(
    db: &Db,
    seal: &Seal,
    authorization: Authorization<'_>,
    name: Option<&str>,
    (digest, days): (&str, u32),
    now_ms: i64,
) -> OrganizerResult<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let (actor, organizer) = done!(begin(&mut tx, authorization, name, now_ms).await?);
    let sql = "select count(*) from organizer_passes where organizer_id = $1 and kind = 'token' \
               and expires_at_ms > $2";
    let living: i64 = run!(&mut tx => query_scalar(sql, organizer.id, now_ms).fetch_one);
    if living >= TOKENS_MAX {
        return Ok(Err(OrganizerError::TooManyTokens));
    }
    let expires_at_ms = now_ms + i64::from(days.min(TOKEN_DAYS_MAX)) * DAY_MS;
    passes::insert(&mut tx, digest, organizer.id, Kind::Token, now_ms, expires_at_ms).await?;
    let arguments = match name {
        Some(_) => json!({"organizer": organizer.name, "days": days}),
        None => json!({"days": days}),
    };
    let action = if name.is_some() { TOKEN } else { OWN_TOKEN };
    let by = (actor.name.as_str(), action);
    actions::record(&mut tx, seal, by, &object(organizer.id), &arguments, now_ms).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// Revokes a token of an organizer; `false` if the organizer has no token with this digest.
pub async fn end_token(
    db: &Db,
    seal: &Seal,
    authorization: Authorization<'_>,
    (name, digest): (&str, &str),
    now_ms: i64,
) -> OrganizerResult<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let (actor, organizer) = done!(begin(&mut tx, authorization, Some(name), now_ms).await?);
    let found = passes::find_in(&mut tx, digest, now_ms).await?;
    let is_token = found.is_some_and(|it| it.kind == Kind::Token);
    if !is_token || !passes::end_in(&mut tx, organizer.id, digest).await? {
        return Ok(Ok(false));
    }
    let arguments = json!({"organizer": organizer.name, "ended": true});
    let by = (actor.name.as_str(), TOKEN);
    actions::record(&mut tx, seal, by, &object(organizer.id), &arguments, now_ms).await?;
    tx.commit().await?;
    Ok(Ok(true))
}

/// Ends one of the caller's sessions or tokens; `false` if there is none with this digest. Only the
/// end of a token is recorded.
pub async fn end_own(
    db: &Db,
    seal: &Seal,
    authorization: Authorization<'_>,
    digest: &str,
    now_ms: i64,
) -> OrganizerResult<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let organizer = done!(authorization.check(&mut tx, now_ms).await?);
    let found = passes::find_in(&mut tx, digest, now_ms).await?;
    let is_token = found.is_some_and(|it| it.kind == Kind::Token);
    let is_ended = passes::end_in(&mut tx, organizer.id, digest).await?;
    if is_ended && is_token {
        let by = (organizer.name.as_str(), END_OWN);
        actions::record(&mut tx, seal, by, &object(organizer.id), &json!({}), now_ms).await?;
    }
    tx.commit().await?;
    Ok(Ok(is_ended))
}

/// Returns the caller and the organizer with a name; without a name, the caller twice.
async fn begin(
    tx: &mut Tx,
    authorization: Authorization<'_>,
    name: Option<&str>,
    now_ms: i64,
) -> OrganizerResult<(Organizer, Organizer)> {
    let actor = done!(authorization.check(tx, now_ms).await?);
    let Some(name) = name else { return Ok(Ok((actor.clone(), actor))) };
    let found = by_name_in(tx, name).await?;
    Ok(found.map(|organizer| (actor, organizer)).ok_or(OrganizerError::Unknown))
}
