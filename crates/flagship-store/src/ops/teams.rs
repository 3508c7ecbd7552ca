//! What organizers do to a team: its standing, its awards, its solves.

use flagship_game::contest::AWARD_MAX;
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Entry, TeamId};

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
    let Some(team) = step.contest().team_named(name) else { return Ok(Err(TeamError::NoTeam)) };
    let (id, before) = (team.id, (team.banned, team.hidden));
    let (banned, hidden) = match change {
        TeamChange::Ban => (true, before.1),
        TeamChange::Unban => (false, before.1),
        TeamChange::Hide => (before.0, true),
        TeamChange::Show => (before.0, false),
        TeamChange::Award { points, reason } => return award(step, id, *points, reason),
    };
    if *change == TeamChange::Ban {
        step.tx.also_lock_accounts().await?;
        let now_ms = step.now_ms();
        sessions::revoke_all_in(&mut step.tx, id.0, now_ms).await?;
    }
    if before == (banned, hidden) {
        return Ok(Ok(TeamDone::Unchanged));
    }
    let now_ms = step.now_ms();
    step.append(now_ms, Fact::TeamState { team: id, banned, hidden })?;
    Ok(Ok(TeamDone::Changed))
}

fn award(step: &mut StepTx, team: TeamId, points: i64, reason: &str) -> Result<Changed> {
    let fits = |points: &i64| (-AWARD_MAX..=AWARD_MAX).contains(points);
    if points == 0 || !fits(&points) {
        return Ok(Err(TeamError::PointsOutOfRange));
    }
    let before = step.contest().team(team).map_or(0, |team| team.award);
    let Some(total) = before.checked_add(points).filter(fits) else {
        return Ok(Err(TeamError::TotalOutOfRange));
    };
    let now_ms = step.now_ms();
    step.append(now_ms, Fact::Award { team, points, reason: reason.to_owned() })?;
    Ok(Ok(TeamDone::Awarded { points, total }))
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
