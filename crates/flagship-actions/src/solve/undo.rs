//! Undo data of actions that count or withdraw solves.

use flagship_game::{ChallengeId, TeamId};
use flagship_store::ops::{ActionResult, Context, Withdrawn};
use serde::{Deserialize, Serialize};

use crate::action::UndoData;

/// Undo data of solves that were counted, some of them in place of later ones.
#[derive(Serialize, Deserialize)]
pub struct RejudgedUndo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The teams whose solves were counted.
    pub teams: Vec<TeamId>,
    /// The later solves.
    pub solves: Vec<Withdrawn>,
}

impl UndoData for RejudgedUndo {
    async fn undo(self, context: &mut Context<'_>, _is_confirmed: bool) -> ActionResult<()> {
        context.withdraw(&self.teams, &self.challenge).await?;
        context.count_again(&self.challenge, self.solves)
    }
}

/// Undo data of withdrawn solves.
#[derive(Serialize, Deserialize)]
pub struct SolvesUndo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The solves.
    pub solves: Vec<Withdrawn>,
}

impl UndoData for SolvesUndo {
    async fn undo(self, context: &mut Context<'_>, _is_confirmed: bool) -> ActionResult<()> {
        // A later solve of a team gives way to the one that comes back.
        let teams: Vec<TeamId> = self.solves.iter().map(|solve| solve.team).collect();
        context.withdraw(&teams, &self.challenge).await?;
        context.count_again(&self.challenge, self.solves)
    }
}
