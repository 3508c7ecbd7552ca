//! The freeze ends.

use flagship_game::entry::{Fact, Phase};

use super::step::StepTx;
use crate::Result;

/// What a reveal did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// The final scoreboard is shown now.
    Now,
    /// It was shown already.
    Before,
}

/// Why nothing was revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RevealError {
    /// The scoreboard is not frozen, so there is nothing to reveal.
    #[error("the scoreboard is not frozen")]
    NotFrozen,
    /// The event has not ended.
    #[error("the event has not ended")]
    Running,
}

pub(super) fn reveal(
    step: &mut StepTx,
    force: bool,
) -> Result<std::result::Result<Revealed, RevealError>> {
    let contest = step.contest();
    if contest.reached(Phase::Reveal) {
        return Ok(Ok(Revealed::Before));
    }
    if !contest.reached(Phase::Freeze) {
        return Ok(Err(RevealError::NotFrozen));
    }
    if !contest.reached(Phase::End) && !force {
        return Ok(Err(RevealError::Running));
    }
    let now_ms = step.now_ms();
    step.append(now_ms, Fact::Phase { phase: Phase::Reveal })?;
    Ok(Ok(Revealed::Now))
}
