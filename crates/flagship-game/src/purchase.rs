//! Decides if a team can take a hint, and at which cost.

use crate::challenge::{Challenge, ChallengeId, Hint};
use crate::contest::{Contest, Refusal};
use crate::entry::TeamId;
use crate::view;

/// A hint that a team can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purchase<'a> {
    /// Sanitized HTML.
    pub html: &'a str,
    /// Points that the team pays, or has paid.
    pub cost: i64,
    /// True if the team takes the hint now, false if it can read it already.
    pub is_new: bool,
}

/// Reason why a team cannot take a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HintRefusal {
    /// The team could not solve the challenge now.
    #[error(transparent)]
    Challenge(#[from] Refusal),
    /// The challenge has no such hint.
    #[error("the challenge has no such hint")]
    UnknownHint,
    /// The hint is only announced.
    #[error("the hint is not released yet")]
    NotReleased,
    /// The team has not taken the hints that are required.
    #[error("the hint is locked for the team")]
    HintLocked,
    /// The hint costs more than the team agreed to pay.
    #[error("the hint costs more than the team agreed to pay")]
    CostChanged,
    /// The team has fewer points than the hint costs.
    #[error("the team has too few points")]
    PointsMissing,
}

impl HintRefusal {
    /// True if the hints that the team took, or its points, are the reason.
    pub fn depends_on_team(self) -> bool {
        matches!(self, Self::HintLocked | Self::CostChanged | Self::PointsMissing)
    }
}

/// Decides if `team` can take a hint at `at_ms`. `cost_max` is the highest cost that the team
/// accepts; `None` accepts any. The result is final only when the purchase is recorded, with the
/// time of its entry.
///
/// # Errors
/// The reason why the team cannot take the hint.
pub fn purchase<'a>(
    contest: &'a Contest,
    team: TeamId,
    challenge: &ChallengeId,
    hint: &str,
    cost_max: Option<i64>,
    at_ms: i64,
) -> Result<Purchase<'a>, HintRefusal> {
    let judged = contest.judge(team, challenge, at_ms);
    let is_solved = match judged {
        Ok(attempt) => !attempt.is_first(),
        // The team can submit no flag, but a hint that it took remains readable.
        Err(Refusal::Closed | Refusal::AttemptsUsed) => false,
        Err(refusal) => return Err(refusal.into()),
    };
    let index = contest.index_of(challenge).ok_or(Refusal::UnknownChallenge)?;
    let current: &Challenge = contest.challenge_at(index);
    let team_state = contest.team(team).ok_or(Refusal::NoTeam)?;
    let hint = current.hint(hint).ok_or(HintRefusal::UnknownHint)?;
    let html = hint.html.as_deref().ok_or(HintRefusal::NotReleased)?;
    let taken = |id: &str| team_state.taken_hint(index, id);
    if let Some(taken) = taken(&hint.id) {
        return Ok(Purchase { html, cost: contest.charged(team_state, taken), is_new: false });
    }
    // After the end, every hint is readable, and no points move.
    if !hint.must_be_taken() || contest.is_over() {
        return Ok(Purchase { html, cost: 0, is_new: false });
    }
    judged?;
    let is_open = |hint: &Hint| !hint.must_be_taken() && hint.html.is_some();
    let has = |id: &String| taken(id).is_some() || current.hint(id).is_some_and(is_open);
    if !hint.requirements.iter().all(has) {
        return Err(HintRefusal::HintLocked);
    }
    let cost = if is_solved { 0 } else { hint.cost };
    if cost_max.is_some_and(|cost_max| cost > cost_max) {
        return Err(HintRefusal::CostChanged);
    }
    let has_debt = contest.event().is_some_and(|event| event.hint_debt);
    if cost > 0 && !has_debt && view::own_points(contest, team) < cost {
        return Err(HintRefusal::PointsMissing);
    }
    Ok(Purchase { html, cost, is_new: true })
}
