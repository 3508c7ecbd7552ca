//! Actions about a question of a team.

pub mod answer;
pub mod close;

use flagship_game::ChallengeId;
use flagship_store::desk::questions::{self, Row};
use flagship_store::ops::{ActionError, ActionResult, Context};

/// A question that the actor may answer or close.
struct Question {
    /// The question.
    row: Row,
    /// The challenge that it is about.
    challenge: Option<ChallengeId>,
    /// The objects of the action.
    objects: Vec<String>,
}

/// The question with an id. Rejects an author if it is not about an own challenge, and an action on
/// a question that was touched since.
async fn question(context: &mut Context<'_>, id: i64) -> ActionResult<Question> {
    let row = questions::by_id_in(context.tx(), id).await?;
    let row = row.filter(|row| !row.text.is_empty()).ok_or(ActionError::NoQuestion)?;
    let challenge = challenge_of(&row);
    context.check_scope(challenge.as_ref(), ActionError::NoQuestion)?;
    let objects = vec![format!("question {id}")];
    context.check_head(&objects).await?;
    Ok(Question { row, challenge, objects })
}

/// The challenge that a question is about.
fn challenge_of(row: &Row) -> Option<ChallengeId> {
    row.challenge_id.as_ref().and_then(|id| ChallengeId::parse(id).ok())
}
