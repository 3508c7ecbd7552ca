//! `team.hide`

use super::standing;
use crate::prelude::*;

/// Hides a team from every board but its own.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hide {
    /// Exact name of the team.
    pub team: String,
}

impl Action for Hide {
    const RULE: Rule = Rule { name: "team.hide", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        standing::set(context, &self.team, |team| (team.banned, true)).await
    }
}
