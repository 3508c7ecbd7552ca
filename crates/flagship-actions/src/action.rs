//! The form of an action: one struct whose fields are its arguments, its audit record and its
//! schema, with constants beside it.

use std::any::TypeId;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use flagship_game::ChallengeId;
use flagship_pack::Problem;
use flagship_store::ops::{ActionResult, Context, Perform, Performed, Undo};
use flagship_store::organizers::Role;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::desk::Desk;
pub use crate::lists::List;
use crate::messages::Phrase;
use crate::rejection::Rejection;

/// Age of the second factor that a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Given once in the session; a token needs none.
    Once,
    /// Given in the last minutes; never by a token.
    Again,
}

/// The roles that may do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Name on the wire: `team.ban`.
    pub name: &'static str,
    /// The roles that have it.
    pub roles: &'static [Role],
    /// Age of the second factor.
    pub factor: Factor,
}

/// Roles that help teams.
pub const HELPERS: &[Role] = &[Role::Support, Role::Organizer, Role::Owner];
/// Roles that help teams, and authors for own challenges.
pub const WRITERS_AND_HELPERS: &[Role] =
    &[Role::Author, Role::Support, Role::Organizer, Role::Owner];
/// Roles that write challenges.
pub const AUTHORS: &[Role] = &[Role::Author, Role::Organizer, Role::Owner];
/// Roles that run the contest.
pub const RUNNERS: &[Role] = &[Role::Organizer, Role::Owner];
/// The role that owns the event.
pub const OWNERS: &[Role] = &[Role::Owner];

/// Something that organizers do, and commands.
///
/// All that rejects an action comes before the first write of [`perform`](Self::perform).
pub trait Action: Serialize + DeserializeOwned + ToSchema + Send + Sync + 'static {
    /// Its name, and the roles that may do it.
    const RULE: Rule;
    /// True if it needs a reason.
    const NEEDS_REASON: bool = false;
    /// True if teams can gain or lose points or ranks.
    const MOVES_TEAMS: bool = false;
    /// True if players can be told of it in the same sheet.
    const CAN_BE_ANNOUNCED: bool = false;
    /// True if [`prepare`](Self::prepare) renders Markdown, which takes long.
    const RENDERS: bool = false;
    /// True if it reads or changes an address, a session or a link.
    const IS_ABOUT_AN_ACCOUNT: bool = false;
    /// The lists that it can change, besides the list of actions.
    const LISTS: &'static [List];
    /// The data that undoes it; [`Never`] if nothing does.
    type Undo: UndoData;

    /// Checks the arguments, and does what needs no transaction: renders texts, writes mails, makes
    /// codes.
    fn prepare(&mut self, _desk: &Desk) -> impl Future<Output = Result<Extras, Rejection>> + Send {
        async { Ok(Extras::default()) }
    }

    /// Performs the action in the transaction that records it.
    fn perform(
        &self,
        context: &mut Context<'_>,
    ) -> impl Future<Output = ActionResult<Done<Self::Undo>>> + Send;

    /// The action in the audit log, from its recorded arguments.
    fn phrase(arguments: &Value) -> Phrase {
        Phrase::new(Self::RULE.name, arguments)
    }
}

/// Results of the preparation of an action.
#[derive(Default)]
pub struct Extras {
    /// A code, to be shown once.
    pub code: Option<String>,
    /// Digests of the uploaded files that the action uses.
    pub files: Vec<String>,
    /// Warnings about the text of a challenge or a page.
    pub problems: Vec<Problem>,
}

/// A performed action.
pub struct Done<U> {
    /// The objects that it is about, at least one: `team 7`.
    pub objects: Vec<String>,
    /// The data that undoes it.
    pub undo: Option<U>,
}

impl<U> Done<U> {
    /// An action about `objects` that `undo` undoes.
    pub fn undone_by(objects: Vec<String>, undo: U) -> Self {
        Self { objects, undo: Some(undo) }
    }

    /// An action about `objects` that cannot be undone.
    pub fn for_good(objects: Vec<String>) -> Self {
        Self { objects, undo: None }
    }
}

/// Data that undoes an action, kept sealed beside its record.
pub trait UndoData: Serialize + DeserializeOwned + Send + 'static {
    /// The challenge that the action was about, for the check of authors: `None` rejects every
    /// author.
    fn challenge(&self) -> Option<ChallengeId> {
        None
    }

    /// Puts back what the action changed. `is_confirmed` is true if the actor means what takes
    /// something from players, or shows what the freeze hides.
    fn undo(
        self,
        context: &mut Context<'_>,
        is_confirmed: bool,
    ) -> impl Future<Output = ActionResult<()>> + Send;
}

/// Undo data of actions that cannot be undone.
#[derive(Serialize, Deserialize)]
pub enum Never {}

