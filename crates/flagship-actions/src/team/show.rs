//! `team.show`

use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::standing;
use crate::action::{Action, Done, Factor, RUNNERS, Rule};
use crate::facts_undo::FactsUndo;
use crate::lists::{List, OF_CONTEST};

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
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<FactsUndo>> {
        standing::set(context, &self.team, |team| (team.banned, false)).await
    }
}
