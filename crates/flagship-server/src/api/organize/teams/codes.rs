//! Signup codes.

use axum::extract::State;
use flagship_actions::mail::token::grouped;
use flagship_store::accounts::signup_codes;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::auth::Authorized;
use crate::api::error::ApiError;
use crate::node::organizers::permissions::ListCodes;
use crate::node::state::App;

/// The signup codes.
#[derive(Serialize, ToSchema)]
#[schema(as = SignupCodes)]
pub struct Codes {
    /// All codes, newest first.
    codes: Vec<Code>,
}

/// A signup code. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SignupCode)]
struct Code {
    /// The code, with hyphens.
    code: String,
    /// Label from the organizer who made it; may be empty.
    label: String,
    /// Maximum number of teams.
    uses: i64,
    /// Number of teams that use it, including those that have not confirmed yet.
    used: i64,
    made_at: i64,
    /// Time at which it was revoked.
    revoked_at: Option<i64>,
}

/// Returns all signup codes with their uses.
#[utoipa::path(get, path = "/codes", operation_id = "organizer_codes",
    responses((status = 200, body = Codes)))]
pub async fn codes(
    State(app): State<App>,
    caller: Authorized<ListCodes>,
) -> Result<axum::Json<Codes>, ApiError> {
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let all = signup_codes::all(app.db(), app.now_ms()).await?;
    let codes = all.into_iter().map(|it| Code {
        code: grouped(&it.code),
        label: it.label,
        uses: it.uses,
        used: it.used,
        made_at: it.made_at_ms,
        revoked_at: it.revoked_at_ms,
    });
    Ok(axum::Json(Codes { codes: codes.collect() }))
}
