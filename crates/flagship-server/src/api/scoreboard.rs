//! The scoreboard over HTTP: the snapshot, team pages and the CTFtime feed.

use axum::Json;
use axum::body::Body as AnyBody;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flagship_game::view;
use flagship_game::wire::Seconds;
use flagship_store::accounts;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::error::ApiError;
use super::extract::{Part, Query};
use super::schema;
use crate::net::body::{Body, Etags, Form};
use crate::net::lists::items;
use crate::node::board::Board;
use crate::node::sessions::Team;

/// Returns the snapshot of the live channel. All viewers get the same bytes, except a hidden team.
#[utoipa::path(get, path = "/scoreboard", tag = "scoreboard",
    params(("X-Api-Key" = Option<String>, Header, description = "Team token; may be empty")),
    responses((status = 200, body = schema::Snapshot), (status = 304)))]
pub async fn snapshot(
    State(board): Part<Board>,
    team: Option<Team>,
    headers: HeaderMap,
) -> Response {
    let view = board.feed.view(team.map(|team| team.id)).await;
    let hidden = board.feed.hidden_board(&view).await;
    let body = hidden.as_ref().map_or(&view.published.body, |hidden| &hidden.body);
    respond(body, &headers).await
}

/// Solves that the team adds to the snapshot.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnSolves {
    /// Name of the team.
    team_name: String,
    /// The team's solves that are hidden from others by the freeze. Add them to its row in this
    /// order, each after all other solves of its challenge.
    own: Vec<OwnSolve>,
    /// Award in the team's row, as the team sees it.
    award: i64,
}

/// A solve visible only to its own team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnSolve {
    challenge_id: String,
    /// Epoch seconds, with up to three decimals.
    #[schema(value_type = f64)]
    ts: Seconds,
}

/// Returns the team's solves that are hidden from others by the freeze, if any.
#[utoipa::path(get, path = "/scoreboard/own", tag = "scoreboard",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = OwnSolves)))]
pub async fn own_solves(State(board): Part<Board>, Team { id, .. }: Team) -> Json<OwnSolves> {
    // Only this team's part of the state may be used, so that nothing here reveals other teams.
    let contest = board.feed.team_contest(id);
    let Some(team) = contest.team(id) else { return Json(OwnSolves::default()) };
    let solve = |solve: view::OwnSolve<'_>| OwnSolve {
        challenge_id: solve.challenge.to_string(),
        ts: Seconds(solve.at_ms),
    };
    Json(OwnSolves {
        team_name: team.name.to_string(),
        own: view::own_solves(&contest, id).into_iter().map(solve).collect(),
        award: contest.own_award(team),
    })
}

/// Responds with a body, compressing it first if necessary.
pub async fn respond(body: &Body, request: &HeaderMap) -> Response {
    let FormChoice { form, is_known } = choose(&body.etags, request);
    if is_known {
        return not_modified(&body.etags, form);
    }
    with_form(body.get_or_build(form).await, &body.etags, form)
}

/// Responds with a body in the best form that the client accepts, or with 304 Not Modified; `None`
/// if the form must be compressed first.
pub fn cached_response(body: &Body, request: &HeaderMap) -> Option<Response> {
    let FormChoice { form, is_known } = choose(&body.etags, request);
    if is_known {
        return Some(not_modified(&body.etags, form));
    }
    Some(with_form(body.get(form)?, &body.etags, form))
}

/// The form of a response.
#[derive(Clone, Copy)]
pub struct FormChoice {
    /// The form.
    pub form: Form,
    /// True if the client has this form cached.
    pub is_known: bool,
}

/// Chooses the form that the client has cached, or else the smallest one that it accepts. A 304
/// names the cached form, so that the client's cache finds it by its ETag.
pub fn choose(etags: &Etags, request: &HeaderMap) -> FormChoice {
    let known = known_tags(request).find_map(|tag| etags.form_with_tag(tag));
    FormChoice { form: known.unwrap_or_else(|| best_form(request)), is_known: known.is_some() }
}

/// Returns the ETags of the forms that the client has cached.
pub fn known_tags(request: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let known = request.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes).unwrap_or_default();
    let tags = known.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    tags.map(|tag| tag.strip_prefix(b"W/").unwrap_or(tag))
}

/// Returns the smallest form that a client accepts.
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
    headers.insert(header::ETAG, etags.tag(form).clone());
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
    /// IDs of the team's public divisions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divisions: Vec<String>,
    /// Solves in chronological order.
    solves: Vec<TeamSolve>,
}

/// A solve by the team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamSolve {
    challenge_id: String,
    challenge_name: String,
    /// Position among the solvers, starting at 1.
    position: u32,
    /// Epoch seconds, with up to three decimals.
    #[schema(value_type = f64)]
    ts: Seconds,
    /// Current points of the solve.
    points: i64,
}

/// Returns a team's rank and solves.
#[utoipa::path(get, path = "/team/{name}", tag = "scoreboard",
    params(("name" = String, Path,
            description = "Current or former name of the team, percent-encoded"),
        ("X-Api-Key" = Option<String>, Header, description = "Team token; may be empty")),
    responses((status = 200, body = TeamPage), (status = 404)))]
pub async fn team(
    State(board): Part<Board>,
    team: Option<Team>,
    name: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> Result<Json<TeamPage>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_TEAM)?;
    let view = board.feed.view(team.map(|team| team.id)).await;
    let hidden = board.feed.hidden_board(&view).await;
    let name = match view.contest.team_formerly(&name).filter(|team| team.counts()) {
        Some(team) if accounts::former_name_redirects(&board.db, &name).await? => {
            team.name.to_string()
        }
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
        award: ranked.award,
        divisions: ranked.row.divisions().iter().map(ToString::to_string).collect(),
        solves: solves.collect(),
    }))
}

/// Options of the feed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CtftimeQuery {
    /// ID of a public division: only its teams, ranked among themselves.
    division: Option<String>,
}

/// Returns the scoreboard in CTFtime's format. It is always the public view.
#[utoipa::path(get, path = "/ctftime", tag = "scoreboard", params(CtftimeQuery),
    responses((status = 200, body = schema::Ctftime), (status = 304), (status = 404)))]
pub async fn ctftime(
    State(board): Part<Board>,
    Query(CtftimeQuery { division }): Query<CtftimeQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let view = board.feed.view(None).await;
    let body = match division {
        None => view.published.ctftime().await,
        Some(id) => view.published.division_feed(&id).await.ok_or(ApiError::NO_DIVISION)?,
    };
    Ok(respond(body, &headers).await)
}
