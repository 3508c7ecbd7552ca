//! `challenge.close`

use flagship_store::ops::undo_data::DraftUndo;
use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::text::{Text, TextEdit};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::rejection::{ArgumentError, Rejection};
use crate::text::{Time, is_unrecorded};

/// Refuses the flags of a challenge from a time on.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Close {
    /// Id of the challenge.
    pub challenge: String,
    /// The time, with an offset; now if it is left out.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub at: Option<Time>,
    /// The edit.
    #[serde(skip)]
    edit: TextEdit,
}

impl Action for Close {
    const RULE: Rule = Rule { name: "challenge.close", roles: RUNNERS, factor: Factor::Once };
    // None moves, and the sheet says so.
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let at_ms = self.at.map_or(desk.now_ms, |at| at.ms);
        let at = jiff::Timestamp::from_millisecond(at_ms).map_err(|_| ArgumentError::Time)?;
        let fields = Map::from_iter([("closes".to_owned(), Value::from(at.to_string()))]);
        let text = Text::changed(desk, &self.challenge, fields).await?;
        self.edit.prepare(desk, text).await
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<DraftUndo>> {
        self.edit.perform(context).await
    }
}
