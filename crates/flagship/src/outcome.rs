//! The outcomes of operations in words, for the person at the command line.

use anyhow::{Result, bail};
use flagship_game::ChallengeId;
use flagship_game::contest::AWARD_MAX;
use flagship_store::ops::{
    Apply, ImportError, NoChallenge, NotApplied, Outcome, RevealError, Revealed, Shown, Taken,
    TeamChange, TeamDone, TeamError, WithdrawError,
};

use crate::say::counted;

/// What an operation did, or why it was refused.
pub type Words = std::result::Result<String, String>;

/// Fails: an operation has the outcome of another.
pub fn unexpected<T>(outcome: &Outcome) -> Result<T> {
    bail!("the lane answered {outcome:?}")
}

/// What a change of a team did.
pub fn of_team(
    name: &str,
    change: &TeamChange,
    done: std::result::Result<TeamDone, TeamError>,
) -> Words {
    let state = match change {
        TeamChange::Ban => "is banned",
        TeamChange::Unban => "is not banned any more",
        TeamChange::Hide => "is hidden",
        TeamChange::Show => "is shown",
        TeamChange::Award { .. } => "has the award",
    };
    match done {
        Ok(TeamDone::Changed) => Ok(format!("{name:?} {state}")),
        Ok(TeamDone::Unchanged) if *change == TeamChange::Unban => {
            Ok(format!("{name:?} is not banned"))
        }
        Ok(TeamDone::Unchanged) => Ok(format!("{name:?} {state} already")),
        Ok(TeamDone::Awarded { points, total }) => {
            Ok(format!("{} awarded; {total} in all", counted(points, "point", "points")))
        }
        Err(TeamError::NoTeam) => Err(no_team(name)),
        Err(TeamError::PointsOutOfRange) => Err(format!(
            "an award is 1 to {AWARD_MAX} points, or as many taken; give another number"
        )),
        Err(TeamError::TotalOutOfRange) => {
            Err(format!("all awards of a team together are at most {AWARD_MAX} points; give fewer"))
        }
    }
}

/// What the withdrawal of a solve did.
pub fn of_withdrawal(
    name: &str,
    id: &ChallengeId,
    done: std::result::Result<(), WithdrawError>,
) -> Words {
    match done {
        Ok(()) => Ok(format!("the solve of {id} by {name:?} is withdrawn")),
        Err(WithdrawError::NoTeam) => Err(no_team(name)),
        Err(WithdrawError::NotSolved) => Err(format!(
            "{name:?} has not solved {id}; `flagship export solves` lists what it has solved"
        )),
    }
}

fn no_team(name: &str) -> String {
    format!("no team is called {name:?}; `flagship team list` shows all names")
}

/// What showing or hiding a challenge did.
pub fn of_challenge(
    id: &ChallengeId,
    shown: bool,
    done: std::result::Result<Shown, NoChallenge>,
) -> Words {
    let state = if shown { "released" } else { "hidden" };
    match done {
        Ok(Shown::Changed) => Ok(format!("{id} is {state}")),
        Ok(Shown::Unchanged) => Ok(format!("{id} is {state} already")),
        Ok(Shown::AwaitsRequirements) => {
            Ok(format!("{id} is released; players see it once its requirements are"))
        }
        Err(NoChallenge) => Err(format!(
            "no challenge has the id {:?}; `flagship challenge list` shows all ids",
            id.as_str()
        )),
    }
}

/// The challenges that disappear with one, because they require it.
pub fn of_dependents(gone: &[ChallengeId]) -> Option<String> {
    let ids: Vec<&str> = gone.iter().map(ChallengeId::as_str).collect();
    match ids[..] {
        [] => None,
        [id] => Some(format!("{id} requires it, and is hidden too, with its points")),
        _ => Some(format!("{} require it, and are hidden too, with their points", ids.join(", "))),
    }
}

/// What a reveal did.
pub fn of_reveal(done: std::result::Result<Revealed, RevealError>) -> Words {
    match done {
        Ok(Revealed::Now) => Ok("the final scoreboard is revealed".to_owned()),
        Ok(Revealed::Before) => Ok("everything is revealed already".to_owned()),
        Err(RevealError::NotFrozen) => {
            Err("the scoreboard is not frozen, so there is nothing to reveal; `flagship status` \
                 shows the times"
                .to_owned())
        }
        Err(RevealError::Running) => {
            Err("the event has not ended: a reveal would show everyone what the freeze hides, and \
             cannot be undone; wait for the end, or `flagship reveal --force`"
                .to_owned())
        }
    }
}

/// Why an account of an import is refused.
pub fn of_import(error: ImportError) -> &'static str {
    match error.taken {
        Taken::InImport => "a team with this or a look-alike name is in this file",
        Taken::InDatabase => "a team with this or a look-alike name is already there",
    }
}

/// How many differences were applied, or why none was.
pub fn of_apply(done: std::result::Result<Apply, NotApplied>) -> Words {
    match done {
        Ok(Apply { changes: 0 }) => Ok("nothing to change".to_owned()),
        Ok(Apply { changes: 1 }) => Ok("1 change applied".to_owned()),
        Ok(Apply { changes }) => Ok(format!("{changes} changes applied")),
        Err(error) => Err(of_not_applied(error)),
    }
}

/// Why nothing was applied.
pub fn of_not_applied(error: NotApplied) -> String {
    let destructions = match error {
        NotApplied::Unconfirmed { destructions } => destructions,
        NotApplied::ChangedLive { .. } => {
            return "nothing was applied: somebody changed challenges meanwhile; try again"
                .to_owned();
        }
    };
    let changes = counted(destructions, "change is destructive", "changes are destructive");
    format!("nothing was applied: {changes}; if all is meant, add `--confirm {destructions}`")
}
