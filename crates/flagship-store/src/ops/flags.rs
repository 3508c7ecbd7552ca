//! Right flags, and the wrong ones of the freeze.

use std::net::IpAddr;

use flagship_game::contest::{Attempt, Refusal};
use flagship_game::{ChallengeId, TeamId, facts};

use super::step::StepTx;
use crate::Result;
use crate::wrong_flags::{Near, WrongFlag};

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
        step.append(now_ms, facts::Solve { team, challenge: id.clone() })?;
        step.queue_solve_row(team, id, digest);
        if is_hidden {
            let digest = digest.unwrap_or_default().to_owned();
            let marks = Marks { digest, ..Marks::default() };
            step.queue_right_flag(flag(team, id, now_ms, marks));
        }
    }
    Ok(judged)
}

/// What is recorded of a wrong flag instead of its text.
#[derive(Clone, Default)]
pub struct Marks {
    /// The keyed digest of the text.
    pub digest: String,
    /// That of the text in lower case, if it differs.
    pub folded: Option<String>,
    /// How it came near a right flag.
    pub near: Option<Near>,
    /// The team whose flag it is.
    pub of_team: Option<i64>,
    /// From where it came.
    pub network: Option<IpAddr>,
}

/// Records a wrong flag, unless it is on record already. The entry of a solve is made as well and
/// discarded, so that both take the same work and the same statements.
pub(super) fn wrong(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    marks: Marks,
    is_recorded: bool,
) -> std::result::Result<(), Refusal> {
    let at_ms = step.now_ms();
    step.contest().judge(team, id, at_ms)?;
    step.append_and_discard(at_ms, team, id, &marks.digest);
    step.queue_wrong_flag(flag(team, id, at_ms, marks), is_recorded);
    Ok(())
}

fn flag(team: TeamId, id: &ChallengeId, at_ms: i64, marks: Marks) -> WrongFlag {
    let Marks { digest, folded, near, of_team, network } = marks;
    WrongFlag {
        account_id: team.0,
        challenge_id: id.as_str().to_owned(),
        at_ms,
        digest,
        folded,
        near,
        of_team,
        network,
        // The freeze keeps no texts, so that a wrong flag takes the same work as a right one.
        sealed_text: None,
    }
}
