//! `team.message`

use flagship_store::accounts::Account;
use flagship_store::desk::questions;

use super::{HOUR_MS, all_confirmed};
use crate::prelude::*;
use crate::text::long;

/// Maximum number of messages per team and hour.
const MESSAGES_MAX: i64 = 20;

/// Sends a message to teams, shown like an answer to a question.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Exact name of the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub team: Option<String>,
    /// Exact names of several teams; at most 250.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<String>,
    /// Message, in plain text: at most 8,000 characters.
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
        several::settle(&mut self.team, &mut self.teams)?;
        self.text = long(&self.text)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let names = several::names(self.team.as_ref(), &self.teams);
        let accounts = all_confirmed(context, names).await?;
        let now_ms = context.now_ms();
        for Account { id, name, .. } in &accounts {
            let since_ms = now_ms - HOUR_MS;
            if questions::messages_since_in(context.tx(), *id, since_ms).await? >= MESSAGES_MAX {
                several::of_object(Err(ActionError::Messages.into()), name, names)?;
            }
        }
        for Account { id, .. } in accounts {
            let text = self.text.clone();
            questions::message_team_in(context.tx(), id, None, text, now_ms).await?;
        }
        Ok(None)
    }

    fn phrase(arguments: &Value) -> Phrase {
        several::team_phrase(Self::RULE.name, "team.message.several", arguments)
    }
}
