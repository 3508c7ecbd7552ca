//! The outcomes of operations in words, for the person at the command line.

use anyhow::{Context, Result, bail};
use flagship_actions::{ArgumentError, Rejection};
use flagship_game::ChallengeId;
use flagship_game::contest::AWARD_MAX;
use flagship_store::lane::Writer;
use flagship_store::ops::{
    Acted, ActionError, Actor, Apply, ImportError, NotApplied, Op, Outcome, Taken,
};

use crate::say::counted;

/// Does an operation of the command line.
pub async fn perform(writer: &mut Writer, op: Op) -> Result<Outcome> {
    let mut step = writer.step(&[op.by(Actor::CommandLine)]).await?;
    step.outcomes.pop().context("the lane answered nothing")
}

/// Fails: an operation has the outcome of another.
pub fn unexpected<T>(outcome: &Outcome) -> Result<T> {
    bail!("the lane answered {outcome:?}")
}

/// A performed action, or the error that refused it.
pub type Done = std::result::Result<Acted, ActionError>;

/// Words for a ban of a team, for its end, or for a team that is hidden or shown.
pub fn of_team(name: &str, action: &str, done: Done) -> Result<String> {
    let state = match action {
        "team.ban" => "is banned",
        "team.unban" => "is not banned any more",
        "team.hide" => "is hidden",
        _ => "is shown",
    };
    Ok(match done {
        Ok(_) => format!("{name:?} {state}"),
        Err(ActionError::Unchanged) if action == "team.unban" => format!("{name:?} is not banned"),
        Err(ActionError::Unchanged) => format!("{name:?} {state} already"),
        Err(error) => bail!(of_refusal(&error)),
    })
}

/// Words for an award to the team that is kept by a name.
pub fn of_award(name: &str, points: i64, done: Done) -> Result<String> {
    match done {
        Ok(acted) => {
            let total = acted.after.team_named(name).map_or(0, |team| team.award);
            Ok(format!("{} awarded; {total} in all", counted(points, "point", "points")))
        }
        Err(ActionError::Points) if (1..=AWARD_MAX).contains(&points.saturating_abs()) => {
            bail!("all awards of a team together are at most {AWARD_MAX} points; give fewer")
        }
        Err(ActionError::Points) => {
            bail!("an award is 1 to {AWARD_MAX} points, or as many taken; give another number")
        }
        Err(error) => bail!(of_refusal(&error)),
    }
}

pub fn of_withdrawal(name: &str, id: &ChallengeId, done: Done) -> Result<String> {
    match done {
        Ok(_) => Ok(format!("the solve of {id} by {name:?} is withdrawn")),
        Err(ActionError::NotSolved) => {
            bail!("{name:?} has not solved {id}; `flagship export solves` lists what it has solved")
        }
        Err(error) => bail!(of_refusal(&error)),
    }
}

/// What showing or hiding a challenge did.
pub fn of_challenge(id: &ChallengeId, shown: bool, done: &Done) -> Result<String> {
    let state = if shown { "released" } else { "hidden" };
    Ok(match done {
        Ok(acted) if acted.before.is_released(id) == shown => format!("{id} is {state} already"),
        Err(ActionError::Unchanged) => format!("{id} is {state} already"),
        Ok(acted) if shown && !acted.after.is_shown(id) => {
            format!("{id} is released; players see it once its requirements are")
        }
        Ok(_) => format!("{id} is {state}"),
        Err(error) => bail!(of_refusal(error)),
    })
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

pub fn of_reveal(done: Done) -> Result<&'static str> {
    match done {
        Ok(_) => Ok("the final scoreboard is revealed"),
        Err(ActionError::Unchanged) => Ok("everything is revealed already"),
        Err(ActionError::Destructive) => bail!(
            "the event has not ended: a reveal would show everyone what the freeze hides, and \
             cannot be undone; wait for the end, or `flagship reveal --force`"
        ),
        Err(error) => bail!(of_refusal(&error)),
    }
}

