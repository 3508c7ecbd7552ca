//! Releasing and hiding challenges.

use flagship_store::challenges::{self, Draft, LiveOverride};

use super::object;
use crate::prelude::*;
use crate::release_states::{self, ReleaseState, publish, state_of};
use crate::text::challenge;

/// Undo data of actions that release or hide challenges.
#[derive(Serialize, Deserialize)]
pub struct StatesUndo {
    /// The challenges before the action.
    pub states: Vec<ReleaseState>,
}

/// Releases challenges now or at a given time, or hides them. Hidden challenges keep their solves.
pub async fn set(
    context: &mut Context<'_>,
    names: &[String],
    shown: bool,
    at_ms: Option<i64>,
) -> ActionResult<Option<StatesUndo>> {
    let parsed =
        |name: &String| several::of_object(challenge(name).map_err(Into::into), name, names);
    let ids = names.iter().map(parsed).collect::<ActionResult<Vec<ChallengeId>>>()?;
    context.touch(ids.iter().map(object)).await?;
    let now_ms = context.now_ms();
    let held = LiveOverride { shown, release_at_ms: at_ms.filter(|at_ms| *at_ms > now_ms) };
    context.seal().watch_flags(context.tx()).await?;
    let drafts = challenges::all_in(context.tx()).await?;
    let mut states = Vec::new();
    let mut wanted = Vec::new();
    for (id, name) in ids.iter().zip(names) {
        let is_own = context.check_scope(Some(id), ActionError::NoChallenge);
        several::of_object(is_own, name, names)?;
        let draft = drafts.iter().find(|draft| draft.challenge.id == *id);
        let draft = draft.ok_or_else(|| ActionError::NoChallenge.into());
        let draft = several::of_object(draft, name, names)?;
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
        challenges::override_visibility_in(context.tx(), &challenge.id, held).await?;
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

/// Challenges that players may know about, limited to those the actor may change.
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
