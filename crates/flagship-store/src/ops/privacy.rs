//! Erasure of private data of teams, with a record in the audit log.

use flagship_game::entry::Phase;
use serde_json::json;

use super::actions::Caller;
use super::commands;
use super::step::StepTx;
use crate::{Result, accounts, actions, privacy};

/// Reason for rejecting an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EraseError {
    /// The event is not over, and the erasure would prevent teams from playing.
    #[error("the event is not over")]
    NotOver,
    /// The account does not exist.
    #[error("there is no such account")]
    NoAccount,
    /// The organizer's session has ended, or the role was removed.
    #[error("the session has ended")]
    Ended,
}

/// Erases the private data of one account or of all. Before the event's end, this requires
/// `is_confirmed`. Returns the number of rows.
pub(super) async fn erase(
    step: &mut StepTx,
    account_id: Option<i64>,
    is_confirmed: bool,
    by: &Caller,
) -> Result<std::result::Result<u64, EraseError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let Some(actor) = by.name(&mut step.tx, now_ms).await? else {
        return Ok(Err(EraseError::Ended));
    };
    if !is_confirmed && !step.contest().reached(Phase::End) {
        return Ok(Err(EraseError::NotOver));
    }
    let (objects, arguments) = match account_id {
        None => (["teams".to_owned()], json!({})),
        Some(id) => match accounts::by_id_in(&mut step.tx, id).await? {
            Some(account) => ([actions::team_object(id)], json!({"team": account.name})),
            None => return Ok(Err(EraseError::NoAccount)),
        },
    };
    let rows = privacy::erase_in(&mut step.tx, account_id, now_ms).await?;
    let since_seq = step.contest().seq();
    let by = (actor.as_str(), commands::ERASE);
    commands::record(step, by, &objects, &arguments, since_seq, None).await?;
    Ok(Ok(rows))
}
