//! The overview: state of the event, and health of the node with suggested fixes.

use axum::extract::State;

use super::auth::Authorized;
use super::teams::{self, ViewQuery};
use crate::api::error::ApiError;
use crate::api::extract::Query;
pub use crate::node::lists::overview::Overview;
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::permissions::SeeOverview;
use crate::node::state::App;

/// Returns the state of the event and the health of this node.
#[utoipa::path(get, path = "/overview", operation_id = "organizer_overview", params(ViewQuery),
    responses((status = 200, body = Overview)))]
pub async fn overview(
    State(app): State<App>,
    caller: Authorized<SeeOverview>,
    Query(query): Query<ViewQuery>,
) -> Result<axum::Json<Overview>, ApiError> {
    Ok(axum::Json(read(&app, &caller.who, &query.view).await?))
}

/// Returns the overview that an organizer may see.
pub async fn read(app: &App, who: &SignedInOrganizer, view: &str) -> Result<Overview, ApiError> {
    let sight = teams::sight(who, view)?;
    // Rereading all sources after a change takes a long time and must not block other lists.
    if sight.own.is_none() {
        let end_ms = app.contest().event().and_then(|event| event.end_ms);
        app.organizers.lists.drafts.read(app.db(), &app.organizers.seal, end_ms).await?;
    }
    let _view = app.organizers.views.take(who.organizer.id).await;
    Ok(Overview::read(&app.serving, &app.organizers.lists.drafts, &sight).await?)
}
