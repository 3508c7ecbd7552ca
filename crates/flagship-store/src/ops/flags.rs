//! Right flags, and the wrong ones of the freeze.

use flagship_game::contest::{Attempt, Refusal};
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, TeamId};

use super::step::StepTx;
use crate::Result;
use crate::wrong_flags::WrongFlag;

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

/// Records a wrong flag, unless it is on record already. The entry of a solve is made as well and
/// discarded, so that both take the same work.
pub(super) fn wrong(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digest: String,
    is_recorded: bool,
) -> std::result::Result<(), Refusal> {
    let at_ms = step.now_ms();
    step.contest().judge(team, id, at_ms)?;
    step.append_and_discard(at_ms, Fact::Solve { team, challenge: id.clone() });
    let (account_id, challenge_id) = (team.0, id.as_str().to_owned());
    step.queue_wrong_flag(WrongFlag { account_id, challenge_id, at_ms, digest }, is_recorded);
    Ok(())
}
