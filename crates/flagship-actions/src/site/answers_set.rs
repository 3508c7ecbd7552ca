//! `answers.set`

use flagship_store::settings;
use serde::Serializer;

use crate::prelude::*;
use crate::settings::sections::ANSWERS;
use crate::settings::{SectionChange, SettingsUndo};
use crate::text::{long, title};

/// Maximum number of saved replies.
const ANSWERS_MAX: usize = 100;

/// Replaces the saved replies for questions.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswersSet {
    /// All saved replies, in display order; at most 100.
    #[serde(serialize_with = "count")]
    pub answers: Vec<ReadyAnswer>,
    #[serde(skip)]
    change: SectionChange,
}

/// A saved reply.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadyAnswer {
    /// Title for choosing the reply: at most 200 characters.
    pub title: String,
    /// Reply in Markdown: at most 8,000 characters.
    pub text: String,
}

/// The audit log records only the number of replies.
fn count<S: Serializer>(answers: &[ReadyAnswer], to: S) -> Result<S::Ok, S::Error> {
    answers.len().serialize(to)
}

impl Action for AnswersSet {
    const RULE: Rule = Rule { name: "answers.set", roles: HELPERS, factor: Factor::Once };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = &[List::Answers];
    type Undo = SettingsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        if self.answers.len() > ANSWERS_MAX {
            return Err(ArgumentError::Shape.into());
        }
        for answer in &mut self.answers {
            answer.title = title(&answer.title)?;
            answer.text = long(&answer.text)?;
        }
        let left = match self.answers.is_empty() {
            true => None,
            false => Some(serde_json::to_string(&self.answers).expect("plain data")),
        };
        let before = settings::site_sections(&desk.db).await?.remove(ANSWERS);
        let section = ANSWERS.to_owned();
        self.change = SectionChange { section, before, left, secrets: Vec::new() };
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        self.change.perform(context).await
    }
}
