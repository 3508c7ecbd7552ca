//! Messages for the outcomes of operations.

use anyhow::{Context, Result, bail};
use flagship_actions::{ArgumentError, Rejection};
use flagship_game::ChallengeId;
use flagship_game::contest::AWARD_MAX;
use flagship_store::lane::Writer;
use flagship_store::ops::{
    ActionError, Actor, ImportError, NameConflict, Op, Outcome, PerformedAction,
};

use crate::output::counted;

/// Runs an operation as the command line.
pub async fn perform(writer: &mut Writer, op: Op) -> Result<Outcome> {
    let mut step = writer.step(&[op.by(Actor::CommandLine)]).await?;
    step.outcomes.pop().context("the journal writer returned no outcome")
}

/// Returns an error for an outcome of a different operation.
pub fn unexpected<T>(outcome: &Outcome) -> Result<T> {
    bail!("the journal writer returned {outcome:?}")
}

/// A performed action, or the reason for its rejection.
pub type ActionResult = std::result::Result<PerformedAction, ActionError>;

/// Message for a team that was banned, unbanned, hidden or unhidden.
pub fn team_message(name: &str, action: &str, done: ActionResult) -> Result<String> {
    let state = match action {
        "team.ban" => "is banned",
        "team.unban" => "is no longer banned",
        "team.hide" => "is hidden",
        _ => "is no longer hidden",
    };
    Ok(match done {
        Ok(_) => format!("{name:?} {state}"),
        Err(ActionError::Unchanged) if action == "team.unban" => format!("{name:?} is not banned"),
        Err(ActionError::Unchanged) if action == "team.show" => format!("{name:?} is not hidden"),
        Err(ActionError::Unchanged) => {
            format!("{name:?} {}", state.replacen("is ", "is already ", 1))
        }
        Err(error) => bail!(action_error_message(&error)),
    })
}

/// Message for an award to a team, by its stored name.
pub fn award_message(name: &str, points: i64, done: ActionResult) -> Result<String> {
    match done {
        Ok(acted) => {
            let total = acted.after.team_named(name).map_or(0, |team| team.award);
            Ok(format!("{} awarded; total award {total}", counted(points, "point", "points")))
        }
        Err(ActionError::Points) if (1..=AWARD_MAX).contains(&points.saturating_abs()) => {
            bail!("a team's total award cannot exceed {AWARD_MAX} points")
        }
        Err(ActionError::Points) => {
            bail!("an award must be between 1 and {AWARD_MAX} points, or negative to deduct")
        }
        Err(error) => bail!(action_error_message(&error)),
    }
}

pub fn withdrawal_message(name: &str, id: &ChallengeId, done: ActionResult) -> Result<String> {
    match done {
        Ok(_) => Ok(format!("withdrew the solve of {id} by {name:?}")),
        Err(ActionError::NotSolved) => {
            bail!("{name:?} has not solved {id}; list its solves with `flagship export solves`")
        }
        Err(error) => bail!(action_error_message(&error)),
    }
}

/// Message for a released or hidden challenge.
pub fn challenge_message(id: &ChallengeId, shown: bool, done: &ActionResult) -> Result<String> {
    let state = if shown { "released" } else { "hidden" };
    Ok(match done {
        Ok(acted) if acted.before.is_released(id) == shown => format!("{id} is already {state}"),
        Err(ActionError::Unchanged) => format!("{id} is already {state}"),
        Ok(acted) if shown && !acted.after.is_shown(id) => {
            format!("{id} is released; players see it once its requirements are released")
        }
        Ok(_) => format!("{id} is {state}"),
        Err(error) => bail!(action_error_message(error)),
    })
}

/// Message for challenges that were hidden because they require a hidden one.
pub fn dependents_message(gone: &[ChallengeId]) -> Option<String> {
    let ids: Vec<&str> = gone.iter().map(ChallengeId::as_str).collect();
    match ids[..] {
        [] => None,
        [id] => Some(format!("{id} requires it, so it is hidden too, with its points")),
        _ => Some(format!(
            "{} require it, so they are hidden too, with their points",
            ids.join(", ")
        )),
    }
}

pub fn reveal_message(done: ActionResult) -> Result<&'static str> {
    match done {
        Ok(_) => Ok("the final scoreboard is revealed"),
        Err(ActionError::Unchanged) => Ok("already revealed"),
        Err(ActionError::Destructive) => bail!(
            "the event has not ended. Revealing shows everyone the hidden solves and cannot be \
            undone. Wait for the end, or use `flagship reveal --force`"
        ),
        Err(error) => bail!(action_error_message(&error)),
    }
}

