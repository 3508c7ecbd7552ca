//! Whether and when challenges are shown.

use flagship_store::challenges::{self, Draft, Held};

use super::object;
use crate::prelude::*;
use crate::release_states::{self, ReleaseState, publish, state_of};

/// Undo data of actions that show or hide challenges.
#[derive(Serialize, Deserialize)]
pub struct StatesUndo {
    /// The challenges before the action.
    pub states: Vec<ReleaseState>,
}

/// Shows challenges, now or at a time, or hides them. The solves of hidden ones are kept.
pub async fn set(
    context: &mut Context<'_>,
    ids: &[ChallengeId],
    shown: bool,
    at_ms: Option<i64>,
) -> ActionResult<Option<StatesUndo>> {
    context.touch(ids.iter().map(object)).await?;
    let now_ms = context.now_ms();
    let held = Held { shown, release_at_ms: at_ms.filter(|at_ms| *at_ms > now_ms) };
    context.seal().watch_flags(context.tx()).await?;
    let drafts = challenges::all_in(context.tx()).await?;
    let mut states = Vec::new();
    let mut wanted = Vec::new();
    for id in ids {
        context.check_scope(Some(id), ActionError::NoChallenge)?;
        let draft = drafts.iter().find(|draft| draft.challenge.id == *id);
        let draft = draft.ok_or(ActionError::NoChallenge)?;
        states.push(state_of(context, draft, held).await?);
        wanted.push(&draft.challenge);
    }
    let is_released = held.shown && held.release_at_ms.is_none();
    let is_changed =
        |state: &ReleaseState| state.held != Some(held) || state.released != is_released;
    if !states.iter().any(is_changed) {
        return Err(ActionError::Unchanged.into());
    }
    let shown_before = shown_of(context, &drafts);
    for challenge in wanted {
        challenges::hold_in(context.tx(), &challenge.id, held).await?;
        publish(context, challenge, is_released)?;
    }
    context.releases_changed().await?;
    let is_gone = |id: &&ChallengeId| !ids.contains(id) && !context.contest().is_shown(id);
    let with: Vec<&ChallengeId> = shown_before.into_iter().filter(is_gone).collect();
    if !with.is_empty() {
        context.add_details(json!({"with": with}));
    }
    Ok(Some(StatesUndo { states }))
}

/// The challenges that players may know of, of those that the actor may touch.
fn shown_of<'d>(context: &Context<'_>, drafts: &'d [Draft]) -> Vec<&'d ChallengeId> {
    let ids = drafts.iter().map(|draft| &draft.challenge.id);
    let may_touch =
        |id: &&ChallengeId| context.check_scope(Some(*id), ActionError::NoChallenge).is_ok();
    ids.filter(|id| context.contest().is_shown(id)).filter(may_touch).collect()
}

impl UndoData for StatesUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        release_states::check(context, &self.states).await?;
        release_states::put(context, self.states).await
    }
}
