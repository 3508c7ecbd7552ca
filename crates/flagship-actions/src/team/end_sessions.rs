//! `team.end_sessions`

use flagship_store::{mail, sessions};

use super::confirmed;
use crate::prelude::*;

/// Ends the sessions of a team and invalidates its unused links and codes.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndSessions {
    /// Exact name of the team.
    pub team: String,
}

impl Action for EndSessions {
    const RULE: Rule = Rule { name: "team.end_sessions", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = confirmed(context, &self.team).await?;
        let now_ms = context.now_ms();
        mail::end_tokens_in(context.tx(), account.id, now_ms).await?;
        sessions::revoke_all_in(context.tx(), account.id, now_ms).await?;
        Ok(None)
    }
}
