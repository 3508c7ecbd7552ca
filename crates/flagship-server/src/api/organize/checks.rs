//! Checks of the running event.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::node::lists::checks::{self, Check};
use crate::node::organizers::permissions::CheckEvent;
use crate::node::state::App;

/// Results of the checks.
#[derive(Serialize, ToSchema)]
#[schema(as = EventChecks)]
pub struct Checks {
    /// One result per check.
    checks: Vec<Check>,
}

/// Verifies the journal and the audit log, logs in to the mail server, and checks the site's
/// address, the disk, the clock and the backups. Sends no email and changes nothing.
#[utoipa::path(get, path = "/checks", operation_id = "organizer_checks",
    responses((status = 200, body = Checks)))]
pub async fn run(
    State(app): State<App>,
    caller: Authorized<CheckEvent>,
) -> Result<axum::Json<Checks>, ApiError> {
    // The whole journal is read, as for an export.
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    Ok(axum::Json(Checks { checks: checks::run(&app.serving).await? }))
}
