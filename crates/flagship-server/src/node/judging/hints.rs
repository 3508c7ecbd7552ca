//! Hints that teams take: decided in memory, recorded by the lane, which has the final decision.

use flagship_game::{ChallengeId, HintRefusal, Purchase, TeamId, purchase};
use flagship_store::ops::{Actor, Op, Outcome, ReadableHint};

use super::Judging;
use crate::node::error::NodeError;

impl Judging {
    /// Takes a hint for a team. `cost_max` is the highest cost that the team accepts.
    pub async fn take_hint(
        &self,
        team: TeamId,
        challenge: &str,
        hint: &str,
        cost_max: Option<i64>,
    ) -> Result<ReadableHint, NodeError> {
        let known = ChallengeId::parse(challenge);
        let id = known.unwrap_or_else(|_| ChallengeId::from_name(""));
        let now_ms = self.clock.now_ms();
        let contest = self.feed.latest();
        let bought = purchase::purchase(&contest, team, &id, hint, cost_max, now_ms);
        match bought {
            Ok(Purchase { html, cost, is_new: false }) => {
                return Ok(ReadableHint { html: html.to_owned(), cost });
            }
            Ok(_) => {}
            Err(refusal @ HintRefusal::Challenge(_)) => return Err(NodeError::Hint(refusal)),
            Err(refusal) => {
                self.rejected_hints.count(team, now_ms)?;
                // The freeze hides which hints are taken, also from clients that measure response
                // times, so such a refusal takes the lane too.
                if !contest.hides_new_solves(now_ms) || !refusal.depends_on_team() {
                    return Err(NodeError::Hint(refusal));
                }
            }
        }
        let op = Op::Hint { team, challenge: id, hint: hint.to_owned(), cost_max };
        match self.lane.run(op.by(Actor::Team(team))).await? {
            Outcome::Hint(taken) => taken.map_err(NodeError::Hint),
            _ => Err(NodeError::Internal),
        }
    }
}
