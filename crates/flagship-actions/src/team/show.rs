//! `team.show`

use super::standing;
use crate::prelude::*;

/// Shows a hidden team again.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// Exact name of the team.
    pub team: String,
}

impl Action for Show {
    const RULE: Rule = Rule { name: "team.show", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        standing::set(context, &self.team, |team| (team.banned, false)).await
    }
}
