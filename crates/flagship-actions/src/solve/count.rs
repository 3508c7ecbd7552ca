//! `solve.count`

use flagship_store::actions::solve_object;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::RejudgedUndo;
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::challenge::id;
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::rejection::Rejection;
use crate::text::{Time, challenge};

/// Counts a solve as if it had come at a time.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Exact name of the team.
    pub team: String,
    /// Id of the challenge.
    pub challenge: String,
    /// Time of the solve, with an offset, within the event so far.
    pub at: Time,
}

impl Action for Count {
    const RULE: Rule = Rule { name: "solve.count", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = RejudgedUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        challenge(&self.challenge)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<RejudgedUndo>> {
        let challenge = id(&self.challenge)?;
        let contest = context.contest();
        let team = contest.team_named(&self.team).ok_or(ActionError::NoTeam)?.id;
        if !contest.is_released(&challenge) {
            return Err(ActionError::NoChallenge.into());
        }
        let objects = vec![solve_object(team.0, challenge.as_str())];
        context.check_head(&objects).await?;
        // After all that had come by then.
        let after = context.place_at(&challenge, self.at.ms)?;
        context.count(team, &challenge, self.at.ms, after)?;
        let undo = RejudgedUndo { challenge, teams: vec![team], solves: Vec::new() };
        Ok(Done::undone_by(objects, undo))
    }
}
