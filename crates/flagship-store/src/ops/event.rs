//! The event as a whole: its files are applied, and the freeze ends.

use flagship_game::entry::{Fact, Phase};
use flagship_game::{ChallengeId, Event};

use super::step::StepTx;
use crate::Result;
use crate::challenges::{self, Draft};

/// An event as its files say.
#[derive(Clone)]
pub struct Plan {
    /// Name, times, rules.
    pub event: Event,
    /// All challenges.
    pub challenges: Vec<Draft>,
}

/// One difference between a plan and the event as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStep {
    /// The first event of the journal.
    CreateEvent {
        /// Its name.
        name: String,
    },
    /// Another name, time or text of the event.
    ChangeEvent {
        /// Its new name.
        name: String,
    },
    /// Players will see a challenge that they do not see now.
    Release(ChallengeId),
    /// What players see of a challenge changes.
    Change(ChallengeId),
    /// Players will not see a challenge any more.
    Hide(ChallengeId),
    /// A new challenge that is not shown yet.
    AddUnseen(ChallengeId),
    /// A challenge that is not shown changes.
    ChangeUnseen(ChallengeId),
    /// Only the flags change.
    ChangeFlags(ChallengeId),
    /// A challenge is not in the files any more.
    Remove(ChallengeId),
}

/// What applying a plan did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apply {
    /// How many differences there were.
    pub changes: usize,
}

/// What a reveal did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// The final scoreboard is shown now.
    Now,
    /// It was shown already.
    Before,
}

/// The scoreboard is not frozen, so there is nothing to reveal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scoreboard is not frozen")]
pub struct NotFrozen;

pub(super) fn reveal(step: &mut StepTx) -> Result<std::result::Result<Revealed, NotFrozen>> {
    if step.contest().reached(Phase::Reveal) {
        return Ok(Ok(Revealed::Before));
    }
    if !step.contest().reached(Phase::Freeze) {
        return Ok(Err(NotFrozen));
    }
    let now_ms = step.now_ms();
    step.append(now_ms, Fact::Phase { phase: Phase::Reveal })?;
    Ok(Ok(Revealed::Now))
}

pub(super) async fn apply(step: &mut StepTx, plan: &Plan) -> Result<Apply> {
    // Read once: a challenge released between two readings would never be on record.
    let now_ms = step.now_ms();
    let differences = difference(step, plan, now_ms).await?;
    let changes = differences.len();
    for fact in differences.into_iter().filter_map(|(_, fact)| fact) {
        step.append(now_ms, fact)?;
    }
    let released: Vec<bool> =
        plan.challenges.iter().map(|draft| is_visible(draft, now_ms)).collect();
    let revision = challenges::replace(&mut step.tx, &plan.challenges, &released).await?;
    step.seal.sign_flags(&mut step.tx).await?;
    step.set_revision(revision).await?;
    Ok(Apply { changes })
}

fn is_visible(draft: &Draft, now_ms: i64) -> bool {
    !draft.hidden && draft.release_at_ms.is_none_or(|time| time <= now_ms)
}

/// What applying a plan changes, each with the fact to record if it is public.
pub(crate) async fn difference(
    step: &mut StepTx,
    plan: &Plan,
    now_ms: i64,
) -> Result<Vec<(PlanStep, Option<Fact>)>> {
    let current = challenges::all_in(&mut step.tx).await?;
    let contest = step.contest();
    let mut steps = Vec::new();
    if contest.event().map(|event| &**event) != Some(&plan.event) {
        let name = plan.event.name.clone();
        let change = match contest.event() {
            Some(_) => PlanStep::ChangeEvent { name },
            None => PlanStep::CreateEvent { name },
        };
        steps.push((change, Some(Fact::Event { event: plan.event.clone() })));
    }
    for draft in &plan.challenges {
        let (new, id) = (&draft.challenge, draft.challenge.id.clone());
        let before = current.iter().find(|before| before.challenge.id == id);
        let published = contest.challenge(&id).filter(|_| contest.is_released(&id));
        let release = || Some(Fact::Challenge { challenge: new.clone() });
        steps.extend(match (is_visible(draft, now_ms), published) {
            (true, None) => Some((PlanStep::Release(id), release())),
            (true, Some(old)) if **old != *new => Some((PlanStep::Change(id), release())),
            (false, Some(_)) => {
                let challenge = id.clone();
                Some((PlanStep::Hide(id), Some(Fact::Withdrawn { challenge })))
            }
            _ => match before {
                None => Some((PlanStep::AddUnseen(id), None)),
                Some(before) if before.flags != draft.flags => {
                    Some((PlanStep::ChangeFlags(id), None))
                }
                Some(before) if before != draft => Some((PlanStep::ChangeUnseen(id), None)),
                Some(_) => None,
            },
        });
    }
    for before in &current {
        let id = &before.challenge.id;
        if plan.challenges.iter().any(|draft| draft.challenge.id == *id) {
            continue;
        }
        let fact = contest.is_released(id).then(|| Fact::Withdrawn { challenge: id.clone() });
        steps.push((PlanStep::Remove(id.clone()), fact));
    }
    Ok(steps)
}
