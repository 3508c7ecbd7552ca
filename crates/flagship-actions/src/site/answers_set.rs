//! `answers.set`

use flagship_store::settings;
use serde::Serializer;

use crate::prelude::*;
use crate::settings::sections::ANSWERS;
use crate::settings::{SectionChange, SettingsUndo};
use crate::text::{long, title};

/// Maximum number of ready answers.
const ANSWERS_MAX: usize = 100;

/// Writes the answers that organizers have ready for questions.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswersSet {
    /// All ready answers, in the order in which they are shown; at most 100.
    #[serde(serialize_with = "count")]
    pub answers: Vec<ReadyAnswer>,
    #[serde(skip)]
    change: SectionChange,
}

/// A ready answer.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadyAnswer {
    /// The title by which organizers choose it: at most 200 characters.
    pub title: String,
    /// The answer in Markdown: at most 8,000 characters.
    pub text: String,
}

/// The audit log keeps the number of the answers.
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
        let before = settings::kept(&desk.db).await?.remove(ANSWERS);
        let section = ANSWERS.to_owned();
        self.change = SectionChange { section, before, left, secrets: Vec::new() };
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        self.change.perform(context).await
    }
}
