//! `event.reveal`

use flagship_game::entry::Phase;

use super::OBJECT;
use crate::prelude::*;

/// Reveals the frozen scoreboard.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Name of the event, as a safeguard against revealing the wrong one.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub name: String,
}

impl Action for Reveal {
    const RULE: Rule = Rule { name: "event.reveal", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        if desk.contest.event().is_none_or(|event| event.name != self.name) {
            return Err(ArgumentError::EventName.into());
        }
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        context.touch([OBJECT]).await?;
        let contest = context.contest();
        if contest.reached(Phase::Reveal) {
            return Err(ActionError::Unchanged.into());
        }
        if !contest.reached(Phase::Freeze) {
            return Err(ActionError::NotFrozen.into());
        }
        if !contest.reached(Phase::End) && !context.is_confirmed() {
            return Err(ActionError::Destructive.into());
        }
        context.append(facts::Phase { phase: Phase::Reveal })?;
        Ok(None)
    }
}
