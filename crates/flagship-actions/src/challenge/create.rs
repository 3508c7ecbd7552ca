//! `challenge.create`

use flagship_store::ops::undo_data::DraftUndo;
use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::text::{Text, TextEdit};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::rejection::Rejection;
use crate::text::is_unrecorded;

/// Makes a challenge, which is hidden until it is released.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// Id of the new challenge.
    pub challenge: String,
    /// The keys of `challenge.yml` with their values. A file is a name, or `{name, digest}` of an
    /// upload.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(value_type = HashMap<String, Value>, required = true)]
    pub fields: Map<String, Value>,
    /// Id of a challenge whose text the new one begins with.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub from: Option<String>,
    /// The edit.
    #[serde(skip)]
    edit: TextEdit,
}

impl Action for Create {
    const RULE: Rule = Rule { name: "challenge.create", roles: RUNNERS, factor: Factor::Once };
    // None moves, and the sheet says so.
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let (fields, from) = (std::mem::take(&mut self.fields), self.from.take());
        let text = Text::made(desk, &self.challenge, fields, from.as_deref()).await?;
        self.edit.prepare(desk, text).await
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<DraftUndo>> {
        self.edit.perform(context).await
    }
}
