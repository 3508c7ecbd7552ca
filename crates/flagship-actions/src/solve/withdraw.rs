//! `solve.withdraw`

use flagship_game::TeamId;
use flagship_store::actions::solve_object;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::SolvesUndo;
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::challenge::id;
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::messages::Phrase;
use crate::rejection::Rejection;
use crate::text::challenge;

/// Withdraws the solve of a team, or all solves of a challenge.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Exact name of the team; all teams if it is left out.
    #[serde(default)]
    #[schema(nullable = false)]
    pub team: Option<String>,
    /// Id of the challenge.
    pub challenge: String,
}

impl Action for Withdraw {
    const RULE: Rule = Rule { name: "solve.withdraw", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = SolvesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        challenge(&self.challenge)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<SolvesUndo>> {
        let challenge = id(&self.challenge)?;
        let contest = context.contest();
        let teams: Vec<TeamId> = match &self.team {
            Some(team) => vec![contest.team_named(team).ok_or(ActionError::NoTeam)?.id],
            None => contest.teams().map(|team| team.id).collect(),
        };
        let solves = context.solves_of(&teams, &challenge);
        if solves.is_empty() {
            return Err(ActionError::NotSolved.into());
        }
        let teams: Vec<TeamId> = solves.iter().map(|solve| solve.team).collect();
        let object = |team: &TeamId| solve_object(team.0, challenge.as_str());
        let objects: Vec<String> = teams.iter().map(object).collect();
        context.check_head(&objects).await?;
        context.withdraw(&teams, &challenge).await?;
        Ok(Done::undone_by(objects, SolvesUndo { challenge, solves }))
    }

    fn phrase(arguments: &Value) -> Phrase {
        let key = match arguments.get("team").is_some_and(|team| !team.is_null()) {
            true => Self::RULE.name,
            false => "solve.withdraw.all",
        };
        Phrase::new(key, arguments)
    }
}
