//! `solve.count`

use flagship_store::actions::solve_object;

use super::SolvesUndo;
use crate::prelude::*;
use crate::text::challenge;

/// Credits a solve at a given time.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Exact name of the team.
    pub team: String,
    /// ID of the challenge.
    pub challenge: String,
    /// Time of the solve, with an offset. Must be within the event and not in the future.
    pub at: Time,
}

impl Action for Count {
    const RULE: Rule = Rule { name: "solve.count", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = SolvesUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SolvesUndo>> {
        let challenge = challenge(&self.challenge)?;
        let contest = context.contest();
        let team = contest.team_named(&self.team).ok_or(ActionError::NoTeam)?.id;
        if !contest.is_released(&challenge) {
            return Err(ActionError::NoChallenge.into());
        }
        context.touch([solve_object(team.0, challenge.as_str())]).await?;
        // Placed after all submissions up to that time.
        let after = context.place_at(&challenge, self.at.ms)?;
        context.count(team, &challenge, self.at.ms, after)?;
        Ok(Some(SolvesUndo { challenge, teams: Some(vec![team]), solves: Vec::new() }))
    }
}
