//! Right flags, and the wrong ones of the freeze.

use flagship_game::contest::{Attempt, Refusal};
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, TeamId};

use super::step::StepTx;
use crate::Result;
use crate::wrong_flags::WrongFlag;

/// Records a team's first solve of a challenge, and the digest of its flag if there was one.
pub(super) fn solve(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digest: Option<&str>,
) -> Result<std::result::Result<Attempt, Refusal>> {
    let now_ms = step.now_ms();
    let judged = step.contest().judge(team, id, now_ms);
    if judged == Ok(Attempt::First) {
        let is_hidden = step.contest().hides_new_solves(now_ms);
        step.append(now_ms, Fact::Solve { team, challenge: id.clone() })?;
        step.queue_solve_row(team, id, digest);
        if is_hidden {
            let digest = digest.unwrap_or_default().to_owned();
            step.queue_right_flag(flag(team, id, now_ms, (digest, None)));
        }
    }
    Ok(judged)
}

/// The digest of a text, and that of the text in lower case if it differs.
type Digests = (String, Option<String>);

/// Records a wrong flag, unless it is on record already. The entry of a solve is made as well and
/// discarded, so that both take the same work and the same statements.
pub(super) fn wrong(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digests: Digests,
    is_recorded: bool,
) -> std::result::Result<(), Refusal> {
    let at_ms = step.now_ms();
    step.contest().judge(team, id, at_ms)?;
    step.append_and_discard(at_ms, team, id, &digests.0);
    step.queue_wrong_flag(flag(team, id, at_ms, digests), is_recorded);
    Ok(())
}

fn flag(team: TeamId, id: &ChallengeId, at_ms: i64, (digest, folded): Digests) -> WrongFlag {
    let (account_id, challenge_id) = (team.0, id.as_str().to_owned());
    WrongFlag { account_id, challenge_id, at_ms, digest, folded }
}
