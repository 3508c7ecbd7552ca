//! `team.ban`

use flagship_store::ops::{ActionResult, Context};
use flagship_store::sessions;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{account, standing};
use crate::action::{Action, Done, Factor, RUNNERS, Rule};
use crate::facts_undo::FactsUndo;
use crate::lists::{List, OF_CONTEST};

/// Bans a team: removes it from every board, forbids its logins and ends its sessions.
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
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<FactsUndo>> {
        let done = standing::set(context, &self.team, |team| (true, team.hidden)).await?;
        let account = account(context, &self.team).await?;
        let now_ms = context.now_ms();
        sessions::revoke_all_in(context.tx(), account.id, now_ms).await?;
        Ok(done)
    }
}
