//! What organizers do to one challenge: they show or hide it.

use flagship_game::ChallengeId;
use flagship_game::entry::Fact;

use super::step::StepTx;
use crate::{Result, challenges};

/// What showing or hiding a challenge did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The challenge is released or hidden now.
    Changed,
    /// It was already.
    Unchanged,
    /// It is released; players see it once its requirements are released too.
    AwaitsRequirements,
}

/// No challenge has the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no challenge has this id")]
pub struct NoChallenge;

pub(super) async fn show(
    step: &mut StepTx,
    id: &ChallengeId,
    shown: bool,
) -> Result<std::result::Result<Shown, NoChallenge>> {
    step.seal.watch_flags(&mut step.tx).await?;
    let drafts = challenges::all_in(&mut step.tx).await?;
    let Some(draft) = drafts.into_iter().find(|draft| draft.challenge.id == *id) else {
        return Ok(Err(NoChallenge));
    };
    let held = challenges::Held { shown, release_at_ms: None };
    challenges::hold_in(&mut step.tx, id, held).await?;
    let revision = challenges::touch(&mut step.tx).await?;
    step.set_revision(revision).await?;
    if step.contest().is_released(id) == shown {
        return Ok(Ok(Shown::Unchanged));
    }
    let now_ms = step.now_ms();
    let fact = match shown {
        true => Fact::Challenge { challenge: draft.challenge.at(now_ms) },
        false => Fact::Withdrawn { challenge: id.clone() },
    };
    step.append(now_ms, fact)?;
    if shown && !step.contest().is_shown(id) {
        return Ok(Ok(Shown::AwaitsRequirements));
    }
    Ok(Ok(Shown::Changed))
}
