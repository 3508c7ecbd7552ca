//! Acts of the command line, as operations.

use flagship_game::ChallengeId;
use flagship_store::ops::{Act, By, ChallengeAct, EventAct, Op, Order, TeamAct, TeamChange, What};

/// Does an act, without a reason.
pub fn command(act: Act) -> Op {
    let by = By::CommandLine;
    let what = What::Do(Box::new(act));
    let reason = String::new();
    Op::Act(Box::new(Order { by, what, reason, head: None }))
}

/// Changes the standing of a team.
pub fn change(team: &str, change: TeamChange) -> Op {
    command(Act::Team { team: team.to_owned(), act: TeamAct::Change(change) })
}

/// Gives a team points.
pub fn award(team: &str, points: i64) -> Op {
    change(team, TeamChange::Award { points })
}

/// Shows or hides a challenge.
pub fn show(challenge: &str, shown: bool) -> Op {
    let challenge = id(challenge);
    command(Act::Challenge(match shown {
        true => ChallengeAct::Release { challenges: vec![challenge], at_ms: None },
        false => ChallengeAct::Hide { challenge },
    }))
}

/// Withdraws the solve of a challenge by a team.
pub fn withdraw(team: &str, challenge: &str) -> Op {
    command(Act::WithdrawSolve { team: Some(team.to_owned()), challenge: id(challenge) })
}

/// Shows what the freeze hides, before the end too.
pub fn reveal() -> Op {
    command(Act::Event(EventAct::Reveal { is_confirmed: true }))
}

fn id(challenge: &str) -> ChallengeId {
    ChallengeId::parse(challenge).expect("an id")
}
