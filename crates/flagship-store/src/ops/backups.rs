//! Backups downloaded by owners. Each download is recorded before the backup is made, so that the
//! backup contains the record and equals a later backup by the command.

use serde_json::json;

use crate::organizers::{Authorization, OrganizerResult, done};
use crate::{Db, Lock, Seal, actions};

/// Downloading a backup.
pub(crate) const BACKUP: &str = "event.backup";

/// Records the download of a backup.
pub async fn record(
    db: &Db,
    seal: &Seal,
    authorization: Authorization<'_>,
    now_ms: i64,
) -> OrganizerResult<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let actor = done!(authorization.check(&mut tx, now_ms).await?);
    // The object is not the event, so that the entry never blocks an undo.
    let by = (actor.name.as_str(), BACKUP);
    actions::record(&mut tx, seal, by, "backup", &json!({}), now_ms).await?;
    tx.commit().await?;
    Ok(Ok(()))
}
