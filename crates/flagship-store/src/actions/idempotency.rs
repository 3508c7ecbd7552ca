//! Idempotency keys of actions. A retry with the same key returns the first response. Keys are kept
//! for a day.

use crate::engine::run;
use crate::{Db, Lock, Result, Seal, StoreError, Tx};

/// Time for which a key is kept, in milliseconds.
const KEPT_MS: i64 = 24 * 3_600_000;

/// Purpose of the seal of responses.
const ANSWER: &str = "answer of an action";

/// Idempotency key of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key as submitted.
    pub key: String,
    /// Digest of the request, under the event's secret.
    pub digest: String,
}

/// A key that was used.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct UsedKey {
    /// The digest of the request that used it.
    pub digest: String,
    /// The action of that request.
    pub action_id: i64,
    /// Time of the action, in epoch milliseconds.
    pub at_ms: i64,
    answer: Option<String>,
}

impl UsedKey {
    /// Returns the first response; `None` if there was none.
    ///
    /// # Errors
    /// Fails if the stored response was modified.
    pub fn answer(&self, seal: &Seal) -> Result<Option<String>> {
        let Some(sealed) = &self.answer else { return Ok(None) };
        let id = self.action_id;
        let text = seal.open_text(ANSWER, &id.to_string(), sealed);
        text.map(Some)
            .ok_or_else(|| StoreError::Corrupt(format!("the response of action {id} was modified")))
    }
}

const USED: &str = "select digest, action_id, at_ms, answer from idempotency_keys \
                    where organizer_id = $1 and key = $2 and at_ms > $3";

/// The last use of a key by an organizer.
pub async fn used(db: &Db, organizer_id: i64, key: &str, now_ms: i64) -> Result<Option<UsedKey>> {
    Ok(run!(db.read() => query_as(USED, organizer_id, key, now_ms - KEPT_MS).fetch_optional))
}

/// Like [`used`], in a transaction.
pub(crate) async fn used_in(
    tx: &mut Tx,
    organizer_id: i64,
    key: &str,
    now_ms: i64,
) -> Result<Option<UsedKey>> {
    Ok(run!(tx => query_as(USED, organizer_id, key, now_ms - KEPT_MS).fetch_optional))
}

/// Marks a key as used by an action, in the transaction that records it.
pub(crate) async fn use_in(
    tx: &mut Tx,
    organizer_id: i64,
    IdempotencyKey { key, digest }: &IdempotencyKey,
    action_id: i64,
    now_ms: i64,
) -> Result<()> {
    let sql = "insert into idempotency_keys (organizer_id, key, digest, action_id, at_ms) \
               values ($1, $2, $3, $4, $5) on conflict (organizer_id, key) do update \
               set digest = $3, action_id = $4, at_ms = $5, answer = null";
    run!(tx => query(sql, organizer_id, key, digest, action_id, now_ms).execute);
    Ok(())
}

/// Stores the response of an action that has a key, unless its data was erased in the meantime.
pub async fn keep_answer(db: &Db, seal: &Seal, action_id: i64, answer: &str) -> Result<()> {
    let sealed = seal.seal_text(ANSWER, &action_id.to_string(), answer);
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update idempotency_keys set answer = $1 where action_id = $2 \
               and exists (select 1 from actions where id = $2 and body is not null)";
    run!(&mut tx => query(sql, sealed, action_id).execute);
    tx.commit().await
}

/// Deletes expired keys.
pub async fn forget(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let sql = "delete from idempotency_keys where at_ms <= $1";
    run!(tx => query(sql, now_ms - KEPT_MS).execute);
    Ok(())
}
