//! `solve.withdraw`

use flagship_store::actions::solve_object;

use super::SolvesUndo;
use crate::prelude::*;
use crate::text::challenge;

/// Withdraws the solve of a team, or all solves of a challenge.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Exact name of the team. Defaults to all teams.
    #[schema(nullable = false)]
    pub team: Option<String>,
    /// ID of the challenge.
    pub challenge: String,
}

impl Action for Withdraw {
    const RULE: Rule = Rule { name: "solve.withdraw", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = SolvesUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SolvesUndo>> {
        let challenge = challenge(&self.challenge)?;
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
        context.touch(teams.iter().map(object)).await?;
        context.withdraw(&teams, &challenge).await?;
        Ok(Some(SolvesUndo { challenge, teams: None, solves }))
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments["team"].is_null() {
            true => "solve.withdraw.all",
            false => Self::RULE.name,
        }
    }
}
