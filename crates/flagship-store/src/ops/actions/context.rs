//! The context in which an action is performed: its actor, its transaction, and the errors that
//! reject it.

use std::collections::BTreeSet;
use std::sync::Arc;

use flagship_game::facts::Fact;
use flagship_game::{ChallengeId, Contest, DivisionId, DivisionRules, Entry, TeamId};
use serde_json::Value;

use super::super::accounts::{enter, join};
use super::super::divisions::change as change_divisions;
use super::super::step::StepTx;
use crate::accounts::Account;
use crate::actions::COMMAND_LINE;
use crate::organizers::{Authorization, Role};
use crate::{Result, Seal, StoreError, Tx, actions, challenges};

/// Prefixes of the objects of actions about challenges.
const CHALLENGE_OBJECTS: [&str; 3] = ["challenge ", "text ", "status "];

/// Caller of an operation, with the credentials to check.
#[derive(Clone, Debug)]
pub enum Caller {
    /// An organizer; see [`Authorization`].
    Organizer {
        /// Digest of the session token or API token.
        pass: String,
        /// Roles, one of which is required.
        roles: &'static [Role],
        /// Earliest accepted time of the last two-factor authentication, in epoch milliseconds.
        proven_after_ms: Option<i64>,
        /// Actions that the caller may see in the audit log.
        sees: Vec<&'static str>,
    },
    /// A user with a shell on the machine.
    CommandLine,
}

impl Caller {
    /// Actions that the caller may see in the audit log; `None` for all.
    fn sees(&self) -> Option<&[&'static str]> {
        match self {
            Self::Organizer { sees, .. } => Some(sees),
            Self::CommandLine => None,
        }
    }

    /// Returns the actor if still authorized.
    pub(super) async fn check(&self, tx: &mut Tx, now_ms: i64) -> ActionResult<ActorContext> {
        let Self::Organizer { pass, roles, proven_after_ms, .. } = self else {
            let name = COMMAND_LINE.to_owned();
            return Ok(ActorContext { name, runs_the_contest: true, ..ActorContext::default() });
        };
        let authorization = Authorization { pass, roles, proven_after_ms: *proven_after_ms };
        let organizer = authorization.check(tx, now_ms).await?.map_err(|_| ActionError::Ended)?;
        let runs_the_contest = organizer.is(Role::Organizer) || organizer.is(Role::Owner);
        let is_author = |role: &&Role| **role == Role::Author;
        let by_others =
            roles.iter().filter(|role| !is_author(role)).any(|role| organizer.is(*role));
        let mut own_challenges = BTreeSet::new();
        if organizer.is(Role::Author) {
            own_challenges = organizer.rights.challenges;
        }
        let only_challenges = (!by_others).then(|| own_challenges.clone());
        Ok(ActorContext {
            name: organizer.name,
            organizer_id: Some(organizer.id),
            runs_the_contest,
            only_challenges,
            own_challenges,
        })
    }

    /// Returns the caller's name for the audit log; `None` if the session has ended or the role was
    /// removed.
    pub(crate) async fn name(&self, tx: &mut Tx, now_ms: i64) -> Result<Option<String>> {
        match self.check(tx, now_ms).await {
            Ok(actor) => Ok(Some(actor.name)),
            Err(ActionFailure::Rejected(_)) => Ok(None),
            Err(ActionFailure::Failed(error)) => Err(error),
        }
    }
}

