//! Playing: the challenges a team sees, and the flags it sends.

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
use crate::node::judging::judge::Played;
use crate::node::sessions::Team;
use crate::node::state::App;

/// Maximum length of a flag, in characters.
const FLAG_CHARS_MAX: usize = 256;

/// The challenges as the team sees them, in display order; none before the start.
#[utoipa::path(get, path = "/challenge", tag = "play",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = schema::Challenges)))]
pub async fn challenges(
    State(app): State<App>,
    team: Team,
    client: ClientNetwork,
    method: Method,
) -> Response {
    let view = app.board.feed.view(Some(team.id)).await;
    listed(list(&app, &view, team.id, &client, &method))
}

/// A team's list, which is noted.
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

/// The response with a list.
pub fn listed(list: Pieces) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::new(list)).into_response()
}

/// A flag for a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// The flag; at most 256 characters without blanks and invisible characters at its ends.
    flag: String,
    /// The challenge's id.
    challenge_id: String,
}

/// Whether a flag is right.
#[derive(Serialize, ToSchema)]
pub struct Answer {
    /// Whether it is; for a right one the solve is durable.
    correct: bool,
}

/// Returns a flag in the form in which it is compared.
pub fn compared(flag: &str) -> Result<Cow<'_, str>, ApiError> {
    let flag = flag_text::compared(flag);
    if flag.is_empty() {
        return Err(ApiError::FLAG_MISSING);
    }
    if flag.chars().count() > FLAG_CHARS_MAX {
        return Err(ApiError::FLAG_LONG);
    }
    Ok(flag)
}

/// Judges a flag.
#[utoipa::path(post, path = "/solve", tag = "play",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = Answer), (status = 403), (status = 404), (status = 429)))]
pub async fn solve(
    State(judging): extract::Part<Judging>,
    team: Result<Team, ApiError>,
    client: ClientNetwork,
    extract::Json(submission): extract::Json<Submission>,
) -> Result<Json<Answer>, ApiError> {
    let flag = compared(&submission.flag)?;
    let network = judging.sightings.network(&client);
    let played = judging.play(team?.id, &submission.challenge_id, &flag, network).await?;
    Ok(Json(Answer { correct: played == Played::Right }))
}
