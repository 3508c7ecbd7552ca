//! The public key of a challenge's team passes, for its service.

use axum::Json;
use axum::extract::{Path, State};
use flagship_game::ChallengeId;
use flagship_game::entry::Phase;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use crate::node::state::App;

/// Data that verifies the passes of a challenge.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassVerification {
    /// Ed25519 public key in base64url without padding.
    public_key: String,
    /// The event's ID, the second line of the signed text.
    event_id: String,
}

/// Returns the public key of a challenge's team passes. A pass names a team and authorizes nothing.
#[utoipa::path(get, path = "/pass/{challenge}", tag = "play",
    params(("challenge" = String, Path, description = "Challenge ID")),
    responses((status = 200, body = PassVerification),
        (status = 404, description = "The event has not started, or the challenge is hidden")))]
pub async fn verification(
    State(app): State<App>,
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> Result<Json<PassVerification>, ApiError> {
    let Path(challenge) = path.map_err(|_| ApiError::NOT_FOUND)?;
    let id = ChallengeId::parse(&challenge).map_err(|_| ApiError::NO_CHALLENGE)?;
    let contest = app.contest();
    if !contest.reached(Phase::Start) || !contest.is_shown(&id) {
        return Err(ApiError::NO_CHALLENGE);
    }
    let passes = &app.board.passes;
    Ok(Json(PassVerification { public_key: passes.public_key(&id), event_id: passes.event_id() }))
}
