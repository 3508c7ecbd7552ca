//! `team.message`

use flagship_store::desk::questions;

use super::{HOUR_MS, confirmed};
use crate::prelude::*;
use crate::text::long;

/// Most messages to one team in an hour.
const MESSAGES_MAX: i64 = 20;

/// Writes a message to a team, which it reads like an answer to a question.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Exact name of the team.
    pub team: String,
    /// The message, in plain text: at most 8,000 characters.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub text: String,
}

impl Action for Message {
    const RULE: Rule = Rule { name: "team.message", roles: HELPERS, factor: Factor::Once };
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.text = long(&self.text)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = confirmed(context, &self.team).await?;
        let now_ms = context.now_ms();
        let count = questions::told_since_in(context.tx(), account.id, now_ms - HOUR_MS).await?;
        if count >= MESSAGES_MAX {
            return Err(ActionError::Messages.into());
        }
        let text = self.text.clone();
        questions::tell_in(context.tx(), account.id, None, text, now_ms).await?;
        Ok(None)
    }
}
