//! Interface of an action: one struct whose fields are its arguments, its audit record and its
//! schema, with associated constants.

use std::future::Future;
use std::sync::Arc;

use flagship_game::ChallengeId;
use flagship_pack::Problem;
use flagship_store::ops::{ActionResult, Context, Perform, Undo};
use flagship_store::organizers::Role;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::messages::Phrase;
use crate::rejection::Rejection;

/// Maximum age of the two-factor authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Passed once in the session; API tokens are exempt.
    Once,
    /// Passed within the last minutes; never satisfied by an API token.
    Again,
}

/// Permission rule of an action: its name and the roles that may perform it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Name on the wire: `team.ban`.
    pub name: &'static str,
    /// Roles that may perform the action.
    pub roles: &'static [Role],
    /// Maximum age of the two-factor authentication.
    pub factor: Factor,
}

/// Roles that help teams.
pub const HELPERS: &[Role] = &[Role::Support, Role::Organizer, Role::Owner];
/// Roles that help teams, plus authors for their own challenges.
pub const WRITERS_AND_HELPERS: &[Role] =
    &[Role::Author, Role::Support, Role::Organizer, Role::Owner];
/// Roles that write challenges.
pub const AUTHORS: &[Role] = &[Role::Author, Role::Organizer, Role::Owner];
/// Roles that run the contest.
pub const RUNNERS: &[Role] = &[Role::Organizer, Role::Owner];
/// The role that owns the event.
pub const OWNERS: &[Role] = &[Role::Owner];

/// An action that organizers and commands can perform.
///
/// Every check that can reject an action comes before the first write of
/// [`perform`](Self::perform).
pub trait Action: Serialize + DeserializeOwned + ToSchema + Send + Sync + 'static {
    /// Name of the action and the roles that may perform it.
    const RULE: Rule;
    /// True if the action requires a reason.
    const NEEDS_REASON: bool = false;
    /// True if teams can gain or lose points or ranks.
    const MOVES_TEAMS: bool = false;
    /// True if the action can be announced to players in the same dialog.
    const CAN_BE_ANNOUNCED: bool = false;
    /// True if [`prepare`](Self::prepare) renders Markdown, which is slow.
    const RENDERS: bool = false;
    /// True if the action reads or changes an email address, a session or a link.
    const IS_ABOUT_AN_ACCOUNT: bool = false;
    /// Lists that the action can change, besides the audit log.
    const LISTS: &'static [List] = OF_CONTEST;
    /// Data that undoes the action; [`Never`] if it cannot be undone.
    type Undo: UndoData;

    /// Checks the arguments and does the work that needs no transaction: rendering Markdown,
    /// composing emails, generating codes.
    fn prepare(&mut self, _desk: &Desk) -> impl Future<Output = Result<Extras, Rejection>> + Send {
        async { Ok(Extras::default()) }
    }

    /// Performs the action in the transaction that records it, and returns its undo data.
    fn perform(
        &self,
        context: &mut Context<'_>,
    ) -> impl Future<Output = ActionResult<Option<Self::Undo>>> + Send;

    /// Message key of the action in the audit log, given its recorded arguments.
    fn key(_arguments: &Value) -> &'static str {
        Self::RULE.name
    }

    /// Audit log phrase of the action, given its recorded arguments.
    fn phrase(arguments: &Value) -> Phrase {
        Phrase::new(Self::key(arguments), arguments)
    }
}

/// Results of preparing an action.
#[derive(Default)]
pub struct Extras {
    /// Code to show once.
    pub code: Option<String>,
    /// New signup codes.
    pub codes: Vec<String>,
    /// Digests of the uploaded files that the action uses.
    pub files: Vec<String>,
    /// Warnings about the description of a challenge or the text of a page.
    pub problems: Vec<Problem>,
}

/// Data that undoes an action, stored sealed beside its record.
pub trait UndoData: Serialize + DeserializeOwned + Send + 'static {
    /// False if actions of this kind cannot be undone.
    const EXISTS: bool = true;

    /// The challenge that the action changed, for the permission check of authors. `None` rejects
    /// every author.
    fn challenge(&self) -> Option<ChallengeId> {
        None
    }

    /// Reverts the change.
    fn undo(self, context: &mut Context<'_>) -> impl Future<Output = ActionResult<()>> + Send;
}

