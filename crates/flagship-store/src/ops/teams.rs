//! What organizers do to a team: its standing, its awards, its solves.

use flagship_game::contest::AWARD_MAX;
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Contest, Entry, TeamId};

use super::step::StepTx;
use crate::{Result, sessions};

/// A change of a team's standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TeamChange {
    /// Removes the team from every board, forbids its logins and ends its sessions.
    Ban,
    /// Undoes a ban.
    Unban,
    /// Removes the team from every board but its own.
    Hide,
    /// Undoes hiding.
    Show,
    /// Gives the team points, or takes them.
    Award {
        /// How many; negative ones are taken.
        points: i64,
        /// Why.
        reason: String,
    },
}

/// What a change of a team did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamDone {
    /// The team's standing has changed.
    Changed,
    /// The team's standing was the one asked for already.
    Unchanged,
    /// The team's award has changed.
    Awarded {
        /// The points given or taken.
        points: i64,
        /// The award in all.
        total: i64,
    },
}

/// Why a change of a team is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    /// The journal has no team of this name.
    #[error("no team has this name")]
    NoTeam,
    /// The points are 0, or more than [`AWARD_MAX`] either way.
    #[error("the points are out of range")]
    PointsOutOfRange,
    /// The award in all would be more than [`AWARD_MAX`] either way.
    #[error("the award in all would be out of range")]
    TotalOutOfRange,
}

/// Why a solve is not withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawError {
    /// The journal has no team of this name.
    #[error("no team has this name")]
    NoTeam,
    /// The team has not solved the challenge.
    #[error("the team has not solved the challenge")]
    NotSolved,
}

type Changed = std::result::Result<TeamDone, TeamError>;

pub(super) async fn change(step: &mut StepTx, name: &str, change: &TeamChange) -> Result<Changed> {
    let Some(id) = step.contest().team_named(name).map(|team| team.id) else {
        return Ok(Err(TeamError::NoTeam));
    };
    let fact = match fact_of(step.contest(), id, change) {
        Ok(fact) => fact,
        Err(error) => return Ok(Err(error)),
    };
    if *change == TeamChange::Ban {
        step.tx.also_lock_accounts().await?;
        let now_ms = step.now_ms();
        sessions::revoke_all_in(&mut step.tx, id.0, now_ms).await?;
    }
    let Some(fact) = fact else { return Ok(Ok(TeamDone::Unchanged)) };
    let now_ms = step.now_ms();
    step.append(now_ms, fact)?;
    Ok(Ok(match change {
        TeamChange::Award { points, .. } => {
            let total = step.contest().team(id).map_or(0, |team| team.award);
            TeamDone::Awarded { points: *points, total }
        }
        _ => TeamDone::Changed,
    }))
}

/// The fact that a change of a team records; `None` if its standing is so already.
pub(super) fn fact_of(
    contest: &Contest,
    id: TeamId,
    change: &TeamChange,
) -> std::result::Result<Option<Fact>, TeamError> {
    let team = contest.team(id).ok_or(TeamError::NoTeam)?;
    let (banned, hidden) = match change {
        TeamChange::Ban => (true, team.hidden),
        TeamChange::Unban => (false, team.hidden),
        TeamChange::Hide => (team.banned, true),
        TeamChange::Show => (team.banned, false),
        TeamChange::Award { points, reason } => {
            let fits = |points: &i64| (-AWARD_MAX..=AWARD_MAX).contains(points);
            if *points == 0 || !fits(points) {
                return Err(TeamError::PointsOutOfRange);
            }
            let total = team.award.checked_add(*points).filter(fits);
            total.ok_or(TeamError::TotalOutOfRange)?;
            let (points, reason) = (*points, reason.clone());
            return Ok(Some(Fact::Award { team: id, points, reason }));
        }
    };
    let is_changed = (team.banned, team.hidden) != (banned, hidden);
    Ok(is_changed.then_some(Fact::TeamState { team: id, banned, hidden }))
}

pub(super) async fn withdraw(
    step: &mut StepTx,
    name: &str,
    id: &ChallengeId,
) -> Result<std::result::Result<(), WithdrawError>> {
    let Some(team) = step.contest().team_named(name).map(|team| team.id) else {
        return Ok(Err(WithdrawError::NoTeam));
    };
    let now_ms = step.now_ms();
    let fact = Fact::SolveWithdrawn { team, challenge: id.clone() };
    let entry = Entry { seq: step.contest().seq() + 1, at_ms: now_ms, fact };
    if step.contest().clone().fold(&entry).is_err() {
        return Ok(Err(WithdrawError::NotSolved));
    }
    step.delete_solve_row(team, id).await?;
    step.append(now_ms, entry.fact)?;
    Ok(Ok(()))
}
