//! The challenges and how they are doing, as much of them as a role may see.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::blocking::blocking;
use super::by::By;
use super::teams::{self, ViewQuery};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::Sight;
use crate::node::lists::boards::Seen;
use crate::node::lists::challenges::{self, ListedChallenge};
use crate::node::lists::tries::AllTries;
use crate::node::organizers::permissions::ListChallenges;
use crate::node::state::App;

/// The challenges.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedChallenges)]
pub struct Challenges {
    /// In the order of the site, then those that players do not see, in the same order.
    challenges: Vec<ListedChallenge>,
}

/// Lists the challenges: how they are doing, who is stuck, and what is wrong with their text.
#[utoipa::path(get, path = "/challenges", operation_id = "organizer_challenges",
    params(ViewQuery), responses((status = 200, body = Challenges)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListChallenges>,
    Query(query): Query<ViewQuery>,
) -> Result<axum::Json<Challenges>, ApiError> {
    let sight = teams::sight(&by.who, &query.view)?;
    let challenges = listed(&app, by.who.organizer.id, sight).await?;
    Ok(axum::Json(Challenges { challenges }))
}

/// The challenges that the organizer with the id `reader` sees.
pub async fn listed(
    app: &App,
    reader: i64,
    sight: Sight,
) -> Result<Vec<ListedChallenge>, ApiError> {
    let lists = &app.organizers.lists;
    // Reading all texts again takes long, and other lists do not wait for it.
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
