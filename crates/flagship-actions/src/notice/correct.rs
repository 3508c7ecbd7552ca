//! `notice.correct`

use flagship_game::facts::Fact;
use flagship_store::desk::notices::{self, ScheduledNotice};

use super::{NoticeUndo, object, published};
use crate::prelude::*;
use crate::text::{html, title};

/// Edits a notice. Players see that it was edited. A withdrawn notice becomes visible again.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Correct {
    /// Notice ID.
    pub notice: i64,
    /// New title: one line of at most 200 characters.
    pub title: String,
    /// New text, in Markdown: at most 8,000 characters.
    pub text: String,
    /// New text as sanitized HTML.
    #[serde(skip)]
    pub html: String,
}

impl Action for Correct {
    const RULE: Rule = Rule { name: "notice.correct", roles: RUNNERS, factor: Factor::Once };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_NOTICES;
    type Undo = NoticeUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.title = title(&self.title)?;
        self.html = html(&self.text)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<NoticeUndo>> {
        let id = self.notice;
        context.touch([object(id)]).await?;
        let (title, html) = (self.title.clone(), self.html.clone());
        if let Some(before) = notices::by_id_in(context.tx(), id).await? {
            let due = ScheduledNotice { title, html, ..before.clone() };
            notices::put_in(context.tx(), id, Some(&due)).await?;
            return Ok(Some(NoticeUndo::DueNotice { notice: id, before: Some(before) }));
        }
        let before = published(context.contest(), id)?;
        let after = facts::Notice { title, html, ..before.clone() };
        if after == before {
            return Err(ActionError::Unchanged.into());
        }
        let was_withdrawn = context.contest().notice(id).is_some_and(|it| it.is_withdrawn());
        context.try_append(after, ActionError::NoNotice)?;
        let undo = match was_withdrawn {
            true => facts::NoticeWithdrawn { notice: id }.into(),
            false => Fact::from(before),
        };
        Ok(Some(NoticeUndo::fact(undo)))
    }
}
