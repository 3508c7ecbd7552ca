//! The challenges and how they are doing, as much of them as a role may see.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists;
use crate::node::lists::boards::Seen;
use crate::node::lists::challenges::{self, ListedChallenge, Sight};
use crate::node::organizers::Who;
use crate::node::organizers::permissions::ListChallenges;
use crate::node::state::App;

/// How the challenges are shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChallengesQuery {
    /// `public` shows what players see.
    #[serde(default)]
    pub view: String,
}

/// The challenges.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedChallenges)]
pub struct Challenges {
    /// In the order of the site, then those that players do not see, in the same order.
    challenges: Vec<ListedChallenge>,
}

/// What `view` leaves of what somebody sees.
pub fn sight(who: &Who, view: &str) -> Result<Sight, ApiError> {
    match view {
        "" => Ok(Sight {
            truth: who.sees_truth(),
            seen: who.sees_challenges(),
            counts: true,
            notes: who.sees_addresses(),
            own: who.only_challenges(),
        }),
        "public" => Ok(Sight::public()),
        _ => Err(ApiError::WRONG_SHAPE),
    }
}

/// Lists the challenges: how they are doing, who is stuck, and what is wrong with their text.
#[utoipa::path(get, path = "/challenges", tag = "organizers",
    operation_id = "organizer_challenges", params(ChallengesQuery),
    responses((status = 200, body = Challenges), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListChallenges>,
    Query(query): Query<ChallengesQuery>,
) -> Result<axum::Json<Challenges>, ApiError> {
    let sight = sight(&by.who, &query.view)?;
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
    let of_teams = lists::Sight { addresses: false, truth: sight.truth };
    let seen = Seen::new(&app.board.feed, of_teams).await?;
    let now_ms = app.now_ms();
    let tries = match (sight.counts, sight.truth) {
        (false, _) => Arc::default(),
        (true, true) => lists.tries.read(app.db(), now_ms, None).await?,
        (true, false) => lists.tries.read(app.db(), now_ms, seen.contest.hidden_from_ms()).await?,
    };
    let listing = tokio::task::spawn_blocking(move || {
        challenges::list(&seen.boards(of_teams), &described, &tries, &sight, now_ms)
    });
    listing.await.map_err(|_| ApiError::INTERNAL)
}
