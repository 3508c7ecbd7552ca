//! The calls for monitoring: whether the process answers, whether the node is ready, and metrics.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use super::extract::Part;
use super::schema;
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
    let mut response = response.into_response();
    let never = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, never);
    response
}

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Health)))]
pub async fn healthz() -> Response {
    unstored(WELL)
}

/// Whether the node can take flags: the database answers and can be written to, and the board
/// holds all that the journal does. A 503 names what is amiss, also while the program stops.
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, body = Health), (status = 503, body = schema::Error)))]
pub async fn readyz(State(serving): Part<Serving>) -> Response {
    unstored(serving.readiness.check().await.map(|()| WELL).map_err(ApiError::from))
}

/// The metrics, in OpenMetrics' text format.
pub async fn metrics(State(serving): Part<Serving>) -> Result<Response, ApiError> {
    let body = serving.encoded_metrics().await?.ok_or(ApiError::NOT_FOUND)?;
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS))];
    Ok(unstored((kind, body)))
}
