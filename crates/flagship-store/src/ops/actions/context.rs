//! The context in which an action is performed: its actor, its transaction, and the errors that
//! reject it.

use std::collections::BTreeSet;
use std::sync::Arc;

use flagship_game::facts::Fact;
use flagship_game::{ChallengeId, Contest, Entry};
use serde_json::Value;

use super::super::accounts::join;
use super::super::step::StepTx;
use crate::accounts::Account;
use crate::actions::COMMAND_LINE;
use crate::organizers::{Role, Standing};
use crate::{Result, Seal, StoreError, Tx, actions, challenges};

/// Prefixes of the objects of actions about challenges.
const CHALLENGE_OBJECTS: [&str; 3] = ["challenge ", "text ", "status "];

/// Who does something.
#[derive(Clone, Debug)]
pub enum By {
    /// An organizer, as in [`Standing`].
    Organizer {
        /// The digest of the token of their session, or of the one for scripts.
        pass: String,
        /// The roles of which they need one.
        roles: &'static [Role],
        /// Since when they must have given the second factor, in epoch milliseconds.
        proven_after_ms: Option<i64>,
        /// The actions whose records they see.
        sees: Vec<&'static str>,
    },
    /// Whoever has a shell on the machine.
    CommandLine,
}

impl By {
    /// Names of the actions whose records the actor may read; `None` for all.
    fn sees(&self) -> Option<&[&'static str]> {
        match self {
            Self::Organizer { sees, .. } => Some(sees),
            Self::CommandLine => None,
        }
    }

    /// The actor, while they may perform the action.
    pub(super) async fn check(&self, tx: &mut Tx, now_ms: i64) -> ActionResult<ActorContext> {
        let Self::Organizer { pass, roles, proven_after_ms, .. } = self else {
            let name = COMMAND_LINE.to_owned();
            return Ok(ActorContext { name, runs_the_contest: true, ..ActorContext::default() });
        };
        let standing = Standing { pass, roles, proven_after_ms: *proven_after_ms };
        let organizer = standing.check(tx, now_ms).await?.map_err(|_| ActionError::Ended)?;
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

    /// Name of the caller for the record; `None` if their session has ended, or their role.
    pub(crate) async fn name(&self, tx: &mut Tx, now_ms: i64) -> Result<Option<String>> {
        match self.check(tx, now_ms).await {
            Ok(actor) => Ok(Some(actor.name)),
            Err(ActionFailure::Rejected(_)) => Ok(None),
            Err(ActionFailure::Failed(error)) => Err(error),
        }
    }
}

/// Why an action is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionError {
    /// The session or token of whoever asks has ended, or they lost the role.
    Ended,
    /// Their roles do not have it.
    Role,
    /// No team has the name.
    NoTeam,
    /// No action has the id.
    NoAction,
    /// Somebody did something with the same object meanwhile.
    Touched,
    /// Later actions about the same object have to be taken back first.
    Later {
        /// Their ids, the newest first.
        actions: Vec<i64>,
    },
    /// It is so already, or finds nothing to do.
    Unchanged,
    /// The points are 0, or more than an award may be either way, alone or together.
    Points,
    /// The team has not solved the challenge.
    NotSolved,
    /// The team has not confirmed its address, or has already.
    Standing,
    /// Another team has the address.
    AddressTaken,
    /// Another team has the name or a look-alike, or had it.
    NameTaken,
    /// So many mails went to the address, or were caused by the organizer, in an hour; or so many
    /// changes of an address were made in a day.
    Mails,
    /// The organizer, who does not run the contest, gave or confirmed many names in a day.
    Names,
    /// The team got the maximum number of messages in an hour.
    Messages,
    /// The challenge is not released, or no challenge has the id.
    NoChallenge,
    /// There is such a challenge already.
    ChallengeTaken,
    /// An author changes what moves points.
    MovesPoints,
    /// Another program changed challenges or flags.
    Altered,
    /// No notice has the id.
    NoNotice,
    /// No question has the id.
    NoQuestion,
    /// The time is not within the event, or in the future.
    Time,
    /// There is no event yet, or its name is missing.
    NoEvent,
    /// The times do not follow each other: start, freeze, end.
    Times,
    /// The scoreboard is not frozen, so there is nothing to reveal.
    NotFrozen,
    /// The event has ended and waits for the reveal, which another mode would do in passing.
    RevealWaits,
    /// It needs a recent proof of the second factor, or the event's name.
    Destructive,
    /// A team of the import has played.
    Played,
    /// The request was done before: its key was used for it.
    Repeated,
    /// The key was used for another request.
    KeyReused,
    /// What was done does not come back.
    NoUndo,
}

