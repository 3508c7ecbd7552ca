//! `challenge.release`

use std::collections::BTreeSet;

use flagship_game::ChallengeId;
use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::id;
use super::visibility::{self, StatesUndo};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::messages::Phrase;
use crate::rejection::{ArgumentError, Rejection};
use crate::text::{Time, challenge, is_unrecorded};

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
    #[serde(default)]
    #[schema(nullable = false)]
    pub at: Option<Time>,
}

impl Action for Release {
    const RULE: Rule = Rule { name: "challenge.release", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = StatesUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        let ids = self.challenge.take().into_iter().chain(std::mem::take(&mut self.challenges));
        let ids: BTreeSet<String> = ids.collect();
        if ids.is_empty() || ids.len() > CHALLENGES_MAX {
            return Err(ArgumentError::Shape.into());
        }
        for id in &ids {
            challenge(id)?;
        }
        self.challenges = ids.into_iter().collect();
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<StatesUndo>> {
        let ids: ActionResult<Vec<ChallengeId>> = self.challenges.iter().map(|it| id(it)).collect();
        visibility::set(context, &ids?, true, self.at.map(|at| at.ms)).await
    }

    fn phrase(arguments: &Value) -> Phrase {
        let key = match arguments.get("at").is_some_and(|at| !at.is_null()) {
            true => "challenge.release.at",
            false => Self::RULE.name,
        };
        Phrase::new(key, arguments)
    }
}
