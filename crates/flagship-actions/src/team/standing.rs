//! Whether a team is banned or hidden.

use flagship_game::contest::Team;

use super::confirmed;
use crate::prelude::*;

/// Bans or hides a team, or the opposite: `change` returns whether it is banned, and hidden, from
/// now on.
pub async fn set(
    context: &mut Context<'_>,
    team: &str,
    change: fn(&Team) -> (bool, bool),
) -> ActionResult<Option<FactsUndo>> {
    let account = confirmed(context, team).await?;
    let id = TeamId(account.id);
    let before = context.contest().team(id).ok_or(ActionError::NoTeam)?.clone();
    let (banned, hidden) = change(&before);
    if (before.banned, before.hidden) == (banned, hidden) {
        return Err(ActionError::Unchanged.into());
    }
    context.append(facts::TeamState { team: id, banned, hidden })?;
    let back = facts::TeamState { team: id, banned: before.banned, hidden: before.hidden };
    Ok(Some(FactsUndo::one(back)))
}
