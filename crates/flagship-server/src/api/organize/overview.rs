//! How the event stands, and the health of the node with what to do about it.

use axum::extract::State;
use flagship_store::StoreError;
use serde::Deserialize;
use utoipa::IntoParams;

use super::by::By;
use super::{challenges, teams};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::limits::turns::Turn;
use crate::node::lists;
pub use crate::node::lists::overview::Overview;
use crate::node::organizers::Who;
use crate::node::organizers::permissions::SeeOverview;
use crate::node::state::App;

/// How the overview is shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OverviewQuery {
    /// `public` shows what players see.
    #[serde(default)]
    pub view: String,
}

/// Shows how the event stands, and the health of this node.
#[utoipa::path(get, path = "/overview", tag = "organizers", operation_id = "organizer_overview",
    params(OverviewQuery),
    responses((status = 200, body = Overview), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn overview(
    State(app): State<App>,
    by: By<SeeOverview>,
    Query(query): Query<OverviewQuery>,
) -> Result<axum::Json<Overview>, ApiError> {
    Ok(axum::Json(read(&app, &by.who, &query.view).await?))
}

/// The overview for somebody.
pub async fn read(app: &App, who: &Who, view: &str) -> Result<Overview, ApiError> {
    let (sight, of_challenges) = (teams::sight(who, view)?, challenges::sight(who, view)?);
    let _view = turn(app, who, &of_challenges).await?;
    Ok(Overview::read(&app.serving, &app.organizers.lists.drafts, sight, &of_challenges).await?)
}

/// A turn for somebody. All texts are read before it, which takes long after a change: other lists
/// do not wait for that.
async fn turn(app: &App, who: &Who, of: &lists::challenges::Sight) -> Result<Turn, StoreError> {
    if of.own.is_none() {
        let end_ms = app.contest().event().and_then(|event| event.end_ms);
        app.organizers.lists.drafts.read(app.db(), &app.organizers.seal, end_ms).await?;
    }
    Ok(app.organizers.views.take(who.organizer.id).await)
}
