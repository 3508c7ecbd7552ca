//! `team.unban`

use std::slice;

use super::standing;
use crate::prelude::*;

/// Unbans a team.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Unban {
    /// Exact name of the team.
    pub team: String,
}

impl Action for Unban {
    const RULE: Rule = Rule { name: "team.unban", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        standing::set(context, slice::from_ref(&self.team), |team| (false, team.hidden)).await
    }
}
