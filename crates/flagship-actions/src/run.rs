//! The one way in which an action is done: by a request of an organizer, or by a command.

use std::future::Future;

use flagship_store::ops::{Acted, ActionCommand, ActionError, By, IdempotencyKey, Order};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

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

    /// True if the actor means what takes something from players, or shows what the freeze hides:
    /// the second factor was just given, or a command has `--force`.
    fn is_confirmed(&self) -> bool;

    /// The actor under a rule.
    ///
    /// # Errors
    /// Fails if they may not do what the rule is about.
    fn by(&self, rule: &'static Rule) -> Result<By, Self::Error>;

    /// Reads and prepares an action.
    fn prepare(
        &self,
        kind: &'static Kind,
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

    /// Takes over what a committed action changed: accounts and answers, and settings, pages and
    /// rules if `reads_settings`. It cannot fail: the action is done.
    fn follow(&self, reads_settings: bool) -> impl Future<Output = ()> + Send;
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

/// What every action has.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// A reason, for the record of organizers; at most 500 characters.
    #[serde(default)]
    pub reason: String,
    /// True to see what would change, and to change nothing.
    #[serde(default, rename = "preview")]
    pub is_preview: bool,
    /// The head that a preview returned: the action is rejected if somebody touched the same object
    /// since.
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
    let by = place.by(&kind.rule)?;
    let Prepared { action, mut extras } = place.prepare(kind, arguments).await?;
    if kind.needs_reason && lacks_reason(place, &common) {
        return Err(Rejection::from(ArgumentError::ReasonMissing).into());
    }
    let order = Order {
        by,
        command: ActionCommand::Do(action),
        reason: note(&common.reason).map_err(Rejection::from)?,
        is_confirmed: place.is_confirmed(),
        head: common.head,
        key,
    };
    let files = std::mem::take(&mut extras.files);
    let acted = ordered(place, order, common.is_preview, files).await?;
    Ok(Outcome { acted, extras })
}

/// Undoes an action whose record the actor may read, under the rule of the action.
///
/// # Errors
/// Fails if the actor may not undo it, or if the undo is rejected. Once it is committed nothing
/// fails.
pub async fn undo<P: Place>(
    place: &P,
    rule: &'static Rule,
    id: i64,
    common: Common,
    key: Option<IdempotencyKey>,
) -> Result<Acted, P::Error> {
    let by = place.by(rule)?;
    let lacks_reason = lacks_reason(place, &common);
    // An author must not learn of actions about others' challenges, so permission comes first.
    let is_preview = common.is_preview || lacks_reason;
    let order = Order {
        by,
        command: ActionCommand::Undo { id, read: read_undo },
        reason: note(&common.reason).map_err(Rejection::from)?,
        is_confirmed: is_preview || place.is_confirmed(),
        head: common.head,
        key: key.filter(|_| !lacks_reason),
    };
    let acted = ordered(place, order, is_preview, Vec::new()).await?;
    match lacks_reason {
        true => Err(Rejection::from(ArgumentError::ReasonMissing).into()),
        false => Ok(acted),
    }
}

fn lacks_reason<P: Place>(place: &P, common: &Common) -> bool {
    place.asks_for_reasons() && !common.is_preview && common.reason.trim().is_empty()
}

async fn ordered<P: Place>(
    place: &P,
    order: Order,
    is_preview: bool,
    files: Vec<String>,
) -> Result<Acted, P::Error> {
    if is_preview {
        return place.preview(order).await;
    }
    let acted = place.perform(order, files).await?;
    place.follow(lists_of(&acted.record.action) == [List::Settings]).await;
    Ok(acted)
}
