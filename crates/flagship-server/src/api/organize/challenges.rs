//! Challenges and their status, limited to what the role may see.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::auth::Authorized;
use super::blocking::blocking;
use super::teams::{self, ViewQuery};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::ReadScope;
use crate::node::lists::boards::Seen;
use crate::node::lists::challenges::{self, ListedChallenge};
use crate::node::lists::tries::AllTries;
use crate::node::organizers::permissions::ListChallenges;
use crate::node::state::App;

/// Challenges with their status.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedChallenges)]
pub struct Challenges {
    /// Challenges in the order of the site, followed by hidden ones in the same order.
    challenges: Vec<ListedChallenge>,
}

/// Lists the challenges with their status, the teams that are stuck, and problems in the sources.
#[utoipa::path(get, path = "/challenges", operation_id = "organizer_challenges",
    params(ViewQuery), responses((status = 200, body = Challenges)))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<ListChallenges>,
    Query(query): Query<ViewQuery>,
) -> Result<axum::Json<Challenges>, ApiError> {
    let sight = teams::sight(&caller.who, &query.view)?;
    let challenges = visible_challenges(&app, caller.who.organizer.id, sight).await?;
    Ok(axum::Json(Challenges { challenges }))
}

/// Returns the challenges visible to the organizer with the ID `reader`.
pub async fn visible_challenges(
    app: &App,
    reader: i64,
    sight: ReadScope,
) -> Result<Vec<ListedChallenge>, ApiError> {
    let lists = &app.organizers.lists;
    // Rereading all sources takes a long time and must not block other lists.
    let end_ms = app.contest().event().and_then(|event| event.end_ms);
    let described = lists.drafts.read(app.db(), &app.organizers.seal, end_ms).await?;
    let _view = app.organizers.views.take(reader).await;
    let seen = Seen::new(&app.board.feed, sight.truth).await?;
    let now_ms = app.now_ms();
    let tries = match (sight.counts, sight.truth) {
        (false, _) => AllTries::default(),
        (true, true) => lists.tries.read(app.db(), now_ms, None).await?,
        (true, false) => lists.tries.read(app.db(), now_ms, seen.contest.hidden_from_ms()).await?,
    };
    blocking(move || {
        challenges::list(&seen.boards(sight.truth), &described, &tries, &sight, now_ms)
    })
    .await
}
