//! Banning and hiding teams.

use flagship_game::contest::Team;

use super::all_confirmed;
use crate::prelude::*;

/// Bans or hides teams, or reverts that. `change` returns the new banned and hidden flags.
pub async fn set(
    context: &mut Context<'_>,
    names: &[String],
    change: fn(&Team) -> (bool, bool),
) -> ActionResult<Option<FactsUndo>> {
    let mut changes = Vec::new();
    for account in all_confirmed(context, names).await? {
        let id = TeamId(account.id);
        let team = context.contest().team(id).ok_or_else(|| ActionError::NoTeam.into());
        let team = several::of_object(team, &account.name, names)?;
        let before = (team.banned, team.hidden);
        let after = change(team);
        if before != after {
            let state = |(banned, hidden)| facts::TeamState { team: id, banned, hidden };
            changes.push((state(before), state(after)));
        }
    }
    if changes.is_empty() {
        return Err(ActionError::Unchanged.into());
    }
    let (before, after): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
    for state in after {
        context.append(state)?;
    }
    Ok(Some(FactsUndo::all(before)))
}
