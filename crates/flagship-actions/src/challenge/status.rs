//! `challenge.status`

use flagship_game::StatusKind;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::messages::known;
use crate::prelude::*;
use crate::text::{challenge, line};

/// Sets the status of a challenge, which players see. Authors can set it for their own challenges.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// ID of the challenge.
    pub challenge: String,
    /// New status.
    #[schema(schema_with = kinds)]
    pub status: StatusKind,
    /// Note for players; at most 200 characters.
    #[serde(default)]
    pub note: String,
}

/// Schema of the status values.
fn kinds() -> Object {
    let kinds = ["works", "looked_at", "broken", "fixed"];
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(kinds)).build()
}

impl Action for Status {
    const RULE: Rule =
        Rule { name: "challenge.status", roles: WRITERS_AND_HELPERS, factor: Factor::Once };
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = &[List::Overview, List::Challenges];
    type Undo = FactsUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.note = line(&self.note)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        let challenge = challenge(&self.challenge)?;
        context.check_scope(Some(&challenge), ActionError::NoChallenge)?;
        context.check_known(&challenge)?;
        let before = context.contest().challenge_status(&challenge);
        let before = before.ok_or(ActionError::NoChallenge)?.clone();
        context.touch([format!("status {challenge}")]).await?;
        if (before.kind, before.note.as_str()) == (self.status, self.note.as_str()) {
            return Err(ActionError::Unchanged.into());
        }
        let back = facts::Status {
            challenge: challenge.clone(),
            status: before.kind,
            note: before.note.clone(),
        };
        let (status, note) = (self.status, self.note.clone());
        let fact = facts::Status { challenge, status, note };
        context.try_append(fact, ActionError::NoChallenge)?;
        Ok(Some(FactsUndo::one(back)))
    }

    fn key(arguments: &Value) -> &'static str {
        let status = arguments["status"].as_str().unwrap_or_default();
        known(&format!("challenge.status.{status}")).unwrap_or(Self::RULE.name)
    }
}
