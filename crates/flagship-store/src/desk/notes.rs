//! Organizers' notes about teams, sealed under the event's secret. Actions refer to them.

use crate::engine::{Tx, run};
use crate::{Result, Seal};

/// Purpose of the seal of notes.
const NOTE: &str = "note about a team";

/// Adds a note about an account.
pub async fn add_in(tx: &mut Tx, seal: &Seal, account_id: i64, text: &str) -> Result<()> {
    let id = rand::random_range(1..i64::MAX);
    let sealed = seal.seal_text(NOTE, &account_id.to_string(), text);
    let sql = "insert into notes (id, account_id, sealed) values ($1, $2, $3)";
    run!(tx => query(sql, id, account_id, sealed).execute);
    Ok(())
}
