//! `challenge.release`

use std::collections::BTreeSet;

use super::visibility::{self, StatesUndo};
use crate::prelude::*;
use crate::text::challenge;

/// Most challenges of one release.
const CHALLENGES_MAX: usize = 250;

/// Shows challenges to players, all at once, now or at a time.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Id of a challenge.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub challenge: Option<String>,
    /// Ids of several challenges; at most 250.
    #[serde(default)]
    pub challenges: Vec<String>,
    /// Time of the release, with an offset; now if it is left out or past.
    #[schema(nullable = false)]
    pub at: Option<Time>,
}

impl Action for Release {
    const RULE: Rule = Rule { name: "challenge.release", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = StatesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        let ids = self.challenge.take().into_iter().chain(std::mem::take(&mut self.challenges));
        let ids: BTreeSet<String> = ids.collect();
        if ids.is_empty() || ids.len() > CHALLENGES_MAX {
            return Err(ArgumentError::Shape.into());
        }
        self.challenges = ids.into_iter().collect();
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<StatesUndo>> {
        let ids: Result<Vec<_>, _> = self.challenges.iter().map(|id| challenge(id)).collect();
        visibility::set(context, &ids?, true, self.at.map(|at| at.ms)).await
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments["at"].is_null() {
            true => Self::RULE.name,
            false => "challenge.release.at",
        }
    }
}
