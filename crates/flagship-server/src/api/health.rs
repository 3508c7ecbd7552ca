//! Monitoring endpoints: liveness, readiness and metrics.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use super::extract::Part;
use crate::node::serving::Serving;

/// Media type of the OpenMetrics text format.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Health status.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

const WELL: Json<Health> = Json(Health { status: "ok" });

fn no_store(response: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], response).into_response()
}

/// Returns `ok` while the process responds.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Health)))]
pub async fn healthz() -> Response {
    no_store(WELL)
}

/// Returns `ok` if the node can accept flags: the database is available and writable, and the
/// scoreboard is up to date with the journal. Otherwise, and during shutdown, responds with 503 and
/// the reason.
#[utoipa::path(get, path = "/readyz", tag = "health", responses((status = 200, body = Health)))]
pub async fn readyz(State(serving): Part<Serving>) -> Response {
    no_store(serving.readiness.check().await.map(|()| WELL).map_err(ApiError::from))
}

/// Returns the metrics in the OpenMetrics text format.
pub async fn metrics(State(serving): Part<Serving>) -> Result<Response, ApiError> {
    let body = serving.encoded_metrics().await?.ok_or(ApiError::NOT_FOUND)?;
    Ok(no_store(([(header::CONTENT_TYPE, OPEN_METRICS)], body)))
}
