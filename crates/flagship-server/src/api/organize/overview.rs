//! How the event stands, and the health of the node with what to do about it.

use axum::extract::State;

use super::by::By;
use super::teams::{self, ViewQuery};
use crate::api::error::ApiError;
use crate::api::extract::Query;
pub use crate::node::lists::overview::Overview;
use crate::node::organizers::Who;
use crate::node::organizers::permissions::SeeOverview;
use crate::node::state::App;

/// Shows how the event stands, and the health of this node.
#[utoipa::path(get, path = "/overview", operation_id = "organizer_overview", params(ViewQuery),
    responses((status = 200, body = Overview)))]
pub async fn overview(
    State(app): State<App>,
    by: By<SeeOverview>,
    Query(query): Query<ViewQuery>,
) -> Result<axum::Json<Overview>, ApiError> {
    Ok(axum::Json(read(&app, &by.who, &query.view).await?))
}

/// The overview for somebody.
pub async fn read(app: &App, who: &Who, view: &str) -> Result<Overview, ApiError> {
    let sight = teams::sight(who, view)?;
    // Reading all texts takes long after a change, and other lists do not wait for it.
    if sight.own.is_none() {
        let end_ms = app.contest().event().and_then(|event| event.end_ms);
        app.organizers.lists.drafts.read(app.db(), &app.organizers.seal, end_ms).await?;
    }
    let _view = app.organizers.views.take(who.organizer.id).await;
    Ok(Overview::read(&app.serving, &app.organizers.lists.drafts, &sight).await?)
}
