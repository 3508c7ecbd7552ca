//! Actions of the command line, as operations.

use flagship_actions::{Action, challenge, event, ready, solve, team};
use flagship_store::ops::{ActionCommand, ActionRequest, Caller, Op};

/// A confirmed action request of the command line, without a reason.
pub fn order(command: ActionCommand) -> ActionRequest {
    let reason = String::new();
    ActionRequest {
        by: Caller::CommandLine,
        command,
        reason,
        is_confirmed: true,
        head: None,
        key: None,
    }
}

/// Performs an action, without a reason.
pub fn command(action: impl Action) -> Op {
    Op::Action(Box::new(order(ActionCommand::Do(ready(action)))))
}

/// Bans a team.
pub fn ban(team: &str) -> Op {
    command(team::ban::Ban { team: team.to_owned() })
}

/// Lifts the ban of a team.
pub fn unban(team: &str) -> Op {
    command(team::unban::Unban { team: team.to_owned() })
}

/// Hides a team.
pub fn hide_team(team: &str) -> Op {
    command(team::hide::Hide::one(team.to_owned()))
}

/// Shows a hidden team again.
pub fn show_team(team: &str) -> Op {
    command(team::show::Show::one(team.to_owned()))
}

/// Awards points to a team.
pub fn award(team: &str, points: i64) -> Op {
    command(team::award::Award { team: team.to_owned(), points })
}

/// Shows or hides a challenge.
pub fn show(challenge: &str, shown: bool) -> Op {
    let challenge = challenge.to_owned();
    match shown {
        true => {
            let challenges = vec![challenge];
            command(challenge::release::Release { challenge: None, challenges, at: None })
        }
        false => {
            command(challenge::hide::Hide { challenge: Some(challenge), challenges: Vec::new() })
        }
    }
}

/// Withdraws the solve of a challenge by a team.
pub fn withdraw(team: &str, challenge: &str) -> Op {
    let team = Some(team.to_owned());
    command(solve::withdraw::Withdraw { team, challenge: challenge.to_owned() })
}

/// Reveals the results, even before the end.
pub fn reveal() -> Op {
    command(event::reveal::Reveal { name: String::new() })
}
