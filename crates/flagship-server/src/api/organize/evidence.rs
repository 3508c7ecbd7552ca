//! What pairs of teams have in common, for those who run the contest.

use axum::extract::State;
use flagship_store::lists::evidence as store;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::evidence::{self, EvidencePair};
use crate::node::organizers::permissions::ListEvidence;
use crate::node::state::App;

/// What of it.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EvidenceQuery {
    /// `public` shows what players see: nothing.
    #[serde(default)]
    pub view: String,
}

/// What teams have in common. It is evidence to look at, and never a verdict.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceList {
    /// When it was found, in epoch milliseconds: a few seconds ago.
    at: i64,
    /// At most 500, the newest first.
    pub pairs: Vec<EvidencePair>,
    /// How many more there are.
    more: usize,
}

/// Lists pairs of teams with what they have in common, each fact with its harmless explanation.
#[utoipa::path(get, path = "/evidence", operation_id = "organizer_evidence", params(EvidenceQuery),
    responses((status = 200, body = EvidenceList)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListEvidence>,
    Query(query): Query<EvidenceQuery>,
) -> Result<axum::Json<EvidenceList>, ApiError> {
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    Ok(axum::Json(read(&app, &query.view).await?))
}

/// What was found, as somebody sees it with this view.
pub async fn read(app: &App, view: &str) -> Result<EvidenceList, ApiError> {
    match view {
        "" => {}
        "public" => return Ok(EvidenceList::default()),
        _ => return Err(ApiError::WRONG_SHAPE),
    }
    let (contest, now_ms) = (app.contest(), app.now_ms());
    let evidence = &app.organizers.lists.evidence;
    let found = evidence.read(app.db(), &app.config().key, contest.clone(), now_ms).await?;
    let said = store::states(app.db()).await?;
    let (pairs, more) = evidence::show(&found, &contest, &said);
    Ok(EvidenceList { at: found.at_ms, pairs, more })
}
