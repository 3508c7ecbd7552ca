//! Answers to actions: what was done, or would be.

use std::time::Duration;

use flagship_actions::{Extras, find, sentences};
use flagship_store::StoreError;
use flagship_store::actions::{self, Record};
use flagship_store::ops::Acted;
use serde::Serialize;
use utoipa::ToSchema;

use super::not_done::{NotDone, shown};
use crate::api::error::ApiError;
use crate::api::organize::effect::{self, Effect, Phases, SHOWN_MAX};
use crate::api::schema;
use crate::node::organizers::Who;
use crate::node::report::in_time;
use crate::node::state::App;

/// Longest time for which the effect of a preview is computed.
const EFFECT_MAX: Duration = Duration::from_secs(5);

/// What an action did, or would do.
#[derive(Serialize, ToSchema)]
#[schema(as = Acted)]
pub struct Answer {
    /// Its id; null in a preview.
    pub(super) id: Option<i64>,
    /// Which.
    action: String,
    /// What was done, in a sentence.
    sentence: String,
    /// Whether it can be taken back; null in a preview.
    undo: Option<Undo>,
    /// Which teams move; null if that could not be computed, though the action is done.
    effect: Option<Effect>,
    /// Immediate effects on the phases of the event; null if there are none.
    phases: Option<Phases>,
    /// To be sent with the action after a preview; null otherwise.
    head: Option<i64>,
    /// The code of `team.code`, shown once: it sets a new password within an hour.
    code: Option<String>,
    /// What may not be meant in a challenge that was made or changed.
    problems: Vec<schema::Found>,
}

/// Whether an action can be taken back.
#[derive(Serialize, ToSchema)]
pub struct Undo {
    /// Whether it can.
    possible: bool,
    /// If not, why.
    why: Option<&'static str>,
}

impl Answer {
    /// The answer to an action or a preview.
    pub async fn to(
        app: &App,
        who: &Who,
        acted: Acted,
        extras: Extras,
        is_preview: bool,
    ) -> Result<Self, NotDone> {
        let phases = Phases::of(acted.phases());
        let Acted { record, is_undoable, head, before, after } = acted;
        // Teams can gain or lose points or ranks by an action, or by its undo.
        let moves_teams = find(&record.action).is_some_and(|kind| kind.moves_teams);
        let problems = shown(extras.problems);
        let answer = Self { phases, problems, ..Self::recorded(who, record, is_undoable) };
        let effect = effect::effect(app, who, moves_teams, before, after);
        if is_preview {
            let effect = tokio::time::timeout(EFFECT_MAX, effect).await;
            let effect = Some(effect.map_err(|_| ApiError::overload())??);
            return Ok(Self { id: None, undo: None, effect, head: Some(head), ..answer });
        }
        // The action is done: nothing fails, and what is only shown may be missing.
        let effect = in_time(SHOWN_MAX, effect, "the moves of an action are not shown").await;
        Ok(Self { effect, code: extras.code, ..answer })
    }

    /// The answer to an action of before, whose first answer was not kept.
    pub async fn of_record(app: &App, who: &Who, record: Record) -> Result<Self, StoreError> {
        let undoable = actions::undoable(app.db(), &[record.id]).await?;
        Ok(Self::recorded(who, record, !undoable.is_empty()))
    }

    fn recorded(who: &Who, record: Record, possible: bool) -> Self {
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
            problems: Vec::new(),
        }
    }
}
