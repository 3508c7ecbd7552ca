//! The operations of the lane: what each one checks and records, one file per family. A refused
//! operation writes nothing public.
//!
//! Outcomes are values. The commands and the server put them into words.

mod accounts;
mod actions;
mod actor;
pub mod backups;
mod commands;
mod files;
mod flags;
mod former;
mod import;
mod live;
mod plan;
mod privacy;
pub mod removal;
pub mod script_tokens;
mod step;
pub mod undo_data;

use flagship_game::contest::{Attempt, Refusal};
use flagship_game::{ChallengeId, TeamId};

use crate::Result;
use crate::accounts::{NewAccount, Signup};
pub use crate::actions::COMMAND_LINE;
pub use accounts::ConfirmError;
pub use actions::{
    Acted, ActionCommand, ActionError, ActionFailure, ActionResult, ActorContext, By, Context,
    IdempotencyKey, Order, OwnError, Perform, ReadUndo, Undo, Withdrawn, confirm_address,
    preview as preview_action, stop_address,
};
pub use actor::Actor;
pub use commands::COMMANDS;
pub use files::{Live, Plan};
pub use flags::Marks;
pub use former::text_object;
pub use import::{Import, ImportError, Imported, Invitation, Taken};
pub use live::{ChangedLive, LiveSource, former_times, live_sources};
pub(crate) use plan::preview_in;
pub use plan::{
    Apply, ChallengeChange, Destruction, Held, NotApplied, PlanStep, Preview, challenge_step,
    destructions, ends_wait, is_visible, preview,
};
pub use privacy::EraseError;
pub(crate) use step::{Known, SignedDrafts, StepTx};

/// An operation, and who asks for it.
#[derive(Clone)]
pub struct Request {
    /// Who asks.
    pub actor: Actor,
    /// What for.
    pub op: Op,
}

/// A change of public state.
#[derive(Clone)]
pub enum Op {
    /// A right flag, if the flags are still those it was judged by.
    Flag {
        /// Which team sent it.
        team: TeamId,
        /// For which challenge.
        challenge: ChallengeId,
        /// The digest of the exact flag that it is, or of the text that a pattern matched.
        digest: String,
        /// `challenges::revision` of the flags that it was judged by.
        revision: i64,
    },
    /// A wrong flag of the freeze, if the flags are still those it was judged by. It takes the work
    /// of a right one, so that timing does not tell the two apart.
    Wrong {
        /// Which team sent it.
        team: TeamId,
        /// For which challenge.
        challenge: ChallengeId,
        /// What is recorded of it.
        marks: Marks,
        /// Whether it is on record already.
        is_recorded: bool,
        /// `challenges::revision` of the flags that it was judged by.
        revision: i64,
    },
    /// A solve, whatever the flags are.
    Solve {
        /// Which team.
        team: TeamId,
        /// Which challenge.
        challenge: ChallengeId,
    },
    /// The confirmation of an e-mail address.
    Confirm {
        /// The token of the mailed link.
        token: String,
    },
    /// The signup of a team whose address needs no confirmation.
    SignUp {
        /// Its account.
        account: NewAccount,
        /// A digest of the network that it comes from.
        network: String,
    },
    /// Another country of a team, which asks for it itself.
    Country {
        /// Which team.
        team: TeamId,
        /// The digest of the token of the session in which it asks.
        session: String,
        /// The two-letter code.
        country: String,
    },
    /// Teams from a file, all or none.
    Import(Import),
    /// Makes the event and its challenges what the files say.
    Apply(Box<Plan>),
    /// An action of an organizer, which is recorded.
    Action(Box<Order>),
    /// Erases what is private about teams.
    Erase {
        /// Of which account; of all without one.
        account_id: Option<i64>,
        /// Whether also before the end.
        is_confirmed: bool,
        /// The caller.
        by: By,
    },
}

impl Op {
    /// Teams that the command line imports without mails.
    pub fn import(teams: Vec<NewAccount>) -> Self {
        Self::Import(Import { teams, mails: Vec::new(), by: By::CommandLine })
    }

    /// The operation as a request of `actor`.
    pub fn by(self, actor: Actor) -> Request {
        Request { actor, op: self }
    }
}

/// What became of an operation; the variant follows from the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Of [`Op::Solve`], and of [`Op::Flag`] unless its flags have changed.
    Solve(std::result::Result<Attempt, Refusal>),
    /// Of [`Op::Flag`] and [`Op::Wrong`]: the flags have changed, so it has to be judged again.
    Stale,
    /// Of [`Op::Wrong`]: it is recorded.
    Wrong(std::result::Result<(), Refusal>),
    /// Of [`Op::Confirm`]: the team that may log in now.
    Confirm(std::result::Result<TeamId, ConfirmError>),
    /// Of [`Op::SignUp`].
    SignUp(Signup),
    /// Of [`Op::Country`].
    Country(std::result::Result<(), OwnError>),
    /// Of [`Op::Import`].
    Import(std::result::Result<Imported, ImportError>),
    /// Of [`Op::Apply`].
    Apply(std::result::Result<Apply, NotApplied>),
    /// Of [`Op::Action`].
    Action(std::result::Result<Box<Acted>, ActionError>),
    /// Of [`Op::Erase`]: the number of rows.
    Erase(std::result::Result<u64, EraseError>),
}

impl Outcome {
    /// Whether an organizer's operation or a confirmation was refused. A flag, a signup, another
    /// country and an import have reasons of their own, which callers expect.
    pub fn is_refused(&self) -> bool {
        match self {
            Self::Confirm(done) => done.is_err(),
            Self::Apply(done) => done.is_err(),
            Self::Action(done) => done.is_err(),
            Self::Erase(done) => done.is_err(),
            Self::Solve(_) | Self::Stale | Self::Wrong(_) => false,
            Self::SignUp(_) | Self::Country(_) | Self::Import(_) => false,
        }
    }
}

/// Decides one operation within a step, and adds what it records to the step.
pub(crate) async fn decide(step: &mut StepTx, request: &Request) -> Result<Outcome> {
    step.actor = request.actor;
    Ok(match &request.op {
        Op::Flag { revision, .. } | Op::Wrong { revision, .. } if *revision != step.revision => {
            Outcome::Stale
        }
        Op::Wrong { team, challenge, marks, is_recorded, .. } => {
            Outcome::Wrong(flags::wrong(step, *team, challenge, marks.clone(), *is_recorded))
        }
        Op::Flag { team, challenge, digest, .. } => {
            Outcome::Solve(flags::solve(step, *team, challenge, Some(digest))?)
        }
        Op::Solve { team, challenge } => {
            Outcome::Solve(flags::solve(step, *team, challenge, None)?)
        }
        Op::Confirm { token } => Outcome::Confirm(accounts::confirm(step, token).await?),
        Op::SignUp { account, network } => {
            Outcome::SignUp(accounts::sign_up(step, account, network).await?)
        }
        Op::Country { team, session, country } => {
            Outcome::Country(actions::own::set_country(step, *team, session, country).await?)
        }
        Op::Import(teams) => Outcome::Import(import::import(step, teams).await?),
        Op::Apply(plan) => Outcome::Apply(plan::apply(step, plan).await?),
        Op::Action(order) => Outcome::Action(actions::run(step, order).await?.map(Box::new)),
        Op::Erase { account_id, is_confirmed, by } => {
            Outcome::Erase(privacy::erase(step, *account_id, *is_confirmed, by).await?)
        }
    })
}
