//! `notice.withdraw`

use flagship_game::facts;
use flagship_store::desk::notices;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{NoticeUndo, objects, published};
use crate::action::{Action, Done, Factor, RUNNERS, Rule};
use crate::lists::{List, OF_NOTICES};

/// Withdraws a notice.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// The id of the notice.
    pub notice: i64,
}

impl Action for Withdraw {
    const RULE: Rule = Rule { name: "notice.withdraw", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = OF_NOTICES;
    type Undo = NoticeUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<NoticeUndo>> {
        let id = self.notice;
        let objects = objects(context, id).await?;
        if let Some(before) = notices::by_id_in(context.tx(), id).await? {
            notices::put_in(context.tx(), id, None).await?;
            return Ok(Done::undone_by(objects, NoticeUndo::due(id, Some(before))));
        }
        let before = published(context.contest(), id)?;
        context.try_append(facts::NoticeWithdrawn { notice: id }, ActionError::Unchanged)?;
        Ok(Done::undone_by(objects, NoticeUndo::fact(before)))
    }
}
