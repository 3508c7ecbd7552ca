//! Judges submissions: in memory on a single node, otherwise together with the other nodes. The
//! lane records correct flags, and incorrect ones during the freeze and for challenges that limit
//! attempts.

use std::net::IpAddr;

use flagship_game::contest::{Attempt, Progress};
use flagship_game::{ChallengeId, TeamId};
use flagship_store::ops::{Actor, Op, Outcome, attempt_text};
use flagship_store::sightings::Kind;
use flagship_store::wrong_flags;

use super::Judging;
use crate::node::error::NodeError;
use crate::node::flags::budgets::Judgment;
use crate::node::flags::wrong_flags::IncorrectSubmission;
use crate::node::flags::{Accepted, SubmittedFlag};
use crate::node::metrics::counters::Verdict as Submitted;
use crate::node::nodes::{Confirmed, Verdict};
use crate::node::report::report;

/// Maximum attempts to judge a flag whose challenge's flags keep changing.
const JUDGED_MAX: usize = 8;

/// A judged submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedSubmission {
    /// The result.
    pub result: SubmissionResult,
    /// True if the flag was submitted after the end, so that no score counts it.
    pub is_practice: bool,
}

/// Result of a submission that the team was allowed to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmissionResult {
    /// The flag is correct and the solve is recorded.
    Correct,
    /// The flag is correct, but the challenge needs further flags. The progress is recorded.
    Found(Progress),
    /// The flag is incorrect.
    Incorrect {
        /// Incorrect submissions that the team may still make; `None` if they are not limited.
        attempts_left: Option<u32>,
    },
}

impl SubmissionResult {
    /// The result of an attempt.
    fn of(self, attempt: Attempt) -> JudgedSubmission {
        JudgedSubmission { result: self, is_practice: attempt.is_practice() }
    }
}

impl Judging {
    /// Judges a trimmed flag: checks the phase, the challenge, its lock, the budget and the flag.
    /// The lane records a correct flag and has the final decision. If the flags change in the
    /// meantime, judges again. `network` is the client's network, if the event records it.
    pub async fn submit(
        &self,
        team: TeamId,
        id: &str,
        flag: &str,
        network: Option<IpAddr>,
    ) -> Result<JudgedSubmission, NodeError> {
        let known = ChallengeId::parse(id);
        let id = known.unwrap_or_else(|_| ChallengeId::from_name(""));
        for _ in 0..JUDGED_MAX {
            if let Some(result) = self.judge(team, &id, flag, network).await? {
                return Ok(result);
            }
            // Boxed to keep it out of every submission's future.
            if let Err(error) = Box::pin(self.flags.follow()).await {
                report(&error, "failed to read the flags");
                break;
            }
        }
        Err(NodeError::Busy)
    }

    /// Judges with the flags in memory; `None` if they are out of date.
    async fn judge(
        &self,
        team: TeamId,
        id: &ChallengeId,
        flag: &str,
        network: Option<IpAddr>,
    ) -> Result<Option<JudgedSubmission>, NodeError> {
        let now_ms = self.clock.now_ms();
        let attempt = self.feed.latest().judge(team, id, now_ms)?;
        let submitted = SubmittedFlag::new(&self.config.key, id, flag, network);
        if self.feed.latest().hides_new_solves(now_ms) {
            // The near-miss lookup needs both digests. It also runs for correct flags, so that both
            // outcomes take the same work.
            submitted.near_miss(&self.config.key, &self.flags.near.load(), Some(team));
        }
        let verdict = match self.nodes.alone() {
            Some(_counting) => self.judge_alone(team, id, &submitted, attempt).await?,
            // Boxed, as above.
            None => Box::pin(self.judge_with_others(team, id, &submitted, attempt)).await?,
        };
        let Some(Verdict { judged, revision, .. }) = verdict else { return Ok(None) };
        match judged {
            Judgment::Unknown => Ok(None),
            Judgment::RateLimited(retry_after_s) => {
                self.counters.submitted(Submitted::Throttled);
                Err(NodeError::TooManyFlags { retry_after_s })
            }
            Judgment::Incorrect => {
                self.counters.submitted(Submitted::Wrong);
                self.activity.wrong_flag();
                let attempts_left = match attempt {
                    Attempt::First => self.feed.latest().attempts_left(team, id),
                    Attempt::Again | Attempt::Practice | Attempt::PracticeAgain => None,
                };
                Ok(Some(SubmissionResult::Incorrect { attempts_left }.of(attempt)))
            }
            Judgment::Correct(_) if !attempt.is_first() => {
                self.counters.submitted(Submitted::Repeated);
                Ok(Some(SubmissionResult::Correct.of(attempt)))
            }
            Judgment::Correct(accepted) => {
                self.record_correct(team, id, attempt, accepted, revision, network).await
            }
        }
    }

