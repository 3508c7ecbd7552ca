//! Right flags.

use flagship_game::contest::{Attempt, Refusal};
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, TeamId};

use super::step::StepTx;
use crate::Result;

/// Records a team's first solve of a challenge.
pub(super) fn solve(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
) -> Result<std::result::Result<Attempt, Refusal>> {
    let now_ms = step.now_ms();
    let judged = step.contest().judge(team, id, now_ms);
    if judged == Ok(Attempt::First) {
        step.append(now_ms, Fact::Solve { team, challenge: id.clone() })?;
        step.queue_solve_row(team, id);
    }
    Ok(judged)
}
