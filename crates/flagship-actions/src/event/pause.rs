//! `event.pause`

use flagship_game::facts;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::objects;
use crate::action::{Action, Done, Factor, RUNNERS, Rule};
use crate::facts_undo::FactsUndo;
use crate::lists::{List, OF_EVENT};

/// Takes no flags until the event is resumed.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pause {}

impl Action for Pause {
    const RULE: Rule = Rule { name: "event.pause", roles: RUNNERS, factor: Factor::Once };
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<FactsUndo>> {
        let objects = objects(context).await?;
        set(context, true)?;
        Ok(Done::undone_by(objects, FactsUndo::one(facts::Paused { on: false })))
    }
}

/// Pauses the event, or takes flags again.
pub fn set(context: &mut Context<'_>, on: bool) -> ActionResult<()> {
    context.try_append(facts::Paused { on }, ActionError::Unchanged)
}
