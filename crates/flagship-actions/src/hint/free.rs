//! `hint.free`

use flagship_store::ops::undo_data::DraftUndo;

use crate::challenge::draft::DraftEdit;
use crate::challenge::text::{Text, fields};
use crate::prelude::*;

/// Makes a hint free and returns the points that teams paid for it. Undoing this charges them
/// again.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// ID of the challenge.
    pub challenge: String,
    /// Key of the hint.
    pub hint: String,
    #[serde(skip)]
    edit: Option<DraftEdit>,
}

impl Action for Free {
    const RULE: Rule = Rule { name: "hint.free", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    type Undo = DraftUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let hints = fields(desk, &self.challenge).await?.remove("hints");
        let mut hints = match hints {
            Some(Value::Array(hints)) => hints,
            Some(one) => vec![one],
            None => Vec::new(),
        };
        let places = (1..).zip(&mut hints);
        let mut named = places.filter(|(place, hint)| key(hint, *place) == self.hint);
        let (_, hint) = named.next().ok_or(ActionError::NoHint)?;
        let cost = hint.as_object_mut().and_then(|hint| hint.remove("cost"));
        if cost.is_none_or(|cost| cost == 0) {
            return Err(ActionError::Unchanged.into());
        }
        let changed = Map::from_iter([("hints".to_owned(), Value::Array(hints))]);
        let (edit, extras) =
            Text::changed(desk, &self.challenge, changed).await?.edit(desk).await?;
        self.edit = Some(edit);
        Ok(extras)
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DraftUndo>> {
        self.edit.as_ref().expect("it is prepared").perform(context).await
    }
}

/// Key of a hint in the file: its `key` or `id`, or else its place in the list, from 1.
fn key(hint: &Value, place: usize) -> String {
    let named = ["key", "id"].map(|name| &hint[name]).into_iter().find(|key| !key.is_null());
    match named {
        Some(Value::String(key)) => key.trim().to_owned(),
        Some(key) => key.to_string(),
        None => place.to_string(),
    }
}
