//! `question.close`

use flagship_store::desk::questions::{self, Row, state};

use super::{challenge_of, question};
use crate::prelude::*;

/// Closes a question without an answer.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Close {
    /// Question ID.
    pub question: i64,
}

impl Action for Close {
    const RULE: Rule =
        Rule { name: "question.close", roles: WRITERS_AND_HELPERS, factor: Factor::Once };
    const LISTS: &'static [List] = OF_QUESTIONS;
    type Undo = QuestionUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<QuestionUndo>> {
        let (before, _) = question(context, self.question).await?;
        if before.state != state::OPEN {
            return Err(ActionError::Unchanged.into());
        }
        let left = Row {
            state: state::CLOSED.to_owned(),
            answered_at_ms: Some(context.now_ms()),
            ..before.clone()
        };
        questions::put_in(context.tx(), &left).await?;
        Ok(Some(QuestionUndo { before, left }))
    }
}

/// Undo data of an action about a question. It is restored only if it has not changed since.
#[derive(Serialize, Deserialize)]
pub struct QuestionUndo {
    /// Question before the action.
    pub before: Row,
    /// Question after the action.
    pub left: Row,
}

impl UndoData for QuestionUndo {
    fn challenge(&self) -> Option<ChallengeId> {
        challenge_of(&self.before)
    }

    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let present = questions::by_id_in(context.tx(), self.before.id).await?;
        if present != Some(self.left) {
            return Err(ActionError::Touched.into());
        }
        questions::put_in(context.tx(), &self.before).await?;
        Ok(())
    }
}
