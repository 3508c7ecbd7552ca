//! Correct submissions, and incorrect ones during the freeze.

use std::net::IpAddr;

use flagship_game::contest::{Attempt, Refusal};
use flagship_game::{ChallengeId, TeamId, facts};

use super::step::StepTx;
use crate::Result;
use crate::wrong_flags::{NearMiss, WrongFlag};

/// Records a team's first solve of a challenge, with the digest of its flag if there was one.
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
            let digests = FlagDigests { digest, ..FlagDigests::default() };
            step.queue_right_flag(flag(team, id, now_ms, digests));
        }
    }
    Ok(judged)
}

/// Digests and origin of an incorrect submission, recorded instead of its text.
#[derive(Clone, Default)]
pub struct FlagDigests {
    /// Keyed digest of the text.
    pub digest: String,
    /// Keyed digest of the text in lower case, if different.
    pub folded: Option<String>,
    /// Kind of near miss.
    pub near: Option<NearMiss>,
    /// Team that owns the flag.
    pub of_team: Option<i64>,
    /// Address of the client.
    pub network: Option<IpAddr>,
}

/// Records an incorrect submission unless it is already recorded. Also creates and discards the
/// entry of a solve, so that correct and incorrect submissions take the same work and the same
/// statements.
pub(super) fn wrong(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digests: FlagDigests,
    is_recorded: bool,
) -> std::result::Result<(), Refusal> {
    let at_ms = step.now_ms();
    step.contest().judge(team, id, at_ms)?;
    step.append_and_discard(at_ms, team, id, &digests.digest);
    step.queue_wrong_flag(flag(team, id, at_ms, digests), is_recorded);
    Ok(())
}

fn flag(team: TeamId, id: &ChallengeId, at_ms: i64, digests: FlagDigests) -> WrongFlag {
    let FlagDigests { digest, folded, near, of_team, network } = digests;
    WrongFlag {
        account_id: team.0,
        challenge_id: id.as_str().to_owned(),
        at_ms,
        digest,
        folded,
        near,
        of_team,
        network,
        // No texts are stored during the freeze, so that incorrect submissions take the same work
        // as correct ones.
        sealed_text: None,
    }
}
