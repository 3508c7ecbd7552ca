//! Operations of the lane, one file per family. A rejected operation writes nothing public.
//!
//! Outcomes are values. The commands and the server turn them into messages.

mod accounts;
mod actions;
mod actor;
pub mod backups;
mod commands;
mod divisions;
mod files;
mod flags;
mod former;
mod hints;
mod import;
pub mod join_cards;
mod live;
mod plan;
mod privacy;
pub mod removal;
pub mod script_tokens;
mod step;
pub mod undo_data;

use flagship_game::contest::{Attempt, Progress, Refusal};
use flagship_game::division::DivisionChoice;
use flagship_game::{ChallengeId, HintRefusal, TeamId};

use crate::Result;
use crate::accounts::NewAccount;
pub use crate::actions::COMMAND_LINE;
use crate::signups::waiting_list::Capacity;
use crate::signups::{Signup, SignupDetails};
pub use accounts::{AdmissionMail, ConfirmError, Confirmation};
pub use actions::{
    ActionCommand, ActionError, ActionFailure, ActionRequest, ActionResult, ActorContext, Caller,
    Context, IdempotencyKey, OwnDivisionsError, OwnError, Perform, PerformedAction, ReadUndo, Undo,
    WithdrawnSolve, confirm_address, preview as preview_action, stop_address,
};
pub use actor::Actor;
pub use commands::COMMANDS;
pub use divisions::DivisionChange;
pub use files::{LiveEditChoices, NeedsFactor, Plan};
use flags::Judged;
pub use flags::{FlagDigests, attempt_text};
pub use former::text_object;
pub use hints::ReadableHint;
pub use import::{Import, ImportError, Imported, Invitation, NameConflict};
pub use live::{LiveConflict, LiveSource, former_times, live_sources, times_edit};
pub(crate) use plan::preview_in;
pub use plan::{
    Apply, ApplyError, ChallengeChange, Destruction, OverriddenChallenge, PlanStep, Preview,
    challenge_step, destructions, ends_wait, is_visible, preview,
};
pub use privacy::EraseError;
pub(crate) use step::{SignedDrafts, StepTx, WriterCache};

/// An operation and its actor.
#[derive(Clone)]
pub struct Request {
    /// The actor.
    pub actor: Actor,
    /// The operation.
    pub op: Op,
}

/// A change of public state.
#[derive(Clone)]
pub enum Op {
    /// A correct submission, unless the flags have changed since it was judged.
    Flag {
        /// The team.
        team: TeamId,
        /// The challenge.
        challenge: ChallengeId,
        /// Digest of the matching exact flag, or of the text that a pattern matched.
        digest: String,
        /// IDs of the matching flags among those that the challenge needs; empty if one flag solves
        /// it.
        needed: Vec<String>,
        /// `challenges::revision` of the flags against which it was judged.
        revision: i64,
    },
    /// An incorrect submission during the freeze, or for a challenge that limits attempts, unless
    /// the flags have changed since it was judged. Takes the same work as a correct one, so that
    /// timing does not distinguish them.
    Wrong {
        /// The team.
        team: TeamId,
        /// The challenge.
        challenge: ChallengeId,
        /// Recorded digests and origin.
        digests: FlagDigests,
        /// True if the submission is already recorded.
        is_recorded: bool,
        /// `challenges::revision` of the flags against which it was judged.
        revision: i64,
    },
    /// A solve, regardless of the flags.
    Solve {
        /// The team.
        team: TeamId,
        /// The challenge.
        challenge: ChallengeId,
    },
    /// A team's choice of its own divisions.
    Divisions {
        /// The team.
        team: TeamId,
        /// Digest of the session token, which must still be valid.
        session: String,
        /// The choice.
        choice: Box<DivisionChoice>,
    },
    /// A hint that a team takes.
    Hint {
        /// The team.
        team: TeamId,
        /// The challenge.
        challenge: ChallengeId,
        /// ID of the hint.
        hint: String,
        /// Highest cost that the team accepts; `None` accepts any.
        cost_max: Option<i64>,
    },
    /// The confirmation of an email address.
    Confirm {
        /// Token of the emailed link.
        token: String,
        /// Rules about the number of teams.
        capacity: Capacity,
    },
    /// The signup of a team whose address needs no confirmation.
    SignUp {
        /// The new account.
        account: NewAccount,
        /// Data of the signup besides the account.
        details: SignupDetails,
        /// Rules about the number of teams.
        capacity: Capacity,
    },
    /// Gives free places to the waiting teams that are next, as far as their emails are written.
    Admit {
        /// Rules about the number of teams.
        capacity: Capacity,
        /// Emails to the teams.
        mails: Vec<AdmissionMail>,
    },
    /// A country change requested by the team.
    Country {
        /// The team.
        team: TeamId,
        /// Digest of the session token.
        session: String,
        /// Two-letter country code.
        country: String,
    },
    /// An import of teams from a file, all or none.
    Import(Import),
    /// Applies the event files.
    Apply(Box<Plan>),
    /// An organizer's action, which is recorded in the audit log.
    Action(Box<ActionRequest>),
    /// Erases private data of teams.
    Erase {
        /// The account; `None` for all.
        account_id: Option<i64>,
        /// True to erase even before the end of the event.
        is_confirmed: bool,
        /// The caller.
        by: Caller,
    },
}

