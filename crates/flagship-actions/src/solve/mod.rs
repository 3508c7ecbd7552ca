//! Actions about solves.

pub mod count;
pub mod withdraw;

use flagship_store::ops::WithdrawnSolve;

use crate::prelude::*;

/// Undo data of actions that credit or withdraw solves.
#[derive(Serialize, Deserialize)]
pub struct SolvesUndo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// Teams whose solves were credited, some replacing later ones; `None` if solves were
    /// withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teams: Option<Vec<TeamId>>,
    /// Withdrawn solves.
    pub solves: Vec<WithdrawnSolve>,
}

impl UndoData for SolvesUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        // A restored solve replaces a later solve of the same team.
        let withdrawn = || self.solves.iter().map(|solve| solve.team).collect();
        let teams = self.teams.unwrap_or_else(withdrawn);
        context.withdraw(&teams, &self.challenge).await?;
        context.count_again(&self.challenge, self.solves)
    }
}
