//! Responses to actions and previews.

use std::time::Duration;

use flagship_actions::{Extras, find, sentences};
use flagship_store::StoreError;
use flagship_store::actions::{self, Record};
use flagship_store::ops::PerformedAction;
use serde::Serialize;
use utoipa::ToSchema;

use super::failure::{ActionFailure, found_problems};
use crate::api::error::ApiError;
use crate::api::organize::effect::{self, Effect, Phases, SHOWN_MAX};
use crate::api::schema;
use crate::node::organizers::SignedInOrganizer;
use crate::node::report::in_time;
use crate::node::state::App;

/// Maximum time for computing the effect of a preview.
const EFFECT_MAX: Duration = Duration::from_secs(5);

/// Result of an action or a preview.
#[derive(Serialize, ToSchema)]
#[schema(as = Acted)]
pub struct Answer {
    /// Action ID; null in a preview.
    pub(super) id: Option<i64>,
    /// Kind of the action, such as `team.ban`.
    action: String,
    /// Description of the action, in one sentence.
    sentence: String,
    /// Undo status; null in a preview.
    undo: Option<Undo>,
    /// Rank changes; null if they could not be computed in time, although the action was done.
    effect: Option<Effect>,
    /// Immediate effects on the phases of the event; null if there are none.
    phases: Option<Phases>,
    /// Value to send with the action after a preview; null otherwise.
    head: Option<i64>,
    /// Reset code from `team.code`, shown only once. It sets a new password within an hour.
    code: Option<String>,
    /// Signup codes from `code.make`.
    codes: Vec<String>,
    /// Warnings about a challenge that was created or changed.
    problems: Vec<schema::Found>,
}

/// Undo status of an action.
#[derive(Serialize, ToSchema)]
pub struct Undo {
    /// True if the action can be undone.
    possible: bool,
    /// Reason why it cannot be undone.
    why: Option<&'static str>,
}

impl Answer {
    /// Builds the response to an action or a preview.
    pub async fn to(
        app: &App,
        who: &SignedInOrganizer,
        acted: PerformedAction,
        extras: Extras,
        is_preview: bool,
    ) -> Result<Self, ActionFailure> {
        let phases = Phases::of(acted.phases());
        let PerformedAction { record, is_undoable, head, before, after } = acted;
        // An action or its undo can change the points or rank of teams.
        let moves_teams = find(&record.action).is_some_and(|kind| kind.moves_teams);
        let problems = found_problems(extras.problems);
        let answer = Self { phases, problems, ..Self::recorded(who, record, is_undoable) };
        let effect = effect::effect(app, who, moves_teams, before, after);
        if is_preview {
            let effect = tokio::time::timeout(EFFECT_MAX, effect).await;
            let effect = Some(effect.map_err(|_| ApiError::overload())??);
            return Ok(Self { id: None, undo: None, effect, head: Some(head), ..answer });
        }
        // The action is complete, so its response must not fail. Informational parts can be
        // missing.
        let effect =
            in_time(SHOWN_MAX, effect, "rank changes of an action are missing from its response")
                .await;
        Ok(Self { effect, code: extras.code, codes: extras.codes, ..answer })
    }

    /// Builds the response to an earlier action whose first response was not stored.
    pub async fn of_record(
        app: &App,
        who: &SignedInOrganizer,
        record: Record,
    ) -> Result<Self, StoreError> {
        let undoable = actions::undoable(app.db(), &[record.id]).await?;
        Ok(Self::recorded(who, record, !undoable.is_empty()))
    }

    fn recorded(who: &SignedInOrganizer, record: Record, possible: bool) -> Self {
        let why = (!possible).then(|| sentences::why_no_undo(&record, who.language));
        Self {
            id: Some(record.id),
            sentence: who.sentence(&record),
            action: record.action,
            undo: Some(Undo { possible, why }),
            effect: None,
            phases: None,
            head: None,
            code: None,
            codes: Vec::new(),
            problems: Vec::new(),
        }
    }
}
