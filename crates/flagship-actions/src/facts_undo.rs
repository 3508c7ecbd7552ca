//! Undo data of actions that are reverted by facts.

use flagship_game::ChallengeId;
use flagship_game::facts::{self, Fact};
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};

use crate::action::UndoData;

/// Facts that undo an action.
#[derive(Serialize, Deserialize)]
pub struct FactsUndo {
    facts: Vec<Fact>,
}

impl FactsUndo {
    /// Undo data with a single fact.
    pub fn one(fact: impl Into<Fact>) -> Self {
        Self::all([fact])
    }

    /// Undo data with facts that do not depend on each other.
    pub fn all(facts: impl IntoIterator<Item = impl Into<Fact>>) -> Self {
        Self { facts: facts.into_iter().map(Into::into).collect() }
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
        for fact in &self.facts {
            context.check_fact(fact, ActionError::Unchanged)?;
        }
        for fact in self.facts {
            context.append(fact)?;
        }
        Ok(())
    }
}
