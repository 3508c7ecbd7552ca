//! Actions of the command line, as operations.

use flagship_game::ChallengeId;
use flagship_store::ops::{
    Action, By, ChallengeAction, EventAction, Op, Order, TeamAction, TeamChange, What,
};

/// Does an action, without a reason.
pub fn command(action: Action) -> Op {
    let by = By::CommandLine;
    let what = What::Do(Box::new(action));
    let reason = String::new();
    Op::Action(Box::new(Order { by, what, reason, head: None }))
}

/// Changes the standing of a team.
pub fn change(team: &str, change: TeamChange) -> Op {
    command(Action::Team { team: team.to_owned(), action: TeamAction::Change(change) })
}

/// Gives a team points.
pub fn award(team: &str, points: i64) -> Op {
    change(team, TeamChange::Award { points })
}

/// Shows or hides a challenge.
pub fn show(challenge: &str, shown: bool) -> Op {
    let challenge = id(challenge);
    command(Action::Challenge(match shown {
        true => ChallengeAction::Release { challenges: vec![challenge], at_ms: None },
        false => ChallengeAction::Hide { challenge },
    }))
}

/// Withdraws the solve of a challenge by a team.
pub fn withdraw(team: &str, challenge: &str) -> Op {
    command(Action::WithdrawSolve { team: Some(team.to_owned()), challenge: id(challenge) })
}

/// Shows what the freeze hides, before the end too.
pub fn reveal() -> Op {
    command(Action::Event(EventAction::Reveal { is_confirmed: true }))
}

fn id(challenge: &str) -> ChallengeId {
    ChallengeId::parse(challenge).expect("an id")
}
