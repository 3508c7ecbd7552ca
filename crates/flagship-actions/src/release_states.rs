//! Release states of challenges, for actions that change them and for their undo.

use flagship_game::facts::{self, Fact};
use flagship_game::{Challenge, ChallengeId};
use flagship_store::challenges::{self, Draft, LiveOverride};
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};

/// Release state of a challenge before an action.
#[derive(Serialize, Deserialize)]
pub struct ReleaseState {
    /// The challenge.
    pub challenge: ChallengeId,
    /// True if the challenge was hidden.
    pub hidden: bool,
    /// True if players could see it.
    pub released: bool,
    /// Scheduled release time, in epoch milliseconds.
    pub release_at_ms: Option<i64>,
    /// Live override before the action; `None` if there was none.
    pub held: Option<LiveOverride>,
    /// Live override after the action.
    pub left: LiveOverride,
}

/// Current state of a challenge, before an action overrides it with `left`.
pub async fn state_of(
    context: &mut Context<'_>,
    draft: &Draft,
    left: LiveOverride,
) -> ActionResult<ReleaseState> {
    let challenge = draft.challenge.id.clone();
    let held = challenges::live_override_in(context.tx(), &challenge).await?;
    let released = context.contest().is_released(&challenge);
    let (hidden, release_at_ms) = (draft.hidden, draft.release_at_ms);
    Ok(ReleaseState { challenge, hidden, released, release_at_ms, held, left })
}

/// Rejects an undo if a challenge has changed since the action.
pub async fn check(context: &mut Context<'_>, states: &[ReleaseState]) -> ActionResult<()> {
    for state in states {
        let held = challenges::live_override_in(context.tx(), &state.challenge).await?;
        if held != Some(state.left) {
            return Err(ActionError::Touched.into());
        }
    }
    Ok(())
}

/// Shifts upcoming releases after a given time, overriding the files. Returns the previous states.
pub async fn move_after(
    context: &mut Context<'_>,
    after_ms: i64,
    by_ms: i64,
) -> ActionResult<Vec<ReleaseState>> {
    let drafts = challenges::all_in(context.tx()).await?;
    let mut states = Vec::new();
    for draft in &drafts {
        let id = &draft.challenge.id;
        let at_ms = draft.release_at_ms.filter(|at_ms| *at_ms > after_ms);
        let Some(at_ms) = at_ms.filter(|_| !context.contest().is_released(id)) else {
            continue;
        };
        let held = LiveOverride { shown: true, release_at_ms: Some(at_ms + by_ms) };
        states.push(state_of(context, draft, held).await?);
        challenges::override_visibility_in(context.tx(), id, held).await?;
    }
    context.releases_changed().await?;
    Ok(states)
}

/// Restores the states before an action.
pub async fn put(context: &mut Context<'_>, states: Vec<ReleaseState>) -> ActionResult<()> {
    let drafts = challenges::all_in(context.tx()).await?;
    for state in states {
        let draft = drafts.iter().find(|draft| draft.challenge.id == state.challenge);
        let Some(draft) = draft else { continue };
        let ReleaseState { challenge, hidden, released, release_at_ms, held, .. } = state;
        // Releases whose time has passed since are due now.
        let now_ms = context.now_ms();
        let is_due = !hidden && release_at_ms.is_some_and(|at_ms| at_ms <= now_ms);
        let released = released || is_due;
        let tx = context.tx();
        challenges::set_live_override_in(tx, &challenge, held).await?;
        challenges::set_times(tx, &challenge, hidden, released, release_at_ms).await?;
        publish(context, &draft.challenge, released)?;
    }
    context.releases_changed().await
}

/// Records that a challenge became visible or invisible, if that changed.
pub fn publish(context: &mut Context<'_>, challenge: &Challenge, shown: bool) -> ActionResult<()> {
    let id = &challenge.id;
    if context.contest().is_released(id) == shown {
        return Ok(());
    }
    let fact: Fact = match shown {
        true => facts::Challenge { challenge: challenge.at(context.now_ms()) }.into(),
        false => facts::Withdrawn { challenge: id.clone() }.into(),
    };
    context.try_append(fact, ActionError::NoChallenge)
}