/// Message for an action that could not be prepared.
pub fn rejection_message(action: &str, rejection: &Rejection) -> String {
    let words = match rejection {
        Rejection::Argument(ArgumentError::ReasonMissing) => {
            return format!("{action} needs a reason: add --reason TEXT");
        }
        Rejection::Shape(error) => error.to_string(),
        Rejection::Argument(error) => error.to_string(),
        Rejection::Name(error) => error.to_string(),
        Rejection::Email(error) => format!("the address {error}"),
        Rejection::Action(error) => action_error_message(error),
        Rejection::Edit(words) => words.clone(),
        Rejection::Problems(problems) | Rejection::Settings(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            lines.join("; ")
        }
        Rejection::Of { object, rejection } => {
            return rejection_message(&format!("{action}: {object}"), rejection);
        }
        Rejection::Store(error) => error.to_string(),
    };
    format!("{action}: {words}")
}

pub fn action_error_message(error: &ActionError) -> String {
    match error {
        ActionError::Later { actions } => {
            let undo: Vec<String> =
                actions.iter().map(|id| format!("`flagship actions undo {id}`")).collect();
            return format!(
                "later actions affect the same object; undo them first, in this order: {}",
                undo.join(", ")
            );
        }
        ActionError::Of { object, error } => {
            return format!("{object}: {}", action_error_message(error));
        }
        ActionError::Points => {
            return format!(
                "an award must be between 1 and {AWARD_MAX} points (or negative), and so must the \
                team's total"
            );
        }
        ActionError::Ended => "internal error: a command was refused for its session",
        ActionError::Repeated | ActionError::KeyReused => {
            "internal error: a command was refused for its idempotency key"
        }
        ActionError::NoTeam => "no team with this name; list all with `flagship team list`",
        ActionError::Role => "internal error: a command was refused for its roles",
        ActionError::ChallengeTaken => {
            "this challenge already exists; edit it with `flagship action challenge.edit`"
        }
        ActionError::NoHint => "the challenge has no hint with this key",
        ActionError::MovesPoints => "authors cannot change anything that affects points",
        ActionError::Altered => {
            "another program changed challenges or flags; run `flagship apply --event DIR` to \
            rewrite them"
        }
        ActionError::NoAction => "no action with this ID; list all with `flagship actions`",
        ActionError::Touched => "someone else changed it in the meantime; run the command again",
        ActionError::Unchanged => "nothing to change",
        ActionError::NotSolved => {
            "the team has not solved it; list all solves with `flagship export solves`"
        }
        ActionError::Standing => {
            "the team's email is already confirmed, or not confirmed yet, or the team is on the \
            waiting list; check with `flagship team list`"
        }
        ActionError::AddressTaken => "another team uses this email address",
        ActionError::NameTaken => "this name, or one like it, is or was used by another team",
        ActionError::Mails => {
            "too many emails to this address in the last hour, or too many address changes today; \
            wait and try again"
        }
        ActionError::Names => "many teams were renamed or confirmed today; wait",
        ActionError::Messages => "the team got 20 messages in the last hour; wait",
        ActionError::NoChallenge => {
            "no released challenge with this ID; list all with `flagship challenge list`"
        }
        ActionError::NoNotice => "no notice with this ID; find it with `flagship actions`",
        ActionError::NoQuestion => "no open question with this ID",
        ActionError::NoCode => "no such signup code; list all with `flagship code list`",
        ActionError::NoDivision => "no such division; event.toml lists them as `[[divisions]]`",
        ActionError::DivisionGroup => "two of the divisions are in the same group; choose one",
        ActionError::Time => "the time must be between the event start and now",
        ActionError::NoEvent => "the event has no name yet; set it with `event.name`",
        ActionError::Times => "start, freeze and end must be in that order",
        ActionError::NotFrozen => {
            "the scoreboard is not frozen, so there is nothing to reveal; see `flagship status`"
        }
        ActionError::RevealWaits => {
            "the event has ended, and this would reveal the final scoreboard; use `flagship reveal`"
        }
        ActionError::Destructive => {
            "this takes something from players, releases challenges early or reveals frozen \
             results; add --force to do it anyway"
        }
        ActionError::Played => {
            "a team of this import has played, so the import stays; ban or hide single teams"
        }
        ActionError::NoUndo => "this cannot be undone",
    }
    .to_owned()
}

pub fn import_error_message(error: ImportError) -> &'static str {
    match error {
        ImportError::NameTaken { conflict: NameConflict::InImport, .. } => {
            "another team in this file has this name or one that looks like it"
        }
        ImportError::NameTaken { conflict: NameConflict::InDatabase, .. } => {
            "a team with this name, or one that looks like it, already exists"
        }
        ImportError::Ended => "the session has ended",
    }
}