impl UndoData for Never {
    async fn undo(self, _: &mut Context<'_>, _: bool) -> ActionResult<()> {
        match self {}
    }
}

/// An action that is ready to be performed, with the results of its preparation.
pub struct Prepared {
    /// The action.
    pub action: Arc<dyn Perform>,
    /// The results.
    pub extras: Extras,
}

/// An action of the list, without its type.
pub trait Kind: Send + Sync {
    /// Its name, and the roles that may do it.
    fn rule(&self) -> &'static Rule;
    /// See [`Action::NEEDS_REASON`].
    fn needs_reason(&self) -> bool;
    /// See [`Action::MOVES_TEAMS`].
    fn moves_teams(&self) -> bool;
    /// See [`Action::CAN_BE_ANNOUNCED`].
    fn can_be_announced(&self) -> bool;
    /// See [`Action::RENDERS`].
    fn renders(&self) -> bool;
    /// See [`Action::LISTS`].
    fn lists(&self) -> &'static [List];
    /// False if its undo data is [`Never`].
    fn can_be_undone(&self) -> bool;
    /// See [`Action::phrase`].
    fn phrase(&self, arguments: &Value) -> Phrase;
    /// The schema of its arguments.
    fn schema(&self) -> RefOr<Schema>;
    /// The schemas that the one of its arguments refers to, by name.
    fn referenced(&self) -> Vec<(String, RefOr<Schema>)>;

    /// Reads and prepares an action.
    fn read<'a>(
        &'a self,
        arguments: Map<String, Value>,
        desk: &'a Desk,
    ) -> BoxFuture<'a, Result<Prepared, Rejection>>;

    /// Reads the undo data of a record.
    ///
    /// # Errors
    /// Fails if the JSON is not the data of this action.
    fn read_undo(&self, json: &str) -> Result<Box<dyn Undo>, serde_json::Error>;
}

/// An action as an element of the list.
pub struct Of<A>(PhantomData<fn() -> A>);

impl<A> Of<A> {
    /// The element.
    pub const NEW: Self = Self(PhantomData);
}

impl<A: Action> Kind for Of<A> {
    fn rule(&self) -> &'static Rule {
        const { &A::RULE }
    }

    fn needs_reason(&self) -> bool {
        A::NEEDS_REASON
    }

    fn moves_teams(&self) -> bool {
        A::MOVES_TEAMS
    }

    fn can_be_announced(&self) -> bool {
        A::CAN_BE_ANNOUNCED
    }

    fn renders(&self) -> bool {
        A::RENDERS
    }

    fn lists(&self) -> &'static [List] {
        A::LISTS
    }

    fn can_be_undone(&self) -> bool {
        TypeId::of::<A::Undo>() != TypeId::of::<Never>()
    }

    fn phrase(&self, arguments: &Value) -> Phrase {
        A::phrase(arguments)
    }

    fn schema(&self) -> RefOr<Schema> {
        A::schema()
    }

    fn referenced(&self) -> Vec<(String, RefOr<Schema>)> {
        let mut schemas = Vec::new();
        A::schemas(&mut schemas);
        schemas
    }

    fn read<'a>(
        &'a self,
        arguments: Map<String, Value>,
        desk: &'a Desk,
    ) -> BoxFuture<'a, Result<Prepared, Rejection>> {
        async move {
            let mut action: A =
                serde_json::from_value(Value::Object(arguments)).map_err(Rejection::of_shape)?;
            let extras = action.prepare(desk).await?;
            Ok(Prepared { action: ready(action), extras })
        }
        .boxed()
    }

    fn read_undo(&self, json: &str) -> Result<Box<dyn Undo>, serde_json::Error> {
        read_undo::<A::Undo>(json)
    }
}

/// Reads undo data of one type.
///
/// # Errors
/// Fails if the JSON is not of this type.
pub fn read_undo<U: UndoData>(json: &str) -> Result<Box<dyn Undo>, serde_json::Error> {
    Ok(Box::new(Stored(serde_json::from_str::<U>(json)?)))
}

/// An action that is prepared, or needs no preparation.
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
    ) -> BoxFuture<'a, ActionResult<Performed>> {
        async move {
            let Done { objects, undo } = self.0.perform(context).await?;
            let undo = undo.map(|undo| serde_json::to_string(&undo).expect("plain data"));
            Ok(Performed { objects, undo })
        }
        .boxed()
    }
}

struct Stored<U>(U);

impl<U: UndoData> Undo for Stored<U> {
    fn challenge(&self) -> Option<ChallengeId> {
        self.0.challenge()
    }

    fn undo<'a>(
        self: Box<Self>,
        context: &'a mut Context<'_>,
        is_confirmed: bool,
    ) -> BoxFuture<'a, ActionResult<()>>
    where
        Self: 'a,
    {
        self.0.undo(context, is_confirmed).boxed()
    }
}
