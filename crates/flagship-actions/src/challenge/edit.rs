//! `challenge.edit`

use flagship_store::ops::undo_data::DraftUndo;

use super::draft::DraftEdit;
use super::text::Text;
use crate::prelude::*;

/// Edits a challenge in place. Authors can edit their own challenges, except for keys that affect
/// points.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// ID of the challenge.
    pub challenge: String,
    /// Changed keys of `challenge.yml` with their new values; null removes a key. A file is a name,
    /// `{path, per_team}`, or `{name, digest, per_team}` of an upload.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(value_type = HashMap<String, Value>, required = true)]
    pub fields: Map<String, Value>,
    #[serde(skip)]
    edit: Option<DraftEdit>,
}

impl Action for Edit {
    const RULE: Rule = Rule { name: "challenge.edit", roles: AUTHORS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        if self.fields.is_empty() {
            return Err(ArgumentError::Shape.into());
        }
        let text = Text::changed(desk, &self.challenge, std::mem::take(&mut self.fields)).await?;
        let (edit, extras) = text.edit(desk).await?;
        self.edit = Some(edit);
        Ok(extras)
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DraftUndo>> {
        self.edit.as_ref().expect("it is prepared").perform(context).await
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments.get("naming") {
            None => Self::RULE.name,
            // For readers who cannot see every challenge.
            Some(Value::Null) => "challenge.edit.others",
            Some(_) => "challenge.edit.naming",
        }
    }
}
