//! Judging a flag: in memory on a single node, with the other nodes otherwise; the lane records
//! right ones, and the wrong ones of the freeze.

use std::net::IpAddr;

use flagship_game::contest::Attempt;
use flagship_game::{ChallengeId, TeamId};
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::sightings::Kind;

use super::Judging;
use crate::node::error::NodeError;
use crate::node::flags::Sent;
use crate::node::flags::budgets::Judged;
use crate::node::flags::wrong_flags::IncorrectSubmission;
use crate::node::metrics::pace::Verdict as Submitted;
use crate::node::nodes::{Confirmed, Verdict};
use crate::node::report::report;

/// How often a flag is judged again because the flags change.
const JUDGED_MAX: usize = 8;

/// The result of a flag that a team was allowed to submit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// The flag is right, and the solve is recorded.
    Right,
    /// The flag is wrong.
    Wrong,
}

impl Judging {
    /// Judges a trimmed flag: checks the phase, the challenge, its lock, the budget and the flag. A
    /// right flag is recorded in the lane, whose decision is final. If the flags change meanwhile,
    /// the flag is judged again. `network` is from where it came, if that is to be recorded.
    pub async fn play(
        &self,
        team: TeamId,
        id: &str,
        flag: &str,
        network: Option<IpAddr>,
    ) -> Result<Played, NodeError> {
        let known = ChallengeId::parse(id);
        let id = known.unwrap_or_else(|_| ChallengeId::from_name(""));
        for _ in 0..JUDGED_MAX {
            if let Some(played) = self.judge(team, &id, flag, network).await? {
                return Ok(played);
            }
            // Boxed, to keep it out of every flag's future.
            if let Err(error) = Box::pin(self.flags.follow()).await {
                report(&error, "the flags could not be read");
                break;
            }
        }
        Err(NodeError::Busy)
    }

    /// Judges with the flags in memory; `None` if they are not the newest.
    async fn judge(
        &self,
        team: TeamId,
        id: &ChallengeId,
        flag: &str,
        network: Option<IpAddr>,
    ) -> Result<Option<Played>, NodeError> {
        let now_ms = self.clock.now_ms();
        let attempt = self.feed.latest().judge(team, id, now_ms)?;
        let sent = Sent::new(&self.config.key, id, flag, network);
        if self.feed.latest().hides_new_solves(now_ms) {
            // What it comes near is looked up for a right flag too, which takes both digests.
            sent.look_near(&self.config.key, &self.flags.near.load(), Some(team));
        }
        let verdict = match self.nodes.alone() {
            Some(_counting) => self.judge_alone(team, id, &sent, attempt).await?,
            // Boxed, as above.
            None => Box::pin(self.judge_with_others(team, id, &sent, attempt)).await?,
        };
        let Some(Verdict { judged, revision }) = verdict else { return Ok(None) };
        match judged {
            Judged::Unknown => Ok(None),
            Judged::TooFast(retry_after_s) => {
                self.pace.submitted(Submitted::Throttled);
                Err(NodeError::TooManyFlags { retry_after_s })
            }
            Judged::Wrong => {
                self.pace.submitted(Submitted::Wrong);
                self.activity.wrong_flag();
                Ok(Some(Played::Wrong))
            }
            Judged::Right(_) if attempt == Attempt::Again => {
                self.pace.submitted(Submitted::Repeated);
                Ok(Some(Played::Right))
            }
            Judged::Right(accepted) => {
                let challenge = id.clone();
                let op = Op::Flag { team, challenge, digest: accepted.digest, revision };
                match self.lane.run(op.by(Actor::Team(team))).await? {
                    Outcome::Solve(Ok(_)) => {
                        self.pace.submitted(Submitted::Right);
                        self.sightings.note(team, Kind::Right, Some(id), network);
                        Ok(Some(Played::Right))
                    }
                    Outcome::Solve(Err(refusal)) => Err(refusal.into()),
                    Outcome::Stale => Ok(None),
                    _ => Err(NodeError::Internal),
                }
            }
        }
    }

