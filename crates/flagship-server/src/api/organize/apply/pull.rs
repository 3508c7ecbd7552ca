//! Reading live edits over HTTPS, for `flagship pull`.

use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::Response;
use flagship_game::challenge::is_digest;
use flagship_store::StoreError;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::files::{FileSource, serve};
use crate::api::organize::auth::Authorized;
use crate::node::apply::LiveEvent;
use crate::node::organizers::permissions::ApplyFiles;
use crate::node::state::App;

/// Options for reading live edits.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PullQuery {
    /// True for a new folder, which gets the whole event.
    #[serde(default)]
    new: bool,
}

/// Returns the live edits that are not in the applied files, with all flags.
#[utoipa::path(get, path = "/pull", operation_id = "organizer_pull", params(PullQuery),
    responses((status = 200, body = LiveEvent)))]
pub async fn live_event(
    State(app): State<App>,
    caller: Authorized<ApplyFiles>,
    Query(query): Query<PullQuery>,
) -> Result<axum::Json<LiveEvent>, ApiError> {
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let contest = app.contest();
    let live = LiveEvent::read(app.db(), &app.organizers.seal, &contest, query.new).await?;
    Ok(axum::Json(live))
}

/// Returns a stored file of the event: an attachment, an image or a branding file.
#[utoipa::path(get, path = "/pull/{digest}", operation_id = "organizer_pull_file",
    params(("digest" = String, Path, description = "SHA-256 digest, in hex")),
    responses((status = 200, content_type = "application/octet-stream")))]
pub async fn live_file(
    State(app): State<App>,
    _: Authorized<ApplyFiles>,
    Path(digest): Path<String>,
) -> Result<Response, ApiError> {
    if !is_digest(&digest) {
        return Err(ApiError::NOT_FOUND);
    }
    let bytes = app.storage().bytes(&digest).await.map_err(StoreError::from)?;
    bytes.ok_or(ApiError::NOT_FOUND)?;
    serve(FileSource::Stored(app.storage().clone(), digest), Method::GET, None).await
}
