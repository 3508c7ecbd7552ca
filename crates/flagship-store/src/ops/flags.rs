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
        let is_hidden = step.contest().hides_new_solves(now_ms);
        step.append(now_ms, Fact::Solve { team, challenge: id.clone() })?;
        step.queue_solve_row(team, id);
        if is_hidden {
            step.queue_right_flag(flag(team, id, now_ms, String::new()));
        }
    }
    Ok(judged)
}

/// Records a wrong flag, unless it is on record already. The entry of a solve is made as well and
/// discarded, so that both take the same work and the same statements.
pub(super) fn wrong(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digest: String,
    is_recorded: bool,
) -> std::result::Result<(), Refusal> {
    let at_ms = step.now_ms();
    step.contest().judge(team, id, at_ms)?;
    step.append_and_discard(at_ms, team, id);
    step.queue_wrong_flag(flag(team, id, at_ms, digest), is_recorded);
    Ok(())
}

fn flag(team: TeamId, id: &ChallengeId, at_ms: i64, digest: String) -> WrongFlag {
    WrongFlag { account_id: team.0, challenge_id: id.as_str().to_owned(), at_ms, digest }
}
