//! Audit log entries of operations by the command line and by owners that are not actions.

use serde_json::Value;

use super::backups;
use super::join_cards;
use super::script_tokens;
use super::step::StepTx;
use crate::Result;
use crate::actions::{self, NewAction};
use crate::organizers::record as organizers;

/// Recorded operations that are not actions. Only an import can be undone.
pub const COMMANDS: [&str; 12] = [
    actions::APPLY,
    IMPORT,
    join_cards::CARDS,
    ERASE,
    backups::BACKUP,
    script_tokens::OWN_TOKEN,
    script_tokens::TOKEN,
    script_tokens::END_OWN,
    organizers::ADD,
    organizers::ROLE,
    organizers::RESET,
    organizers::REMOVE,
];

/// Importing teams from a file.
pub(super) const IMPORT: &str = "team.import";

/// Erasing private data of teams.
pub(super) const ERASE: &str = "privacy.erase";

/// Records an operation of `actor` in a step, with its journal entries (those after a sequence
/// number) and its undo data as JSON if it can be undone. Returns the id of the record.
pub(super) async fn record(
    step: &mut StepTx,
    (actor, action): (&str, &str),
    objects: &[String],
    arguments: &Value,
    since_seq: i64,
    undo: Option<String>,
) -> Result<i64> {
    step.tx.also_lock_accounts().await?;
    let (now_ms, last_seq) = (step.now_ms(), step.contest().seq());
    let seqs = (last_seq > since_seq).then_some((since_seq + 1, last_seq));
    let reason = "";
    let undoes = None;
    let new = NewAction { actor, action, objects, restore: undo, arguments, reason, seqs, undoes };
    let last = actions::last_in(&mut step.tx).await?;
    let record = actions::append(&mut step.tx, &step.seal.clone(), &new, &last, now_ms).await?;
    Ok(record.id)
}
