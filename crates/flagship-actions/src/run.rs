//! The single code path for performing actions, used by organizer requests and by commands.

use std::future::Future;

use flagship_store::ops::{
    ActionCommand, ActionError, ActionRequest, Caller, IdempotencyKey, PerformedAction,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::action::{Extras, Kind, Prepared, Rule};
use crate::list::{find, lists_of, read_undo};
use crate::lists::List;
use crate::rejection::{ArgumentError, Rejection};
use crate::text::note;

/// Execution environment of actions: a node, for a logged-in organizer, or a command.
pub trait Place: Sync {
    /// Error returned when an action is not performed.
    type Error: From<Rejection> + From<ActionError>;

    /// True if actions that require a reason are rejected without one.
    fn asks_for_reasons(&self) -> bool {
        true
    }

    /// True if the actor confirmed a change that takes something away from players or reveals
    /// frozen results: two-factor authentication is recent, or the command has `--force`.
    fn is_confirmed(&self) -> bool;

    /// Returns the caller under a rule.
    ///
    /// # Errors
    /// Fails if the actor lacks permission.
    fn by(&self, rule: &'static Rule) -> Result<Caller, Self::Error>;

    /// Reads and prepares an action.
    fn prepare(
        &self,
        kind: &'static Kind,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<Prepared, Self::Error>> + Send;

    /// Performs a request in the lane and keeps the uploaded files with these digests.
    fn perform(
        &self,
        order: ActionRequest,
        files: Vec<String>,
    ) -> impl Future<Output = Result<PerformedAction, Self::Error>> + Send;

    /// Performs a request in a transaction that is rolled back.
    fn preview(
        &self,
        order: ActionRequest,
    ) -> impl Future<Output = Result<PerformedAction, Self::Error>> + Send;

    /// Applies the effects of a committed action to this process: accounts and answers and, if
    /// `reads_settings`, settings, pages and rules. Infallible, because the action is already
    /// committed.
    fn follow(&self, reads_settings: bool) -> impl Future<Output = ()> + Send;
}

/// A request to perform an action.
pub struct Request {
    /// Action name: `team.ban`.
    pub name: String,
    /// Arguments.
    pub arguments: Map<String, Value>,
    /// Members common to all actions.
    pub common: Common,
    /// Idempotency key with the digest of the request. A retry returns the first response.
    pub key: Option<IdempotencyKey>,
}

/// Members common to all actions.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// Reason for the audit log; at most 500 characters.
    #[serde(default)]
    pub reason: String,
    /// True to preview the action without performing it.
    #[serde(default, rename = "preview")]
    pub is_preview: bool,
    /// Head returned by a preview. The action is rejected if the same object has changed since.
    pub head: Option<i64>,
}

impl Common {
    /// True if the reason has at most 500 characters.
    pub fn has_valid_reason(&self) -> bool {
        note(&self.reason).is_ok()
    }
}

/// A committed or previewed action.
pub struct Outcome {
    /// Performed action with its record.
    pub acted: PerformedAction,
    /// Results of the preparation.
    pub extras: Extras,
}

/// Performs an action: permission check, preparation, transaction, after-effects.
///
/// # Errors
/// Fails if the actor lacks permission, or if the action is rejected. Nothing fails after the
/// commit.
pub async fn run<P: Place>(place: &P, request: Request) -> Result<Outcome, P::Error> {
    let Request { name, arguments, common, key } = request;
    let kind = find(&name).ok_or(ActionError::Role)?;
    let by = place.by(&kind.rule)?;
    let Prepared { action, mut extras } = place.prepare(kind, arguments).await?;
    if kind.needs_reason && lacks_reason(place, &common) {
        return Err(Rejection::from(ArgumentError::ReasonMissing).into());
    }
    let order = ActionRequest {
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
/// Fails if the actor lacks permission, or if the undo is rejected. Nothing fails after the commit.
pub async fn undo<P: Place>(
    place: &P,
    rule: &'static Rule,
    id: i64,
    common: Common,
    key: Option<IdempotencyKey>,
) -> Result<PerformedAction, P::Error> {
    let by = place.by(rule)?;
    let lacks_reason = lacks_reason(place, &common);
    // Permission is checked first: an author must not learn about actions on other challenges.
    let is_preview = common.is_preview || lacks_reason;
    let order = ActionRequest {
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
    order: ActionRequest,
    is_preview: bool,
    files: Vec<String>,
) -> Result<PerformedAction, P::Error> {
    if is_preview {
        return place.preview(order).await;
    }
    let acted = place.perform(order, files).await?;
    place.follow(lists_of(&acted.record.action) == [List::Settings]).await;
    Ok(acted)
}