/// Reason for rejecting an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionError {
    /// The session or token has ended, or the organizer lost the role.
    Ended,
    /// The organizer's roles do not allow the action.
    Role,
    /// No team has the name.
    NoTeam,
    /// An action about several objects is rejected because of one.
    Of {
        /// Name of the team or id of the challenge.
        object: String,
        /// The rejection of an action about this object alone.
        error: Box<Self>,
    },
    /// No action has the id.
    NoAction,
    /// Another action on the same object came first.
    Touched,
    /// Later actions on the same object must be undone first.
    Later {
        /// Ids of the later actions, newest first.
        actions: Vec<i64>,
    },
    /// The action changes nothing.
    Unchanged,
    /// The points are 0, or exceed the limit for one award or for all awards together.
    Points,
    /// The team has not solved the challenge.
    NotSolved,
    /// The team's address is not confirmed, or already confirmed.
    Standing,
    /// Another team has the address.
    AddressTaken,
    /// Another team has or had the name or a look-alike.
    NameTaken,
    /// The hourly limit of emails per address or organizer, or the daily limit of address changes,
    /// is reached.
    Mails,
    /// The daily limit of name changes and confirmations is reached, for an organizer who does not
    /// run the contest.
    Names,
    /// The hourly limit of messages to the team is reached.
    Messages,
    /// The challenge is not released or does not exist.
    NoChallenge,
    /// The challenge has no hint with the key.
    NoHint,
    /// The challenge already exists.
    ChallengeTaken,
    /// An author may not make changes that affect points.
    MovesPoints,
    /// Challenges or flags were modified by another program.
    Altered,
    /// No notice has the id.
    NoNotice,
    /// No question has the id.
    NoQuestion,
    /// No signup code has this text.
    NoCode,
    /// No division has the ID.
    NoDivision,
    /// Two divisions are in the same group.
    DivisionGroup,
    /// The time is outside of the event or in the future.
    Time,
    /// There is no event yet, or the event's name is missing.
    NoEvent,
    /// The times are not in order: start, freeze, end.
    Times,
    /// The scoreboard is not frozen.
    NotFrozen,
    /// The event has ended and waits for the reveal; changing the mode would reveal it.
    RevealWaits,
    /// The action needs a recent two-factor authentication, or the event's name as confirmation.
    Destructive,
    /// A team of the import has been active.
    Played,
    /// The idempotency key was used for the same request.
    Repeated,
    /// The idempotency key was used for another request.
    KeyReused,
    /// The action cannot be undone.
    NoUndo,
}

/// Failure of an action: a rejection or a database error.
pub enum ActionFailure {
    /// The action was rejected. Nothing was written.
    Rejected(ActionError),
    /// The database failed.
    Failed(StoreError),
}

impl From<ActionError> for ActionFailure {
    fn from(error: ActionError) -> Self {
        Self::Rejected(error)
    }
}

impl From<StoreError> for ActionFailure {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// Result of a step of an action.
pub type ActionResult<T> = std::result::Result<T, ActionFailure>;

/// The actor of an action.
#[derive(Default)]
pub struct ActorContext {
    /// Name in the audit log.
    pub name: String,
    /// The organizer; `None` for a command.
    pub organizer_id: Option<i64>,
    /// True for organizers, owners and the command line.
    pub runs_the_contest: bool,
    /// Challenges that the action may be about; `None` for any.
    pub only_challenges: Option<BTreeSet<ChallengeId>>,
    /// Challenges of which the actor is the author.
    pub own_challenges: BTreeSet<ChallengeId>,
}

/// An action under way, inside the transaction that records it.
pub struct Context<'s> {
    pub(super) step: &'s mut StepTx,
    pub(super) by: &'s Caller,
    pub(super) is_confirmed: bool,
    pub(super) head: Option<i64>,
    pub(super) actor: ActorContext,
    /// The objects that the action is about.
    pub(super) objects: Vec<String>,
    /// Last action, and last action about the same objects; `None` until read.
    pub(super) last: Option<actions::LastAction>,
    /// Additional members of the audit log entry: an object or null.
    pub(super) details: Value,
}