    /// Records a correct first flag; `None` if the flags are out of date.
    async fn record_correct(
        &self,
        team: TeamId,
        id: &ChallengeId,
        attempt: Attempt,
        accepted: Accepted,
        revision: i64,
        network: Option<IpAddr>,
    ) -> Result<Option<JudgedSubmission>, NodeError> {
        let Accepted { digest, needed, .. } = accepted;
        if let Some(progress) = self.known_progress(team, id, &needed) {
            self.counters.submitted(Submitted::Repeated);
            return Ok(Some(SubmissionResult::Found(progress).of(attempt)));
        }
        let op = Op::Flag { team, challenge: id.clone(), digest, needed, revision };
        match self.lane.run(op.by(Actor::Team(team))).await? {
            Outcome::Solve(Ok(recorded)) => {
                self.counters.submitted(Submitted::Right);
                self.sightings.note(team, Kind::Right, Some(id), network);
                Ok(Some(SubmissionResult::Correct.of(recorded)))
            }
            Outcome::Found(progress) => {
                self.counters.submitted(Submitted::Part);
                self.sightings.note(team, Kind::Right, Some(id), network);
                Ok(Some(SubmissionResult::Found(progress).of(attempt)))
            }
            Outcome::Solve(Err(refusal)) => Err(refusal.into()),
            Outcome::Stale => Ok(None),
            _ => Err(NodeError::Internal),
        }
    }

    /// Progress of a team that has found all of these flags before, if the lane would change
    /// nothing. Always `None` during the freeze, which hides which flags are new.
    fn known_progress(
        &self,
        team: TeamId,
        id: &ChallengeId,
        needed: &[String],
    ) -> Option<Progress> {
        let contest = self.feed.latest();
        let has_found = |flag: &String| contest.has_found(team, id, flag);
        let is_known = !needed.is_empty() && needed.iter().all(has_found);
        let changes_nothing = is_known
            && !contest.hides_new_solves(self.clock.now_ms())
            && !contest.completes(team, id, needed);
        // Another node can have recorded the solve since the attempt was judged.
        let is_open = |progress: &Progress| progress.found < progress.of;
        contest.progress(team, id).filter(|progress| changes_nothing && is_open(progress))
    }

    /// True if the team has sent an incorrect text before, so that the lane would change nothing.
    /// Always false during the freeze, in which every submission takes the lane.
    fn is_known_text(&self, team: TeamId, id: &ChallengeId, submitted: &SubmittedFlag) -> bool {
        let contest = self.feed.latest();
        let text = attempt_text(self.seal.key(), team, id, &submitted.digest);
        !contest.hides_new_solves(self.clock.now_ms())
            && contest.challenge_progress(team, id).is_some_and(|progress| progress.has_sent(&text))
    }

