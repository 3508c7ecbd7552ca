//! What all actions are done with: who acts, what refuses an action, and the step that it is part
//! of.

use std::collections::BTreeSet;

use flagship_game::facts::Fact;
use flagship_game::{ChallengeId, Entry};
use serde_json::Value;

use super::super::commands::COMMAND_LINE;
use super::super::step::StepTx;
use crate::organizers::{Role, Standing};
use crate::{Result, StoreError, Tx, actions, challenges};

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
    /// Name of the caller for the record; `None` if their session has ended, or their role.
    pub(crate) async fn name(&self, tx: &mut Tx, now_ms: i64) -> Result<Option<String>> {
        match self {
            Self::CommandLine => Ok(Some(COMMAND_LINE.to_owned())),
            Self::Organizer { pass, roles, proven_after_ms, .. } => {
                let standing = Standing { pass, roles, proven_after_ms: *proven_after_ms };
                Ok(standing.check(tx, now_ms).await?.ok().map(|organizer| organizer.name))
            }
        }
    }
}

/// Why an action is not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The session or token of whoever asks has ended, or they lost the role.
    #[error("the session has ended")]
    Ended,
    /// Their roles do not have it.
    #[error("the roles of whoever asks do not have it")]
    Role,
    /// No team has the name.
    #[error("no team has this name")]
    NoTeam,
    /// No action has the id.
    #[error("no action has this id")]
    NoAction,
    /// Somebody did something with the same object meanwhile.
    #[error("somebody did something with it meanwhile")]
    Touched,
    /// Later actions about the same object have to be taken back first.
    #[error("later actions have to be taken back first")]
    Later {
        /// Their ids, the newest first.
        actions: Vec<i64>,
    },
    /// It is so already, or finds nothing to do.
    #[error("there is nothing to change")]
    Unchanged,
    /// The points are 0, or more than an award may be either way, alone or together.
    #[error("the points are out of range")]
    Points,
    /// The team has not solved the challenge.
    #[error("the team has not solved the challenge")]
    NotSolved,
    /// The team has not confirmed its address, or has already.
    #[error("the team is not confirmed, or is already")]
    Standing,
    /// Another team has the address.
    #[error("another team has the address")]
    AddressTaken,
    /// Another team has the name or a look-alike, or had it.
    #[error("another team has the name or a look-alike")]
    NameTaken,
    /// So many mails went to the address, or were caused by the organizer, in an hour; or so many
    /// changes of an address were made in a day.
    #[error("many mails were sent")]
    Mails,
    /// The organizer, who does not run the contest, gave or confirmed many names in a day.
    #[error("many names were given or confirmed")]
    Names,
    /// The team got the maximum number of messages in an hour.
    #[error("many messages were sent to the team")]
    Messages,
    /// The challenge is not released, or no challenge has the id.
    #[error("no challenge of the event has this id")]
    NoChallenge,
    /// There is such a challenge already.
    #[error("there is such a challenge already")]
    ChallengeTaken,
    /// An author changes what moves points.
    #[error("only those who run the contest change what moves points")]
    MovesPoints,
    /// Another program changed challenges or flags.
    #[error("another program changed challenges or flags")]
    Altered,
    /// No notice has the id.
    #[error("no notice has this id")]
    NoNotice,
    /// No question has the id.
    #[error("no question has this id")]
    NoQuestion,
    /// The time is not within the event, or in the future.
    #[error("the time is not within the event so far")]
    Time,
    /// There is no event yet, or its name is missing.
    #[error("the event has no name yet")]
    NoEvent,
    /// The times do not follow each other: start, freeze, end.
    #[error("the times do not follow each other")]
    Times,
    /// The scoreboard is not frozen, so there is nothing to reveal.
    #[error("the scoreboard is not frozen")]
    NotFrozen,
    /// The event has ended and waits for the reveal, which another mode would do in passing.
    #[error("the event has ended, and only a reveal shows the final scoreboard")]
    RevealWaits,
    /// It needs a recent proof of the second factor, or the event's name.
    #[error("it takes something from players, or shows what the freeze hides")]
    Destructive,
    /// A team of the import has played.
    #[error("a team of the import has played")]
    Played,
    /// What was done does not come back.
    #[error("what was done does not come back")]
    NoUndo,
}

/// Why an action stops: it is refused, or the database fails.
pub(super) enum Stop {
    Refused(ActionError),
    Failed(StoreError),
}