/// Failure of an action: it is rejected, or the database fails.
pub enum ActionFailure {
    /// The action is rejected; nothing was written.
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
    /// True for organizers, owners and commands.
    pub runs_the_contest: bool,
    /// The challenges that the action may be about; any if `None`.
    pub only_challenges: Option<BTreeSet<ChallengeId>>,
    /// The challenges of an author.
    pub own_challenges: BTreeSet<ChallengeId>,
}

/// An action under way, inside the transaction that records it.
pub struct Context<'s> {
    pub(super) step: &'s mut StepTx,
    pub(super) by: &'s By,
    pub(super) is_confirmed: bool,
    pub(super) head: Option<i64>,
    pub(super) actor: ActorContext,
    /// The objects that the action is about.
    pub(super) objects: Vec<String>,
    /// The last action, with the last one about the same objects, once they are read.
    pub(super) last: Option<actions::Last>,
    /// Members that the record has beside the arguments: an object, or null.
    pub(super) details: Value,
}

impl Context<'_> {
    /// The actor.
    pub fn actor(&self) -> &ActorContext {
        &self.actor
    }

    /// The contest as the transaction sees it, with the facts that this action appended.
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

    /// The seal of the event.
    pub fn seal(&self) -> Arc<Seal> {
        self.step.seal.clone()
    }

    /// True if the actor may read the records of an action.
    pub fn may_read(&self, action: &str) -> bool {
        self.by.sees().is_none_or(|sees| sees.contains(&action))
    }

    /// Adds members to the record beside the arguments.
    pub fn add_details(&mut self, details: Value) {
        self.details = details;
    }

    /// True if the actor means what takes something from players, or shows what the freeze hides.
    pub fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    /// Makes these, at least one, the objects of the action: `team 7`. Rejects the action if one
    /// was touched since the actor looked at it. Objects that the actor may not know of do not
    /// count: the answer would reveal them.
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

    /// Makes a new object the one of the action.
    pub fn touch_new(&mut self, object: String) {
        self.objects = vec![object];
    }

    /// True if the actor may know of an object: for an author, own challenges alone.
    pub fn knows_object(&self, object: &str) -> bool {
        let Some(own) = &self.actor.only_challenges else { return true };
        // An author reaches questions about own challenges alone, and only the same question
        // shares one.
        if object.starts_with("question ") {
            return true;
        }
        let id = CHALLENGE_OBJECTS.iter().find_map(|kind| object.strip_prefix(kind));
        id.and_then(|id| ChallengeId::parse(id).ok()).is_some_and(|id| own.contains(&id))
    }

    /// Rejects an author's action unless it is about an own challenge.
    pub fn check_scope(
        &self,
        challenge: Option<&ChallengeId>,
        rejection: ActionError,
    ) -> ActionResult<()> {
        let of = self.actor.only_challenges.as_ref();
        let is_theirs = of.is_none_or(|of| challenge.is_some_and(|id| of.contains(id)));
        if is_theirs { Ok(()) } else { Err(rejection.into()) }
    }

    /// Rejects a challenge that the actor may not know of: one that players do not see, unless the
    /// actor is its author or runs the contest.
    pub fn check_known(&self, challenge: &ChallengeId) -> ActionResult<()> {
        let ActorContext { runs_the_contest, own_challenges, .. } = &self.actor;
        let is_seen = || self.step.contest().is_seen(challenge);
        let is_known = *runs_the_contest || own_challenges.contains(challenge) || is_seen();
        if is_known { Ok(()) } else { Err(ActionError::NoChallenge.into()) }
    }

    /// Appends a fact.
    ///
    /// # Errors
    /// Fails as an internal error if the fold rejects the fact: use [`Self::try_append`] where that
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

    /// Confirms an account, unless it is confirmed, and records its team.
    pub async fn join(&mut self, account: Account) -> ActionResult<()> {
        Ok(join(self.step, account).await?)
    }

    /// Makes all nodes read again when the next release or notice is due.
    pub async fn releases_changed(&mut self) -> ActionResult<()> {
        let revision = challenges::touch(&mut self.step.tx).await?;
        Ok(self.step.set_revision(revision).await?)
    }
}
