//! The scoreboard over HTTP: the snapshot, a team, CTFtime's feed.

use axum::Json;
use axum::body::Body as AnyBody;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flagship_game::view;
use flagship_game::wire::Seconds;
use flagship_store::accounts;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;
use super::extract::Part;
use super::schema;
use crate::net::body::{Body, Etags, Form};
use crate::net::lists::items;
use crate::node::board::Board;
use crate::node::sessions::Team;

/// The snapshot of the live channel: the same bytes for all, except for a hidden team.
#[utoipa::path(get, path = "/scoreboard", tag = "scoreboard",
    params(("X-Api-Key" = Option<String>, Header, description = "A team's token; may be empty")),
    responses((status = 200, body = schema::Snapshot), (status = 304)))]
pub async fn snapshot(
    State(board): Part<Board>,
    team: Option<Team>,
    headers: HeaderMap,
) -> Response {
    let view = board.feed.view(team.map(|team| team.id)).await;
    let hidden = board.feed.hidden(&view).await;
    let body = hidden.as_ref().map_or(&view.published.body, |hidden| &hidden.body);
    respond(body, &headers).await
}

/// What a team adds to the snapshot.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnSolves {
    /// The name of the team's row.
    team_name: String,
    /// Its solves that the freeze hides from others, to be added to its row in this order, each
    /// after all others of its challenge.
    own: Vec<OwnSolve>,
    /// The award of its row, as the team sees it.
    award: i64,
}

/// A solve that only its own team sees.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnSolve {
    challenge_id: String,
    /// Epoch seconds, with up to three decimals.
    #[schema(value_type = f64)]
    ts: Seconds,
}

/// The solves of the team that the freeze hides from others; none otherwise.
#[utoipa::path(get, path = "/scoreboard/own", tag = "scoreboard",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = OwnSolves)))]
pub async fn own_solves(State(board): Part<Board>, Team { id, .. }: Team) -> Json<OwnSolves> {
    // A fold of which only this team's part may be used: nothing here depends on other teams.
    let contest = board.feed.contest_of(id);
    let Some(team) = contest.team(id) else { return Json(OwnSolves::default()) };
    let solve = |solve: view::OwnSolve<'_>| OwnSolve {
        challenge_id: solve.challenge.to_string(),
        ts: Seconds(solve.at_ms),
    };
    Json(OwnSolves {
        team_name: team.name.to_string(),
        own: view::own_solves(&contest, id).into_iter().map(solve).collect(),
        award: team.award,
    })
}

/// Responds with a body, whose form is made first if necessary.
pub async fn respond(body: &Body, request: &HeaderMap) -> Response {
    let Choice { form, is_known } = choose(&body.etags, request);
    if is_known {
        return not_modified(&body.etags, form);
    }
    with_form(body.make(form).await, &body.etags, form)
}

/// Responds with a body in the best form that the client accepts, or with "not modified"; `None` if
/// the form must be made first.
pub fn cached_response(body: &Body, request: &HeaderMap) -> Option<Response> {
    let Choice { form, is_known } = choose(&body.etags, request);
    if is_known {
        return Some(not_modified(&body.etags, form));
    }
    Some(with_form(body.made(form)?, &body.etags, form))
}

/// The form to respond with.
#[derive(Clone, Copy)]
pub struct Choice {
    /// The form.
    pub form: Form,
    /// True if the client has it cached.
    pub is_known: bool,
}

/// The form that a client has cached, or else the smallest one that it accepts. The response to the
/// former names that form, so that the client's cache finds it by the ETag.
pub fn choose(etags: &Etags, request: &HeaderMap) -> Choice {
    let known = known_tags(request).find_map(|tag| etags.form_of(tag));
    Choice { form: known.unwrap_or_else(|| best_form(request)), is_known: known.is_some() }
}

/// The ETags of the forms that the client has cached.
pub fn known_tags(request: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let known = request.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes).unwrap_or_default();
    let tags = known.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    tags.map(|tag| tag.strip_prefix(b"W/").unwrap_or(tag))
}

/// The smallest form that a client accepts.
fn best_form(request: &HeaderMap) -> Form {
    if accepts(request, "br") {
        Form::Brotli
    } else if accepts(request, "gzip") {
        Form::Gzip
    } else {
        Form::Plain
    }
}

fn not_modified(etags: &Etags, form: Form) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    describe(response.headers_mut(), etags, form);
    response
}

fn with_form(bytes: Bytes, etags: &Etags, form: Form) -> Response {
    let mut response = Response::new(AnyBody::from(bytes));
    let headers = response.headers_mut();
    describe(headers, etags, form);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let encoding = match form {
        Form::Brotli => "br",
        Form::Gzip => "gzip",
        Form::Plain => return response,
    };
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    response
}

fn describe(headers: &mut HeaderMap, etags: &Etags, form: Form) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::ETAG, etags.of_form(form).clone());
}

/// True if a client accepts an encoding.
pub fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    items(request, header::ACCEPT_ENCODING).any(|offer| {
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
    params(("name" = String, Path,
            description = "The team's exact name, percent-encoded, or one that it had before"),
        ("X-Api-Key" = Option<String>, Header, description = "A team's token; may be empty")),
    responses((status = 200, body = TeamPage), (status = 404)))]
pub async fn team(
    State(board): Part<Board>,
    team: Option<Team>,
    name: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> Result<Json<TeamPage>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_TEAM)?;
    let view = board.feed.view(team.map(|team| team.id)).await;
    let hidden = board.feed.hidden(&view).await;
    let name = match view.contest.team_formerly(&name).filter(|team| team.counts()) {
        Some(team) if accounts::leads_on(&board.db, &name).await? => team.name.to_string(),
        _ => name,
    };
    let ranked = match &hidden {
        Some(hidden) => view::ranked_row(&hidden.board, &view.contest, None, &name),
        None => view.ranked_row(&name),
    };
    let ranked = ranked.ok_or(ApiError::NO_TEAM)?;
    let solves = ranked.solves.into_iter().map(|(challenge, mark, points)| TeamSolve {
        challenge_id: challenge.id.to_string(),
        challenge_name: challenge.name.clone(),
        position: mark.position,
        ts: Seconds(mark.at_ms),
        points,
    });
    Ok(Json(TeamPage {
        team_name: ranked.row.name().to_owned(),
        country: ranked.row.country().to_owned(),
        rank: ranked.rank,
        points: ranked.points,
        award: ranked.row.award(),
        solves: solves.collect(),
    }))
}

/// The scoreboard as CTFtime reads it; always the public one.
#[utoipa::path(get, path = "/ctftime", tag = "scoreboard",
    responses((status = 200, body = schema::Ctftime), (status = 304)))]
pub async fn ctftime(State(board): Part<Board>, headers: HeaderMap) -> Response {
    let view = board.feed.view(None).await;
    let body = view.published.ctftime().await;
    respond(body, &headers).await
}
