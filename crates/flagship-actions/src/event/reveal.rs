//! `event.reveal`

use flagship_game::entry::Phase;
use flagship_game::facts;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::objects;
use crate::action::{Action, Done, Extras, Factor, Never, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_EVENT};
use crate::rejection::{ArgumentError, Rejection};
use crate::text::is_unrecorded;

/// Shows what the freeze hides.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// The event's name, so that nobody reveals another event by mistake.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub name: String,
    /// True if the actor means a reveal before the end too.
    #[serde(skip)]
    pub is_confirmed: bool,
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
        self.is_confirmed = desk.is_confirmed;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<Never>> {
        let objects = objects(context).await?;
        let contest = context.contest();
        if contest.reached(Phase::Reveal) {
            return Err(ActionError::Unchanged.into());
        }
        if !contest.reached(Phase::Freeze) {
            return Err(ActionError::NotFrozen.into());
        }
        if !contest.reached(Phase::End) && !self.is_confirmed {
            return Err(ActionError::Destructive.into());
        }
        context.append(facts::Phase { phase: Phase::Reveal })?;
        Ok(Done::for_good(objects))
    }
}
