//! Signals of cheating shared by pairs of teams, for organizers who run the contest.

use axum::extract::State;
use flagship_store::lists::evidence as store;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::evidence::{self, EvidencePair};
use crate::node::organizers::permissions::ListEvidence;
use crate::node::state::App;

/// Parameters of the evidence list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EvidenceQuery {
    /// `public` limits the response to the public view, which is empty.
    #[serde(default)]
    pub view: String,
}

/// Signals of cheating shared by pairs of teams. They are evidence to review and never prove
/// cheating.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceList {
    /// Time of the analysis, in epoch milliseconds; usually a few seconds ago.
    at: i64,
    /// At most 500 pairs, newest first.
    pub pairs: Vec<EvidencePair>,
    /// Number of further pairs that are not listed.
    more: usize,
}

/// Lists pairs of teams with the signals they share, each with an innocent explanation.
#[utoipa::path(get, path = "/evidence", operation_id = "organizer_evidence", params(EvidenceQuery),
    responses((status = 200, body = EvidenceList)))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<ListEvidence>,
    Query(query): Query<EvidenceQuery>,
) -> Result<axum::Json<EvidenceList>, ApiError> {
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    Ok(axum::Json(read(&app, &query.view).await?))
}

/// Returns the evidence in this view.
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