/// Undo data of actions that cannot be undone.
#[derive(Serialize, Deserialize)]
pub enum Never {}

impl UndoData for Never {
    const EXISTS: bool = false;

    async fn undo(self, _: &mut Context<'_>) -> ActionResult<()> {
        match self {}
    }
}

/// A prepared action with the results of its preparation.
pub struct Prepared {
    /// The action.
    pub action: Arc<dyn Perform>,
    /// The results.
    pub extras: Extras,
}

/// A type-erased entry in the list of actions.
pub struct Kind {
    /// See [`Action::RULE`].
    pub rule: Rule,
    /// See [`Action::NEEDS_REASON`].
    pub needs_reason: bool,
    /// See [`Action::MOVES_TEAMS`].
    pub moves_teams: bool,
    /// See [`Action::CAN_BE_ANNOUNCED`].
    pub can_be_announced: bool,
    /// See [`Action::RENDERS`].
    pub renders: bool,
    /// See [`Action::LISTS`].
    pub lists: &'static [List],
    /// False if its undo data is [`Never`].
    pub can_be_undone: bool,
    /// See [`Action::phrase`].
    pub phrase: fn(arguments: &Value) -> Phrase,
    /// Schema of the arguments.
    pub schema: fn() -> RefOr<Schema>,
    /// Adds the schemas referenced by the arguments' schema, by name.
    pub referenced: fn(&mut Vec<(String, RefOr<Schema>)>),
    /// Reads and prepares an action.
    pub read: for<'a> fn(Map<String, Value>, &'a Desk) -> BoxFuture<'a, Reading>,
    /// Parses the undo data of a record. Fails if the JSON is not this action's data.
    pub read_undo: fn(json: &str) -> Result<Undo, serde_json::Error>,
}

/// A prepared action, or the reason for rejecting it.
type Reading = Result<Prepared, Rejection>;

impl Kind {
    /// Creates the list entry of an action.
    pub(crate) const fn of<A: Action>() -> Self {
        Self {
            rule: A::RULE,
            needs_reason: A::NEEDS_REASON,
            moves_teams: A::MOVES_TEAMS,
            can_be_announced: A::CAN_BE_ANNOUNCED,
            renders: A::RENDERS,
            lists: A::LISTS,
            can_be_undone: A::Undo::EXISTS,
            phrase: A::phrase,
            schema: A::schema,
            referenced: A::schemas,
            read: read::<A>,
            read_undo: read_undo::<A::Undo>,
        }
    }
}

fn read<A: Action>(arguments: Map<String, Value>, desk: &Desk) -> BoxFuture<'_, Reading> {
    async move {
        let mut action: A =
            serde_json::from_value(Value::Object(arguments)).map_err(Rejection::of_shape)?;
        let extras = action.prepare(desk).await?;
        Ok(Prepared { action: ready(action), extras })
    }
    .boxed()
}

/// Parses undo data of one type.
///
/// # Errors
/// Fails if the JSON does not match the type.
pub fn read_undo<U: UndoData>(json: &str) -> Result<Undo, serde_json::Error> {
    let undo: U = serde_json::from_str(json)?;
    let challenge = undo.challenge();
    Ok(Undo { challenge, put_back: Box::new(|context| undo.undo(context).boxed()) })
}

/// Wraps an action that is prepared or needs no preparation.
pub fn ready<A: Action>(action: A) -> Arc<dyn Perform> {
    Arc::new(Ready(action))
}

struct Ready<A>(A);

impl<A: Action> Perform for Ready<A> {
    fn name(&self) -> &'static str {
        A::RULE.name
    }

    fn is_about_an_account(&self) -> bool {
        A::IS_ABOUT_AN_ACCOUNT
    }

    fn arguments(&self) -> Value {
        serde_json::to_value(&self.0).expect("plain data")
    }

    fn perform<'a>(
        &'a self,
        context: &'a mut Context<'_>,
    ) -> BoxFuture<'a, ActionResult<Option<String>>> {
        async move {
            let undo = self.0.perform(context).await?;
            Ok(undo.map(|undo| serde_json::to_string(&undo).expect("plain data")))
        }
        .boxed()
    }
}
