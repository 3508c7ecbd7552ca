//! Organizer actions: `POST /actions`, and undoing an action.

mod answer;
mod body;
mod failure;
pub mod log;
mod place;
mod retry;

use axum::extract::{Path, State};
use axum::response::Response;
use flagship_actions::{self as run, ActionRequest, Common, Extras, Outcome, Request, find};
use flagship_store::actions;
use serde_json::json;
use tokio::task::AbortHandle;

use super::auth::{Authorized, check};
use crate::api::error::ApiError;
use crate::api::extract::{Json, LargeJson, TimeLimit};
use crate::api::schema;
use crate::node::organizers::permissions::{OwnAccount, rule};
use crate::node::state::App;
use answer::Answer;
use body::ActionBody;
pub use failure::{ActionFailure, found_problems};
use place::Node;
pub use place::desk;
use retry::KeyHeader;

/// Performs or previews an action.
#[utoipa::path(post, path = "/actions", operation_id = "organizer_action",
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
        pattern = "^[!-~]+$",
        description = "Key chosen by the client. For one day, repeating the request with the same \
                       key returns the first response without repeating the action")),
    request_body = ActionRequest,
    responses((status = 200, body = Answer), (status = 409), (status = 422, body = schema::NotDone),
        (status = 429)))]
pub async fn action(
    State(app): State<App>,
    caller: Authorized<OwnAccount>,
    limit: TimeLimit,
    key: KeyHeader,
    given: LargeJson<ActionBody>,
) -> Result<Response, ActionFailure> {
    let bytes = given.bytes();
    let given = given.parsed(&app.organizers.renderer, caller.who.organizer.id).await?;
    let request = || json!([given.action, given.fields]);
    let key = key.of(&app, &caller.who, request, &given.common).await?;
    if let Some(kind) = find(&given.action).filter(|_| key.is_some()) {
        check(&caller.who, &kind.rule)?;
    }
    let ActionBody { action: name, fields: arguments, common } = given;
    let is_preview = common.is_preview;
    let request = Request { name, arguments, common, key: key.clone() };
    run_to_completion(limit.clone(), async move {
        let (app, who) = (&app, &caller.who);
        let node = Node::new(app, who, bytes, limit);
        retry::respond(app, who, key, async {
            let Outcome { acted, extras } = run::run(&node, request).await?;
            Answer::to(app, who, acted, extras, is_preview).await
        })
        .await
    })
    .await
}

/// Undoes an action, or previews the undo. An action can be undone while no later action on the
/// same objects is in effect.
#[utoipa::path(post, path = "/actions/{id}/undo", operation_id = "organizer_undo",
    params(("id" = i64, Path, description = "Action ID"),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            pattern = "^[!-~]+$", description = "As for `POST /actions`")),
    responses((status = 200, body = Answer), (status = 409, body = schema::NotUndone),
        (status = 429)))]
pub async fn undo(
    State(app): State<App>,
    caller: Authorized<OwnAccount>,
    limit: TimeLimit,
    key: KeyHeader,
    Path(id): Path<String>,
    Json(common): Json<Common>,
) -> Result<Response, ActionFailure> {
    let id: i64 = id.parse().map_err(|_| ApiError::NOT_FOUND)?;
    let record = actions::by_id(app.db(), id).await?;
    let contest = app.contest();
    let record = record.filter(|record| caller.who.sees_record(record, &contest));
    let record = record.ok_or(ApiError::NOT_FOUND)?;
    let rule = rule(&record.action).ok_or(ApiError::NOT_FOUND)?;
    let key = key.of(&app, &caller.who, || json!(["undo", id]), &common).await?;
    if key.is_some() {
        check(&caller.who, rule)?;
    }
    let (bytes, is_preview) = (common.reason.len(), common.is_preview);
    run_to_completion(limit.clone(), async move {
        let (app, who) = (&app, &caller.who);
        let node = Node::new(app, who, bytes, limit);
        retry::respond(app, who, key.clone(), async {
            let acted = run::undo(&node, rule, id, common, key).await?;
            Answer::to(app, who, acted, Extras::default(), is_preview).await
        })
        .await
    })
    .await
}

/// Runs an operation to completion even if the client disconnects. Until the time limit is lifted,
/// it is canceled with the request.
pub async fn run_to_completion<T: Send + 'static>(
    limit: TimeLimit,
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let doing = tokio::spawn(work);
    let _unless_lifted = Abort { limit, work: doing.abort_handle() };
    doing.await.expect("an action does not panic")
}

/// Aborts an operation when dropped, unless the request's time limit was lifted.
struct Abort {
    limit: TimeLimit,
    work: AbortHandle,
}

impl Drop for Abort {
    fn drop(&mut self) {
        if self.limit.expire() {
            self.work.abort();
        }
    }
}
