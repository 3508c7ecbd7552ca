//! `event.pause`

use super::OBJECT;
use crate::prelude::*;

/// Stops accepting flags until the event is resumed.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pause {}

impl Action for Pause {
    const RULE: Rule = Rule { name: "event.pause", roles: RUNNERS, factor: Factor::Once };
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        context.touch([OBJECT]).await?;
        set(context, true)?;
        Ok(Some(FactsUndo::one(facts::Paused { on: false })))
    }
}

/// Pauses or resumes the event.
pub fn set(context: &mut Context<'_>, on: bool) -> ActionResult<()> {
    context.try_append(facts::Paused { on }, ActionError::Unchanged)
}
