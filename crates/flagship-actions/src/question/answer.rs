//! `question.answer`

use flagship_store::desk::questions::{self, Row, state};

use super::question;
use crate::prelude::*;
use crate::text::{html, long};

/// Title of the public notice with an answer.
const TITLE: &str = "Answer to a question";

/// Answers a question. The question and its answer are private.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Question ID.
    pub question: i64,
    /// Answer, in Markdown: at most 8,000 characters.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub text: String,
    /// True to also publish the answer as a notice, which quotes the question without its team.
    #[serde(default, rename = "toAll")]
    pub to_all: bool,
    /// Notice as sanitized HTML.
    #[serde(skip)]
    notice: Option<String>,
}

impl Action for Answer {
    const RULE: Rule =
        Rule { name: "question.answer", roles: WRITERS_AND_HELPERS, factor: Factor::Once };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_QUESTIONS;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let rendered = html(&self.text)?;
        self.text = long(&self.text)?;
        if self.to_all {
            let asked = questions::by_id(&desk.db, self.question).await?;
            let asked = asked.filter(|it| !it.text.is_empty()).ok_or(ActionError::NoQuestion)?;
            let quoted = flagship_pack::escape_html(&asked.text);
            self.notice = Some(format!("<blockquote>{quoted}</blockquote>{rendered}"));
        }
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let (row, challenge) = question(context, self.question).await?;
        let now_ms = context.now_ms();
        if let Some(html) = &self.notice {
            // Only organizers and owners can post notices.
            if !context.actor().runs_the_contest {
                return Err(ActionError::Role.into());
            }
            let notice = facts::Notice {
                notice: questions::new_id(),
                title: TITLE.to_owned(),
                html: html.clone(),
                challenge,
                urgent: false,
                urgent_until_ms: None,
            };
            context.try_append(notice, ActionError::NoChallenge)?;
        }
        let row = Row {
            state: state::ANSWERED.to_owned(),
            answer: Some(self.text.clone()),
            answered_at_ms: Some(now_ms),
            ..row
        };
        questions::put_in(context.tx(), &row).await?;
        // The team may have read the answer.
        Ok(None)
    }
}
