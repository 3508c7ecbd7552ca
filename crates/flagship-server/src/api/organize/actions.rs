//! What organizers do: `POST /actions`, and the undo of an action.

mod answer;
mod given;
pub mod log;
mod not_done;
mod place;
mod retry;

use axum::extract::{Path, State};
use axum::response::Response;
use flagship_actions::{self as run, ActionRequest, Common, Extras, Outcome, Request, find};
use flagship_store::actions;
use serde_json::json;
use tokio::task::AbortHandle;

use super::by::{By, check};
use crate::api::error::ApiError;
use crate::api::extract::{Json, LargeJson, TimeLimit};
use crate::api::schema;
use crate::node::organizers::permissions::{OwnAccount, rule};
use crate::node::state::App;
use answer::Answer;
use given::Given;
pub use not_done::{NotDone, shown};
use place::Node;
pub use place::desk;
use retry::KeyHeader;

/// Does an action, or shows what it would change.
#[utoipa::path(post, path = "/actions", operation_id = "organizer_action",
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
        pattern = "^[!-~]+$",
        description = "A key of the client's choice: for a day, the same request with the same key \
                       gets the first answer again, and the action is done once")),
    request_body = ActionRequest,
    responses((status = 200, body = Answer), (status = 409), (status = 422, body = schema::NotDone),
        (status = 429)))]
pub async fn action(
    State(app): State<App>,
    by: By<OwnAccount>,
    limit: TimeLimit,
    key: KeyHeader,
    given: LargeJson<Given>,
) -> Result<Response, NotDone> {
    let bytes = given.bytes();
    let given = given.parsed(&app.organizers.renderer, by.who.organizer.id).await?;
    let request = || json!([given.action, given.fields]);
    let key = key.of(&app, &by.who, request, &given.common).await?;
    if let Some(kind) = find(&given.action).filter(|_| key.is_some()) {
        check(&by.who, &kind.rule)?;
    }
    let Given { action: name, fields: arguments, common } = given;
    let is_preview = common.is_preview;
    let request = Request { name, arguments, common, key: key.clone() };
    to_its_end(limit.clone(), async move {
        let (app, who) = (&app, &by.who);
        let node = Node::new(app, who, bytes, limit);
        retry::answered(app, who, key, async {
            let Outcome { acted, extras } = run::run(&node, request).await?;
            Answer::to(app, who, acted, extras, is_preview).await
        })
        .await
    })
    .await
}

/// Takes an action back, as long as no later one about the same objects stands, or shows what that
/// would change.
#[utoipa::path(post, path = "/actions/{id}/undo", operation_id = "organizer_undo",
    params(("id" = i64, Path, description = "The id of the action"),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            pattern = "^[!-~]+$", description = "As of an action")),
    responses((status = 200, body = Answer), (status = 409, body = schema::NotUndone),
        (status = 429)))]
pub async fn undo(
    State(app): State<App>,
    by: By<OwnAccount>,
    limit: TimeLimit,
    key: KeyHeader,
    Path(id): Path<String>,
    Json(common): Json<Common>,
) -> Result<Response, NotDone> {
    let id: i64 = id.parse().map_err(|_| ApiError::NOT_FOUND)?;
    let record = actions::by_id(app.db(), id).await?;
    let contest = app.contest();
    let record = record.filter(|record| by.who.sees_record(record, &contest));
    let record = record.ok_or(ApiError::NOT_FOUND)?;
    let rule = rule(&record.action).ok_or(ApiError::NOT_FOUND)?;
    let key = key.of(&app, &by.who, || json!(["undo", id]), &common).await?;
    if key.is_some() {
        check(&by.who, rule)?;
    }
    let (bytes, is_preview) = (common.reason.len(), common.is_preview);
    to_its_end(limit.clone(), async move {
        let (app, who) = (&app, &by.who);
        let node = Node::new(app, who, bytes, limit);
        retry::answered(app, who, key.clone(), async {
            let acted = run::undo(&node, rule, id, common, key).await?;
            Answer::to(app, who, acted, Extras::default(), is_preview).await
        })
        .await
    })
    .await
}

/// Runs work that may change something to its end, also if the client hangs up: until its time
/// limit is lifted, it ends with the request.
async fn to_its_end<T: Send + 'static>(
    limit: TimeLimit,
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let doing = tokio::spawn(work);
    let _unless_lifted = Abort { limit, work: doing.abort_handle() };
    doing.await.expect("an action does not panic")
}

/// Ends work when it is dropped, unless the time limit of the request is lifted.
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
