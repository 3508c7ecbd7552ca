//! Whether a team is banned or hidden.

use flagship_game::TeamId;
use flagship_game::contest::Team;
use flagship_game::facts;
use flagship_store::ops::{ActionError, ActionResult, Context};

use super::confirmed;
use crate::action::Done;
use crate::facts_undo::FactsUndo;

/// Bans or hides a team, or the opposite: `change` returns whether it is banned, and hidden, from
/// now on.
pub async fn set(
    context: &mut Context<'_>,
    team: &str,
    change: fn(&Team) -> (bool, bool),
) -> ActionResult<Done<FactsUndo>> {
    let (account, objects) = confirmed(context, team).await?;
    let id = TeamId(account.id);
    let before = context.contest().team(id).ok_or(ActionError::NoTeam)?.clone();
    let (banned, hidden) = change(&before);
    if (before.banned, before.hidden) == (banned, hidden) {
        return Err(ActionError::Unchanged.into());
    }
    context.append(facts::TeamState { team: id, banned, hidden })?;
    let back = facts::TeamState { team: id, banned: before.banned, hidden: before.hidden };
    Ok(Done::undone_by(objects, FactsUndo::one(back)))
}
