//! The one way in which an action is done: by a request of an organizer, or by a command.

use std::future::Future;

use flagship_store::ops::{Acted, ActionCommand, ActionError, By, IdempotencyKey, Order};
use serde_json::{Map, Value};

use crate::action::{Extras, Kind, Prepared, Rule};
use crate::list::{find, lists_of, read_undo};
use crate::lists::List;
use crate::rejection::{ArgumentError, Rejection};
use crate::text::note;

/// The place where actions are done: a node, for an organizer who is signed in, or a command.
pub trait Place: Sync {
    /// Error returned when an action is not done.
    type Error: From<Rejection> + From<ActionError>;

    /// True if an action that needs a reason is rejected without one.
    fn asks_for_reasons(&self) -> bool {
        true
    }

    /// The actor under a rule.
    ///
    /// # Errors
    /// Fails if they may not do what the rule is about.
    fn by(&self, rule: &'static Rule) -> Result<By, Self::Error>;

    /// Reads and prepares an action.
    fn prepare(
        &self,
        kind: &'static dyn Kind,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<Prepared, Self::Error>> + Send;

    /// Performs an order in the lane, and keeps the uploaded files with these digests.
    fn perform(
        &self,
        order: Order,
        files: Vec<String>,
    ) -> impl Future<Output = Result<Acted, Self::Error>> + Send;

    /// Performs an order in a transaction that is not committed.
    fn preview(&self, order: Order) -> impl Future<Output = Result<Acted, Self::Error>> + Send;

    /// Takes over what a committed action changed. It cannot fail: the action is done.
    fn follow(&self, effects: AfterEffects) -> impl Future<Output = ()> + Send;
}

/// Data that a node reads again after an action, besides accounts and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfterEffects {
    /// True if settings or pages may have changed, or the rules.
    pub reads_settings: bool,
}

impl AfterEffects {
    /// The after-effects of a recorded action.
    fn of(action: &str) -> Self {
        Self { reads_settings: lists_of(action) == [List::Settings] }
    }
}

/// A request to do an action.
pub struct Request {
    /// Its name: `team.ban`.
    pub name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Members that every action has.
    pub common: Common,
    /// The key that makes a retry return the first answer, with the digest of the request.
    pub key: Option<IdempotencyKey>,
}

/// Members that every action and every undo have.
#[derive(Clone, Default)]
pub struct Common {
    /// The reason, for the audit log; may be empty.
    pub reason: String,
    /// True if only what would change is wanted.
    pub is_preview: bool,
    /// The last action about the same objects when the actor looked at them; `None` if it does not
    /// matter.
    pub head: Option<i64>,
}

impl Common {
    /// True if the audit log takes the reason: it has at most 500 characters.
    pub fn has_valid_reason(&self) -> bool {
        note(&self.reason).is_ok()
    }
}

/// A committed or previewed action.
pub struct Outcome {
    /// The action with its record.
    pub acted: Acted,
    /// The results of its preparation.
    pub extras: Extras,
}

/// Does an action: permission, preparation, transaction, after-effects.
///
/// # Errors
/// Fails if the actor may not do it, or if it is rejected. Once it is committed nothing fails.
pub async fn run<P: Place>(place: &P, request: Request) -> Result<Outcome, P::Error> {
    let Request { name, arguments, common, key } = request;
    let kind = find(&name).ok_or(ActionError::Role)?;
    let by = place.by(kind.rule())?;
    let Prepared { action, mut extras } = place.prepare(kind, arguments).await?;
    if kind.needs_reason() && lacks_reason(place, &common) {
        return Err(Rejection::from(ArgumentError::ReasonMissing).into());
    }
    let files = std::mem::take(&mut extras.files);
    let acted = ordered(place, by, ActionCommand::Do(action), common, key, files).await?;
    Ok(Outcome { acted, extras })
}

/// Undoes an action whose record the actor may read, under the rule of the action. `is_confirmed`
/// is true if the actor means what takes something from players, or shows what the freeze hides.
///
/// # Errors
/// Fails if the actor may not undo it, or if the undo is rejected. Once it is committed nothing
/// fails.
pub async fn undo<P: Place>(
    place: &P,
    rule: &'static Rule,
    id: i64,
    is_confirmed: bool,
    common: Common,
    key: Option<IdempotencyKey>,
) -> Result<Acted, P::Error> {
    let by = place.by(rule)?;
    let is_confirmed = is_confirmed || common.is_preview;
    let command = |is_confirmed| ActionCommand::Undo { id, is_confirmed, read: read_undo };
    if lacks_reason(place, &common) {
        // An author must not learn of actions about others' challenges, so permission comes first.
        let preview = Common { is_preview: true, ..common };
        ordered(place, by, command(true), preview, None, Vec::new()).await?;
        return Err(Rejection::from(ArgumentError::ReasonMissing).into());
    }
    ordered(place, by, command(is_confirmed), common, key, Vec::new()).await
}

fn lacks_reason<P: Place>(place: &P, common: &Common) -> bool {
    place.asks_for_reasons() && !common.is_preview && common.reason.trim().is_empty()
}

async fn ordered<P: Place>(
    place: &P,
    by: By,
    command: ActionCommand,
    common: Common,
    key: Option<IdempotencyKey>,
    files: Vec<String>,
) -> Result<Acted, P::Error> {
    let Common { reason, is_preview, head } = common;
    let order = Order { by, command, reason: note(&reason)?, head, key };
    if is_preview {
        return place.preview(order).await;
    }
    let acted = place.perform(order, files).await?;
    place.follow(AfterEffects::of(&acted.record.action)).await;
    Ok(acted)
}
