//! `challenge.edit`

use flagship_store::ops::undo_data::DraftUndo;
use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::text::{Text, TextEdit};
use crate::action::{AUTHORS, Action, Done, Extras, Factor, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::messages::Phrase;
use crate::rejection::{ArgumentError, Rejection};
use crate::text::is_unrecorded;

/// Changes the text of a challenge in place. Authors change that of own challenges, except keys
/// that can move points.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Id of the challenge.
    pub challenge: String,
    /// The changed keys of `challenge.yml` with their new values; null removes one. A file is a
    /// name, or `{name, digest}` of an upload.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(value_type = HashMap<String, Value>, required = true)]
    pub fields: Map<String, Value>,
    /// The edit.
    #[serde(skip)]
    edit: TextEdit,
}

impl Action for Edit {
    const RULE: Rule = Rule { name: "challenge.edit", roles: AUTHORS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        if self.fields.is_empty() {
            return Err(ArgumentError::Shape.into());
        }
        let text = Text::changed(desk, &self.challenge, std::mem::take(&mut self.fields)).await?;
        self.edit.prepare(desk, text).await
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<DraftUndo>> {
        self.edit.perform(context).await
    }

    fn phrase(arguments: &Value) -> Phrase {
        let key = match arguments.get("naming") {
            None => Self::RULE.name,
            // For those who do not know of every challenge.
            Some(Value::Null) => "challenge.edit.others",
            Some(_) => "challenge.edit.naming",
        };
        Phrase::new(key, arguments)
    }
}
