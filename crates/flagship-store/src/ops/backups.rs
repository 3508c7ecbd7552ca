//! Backups that owners download. Each is recorded before it is made: it holds its own record, and
//! is the same as one that the command makes afterwards.

use serde_json::json;

use crate::organizers::{Done, Standing, done};
use crate::{Db, Lock, Seal, actions};

/// An owner downloaded a backup.
pub(crate) const BACKUP: &str = "event.backup";

/// Records that somebody downloads a backup.
pub async fn record(db: &Db, seal: &Seal, by: Standing<'_>, now_ms: i64) -> Done<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let actor = done!(by.check(&mut tx, now_ms).await?);
    // Not about the event: it stands in the way of nothing that is taken back.
    let by = (actor.name.as_str(), BACKUP);
    actions::record(&mut tx, seal, by, "backup", &json!({}), now_ms).await?;
    tx.commit().await?;
    Ok(Ok(()))
}