impl From<ActionError> for Stop {
    fn from(error: ActionError) -> Self {
        Self::Refused(error)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

pub(super) type Acting<T> = std::result::Result<T, Stop>;

impl By {
    /// Whoever it is, while they may do it.
    pub(super) async fn check(&self, tx: &mut Tx, now_ms: i64) -> Acting<Who> {
        let Self::Organizer { pass, roles, proven_after_ms, .. } = self else {
            let name = COMMAND_LINE.to_owned();
            return Ok(Who {
                name,
                runs_the_contest: true,
                is_command: true,
                only_challenges: None,
                own_challenges: BTreeSet::new(),
            });
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
        let name = organizer.name;
        Ok(Who { name, runs_the_contest, is_command: false, only_challenges, own_challenges })
    }
}

/// Who acts.
pub(super) struct Who {
    pub(super) name: String,
    pub(super) runs_the_contest: bool,
    /// True for a command, which has no second factor.
    pub(super) is_command: bool,
    /// The challenges that it may be about; any without them.
    pub(super) only_challenges: Option<BTreeSet<ChallengeId>>,
    /// The challenges of which they are an author.
    pub(super) own_challenges: BTreeSet<ChallengeId>,
}

/// An action under way.
pub(super) struct Actions<'s> {
    pub(super) step: &'s mut StepTx,
    /// The actions whose records they see.
    pub(super) sees: Vec<&'static str>,
    pub(super) who: Who,
    /// The last action about the same objects when they were looked at, if that matters.
    pub(super) wanted_head: Option<i64>,
    /// The last action, with the last one about the same objects, once they are read.
    pub(super) last: Option<actions::Last>,
    /// What is recorded with the arguments: an object, or null.
    pub(super) details: Value,
}

impl Actions<'_> {
    /// Refuses the action if one of its objects was touched since it was looked at. Objects of
    /// which the actor does not know do not matter: the answer would reveal them.
    pub(super) async fn check_head(&mut self, objects: &[String]) -> Acting<()> {
        let known = objects.iter().filter(|object| self.knows_object(object));
        let known: Vec<String> = known.cloned().collect();
        let last = actions::last_of_in(&mut self.step.tx, &known, &self.sees).await?;
        let is_touched = self.wanted_head.is_some_and(|head| head != last.head);
        self.last = Some(last);
        if is_touched { Err(ActionError::Touched.into()) } else { Ok(()) }
    }

    /// True if the actor may know of an object: for an author, own challenges alone.
    pub(super) fn knows_object(&self, object: &str) -> bool {
        let Some(own) = &self.who.only_challenges else { return true };
        // An author reaches questions about own challenges alone, and only the same question
        // shares one.
        if object.starts_with("question ") {
            return true;
        }
        let id = CHALLENGE_OBJECTS.iter().find_map(|kind| object.strip_prefix(kind));
        id.and_then(|id| ChallengeId::parse(id).ok()).is_some_and(|id| own.contains(&id))
    }

    /// Refuses what is not about a challenge of an author.
    pub(super) fn check_scope(
        &self,
        challenge: Option<&ChallengeId>,
        refused: ActionError,
    ) -> Acting<()> {
        let of = self.who.only_challenges.as_ref();
        let is_theirs = of.is_none_or(|of| challenge.is_some_and(|id| of.contains(id)));
        if is_theirs { Ok(()) } else { Err(refused.into()) }
    }

    /// Refuses a challenge of which the actor does not know: one that players do not see, unless
    /// they are its author or run the contest.
    pub(super) fn check_known(&self, challenge: &ChallengeId) -> Acting<()> {
        let Who { runs_the_contest, own_challenges, .. } = &self.who;
        let is_seen = || self.step.contest().is_seen(challenge);
        let is_known = *runs_the_contest || own_challenges.contains(challenge) || is_seen();
        if is_known { Ok(()) } else { Err(ActionError::NoChallenge.into()) }
    }

    /// Appends a fact, or refuses the action if the fold does not take it.
    pub(super) fn try_append(&mut self, fact: impl Into<Fact>, refused: ActionError) -> Acting<()> {
        let fact = fact.into();
        self.check_fact(&fact, refused)?;
        Ok(self.step.append(self.step.now_ms(), fact)?)
    }

    /// Refuses the action if the fold does not take a fact.
    pub(super) fn check_fact(&self, fact: &Fact, refused: ActionError) -> Acting<()> {
        let (contest, at_ms) = (self.step.contest(), self.step.now_ms());
        let entry = Entry { seq: contest.seq() + 1, at_ms, fact: fact.clone() };
        match contest.clone().fold(&entry) {
            Ok(_) => Ok(()),
            Err(_) => Err(refused.into()),
        }
    }

    /// Lets all nodes read again what is due.
    pub(super) async fn releases_changed(&mut self) -> Acting<()> {
        let revision = challenges::touch(&mut self.step.tx).await?;
        Ok(self.step.set_revision(revision).await?)
    }
}
