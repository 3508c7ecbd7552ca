//! Playing: a team's challenges, its submissions and its hints.

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
use crate::node::board::Board;
use crate::node::board::cards::{CardReader, OwnCopies};
use crate::node::board::published::View;
use crate::node::judging::Judging;
use crate::node::judging::judge::{JudgedSubmission, SubmissionResult};
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
    let copies = app.serving.copies.own(&view.contest, team.id).await;
    list_response(list(&app, &view, (team.id, &copies), &client, &method))
}

/// Returns a team's challenge list with its copies of attachments, and records the access.
pub fn list(
    app: &App,
    view: &View,
    (team, copies): (TeamId, &OwnCopies),
    client: &ClientNetwork,
    method: &Method,
) -> Pieces {
    if method == Method::GET {
        app.judging.sightings.note(team, Kind::List, None, app.judging.sightings.network(client));
    }
    let Board { links, passes, .. } = &*app.board;
    view.cards(&CardReader { team, links, passes, copies })
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
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// True if the flag solves the challenge. The solve is then durable.
    correct: bool,
    /// Set if the flag is one of several that the challenge needs, and others are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    progress: Option<schema::FlagProgress>,
    /// Number of incorrect flags that the team may still submit. Only set for an incorrect flag, if
    /// the challenge limits them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    attempts_left: Option<u32>,
    /// True after the end of the event: the flag was judged, and no score counts it. Absent before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    practice: bool,
}

impl From<JudgedSubmission> for Answer {
    fn from(JudgedSubmission { result, is_practice }: JudgedSubmission) -> Self {
        let incorrect =
            Self { correct: false, progress: None, attempts_left: None, practice: is_practice };
        match result {
            SubmissionResult::Correct => Self { correct: true, ..incorrect },
            SubmissionResult::Found(progress) => {
                Self { progress: Some(progress.into()), ..incorrect }
            }
            SubmissionResult::Incorrect { attempts_left } => Self { attempts_left, ..incorrect },
        }
    }
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
    Ok(Json(played.into()))
}

/// A hint to take.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HintRequest {
    /// Challenge ID.
    challenge_id: String,
    /// ID of the hint within the challenge.
    hint_id: String,
    /// Highest cost that the team accepts, in points. Defaults to any.
    #[schema(nullable = false)]
    cost: Option<i64>,
}

/// A hint that the team can read.
#[derive(Serialize, ToSchema)]
pub struct ReadHint {
    /// Sanitized HTML.
    html: String,
    /// Points that the team paid for the hint.
    cost: i64,
}

/// Takes a hint, for its cost in points. A repeated call returns the same and costs nothing.
#[utoipa::path(post, path = "/hint", tag = "play",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = ReadHint), (status = 403), (status = 404), (status = 409),
        (status = 429)))]
pub async fn hint(
    State(judging): extract::Part<Judging>,
    team: Result<Team, ApiError>,
    extract::Json(request): extract::Json<HintRequest>,
) -> Result<Json<ReadHint>, ApiError> {
    let HintRequest { challenge_id, hint_id, cost } = request;
    let taken = judging.take_hint(team?.id, &challenge_id, &hint_id, cost).await?;
    Ok(Json(ReadHint { html: taken.html, cost: taken.cost }))
}
