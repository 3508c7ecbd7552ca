//! `notice.withdraw`

use flagship_store::desk::notices;

use super::{NoticeUndo, object, published};
use crate::prelude::*;

/// Withdraws a notice.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Notice ID.
    pub notice: i64,
}

impl Action for Withdraw {
    const RULE: Rule = Rule { name: "notice.withdraw", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = OF_NOTICES;
    type Undo = NoticeUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<NoticeUndo>> {
        let id = self.notice;
        context.touch([object(id)]).await?;
        if let Some(before) = notices::by_id_in(context.tx(), id).await? {
            notices::put_in(context.tx(), id, None).await?;
            return Ok(Some(NoticeUndo::DueNotice { notice: id, before: Some(before) }));
        }
        let before = published(context.contest(), id)?;
        context.try_append(facts::NoticeWithdrawn { notice: id }, ActionError::Unchanged)?;
        Ok(Some(NoticeUndo::fact(before)))
    }
}
