//! `challenge.attempts`

use flagship_store::actions::solve_object;

use crate::prelude::*;
use crate::text::challenge;

/// Gives a team the attempts back that it has used for a challenge.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempts {
    /// ID of the challenge.
    pub challenge: String,
    /// Exact name of the team.
    pub team: String,
}

/// Attempts that were given back.
#[derive(Serialize, Deserialize)]
pub struct AttemptsUndo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The team.
    pub team: TeamId,
    /// Number of attempts.
    pub used: u32,
}

impl Action for Attempts {
    const RULE: Rule = Rule { name: "challenge.attempts", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    type Undo = AttemptsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<AttemptsUndo>> {
        let challenge = challenge(&self.challenge)?;
        let contest = context.contest();
        let team = contest.team_named(&self.team).ok_or(ActionError::NoTeam)?.id;
        contest.challenge(&challenge).ok_or(ActionError::NoChallenge)?;
        let used = contest.challenge_progress(team, &challenge).map_or(0, |progress| progress.used);
        context.touch([solve_object(team.0, challenge.as_str())]).await?;
        let fact = facts::AttemptsSet { team, challenge: challenge.clone(), used: 0 };
        context.try_append(fact, ActionError::Unchanged)?;
        Ok(Some(AttemptsUndo { challenge, team, used }))
    }
}

impl UndoData for AttemptsUndo {
    /// Attempts that the team used since then stay used.
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let Self { challenge, team, used } = self;
        let since = context
            .contest()
            .challenge_progress(team, &challenge)
            .map_or(0, |progress| progress.used);
        let used = used.saturating_add(since);
        context.try_append(facts::AttemptsSet { team, challenge, used }, ActionError::Unchanged)
    }
}
