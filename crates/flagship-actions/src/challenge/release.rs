//! `challenge.release`

use super::visibility::{self, StatesUndo};
use crate::prelude::*;

/// Releases challenges to players, all at once, now or at a given time.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// ID of a challenge.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub challenge: Option<String>,
    /// IDs of several challenges; at most 250.
    #[serde(default)]
    pub challenges: Vec<String>,
    /// Time of the release, with an offset. Defaults to now, also if it has passed.
    #[schema(nullable = false)]
    pub at: Option<Time>,
}

impl Action for Release {
    const RULE: Rule = Rule { name: "challenge.release", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = StatesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.challenges = several::joined(&mut self.challenge, &mut self.challenges)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<StatesUndo>> {
        visibility::set(context, &self.challenges, true, self.at.map(|at| at.ms)).await
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments["at"].is_null() {
            true => Self::RULE.name,
            false => "challenge.release.at",
        }
    }
}
