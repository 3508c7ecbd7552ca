//! Playing: a team's challenges and its submissions.

use std::borrow::Cow;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use flagship_game::{TeamId, flag_text};
use flagship_store::sightings::Kind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::ApiError;
use super::{extract, schema};
use crate::net::address::ClientNetwork;
use crate::net::body::Pieces;
use crate::node::board::published::View;
use crate::node::judging::Judging;
use crate::node::judging::judge::SubmissionResult;
use crate::node::sessions::Team;
use crate::node::state::App;

/// Maximum length of a flag, in characters.
const FLAG_CHARS_MAX: usize = 256;

/// Returns the challenges visible to the team, in display order. The list is empty before the
/// start.
#[utoipa::path(get, path = "/challenge", tag = "play",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = schema::Challenges)))]
pub async fn challenges(
    State(app): State<App>,
    team: Team,
    client: ClientNetwork,
    method: Method,
) -> Response {
    let view = app.board.feed.view(Some(team.id)).await;
    list_response(list(&app, &view, team.id, &client, &method))
}

/// Returns a team's challenge list and records the access.
pub fn list(
    app: &App,
    view: &View,
    team: TeamId,
    client: &ClientNetwork,
    method: &Method,
) -> Pieces {
    if method == Method::GET {
        app.judging.sightings.note(team, Kind::List, None, app.judging.sightings.network(client));
    }
    view.cards(&app.board.links, team)
}

/// Returns the response for a challenge list.
pub fn list_response(list: Pieces) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::new(list)).into_response()
}

/// A flag submitted for a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// Flag of at most 256 characters, not counting leading and trailing whitespace and invisible
    /// characters.
    flag: String,
    /// Challenge ID.
    challenge_id: String,
}

/// Outcome of a submission.
#[derive(Serialize, ToSchema)]
pub struct Answer {
    /// True if the flag is correct. The solve is then durable.
    correct: bool,
}

/// Normalizes a flag for comparison.
pub fn normalized_flag(flag: &str) -> Result<Cow<'_, str>, ApiError> {
    let flag = flag_text::compared(flag);
    if flag.is_empty() {
        return Err(ApiError::FLAG_MISSING);
    }
    if flag.chars().count() > FLAG_CHARS_MAX {
        return Err(ApiError::FLAG_LONG);
    }
    Ok(flag)
}

/// Submits a flag.
#[utoipa::path(post, path = "/solve", tag = "play",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Answer), (status = 403), (status = 404), (status = 429)))]
pub async fn solve(
    State(judging): extract::Part<Judging>,
    team: Result<Team, ApiError>,
    client: ClientNetwork,
    extract::Json(submission): extract::Json<Submission>,
) -> Result<Json<Answer>, ApiError> {
    let flag = normalized_flag(&submission.flag)?;
    let network = judging.sightings.network(&client);
    let played = judging.submit(team?.id, &submission.challenge_id, &flag, network).await?;
    Ok(Json(Answer { correct: played == SubmissionResult::Correct }))
}
