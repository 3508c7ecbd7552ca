//! `team.confirm`

use flagship_store::accounts;
use flagship_store::actions::team_object;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{account, check_helper};
use crate::action::{Action, Done, Factor, HELPERS, Never, Rule};
use crate::lists::{List, OF_CONTEST};

/// Most confirmations in a day by a helper: a confirmed name never lapses.
const CONFIRMATIONS_MAX: i64 = 500;

/// Confirms the address of a team.
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
    const LISTS: &'static [List] = OF_CONTEST;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<Never>> {
        let account = account(context, &self.team).await?;
        let objects = vec![team_object(account.id)];
        context.check_head(&objects).await?;
        if account.confirmed_at_ms.is_some() {
            return Err(ActionError::Unchanged.into());
        }
        check_helper(context, Self::RULE.name, CONFIRMATIONS_MAX).await?;
        if accounts::team_of_email(context.tx(), &account.email).await?.is_some() {
            return Err(ActionError::AddressTaken.into());
        }
        context.join(account).await?;
        Ok(Done::for_good(objects))
    }
}
