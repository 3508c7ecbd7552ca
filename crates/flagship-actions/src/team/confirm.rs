//! `team.confirm`

use flagship_store::accounts;

use super::{check_helper, touched};
use crate::prelude::*;

/// Maximum number of confirmations per helper and day. The name of a confirmed team never expires.
const CONFIRMATIONS_MAX: i64 = 500;

/// Confirms the email address of a team.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// Exact name of the team.
    pub team: String,
}

impl Action for Confirm {
    const RULE: Rule = Rule { name: "team.confirm", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = touched(context, &self.team).await?;
        if account.confirmed_at_ms.is_some() {
            return Err(ActionError::Unchanged.into());
        }
        check_helper(context, Self::RULE.name, CONFIRMATIONS_MAX).await?;
        if accounts::team_of_email(context.tx(), &account.email).await?.is_some() {
            return Err(ActionError::AddressTaken.into());
        }
        context.join(account).await?;
        Ok(None)
    }
}
