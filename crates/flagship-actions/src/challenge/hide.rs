//! `challenge.hide`

use super::visibility::{self, StatesUndo};
use crate::prelude::*;
use crate::text::challenge;

/// Hides a challenge. Its solves are kept.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hide {
    /// Id of the challenge.
    pub challenge: String,
}

impl Action for Hide {
    const RULE: Rule = Rule { name: "challenge.hide", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = StatesUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<StatesUndo>> {
        visibility::set(context, &[challenge(&self.challenge)?], false, None).await
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments.get("with") {
            Some(_) => "challenge.hide.with",
            None => Self::RULE.name,
        }
    }
}
