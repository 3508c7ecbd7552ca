//! The calls for monitoring: whether the process answers, whether the node is ready, and metrics.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use super::extract::Part;
use crate::node::serving::Serving;

/// The media type of OpenMetrics' text format.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// That all is well.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

const WELL: Json<Health> = Json(Health { status: "ok" });

fn unstored(response: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], response).into_response()
}

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Health)))]
pub async fn healthz() -> Response {
    unstored(WELL)
}

/// Whether the node can take flags: the database answers and can be written to, and the board
/// holds all that the journal does. A 503 names what is amiss, also while the program stops.
#[utoipa::path(get, path = "/readyz", tag = "health", responses((status = 200, body = Health)))]
pub async fn readyz(State(serving): Part<Serving>) -> Response {
    unstored(serving.readiness.check().await.map(|()| WELL).map_err(ApiError::from))
}

/// The metrics, in OpenMetrics' text format.
pub async fn metrics(State(serving): Part<Serving>) -> Result<Response, ApiError> {
    let body = serving.encoded_metrics().await?.ok_or(ApiError::NOT_FOUND)?;
    Ok(unstored(([(header::CONTENT_TYPE, OPEN_METRICS)], body)))
}
