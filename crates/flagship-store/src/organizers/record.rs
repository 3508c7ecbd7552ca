//! Audit log entries about organizers and their tokens.

use serde_json::{Value, json};

use super::Rights;
use crate::actions::{self, NewAction};
use crate::engine::Tx;
use crate::{Result, Seal};

/// Adding an organizer.
pub(crate) const ADD: &str = "organizer.add";
/// Changing an organizer's roles.
pub(crate) const ROLE: &str = "organizer.role";
/// Resetting an organizer's password and second factor.
pub(crate) const RESET: &str = "organizer.reset";
/// Removing an organizer.
pub(crate) const REMOVE: &str = "organizer.remove";

/// Appends an entry about the organizer with an id, in the transaction of the change, which holds
/// the lock on accounts.
pub(crate) async fn record(
    tx: &mut Tx,
    seal: &Seal,
    (actor, action): (&str, &str),
    organizer_id: i64,
    arguments: &Value,
    now_ms: i64,
) -> Result<()> {
    let new = NewAction {
        action,
        actor,
        objects: &[format!("organizer {organizer_id}")],
        restore: None,
        arguments,
        reason: "",
        seqs: None,
        undoes: None,
    };
    let last = actions::last_in(tx).await?;
    actions::append(tx, seal, &new, &last, now_ms).await?;
    Ok(())
}

/// Roles and challenges as arguments of an entry.
pub(super) fn rights(of: &Rights) -> Value {
    let (roles, challenges) = of.lists();
    json!({"roles": roles, "challenges": challenges})
}
