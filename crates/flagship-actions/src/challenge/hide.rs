//! `challenge.hide`

use super::visibility::{self, StatesUndo};
use crate::prelude::*;

/// Hides challenges, all at once. Their solves are kept.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hide {
    /// ID of a challenge.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub challenge: Option<String>,
    /// IDs of several challenges; at most 250.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub challenges: Vec<String>,
}

impl Hide {
    /// Hides one challenge.
    pub fn one(challenge: String) -> Self {
        Self { challenge: Some(challenge), challenges: Vec::new() }
    }
}

impl Action for Hide {
    const RULE: Rule = Rule { name: "challenge.hide", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = StatesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        several::settle(&mut self.challenge, &mut self.challenges)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<StatesUndo>> {
        let ids = several::names(self.challenge.as_ref(), &self.challenges);
        visibility::set(context, ids, false, None).await
    }

    fn key(arguments: &Value) -> &'static str {
        match (arguments.get("challenges"), arguments.get("with")) {
            (None, None) => Self::RULE.name,
            (None, Some(_)) => "challenge.hide.with",
            (Some(_), None) => "challenge.hide.several",
            (Some(_), Some(_)) => "challenge.hide.several.with",
        }
    }
}
