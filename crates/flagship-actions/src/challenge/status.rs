//! `challenge.status`

use flagship_game::StatusKind;
use flagship_game::facts;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use super::id;
use crate::action::{Action, Done, Extras, Factor, Rule, WRITERS_AND_HELPERS};
use crate::desk::Desk;
use crate::facts_undo::FactsUndo;
use crate::lists::List;
use crate::messages::Phrase;
use crate::rejection::Rejection;
use crate::text::{challenge, line};

/// Shows players the status of a challenge. Authors set that of own challenges.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// Id of the challenge.
    pub challenge: String,
    /// The status.
    #[schema(schema_with = kinds)]
    pub status: StatusKind,
    /// A line for players; at most 200 characters.
    #[serde(default)]
    pub note: String,
}

/// The words of a status.
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
        challenge(&self.challenge)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<FactsUndo>> {
        let challenge = id(&self.challenge)?;
        context.check_scope(Some(&challenge), ActionError::NoChallenge)?;
        context.check_known(&challenge)?;
        let before = context.contest().challenge_status(&challenge);
        let before = before.ok_or(ActionError::NoChallenge)?.clone();
        let objects = vec![format!("status {challenge}")];
        context.check_head(&objects).await?;
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
        Ok(Done::undone_by(objects, FactsUndo::one(back)))
    }

    fn phrase(arguments: &Value) -> Phrase {
        let status = arguments.get("status").and_then(Value::as_str);
        let key = match status {
            Some("works") => "challenge.status.works",
            Some("looked_at") => "challenge.status.looked_at",
            Some("broken") => "challenge.status.broken",
            Some("fixed") => "challenge.status.fixed",
            _ => Self::RULE.name,
        };
        Phrase::new(key, arguments)
    }
}