impl Op {
    /// Imports teams from the command line, without emails.
    pub fn import(teams: Vec<NewAccount>) -> Self {
        Self::Import(Import { teams, mails: Vec::new(), by: Caller::CommandLine })
    }

    /// Returns the operation as a request of `actor`.
    pub fn by(self, actor: Actor) -> Request {
        Request { actor, op: self }
    }
}

/// Outcome of an operation. The variant follows from the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Outcome of [`Op::Solve`], and of [`Op::Flag`] unless its flags have changed.
    Solve(std::result::Result<Attempt, Refusal>),
    /// Outcome of [`Op::Flag`] if the challenge needs further flags: the team's progress.
    Found(Progress),
    /// Outcome of [`Op::Flag`] and [`Op::Wrong`] if the flags have changed, so that it must be
    /// judged again.
    Stale,
    /// Outcome of [`Op::Wrong`]: recorded.
    Wrong(std::result::Result<(), Refusal>),
    /// Outcome of [`Op::Hint`].
    Hint(std::result::Result<ReadableHint, HintRefusal>),
    /// Outcome of [`Op::Confirm`]: the team.
    Confirm(std::result::Result<Confirmation, ConfirmError>),
    /// Outcome of [`Op::Admit`]: the number of teams.
    Admit(usize),
    /// Outcome of [`Op::SignUp`].
    SignUp(Signup),
    /// Outcome of [`Op::Country`].
    Country(std::result::Result<(), OwnError>),
    /// Outcome of [`Op::Divisions`].
    Divisions(std::result::Result<(), OwnDivisionsError>),
    /// Outcome of [`Op::Import`].
    Import(std::result::Result<Imported, ImportError>),
    /// Outcome of [`Op::Apply`].
    Apply(std::result::Result<Apply, ApplyError>),
    /// Outcome of [`Op::Action`].
    Action(std::result::Result<Box<PerformedAction>, ActionError>),
    /// Outcome of [`Op::Erase`]: the number of rows.
    Erase(std::result::Result<u64, EraseError>),
}

impl Outcome {
    /// True if an organizer's operation or a confirmation was rejected. Rejections of submissions,
    /// signups, country changes and imports are normal outcomes for callers.
    pub fn is_refused(&self) -> bool {
        match self {
            Self::Confirm(done) => done.is_err(),
            Self::Apply(done) => done.is_err(),
            Self::Action(done) => done.is_err(),
            Self::Erase(done) => done.is_err(),
            Self::Solve(_) | Self::Found(_) | Self::Stale | Self::Wrong(_) | Self::Hint(_) => false,
            Self::SignUp(_) | Self::Admit(_) | Self::Country(_) | Self::Import(_) => false,
            Self::Divisions(_) => false,
        }
    }
}

/// Decides one operation within a step, and adds its records to the step.
pub(crate) async fn decide(step: &mut StepTx, request: &Request) -> Result<Outcome> {
    step.actor = request.actor;
    Ok(match &request.op {
        Op::Flag { revision, .. } | Op::Wrong { revision, .. } if *revision != step.revision => {
            Outcome::Stale
        }
        Op::Wrong { team, challenge, digests, is_recorded, .. } => {
            let digests = digests.clone();
            Outcome::Wrong(flags::wrong(step, *team, challenge, digests, *is_recorded)?)
        }
        Op::Flag { team, challenge, digest, needed, .. } => {
            match flags::submit(step, *team, challenge, digest, needed)? {
                Judged::Solve(solve) => Outcome::Solve(solve),
                Judged::Found(progress) => Outcome::Found(progress),
            }
        }
        Op::Solve { team, challenge } => {
            Outcome::Solve(flags::solve(step, *team, challenge, None)?)
        }
        Op::Hint { team, challenge, hint, cost_max } => {
            Outcome::Hint(hints::take(step, *team, challenge, hint, *cost_max)?)
        }
        Op::Confirm { token, capacity } => {
            Outcome::Confirm(accounts::confirm(step, token, *capacity).await?)
        }
        Op::SignUp { account, details, capacity } => {
            Outcome::SignUp(accounts::sign_up(step, account, details, *capacity).await?)
        }
        Op::Admit { capacity, mails } => {
            Outcome::Admit(accounts::admit(step, *capacity, mails).await?)
        }
        Op::Country { team, session, country } => {
            Outcome::Country(actions::own::set_country(step, *team, session, country).await?)
        }
        Op::Divisions { team, session, choice } => {
            Outcome::Divisions(actions::own::set_divisions(step, *team, session, choice).await?)
        }
        Op::Import(teams) => Outcome::Import(import::import(step, teams).await?),
        Op::Apply(plan) => Outcome::Apply(plan::apply(step, plan).await?),
        Op::Action(order) => Outcome::Action(actions::run(step, order).await?.map(Box::new)),
        Op::Erase { account_id, is_confirmed, by } => {
            Outcome::Erase(privacy::erase(step, *account_id, *is_confirmed, by).await?)
        }
    })
}
