//! What pairs of teams have in common, for those who run the contest.

use axum::extract::State;
use flagship_store::lists::evidence as store;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
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
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceList {
    /// When it was found, in epoch milliseconds: a few seconds ago.
    at: i64,
    /// At most 500, the newest first.
    pairs: Vec<EvidencePair>,
    /// How many more there are.
    more: usize,
}

/// Lists pairs of teams with what they have in common, each fact with its harmless explanation.
#[utoipa::path(get, path = "/evidence", tag = "organizers", operation_id = "organizer_evidence",
    params(EvidenceQuery),
    responses((status = 200, body = EvidenceList), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListEvidence>,
    Query(query): Query<EvidenceQuery>,
) -> Result<axum::Json<EvidenceList>, ApiError> {
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let (at, pairs, more) = read(&app, &query.view).await?;
    Ok(axum::Json(EvidenceList { at, pairs, more }))
}

/// When it was found, what was, and how much more.
pub async fn read(app: &App, view: &str) -> Result<(i64, Vec<EvidencePair>, usize), ApiError> {
    match view {
        "" => {}
        "public" => return Ok((0, Vec::new(), 0)),
        _ => return Err(ApiError::WRONG_SHAPE),
    }
    let (contest, now_ms) = (app.contest(), app.now_ms());
    let evidence = &app.organizers.lists.evidence;
    let found = evidence.read(app.db(), &app.config().key, contest.clone(), now_ms).await?;
    let said = store::states(app.db()).await?;
    let (shown, more) = evidence::show(&found, &contest, &said);
    Ok((found.at_ms, shown, more))
}
