//! Hints that teams take.

use flagship_game::{ChallengeId, HintRefusal, TeamId, facts, purchase};

use super::step::StepTx;
use crate::Result;

/// A hint that a team can read now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadableHint {
    /// Sanitized HTML.
    pub html: String,
    /// Points that the team paid.
    pub cost: i64,
}

/// Records that a team takes a hint, unless it can read the hint already. Operations of a step are
/// decided one after the other on the newest fold, so parallel purchases pay once. During
/// the freeze, a refusal takes the same work as a purchase, so that timing does not distinguish
/// them for other teams.
pub(super) fn take(
    step: &mut StepTx,
    team: TeamId,
    challenge: &ChallengeId,
    hint: &str,
    cost_max: Option<i64>,
) -> Result<std::result::Result<ReadableHint, HintRefusal>> {
    let at_ms = step.now_ms();
    let fact = |cost| {
        let (challenge, hint) = (challenge.clone(), hint.to_owned());
        facts::HintTaken { team, challenge, hint, cost }
    };
    let bought = purchase::purchase(step.contest(), team, challenge, hint, cost_max, at_ms);
    let (readable, is_new) = match bought {
        Ok(it) => (ReadableHint { html: it.html.to_owned(), cost: it.cost }, it.is_new),
        Err(refusal) => {
            step.refuse_hint(at_ms, fact(0));
            return Ok(Err(refusal));
        }
    };
    if is_new {
        step.append_hint(at_ms, fact(readable.cost))?;
    }
    Ok(Ok(readable))
}
