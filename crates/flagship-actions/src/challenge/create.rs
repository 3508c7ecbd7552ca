//! `challenge.create`

use flagship_store::ops::undo_data::DraftUndo;

use super::draft::DraftEdit;
use super::text::Text;
use crate::prelude::*;

/// Creates a challenge, hidden until its release.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// ID of the new challenge.
    pub challenge: String,
    /// Keys of `challenge.yml` with their values. A file is a name, `{path, per_team}`, or `{name,
    /// digest, per_team}` of an upload.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(value_type = HashMap<String, Value>, required = true)]
    pub fields: Map<String, Value>,
    /// ID of a challenge whose source the new one starts from.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub from: Option<String>,
    #[serde(skip)]
    edit: Option<DraftEdit>,
}

impl Action for Create {
    const RULE: Rule = Rule { name: "challenge.create", roles: RUNNERS, factor: Factor::Once };
    // The dialog shows rank changes, here that there are none.
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let (fields, from) = (std::mem::take(&mut self.fields), self.from.take());
        let text = Text::made(desk, &self.challenge, fields, from.as_deref()).await?;
        let (edit, extras) = text.edit(desk).await?;
        self.edit = Some(edit);
        Ok(extras)
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DraftUndo>> {
        self.edit.as_ref().expect("it is prepared").perform(context).await
    }
}
