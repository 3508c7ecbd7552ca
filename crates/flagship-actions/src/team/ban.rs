//! `team.ban`

use std::slice;

use flagship_store::{mail, sessions};

use super::{account, standing};
use crate::prelude::*;

/// Bans a team: removes it from every scoreboard, blocks its logins and ends its sessions.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// Exact name of the team.
    pub team: String,
}

impl Action for Ban {
    const RULE: Rule = Rule { name: "team.ban", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        let done =
            standing::set(context, slice::from_ref(&self.team), |team| (true, team.hidden)).await?;
        let account = account(context, &self.team).await?;
        let now_ms = context.now_ms();
        sessions::revoke_all_in(context.tx(), account.id, now_ms).await?;
        mail::end_cards_in(context.tx(), &[account.id]).await?;
        Ok(done)
    }
}
