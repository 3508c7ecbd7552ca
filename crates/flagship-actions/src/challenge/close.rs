//! `challenge.close`

use flagship_store::ops::undo_data::DraftUndo;

use super::draft::DraftEdit;
use super::text::Text;
use crate::prelude::*;

/// Stops accepting flags for a challenge from a given time.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Close {
    /// ID of the challenge.
    pub challenge: String,
    /// Close time, with an offset. Defaults to now.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub at: Option<Time>,
    #[serde(skip)]
    edit: Option<DraftEdit>,
}

impl Action for Close {
    const RULE: Rule = Rule { name: "challenge.close", roles: RUNNERS, factor: Factor::Once };
    // The dialog shows rank changes, here that there are none.
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let at_ms = self.at.map_or(desk.now_ms, |at| at.ms);
        let at = jiff::Timestamp::from_millisecond(at_ms).map_err(|_| ArgumentError::Time)?;
        let fields = Map::from_iter([("closes".to_owned(), Value::from(at.to_string()))]);
        let text = Text::changed(desk, &self.challenge, fields).await?;
        let (edit, extras) = text.edit(desk).await?;
        self.edit = Some(edit);
        Ok(extras)
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DraftUndo>> {
        self.edit.as_ref().expect("it is prepared").perform(context).await
    }
}
