//! Actions about solves.

pub mod count;
pub mod withdraw;

use flagship_store::ops::Withdrawn;

use crate::prelude::*;

/// Undo data of actions that count or withdraw solves.
#[derive(Serialize, Deserialize)]
pub struct SolvesUndo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The teams whose solves were counted, some of them in place of later ones; `None` if solves
    /// were withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teams: Option<Vec<TeamId>>,
    /// The withdrawn solves.
    pub solves: Vec<Withdrawn>,
}

impl UndoData for SolvesUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        // A later solve of a team gives way to the one that comes back.
        let withdrawn = || self.solves.iter().map(|solve| solve.team).collect();
        let teams = self.teams.unwrap_or_else(withdrawn);
        context.withdraw(&teams, &self.challenge).await?;
        context.count_again(&self.challenge, self.solves)
    }
}