/// The reason for which the action with this name was not prepared.
pub fn of_rejection(action: &str, rejection: &Rejection) -> String {
    let words = match rejection {
        Rejection::Argument(ArgumentError::ReasonMissing) => {
            return format!("{action} needs a reason, which is recorded: add --reason TEXT");
        }
        Rejection::Shape(error) => error.to_string(),
        Rejection::Argument(error) => error.to_string(),
        Rejection::Name(error) => error.to_string(),
        Rejection::Email(error) => format!("the address {error}"),
        Rejection::Action(error) => of_refusal(error),
        Rejection::Edit(words) => words.clone(),
        Rejection::Problems(problems) | Rejection::Settings(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            lines.join("; ")
        }
        Rejection::Store(error) => error.to_string(),
    };
    format!("{action}: {words}")
}

pub fn of_refusal(error: &ActionError) -> String {
    match error {
        ActionError::Later { actions } => {
            let undo: Vec<String> =
                actions.iter().map(|id| format!("`flagship actions undo {id}`")).collect();
            return format!(
                "later actions about the same stand; take them back first, in this order: {}",
                undo.join(", ")
            );
        }
        ActionError::Points => {
            return format!(
                "an award is 1 to {AWARD_MAX} points, or as many taken, and all of a team together \
                 are no more; give another number"
            );
        }
        ActionError::Ended => "a command has no session, and yet was refused for it",
        ActionError::Repeated | ActionError::KeyReused => {
            "a command sends no key, and yet was refused for it"
        }
        ActionError::NoTeam => "no team has this name; `flagship team list` shows all names",
        ActionError::Role => "a command may do everything, and yet was refused for its roles",
        ActionError::ChallengeTaken => {
            "there is such a challenge already; `flagship action challenge.edit` changes it"
        }
        ActionError::MovesPoints => "that moves points, which an author may not do",
        ActionError::Altered => {
            "another program changed challenges or flags; `flagship apply --event DIR` writes them \
             anew"
        }
        ActionError::NoAction => "no action has this id; `flagship actions` lists all",
        ActionError::Touched => "somebody did something with it meanwhile; run the command again",
        ActionError::Unchanged => "there is nothing to change",
        ActionError::NotSolved => "it is not solved; `flagship export solves` lists what is",
        ActionError::Standing => {
            "that is for teams that have confirmed their e-mail, or for those that have not; \
             `flagship team list` shows which is which"
        }
        ActionError::AddressTaken => "another team has this address",
        ActionError::NameTaken => "another team has this name or a look-alike, or had it",
        ActionError::Mails => {
            "many mails went to the address in the last hour, or were caused by commands, or its \
             address was changed often today; wait"
        }
        ActionError::Names => "many teams were renamed or confirmed today; wait",
        ActionError::Messages => "the team got 20 messages in the last hour; wait",
        ActionError::NoChallenge => {
            "no challenge that is released has this id; `flagship challenge list` shows all"
        }
        ActionError::NoNotice => {
            "no notice has this id; `flagship actions` lists those that were posted"
        }
        ActionError::NoQuestion => "no question has this id, or it is answered or closed",
        ActionError::Time => "the time is not between the start of the event and now",
        ActionError::NoEvent => "the event has no name yet; `event.name` gives it one",
        ActionError::Times => "start, freeze and end do not follow each other",
        ActionError::NotFrozen => {
            "the scoreboard is not frozen, so there is nothing to reveal; `flagship status` shows \
             the times"
        }
        ActionError::RevealWaits => {
            "the event has ended, and this would show the final scoreboard; `flagship reveal` does"
        }
        ActionError::Destructive => {
            "that takes something from players, shows challenges before their time, or shows what \
             the freeze hides; if it is meant, add --force"
        }
        ActionError::Played => {
            "a team of this import has played, so the import stays; ban or hide single teams"
        }
        ActionError::NoUndo => "what was done does not come back",
    }
    .to_owned()
}

pub fn of_import(error: ImportError) -> &'static str {
    match error {
        ImportError::Taken { taken: Taken::InImport, .. } => {
            "a team with this or a look-alike name is in this file"
        }
        ImportError::Taken { taken: Taken::InDatabase, .. } => {
            "a team with this or a look-alike name is already there"
        }
        ImportError::Ended => "the session has ended",
    }
}

/// How many differences were applied, or why none was.
pub fn of_apply(done: std::result::Result<Apply, NotApplied>) -> Result<String> {
    match done {
        Ok(Apply { changes: 0 }) => Ok("nothing to change".to_owned()),
        Ok(Apply { changes }) => Ok(counted(changes, "change applied", "changes applied")),
        Err(error) => bail!(of_not_applied(error)),
    }
}

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
