//! Correct submissions, and incorrect ones during the freeze.

use std::net::IpAddr;

use flagship_game::contest::{Attempt, Progress, Refusal};
use flagship_game::{ChallengeId, TeamId, facts};

use super::step::StepTx;
use crate::wrong_flags::{NearMiss, WrongFlag};
use crate::{Key, Result};

/// Records a team's first solve of a challenge, with the digest of its flag if there was one. A
/// solve after the end is only in the journal.
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
    if judged == Ok(Attempt::Practice) {
        step.append(now_ms, facts::Practiced { team, challenge: id.clone(), flag: None })?;
    }
    Ok(judged)
}

/// Outcome of a correct flag.
pub(super) enum Judged {
    /// The flag was judged as the solution of the challenge.
    Solve(std::result::Result<Attempt, Refusal>),
    /// The challenge needs further flags: the team's progress.
    Found(Progress),
}

/// Records a correct flag: a solve, or one of several flags that the challenge needs. `needed` has
/// the IDs of the matching flags.
pub(super) fn submit(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digest: &str,
    needed: &[String],
) -> Result<Judged> {
    let now_ms = step.now_ms();
    let contest = step.contest();
    let first = contest.judge(team, id, now_ms).ok().filter(|attempt| attempt.is_first());
    let Some(attempt) = first.filter(|_| !contest.completes(team, id, needed)) else {
        return Ok(Judged::Solve(solve(step, team, id, Some(digest))?));
    };
    let is_hidden = contest.hides_new_solves(now_ms);
    let mut is_new = false;
    for flag in needed {
        // Two equal flags have one ID.
        if step.contest().has_found(team, id, flag) {
            continue;
        }
        let challenge = id.clone();
        let flag = flag.clone();
        match attempt.is_practice() {
            true => step.append(now_ms, facts::Practiced { team, challenge, flag: Some(flag) })?,
            false => step.append(now_ms, facts::FlagFound { team, challenge, flag })?,
        }
        is_new = true;
    }
    if is_hidden {
        // The same work as for any other submission during the freeze.
        match is_new {
            true => step.queue_discarded_solve_row(team, id, digest),
            false => step.append_and_discard(now_ms, team, id, digest),
        }
        let digests = FlagDigests { digest: digest.to_owned(), ..FlagDigests::default() };
        step.queue_right_flag(flag(team, id, now_ms, digests));
    }
    let progress = step.contest().progress(team, id);
    Ok(Judged::Found(progress.expect("a challenge that is not complete needs flags")))
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

/// Records an incorrect submission unless it is already recorded, and its attempt if the challenge
/// limits them. Otherwise creates and discards the entry of a solve, so that correct and incorrect
/// submissions take the same work and the same statements.
pub(super) fn wrong(
    step: &mut StepTx,
    team: TeamId,
    id: &ChallengeId,
    digests: FlagDigests,
    is_recorded: bool,
) -> Result<std::result::Result<(), Refusal>> {
    let at_ms = step.now_ms();
    let attempt = match step.contest().judge(team, id, at_ms) {
        Ok(attempt) => attempt,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let text = attempt_text(step.seal.key(), team, id, &digests.digest);
    if attempt == Attempt::First && step.contest().uses_attempt(team, id, &text) {
        step.append(at_ms, facts::AttemptUsed { team, challenge: id.clone(), text })?;
        step.queue_discarded_solve_row(team, id, &digests.digest);
    } else {
        step.append_and_discard(at_ms, team, id, &digests.digest);
    }
    step.queue_wrong_flag(flag(team, id, at_ms, digests), is_recorded);
    Ok(Ok(()))
}

/// Length of the digest of an attempt, in characters.
const ATTEMPT_CHARS: usize = 16;

/// Keyed digest of an incorrect text in the journal. Two teams have different digests of the same
/// text.
pub fn attempt_text(key: &Key, team: TeamId, id: &ChallengeId, digest: &str) -> String {
    let mut text = key.mac("attempt text", &[id.as_str(), &team.0.to_string(), digest]);
    text.truncate(ATTEMPT_CHARS);
    text
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
