//! Backups that owners download. Each is recorded before it is made: it holds its own record, and
//! is the same as one that the command makes afterwards.

use serde_json::json;

use crate::actions::{self, NewAction};
use crate::organizers::{Done, Standing};
use crate::{Db, Lock, Seal};

/// An owner downloaded a backup.
pub(crate) const BACKUP: &str = "event.backup";

/// Records that somebody downloads a backup.
pub async fn record(db: &Db, seal: &Seal, by: Standing<'_>, now_ms: i64) -> Done<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let actor = match by.check(&mut tx, now_ms).await? {
        Ok(actor) => actor,
        Err(ended) => return Ok(Err(ended)),
    };
    let new = NewAction {
        action: BACKUP,
        actor: &actor.name,
        // Not the event: it stands in the way of nothing that is taken back.
        objects: &["backup".to_owned()],
        restore: None,
        arguments: &json!({}),
        reason: "",
        seqs: None,
        undoes: None,
    };
    let last = actions::last_in(&mut tx).await?;
    actions::append(&mut tx, seal, &new, &last, now_ms).await?;
    tx.commit().await?;
    Ok(Ok(()))
}