impl Context<'_> {
    /// The actor.
    pub fn actor(&self) -> &ActorContext {
        &self.actor
    }

    /// The contest in this transaction, including facts appended by this action.
    pub fn contest(&self) -> &Contest {
        self.step.contest()
    }

    /// The time of the transaction, in epoch milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.step.now_ms()
    }

    /// The transaction.
    pub fn tx(&mut self) -> &mut Tx {
        &mut self.step.tx
    }

    /// The event's seal.
    pub fn seal(&self) -> Arc<Seal> {
        self.step.seal.clone()
    }

    /// True if the actor may see an action in the audit log.
    pub fn may_read(&self, action: &str) -> bool {
        self.by.sees().is_none_or(|sees| sees.contains(&action))
    }

    /// Adds members to the audit log entry, beside the arguments.
    pub fn add_details(&mut self, details: Value) {
        self.details = details;
    }

    /// True if the actor confirmed a change that takes something from players or reveals frozen
    /// results.
    pub fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    /// Sets the objects of the action, at least one: `team 7`. Rejects the action if one was
    /// changed since the actor last saw it. Objects that the actor may not see are ignored, because
    /// the response would reveal them.
    pub async fn touch(
        &mut self,
        objects: impl IntoIterator<Item = impl Into<String>>,
    ) -> ActionResult<()> {
        self.objects = objects.into_iter().map(Into::into).collect();
        let known = self.objects.iter().filter(|object| self.knows_object(object));
        let known: Vec<String> = known.cloned().collect();
        let sees = self.by.sees();
        let last = actions::last_of_in(&mut self.step.tx, &known, sees).await?;
        let is_touched = self.head.is_some_and(|head| head != last.head);
        self.last = Some(last);
        if is_touched { Err(ActionError::Touched.into()) } else { Ok(()) }
    }

    /// Sets a new object as the only object of the action.
    pub fn touch_new(&mut self, object: String) {
        self.objects = vec![object];
    }

    /// True if the actor may know of an object. Authors may only know of their own challenges.
    pub fn knows_object(&self, object: &str) -> bool {
        let Some(own) = &self.actor.only_challenges else { return true };
        // Authors can only access questions about their own challenges, and no two questions share
        // an object.
        if object.starts_with("question ") {
            return true;
        }
        let id = CHALLENGE_OBJECTS.iter().find_map(|kind| object.strip_prefix(kind));
        id.and_then(|id| ChallengeId::parse(id).ok()).is_some_and(|id| own.contains(&id))
    }

    /// Rejects an author's action unless it is about one of their own challenges.
    pub fn check_scope(
        &self,
        challenge: Option<&ChallengeId>,
        rejection: ActionError,
    ) -> ActionResult<()> {
        let of = self.actor.only_challenges.as_ref();
        let is_theirs = of.is_none_or(|of| challenge.is_some_and(|id| of.contains(id)));
        if is_theirs { Ok(()) } else { Err(rejection.into()) }
    }

    /// Rejects a challenge that players cannot see, unless the actor is its author or runs the
    /// contest.
    pub fn check_known(&self, challenge: &ChallengeId) -> ActionResult<()> {
        let ActorContext { runs_the_contest, own_challenges, .. } = &self.actor;
        let is_seen = || self.step.contest().is_seen(challenge);
        let is_known = *runs_the_contest || own_challenges.contains(challenge) || is_seen();
        if is_known { Ok(()) } else { Err(ActionError::NoChallenge.into()) }
    }

    /// Appends a fact.
    ///
    /// # Errors
    /// Returns an internal error if the fold rejects the fact. Use [`Self::try_append`] where that
    /// can happen.
    pub fn append(&mut self, fact: impl Into<Fact>) -> ActionResult<()> {
        Ok(self.step.append(self.step.now_ms(), fact)?)
    }

    /// Appends a fact, or rejects the action if the fold rejects the fact.
    pub fn try_append(
        &mut self,
        fact: impl Into<Fact>,
        rejection: ActionError,
    ) -> ActionResult<()> {
        let fact = fact.into();
        self.check_fact(&fact, rejection)?;
        self.append(fact)
    }

    /// Rejects the action if the fold rejects a fact.
    pub fn check_fact(&self, fact: &Fact, rejection: ActionError) -> ActionResult<()> {
        let (contest, at_ms) = (self.step.contest(), self.step.now_ms());
        let entry = Entry { seq: contest.seq() + 1, at_ms, fact: fact.clone() };
        match contest.clone().fold(&entry) {
            Ok(_) => Ok(()),
            Err(_) => Err(rejection.into()),
        }
    }

    /// Confirms an account, unless it is confirmed, and records its team. A team on the waiting
    /// list is recorded when its turn comes.
    pub async fn join(&mut self, account: Account) -> ActionResult<()> {
        Ok(join(self.step, account).await?)
    }

    /// Takes a confirmed account off the waiting list and records its team.
    pub async fn admit(&mut self, account: Account) -> ActionResult<()> {
        Ok(enter(self.step, account).await?)
    }

    /// Replaces the divisions of an account, and records those of its team. `rules` are all
    /// divisions.
    pub async fn change_divisions(
        &mut self,
        team: TeamId,
        rules: &[DivisionRules],
        ids: &[DivisionId],
    ) -> ActionResult<()> {
        Ok(change_divisions(self.step, team, rules, ids).await?)
    }

    /// Makes all nodes reload the time of the next release or notice.
    pub async fn releases_changed(&mut self) -> ActionResult<()> {
        let revision = challenges::touch(&mut self.step.tx).await?;
        Ok(self.step.set_revision(revision).await?)
    }
}
