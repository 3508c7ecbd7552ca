//! Undo data of actions that facts undo.

use flagship_game::ChallengeId;
use flagship_game::facts::{self, Fact};
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};

use crate::action::UndoData;

/// The facts that undo an action.
#[derive(Serialize, Deserialize)]
pub struct FactsUndo {
    facts: Vec<Fact>,
}

impl FactsUndo {
    /// One fact undoes the action.
    pub fn one(fact: impl Into<Fact>) -> Self {
        Self { facts: vec![fact.into()] }
    }
}

impl UndoData for FactsUndo {
    fn challenge(&self) -> Option<ChallengeId> {
        match &self.facts[..] {
            [Fact::Status(facts::Status { challenge, .. })] => Some(challenge.clone()),
            _ => None,
        }
    }

    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        for fact in self.facts {
            context.try_append(fact, ActionError::Unchanged)?;
        }
        Ok(())
    }
}
