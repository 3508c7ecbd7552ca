//! The sealed ranking for the ceremony.

use axum::extract::State;
use flagship_game::Phase;

use super::auth::Authorized;
use super::blocking::blocking;
use crate::api::error::ApiError;
use crate::node::lists::ceremony::Ceremony;
use crate::node::lists::results::Teams;
use crate::node::organizers::permissions::HoldCeremony;
use crate::node::state::App;

/// Returns the frozen scoreboard, and the hidden solves that turn it into the final one. Requires
/// recent two-factor authentication, and is available only between the end and the reveal. Reading
/// it changes nothing.
#[utoipa::path(get, path = "/ceremony", operation_id = "organizer_ceremony",
    responses((status = 200, body = Ceremony), (status = 409)))]
pub async fn ceremony(
    State(app): State<App>,
    caller: Authorized<HoldCeremony>,
) -> Result<axum::Json<Ceremony>, ApiError> {
    let contest = app.contest();
    if !contest.reached(Phase::End) {
        return Err(ApiError::NOT_ENDED);
    }
    if !contest.reached(Phase::Freeze) || contest.is_revealed(app.now_ms()) {
        return Err(ApiError::NOT_FROZEN);
    }
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let teams = Teams::read(app.db(), &app.organizers.seal, &contest, false).await?;
    tracing::warn!(organizer = caller.who.organizer.name, "sealed ranking read for the ceremony");
    Ok(axum::Json(blocking(move || Ceremony::of(&contest, &teams)).await?))
}