    /// Judges with the budgets in memory; `None` if this node is not alone, or its flags are not
    /// the newest.
    async fn judge_alone(
        &self,
        team: TeamId,
        id: &ChallengeId,
        sent: &Sent,
        attempt: Attempt,
    ) -> Result<Option<Verdict>, NodeError> {
        let now_ms = self.clock.now_ms();
        let (judged, revision) = {
            let flags = self.flags.load();
            (flags.judge(&self.budgets, team, sent, now_ms), flags.revision)
        };
        // The freeze hides which flags are right, also from those who measure response times.
        let is_hidden = self.feed.latest().hides_new_solves(now_ms);
        let stands = match &judged {
            Judged::Unknown | Judged::TooFast(_) => Ok(true),
            // The lane checks the revision itself.
            Judged::Right(_) if attempt == Attempt::First && !is_hidden => Ok(true),
            Judged::Right(_) => Ok(self.nodes.confirm(revision).await == Confirmed::Yes),
            Judged::Wrong => match self.nodes.confirm(revision).await {
                Confirmed::No => Ok(false),
                // It counts: a right flag would have been recorded, so guesses would be free.
                Confirmed::Unknown => return Err(NodeError::Busy),
                // Once it is on record the verdict stands, also if another node joined meanwhile.
                Confirmed::Yes if is_hidden => {
                    let passed = self.pass_lane(team, id, revision, sent, false).await;
                    if passed == Ok(true) {
                        self.sightings.note(team, Kind::Wrong, Some(id), sent.network);
                    }
                    passed
                }
                // Answered first: all that its record needs is computed later.
                Confirmed::Yes => {
                    let sent = sent.clone();
                    self.wrong_flags.push(IncorrectSubmission { team, sent, at_ms: now_ms });
                    Ok(true)
                }
            },
        };
        if judged == Judged::Wrong && stands != Ok(true) {
            self.budgets.give_back(team, id, now_ms);
        }
        Ok(stands?.then_some(Verdict { judged, revision }))
    }

    /// Judges with the other nodes, which records a wrong flag; `None` if it has to be judged
    /// again.
    async fn judge_with_others(
        &self,
        team: TeamId,
        id: &ChallengeId,
        sent: &Sent,
        attempt: Attempt,
    ) -> Result<Option<Verdict>, NodeError> {
        let hides_solves = || self.feed.latest().hides_new_solves(self.clock.now_ms());
        let (near, is_hidden) = (self.flags.near.load_full(), hides_solves());
        sent.look_near(&self.config.key, &near, Some(team));
        if !is_hidden {
            self.texts.keep(sent, &near, team);
        }
        let verdict = self.nodes.judge(team, sent, attempt, is_hidden).await?;
        if let Some(Verdict { judged: Judged::Wrong, revision }) = verdict {
            if hides_solves() {
                // The verdict stands whatever comes of it in the lane, also if it is full: the flag
                // is on record and counted.
                self.pass_lane(team, id, revision, sent, true).await.ok();
            }
            self.sightings.note(team, Kind::Wrong, Some(id), sent.network);
        }
        Ok(verdict)
    }

    /// Sends a wrong flag of the freeze through the lane. Returns false if it has to be judged
    /// again.
    async fn pass_lane(
        &self,
        team: TeamId,
        id: &ChallengeId,
        revision: i64,
        sent: &Sent,
        is_recorded: bool,
    ) -> Result<bool, NodeError> {
        let (challenge, marks) = (id.clone(), sent.marks(&self.config.key));
        let op = Op::Wrong { team, challenge, marks, is_recorded, revision };
        // Boxed, as above.
        match Box::pin(self.lane.run(op.by(Actor::Team(team)))).await? {
            Outcome::Wrong(Ok(())) => Ok(true),
            Outcome::Wrong(Err(refusal)) => Err(refusal.into()),
            Outcome::Stale => Ok(false),
            _ => Err(NodeError::Internal),
        }
    }
}
