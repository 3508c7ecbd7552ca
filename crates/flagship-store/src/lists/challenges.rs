//! Revision of the challenges that organizers see.

use crate::engine::run;
use crate::{Db, Result};

/// Returns a number that changes with every creation, edit, release, hiding or applying of a
/// challenge, and with the event's times. Each of these is an action.
pub async fn revision(db: &Db) -> Result<i64> {
    let sql = "select coalesce(max(id), 0) from actions \
               where action like 'challenge.%' or action like 'event.%'";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
}
