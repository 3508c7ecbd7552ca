//! Actions about questions.

pub mod answer;
pub mod close;

use flagship_game::ChallengeId;
use flagship_store::desk::questions::{self, Row};
use flagship_store::ops::{ActionError, ActionResult, Context};

/// Returns a question and its challenge. Rejects authors of other challenges, and actions on a
/// question that has changed since.
async fn question(context: &mut Context<'_>, id: i64) -> ActionResult<(Row, Option<ChallengeId>)> {
    let row = questions::by_id_in(context.tx(), id).await?;
    let row = row.filter(|row| !row.text.is_empty()).ok_or(ActionError::NoQuestion)?;
    let challenge = challenge_of(&row);
    context.check_scope(challenge.as_ref(), ActionError::NoQuestion)?;
    context.touch([format!("question {id}")]).await?;
    Ok((row, challenge))
}

/// Challenge that a question is about.
fn challenge_of(row: &Row) -> Option<ChallengeId> {
    row.challenge_id.as_ref().and_then(|id| ChallengeId::parse(id).ok())
}
