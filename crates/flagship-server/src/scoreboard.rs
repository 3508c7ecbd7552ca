//! The scoreboard for those without a socket: the snapshot, a team, CTFtime's feed.

use axum::Json;
use axum::body::Body as AnyBody;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flagship_game::wire::{Ctftime, Seconds};
use flagship_game::{TeamId, view};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Team;
use crate::published::{Body, Form};
use crate::schema;

/// The snapshot of the live channel, as the viewer sees it.
#[utoipa::path(get, path = "/scoreboard", tag = "scoreboard",
    params(("X-Api-Key" = Option<String>, Header, description = "A team's token; may be empty")),
    responses((status = 200, body = schema::Snapshot), (status = 304)))]
pub async fn snapshot(
    State(app): State<App>,
    team: Option<Team>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let team = team.map(|team| team.id);
    let published = match team {
        Some(team) => app.feed.published_for(team).await,
        None => app.feed.published().await,
    };
    let body = published.body_for(app.feed.generation(), team);
    Ok(respond(&body, &headers).await)
}

/// Answers with a body in the best form that the client takes, or that it has it already.
async fn respond(body: &Body, request: &HeaderMap) -> Response {
    let form = (!is_known(body, request)).then(|| best_form(request));
    let bytes = match form {
        Some(form) => body.form(form).await,
        None => Bytes::new(),
    };
    let mut response = AnyBody::from(bytes).into_response();
    insert_own(response.headers_mut());
    describe(&mut response, body, form);
    response
}

/// Whether the client says that it has this body.
pub fn is_known(body: &Body, request: &HeaderMap) -> bool {
    is_tag_known(body.etag.as_bytes(), request)
}

/// Whether the client says that it has what this tag is of.
pub fn is_tag_known(known_tag: &[u8], request: &HeaderMap) -> bool {
    let known = request.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes).unwrap_or_default();
    known.split(|byte| *byte == b',').any(|tag| {
        let tag = tag.trim_ascii();
        tag.strip_prefix(b"W/").unwrap_or(tag) == known_tag
    })
}

/// The smallest form that a client takes.
pub fn best_form(request: &HeaderMap) -> Form {
    if accepts(request, "br") {
        Form::Brotli
    } else if accepts(request, "gzip") {
        Form::Gzip
    } else {
        Form::Plain
    }
}

/// The headers that every answer with a board has.
pub fn insert_own(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
}

/// Says of an answer which body it has in which form; without one, that the client has it.
pub fn describe(response: &mut Response, body: &Body, form: Option<Form>) {
    if form.is_none() {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::ETAG, body.etag.clone());
    if form.is_some() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let encoding = match form {
        Some(Form::Brotli) => "br",
        Some(Form::Gzip) => "gzip",
        Some(Form::Plain) | None => return,
    };
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
}

/// Whether a client takes an encoding.
pub fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).iter();
    let offers = values.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    offers.into_iter().any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        is_named && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// A team as the viewer sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPage {
    team_name: String,
    country: String,
    rank: usize,
    points: i64,
    award: i64,
    /// In the order of time.
    solves: Vec<TeamSolve>,
}

/// A team's solve.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamSolve {
    challenge_id: String,
    challenge_name: String,
    /// Place among the solvers, from 1.
    position: u32,
    /// Epoch seconds, with up to three decimals.
    #[schema(value_type = f64)]
    ts: Seconds,
    /// What it is worth now.
    points: i64,
}

/// A team's rank and solves.
#[utoipa::path(get, path = "/team/{name}", tag = "scoreboard",
    params(("name" = String, Path, description = "The team's exact name, percent-encoded"),
        ("X-Api-Key" = Option<String>, Header, description = "A team's token; may be empty")),
    responses((status = 200, body = TeamPage), (status = 404, body = schema::Error)))]
pub async fn team(
    State(app): State<App>,
    team: Option<Team>,
    name: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> Result<Json<TeamPage>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_TEAM)?;
    let viewer: Option<TeamId> = team.map(|team| team.id);
    let published = match viewer {
        Some(team) => app.feed.published_for(team).await,
        None => app.feed.published().await,
    };
    let own = viewer.filter(|team| view::has_own_view(&published.contest, *team));
    let own = own.map(|team| view::own_board(&published.board, &published.contest, team));
    let board = own.as_ref().unwrap_or(&published.board);
    let (rank, row) = board.row(&name).ok_or(ApiError::NO_TEAM)?;
    let mut marks = row.marks().to_vec();
    marks.sort_by_key(|mark| mark.at_ms);
    let solves = marks.iter().map(|mark| {
        let challenge = board.tallies()[mark.challenge as usize].challenge();
        TeamSolve {
            challenge_id: challenge.id.to_string(),
            challenge_name: challenge.name.clone(),
            position: mark.position,
            ts: Seconds(mark.at_ms),
            points: board.points_of(mark),
        }
    });
    Ok(Json(TeamPage {
        team_name: row.name().to_owned(),
        country: row.country().to_owned(),
        rank,
        points: row.points(),
        award: row.award(),
        solves: solves.collect(),
    }))
}

/// The scoreboard as CTFtime reads it; always the public one.
#[utoipa::path(get, path = "/ctftime", tag = "scoreboard",
    responses((status = 200, body = schema::Ctftime)))]
pub async fn ctftime(State(app): State<App>) -> Response {
    let published = app.feed.published().await;
    Json(Ctftime(&published.board)).into_response()
}