    /// Judges with the budgets in memory; `None` if other nodes are running or this node's flags
    /// are out of date.
    async fn judge_alone(
        &self,
        team: TeamId,
        id: &ChallengeId,
        submitted: &SubmittedFlag,
        attempt: Attempt,
    ) -> Result<Option<Verdict>, NodeError> {
        let now_ms = self.clock.now_ms();
        let (judged, revision, limits_attempts) = {
            let flags = self.flags.load();
            let judged = flags.judge(&self.budgets, team, submitted, now_ms);
            (judged, flags.revision, flags.limits_attempts(id))
        };
        let uses_attempt =
            limits_attempts && judged == Judgment::Incorrect && attempt == Attempt::First;
        // The freeze hides which flags are correct, also from clients that measure response times.
        let is_hidden = self.feed.latest().hides_new_solves(now_ms);
        let stands = match &judged {
            Judgment::Unknown | Judgment::RateLimited(_) => Ok(true),
            // The lane checks the revision itself. If attempts are limited, a correct flag waits
            // like an incorrect one. Otherwise it would overtake earlier guesses of a burst, and
            // count although they use all attempts. One of several flags may need no lane.
            Judgment::Correct(accepted)
                if attempt.is_first()
                    && !is_hidden
                    && !limits_attempts
                    && accepted.needed.is_empty() =>
            {
                Ok(true)
            }
            Judgment::Correct(_) => Ok(self.nodes.confirm(revision).await == Confirmed::Yes),
            Judgment::Incorrect => match self.nodes.confirm(revision).await {
                Confirmed::No => Ok(false),
                // The submission counts. Otherwise guesses would be free, because a correct flag
                // would have been recorded.
                Confirmed::Unknown => return Err(NodeError::Busy),
                // Once recorded, the verdict is final, even if another node has joined.
                Confirmed::Yes if is_hidden => {
                    let passed = self.pass_lane(team, id, revision, submitted, false).await;
                    if passed == Ok(true) {
                        self.sightings.note(team, Kind::Wrong, Some(id), submitted.network);
                    }
                    passed
                }
                Confirmed::Yes => {
                    // The attempt is counted before the response. The record is written later, as
                    // for other submissions.
                    let passed = match uses_attempt && !self.is_known_text(team, id, submitted) {
                        true => self.pass_lane(team, id, revision, submitted, true).await,
                        false => Ok(true),
                    };
                    if passed == Ok(true) {
                        // Answered first; everything needed for the record is computed later.
                        let submitted = submitted.clone();
                        let wrong = IncorrectSubmission { team, submitted, at_ms: now_ms };
                        self.wrong_flags.push(wrong);
                    }
                    passed
                }
            },
        };
        if judged == Judgment::Incorrect && stands != Ok(true) {
            self.budgets.give_back(team, id, now_ms);
        }
        Ok(stands?.then_some(Verdict { judged, revision, uses_attempt, record_id: None }))
    }

    /// Judges together with the other nodes and records an incorrect flag; `None` if the caller
    /// must retry.
    async fn judge_with_others(
        &self,
        team: TeamId,
        id: &ChallengeId,
        submitted: &SubmittedFlag,
        attempt: Attempt,
    ) -> Result<Option<Verdict>, NodeError> {
        let hides_solves = || self.feed.latest().hides_new_solves(self.clock.now_ms());
        let (near, is_hidden) = (self.flags.near.load_full(), hides_solves());
        submitted.near_miss(&self.config.key, &near, Some(team));
        if !is_hidden {
            self.texts.keep(submitted, &near, team);
        }
        let verdict = self.nodes.judge(team, submitted, attempt, is_hidden).await?;
        if let Some(Verdict { judged: Judgment::Incorrect, revision, uses_attempt, record_id }) =
            verdict
        {
            if uses_attempt && !self.is_known_text(team, id, submitted) {
                let passed = self.pass_lane(team, id, revision, submitted, true).await;
                if passed != Ok(true) {
                    // No attempt was left, or the flags have changed and the caller must retry.
                    self.forget_later(record_id);
                    return passed.map(|_| None);
                }
            } else if hides_solves() {
                // The verdict is final regardless of the lane's result, even if the lane is full:
                // the flag is already recorded and counted.
                self.pass_lane(team, id, revision, submitted, true).await.ok();
            }
            self.sightings.note(team, Kind::Wrong, Some(id), submitted.network);
        }
        Ok(verdict)
    }

    /// Deletes the record of an incorrect flag that was not judged after all. Does not wait, so
    /// that a refusal takes the same time as any other and never fails.
    fn forget_later(&self, record_id: Option<i64>) {
        let Some(record_id) = record_id else { return };
        let db = self.db.clone();
        tokio::spawn(async move {
            if let Err(error) = wrong_flags::forget(&db, record_id).await {
                report(&error, "the record of a refused flag was not deleted");
            }
        });
    }

    /// Passes an incorrect flag through the lane. Returns false if the caller must retry.
    async fn pass_lane(
        &self,
        team: TeamId,
        id: &ChallengeId,
        revision: i64,
        submitted: &SubmittedFlag,
        is_recorded: bool,
    ) -> Result<bool, NodeError> {
        let (challenge, digests) = (id.clone(), submitted.digests(&self.config.key));
        let op = Op::Wrong { team, challenge, digests, is_recorded, revision };
        // Boxed, as above.
        match Box::pin(self.lane.run(op.by(Actor::Team(team)))).await? {
            Outcome::Wrong(Ok(())) => Ok(true),
            Outcome::Wrong(Err(refusal)) => Err(refusal.into()),
            Outcome::Stale => Ok(false),
            _ => Err(NodeError::Internal),
        }
    }
}
