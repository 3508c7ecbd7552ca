//! `challenge.hide`

use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::id;
use super::visibility::{self, StatesUndo};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::messages::Phrase;
use crate::rejection::Rejection;
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
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = StatesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        challenge(&self.challenge)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<StatesUndo>> {
        visibility::set(context, &[id(&self.challenge)?], false, None).await
    }

    fn phrase(arguments: &Value) -> Phrase {
        let key = match arguments.get("with") {
            Some(_) => "challenge.hide.with",
            None => Self::RULE.name,
        };
        Phrase::new(key, arguments)
    }
}
