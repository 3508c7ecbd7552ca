//! What is kept about a team, and its erasure, for owners.

use axum::extract::State;
use flagship_game::Phase;
use flagship_store::accounts::Account;
use flagship_store::addresses;
use flagship_store::ops::{Actor, EraseError, Op, Outcome};
use flagship_store::privacy::{self, Kept, Until};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Query};
use crate::node::organizers::permissions::{ErasePrivate, Permission, SeePrivate};
use crate::node::report::report;
use crate::node::state::App;

/// A day, in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// Which team.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PrivateQuery {
    /// The team's exact name, also of one that is not confirmed; without it, all teams.
    team: Option<String>,
}

/// What is kept about a team, or about all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivateData {
    /// The team's name; without it, all teams.
    team: Option<String>,
    /// The number of teams, also of those that are not confirmed.
    teams: i64,
    /// False as long as an erasure keeps the teams from playing on.
    is_over: bool,
    /// By table.
    kept: Vec<KeptRows>,
}

/// Rows of a table about a team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptRows {
    /// The table.
    table: &'static str,
    /// What the rows have.
    what: &'static str,
    /// Number of rows.
    rows: i64,
    /// True if an erasure leaves them, because the journal and the names of teams need them.
    stays: bool,
    /// Hours after which they are removed anyway.
    hours: Option<i64>,
    /// Time at which they are removed anyway, in epoch milliseconds.
    until: Option<i64>,
}

/// Shows what is kept about a team, or about all.
#[utoipa::path(get, path = "/privacy", operation_id = "organizer_privacy", params(PrivateQuery),
    responses((status = 200, body = PrivateData)))]
pub async fn show(
    State(app): State<App>,
    by: By<SeePrivate>,
    Query(PrivateQuery { team }): Query<PrivateQuery>,
) -> Result<axum::Json<PrivateData>, ApiError> {
    let account = account(&app, team.as_deref()).await?;
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let (teams, kept) = match &account {
        Some(account) => (1, privacy::kept(app.db(), account.id).await?),
        None => privacy::kept_of_all(app.db()).await?,
    };
    let contest = app.contest();
    let days = i64::from(app.settings().privacy.sightings_days);
    let end_ms = contest.event().and_then(|event| event.end_ms);
    let rows = |it: Kept| {
        let (hours, until) = match it.until {
            Until::Hours(hours) => (Some(hours), None),
            Until::EventEnd => (None, end_ms),
            Until::Time(ms) => (None, Some(ms)),
            Until::Sightings => (None, end_ms.map(|end_ms| end_ms + days * DAY_MS)),
            Until::Erased | Until::Never => (None, None),
        };
        let stays = it.until == Until::Never;
        KeptRows { table: it.table, what: it.what, rows: it.rows, stays, hours, until }
    };
    Ok(axum::Json(PrivateData {
        team: account.map(|account| account.name),
        teams,
        is_over: contest.reached(Phase::End),
        kept: kept.into_iter().map(rows).collect(),
    }))
}

/// Of whom private data is erased.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EraseRequest {
    /// The team's exact name; without it, all teams.
    team: Option<String>,
    /// The same name again, or the event's name for all teams.
    confirm: String,
    /// True to erase also before the end; the teams cannot log in any more.
    #[serde(default)]
    before_end: bool,
}

/// How much was erased.
#[derive(Serialize, ToSchema)]
pub struct Erased {
    /// Number of rows.
    rows: u64,
}

/// Erases what is private about a team, or about all. It cannot be undone.
#[utoipa::path(post, path = "/privacy/erase", operation_id = "organizer_erase",
    responses((status = 200, body = Erased), (status = 409)))]
pub async fn erase(
    State(app): State<App>,
    by: By<ErasePrivate>,
    Json(request): Json<EraseRequest>,
) -> Result<axum::Json<Erased>, ApiError> {
    let EraseRequest { team, confirm, before_end: is_confirmed } = request;
    let account_id = account(&app, team.as_deref()).await?.map(|account| account.id);
    let contest = app.contest();
    let event = contest.event().map(|event| event.name.as_str());
    if Some(confirm.trim()) != team.as_deref().or(event) {
        return Err(ApiError::CONFIRM);
    }
    let op = Op::Erase { account_id, is_confirmed, by: by.who.by(&ErasePrivate::RULE) };
    let rows = match app.run(op.by(Actor::Organizer)).await? {
        Outcome::Erase(Ok(rows)) => rows,
        Outcome::Erase(Err(EraseError::NotOver)) => return Err(ApiError::NOT_OVER),
        Outcome::Erase(Err(EraseError::NoAccount)) => return Err(ApiError::NO_TEAM),
        Outcome::Erase(Err(EraseError::Ended)) => return Err(ApiError::UNAUTHORIZED),
        _ => return Err(ApiError::INTERNAL),
    };
    if let Err(error) = app.accounts.sessions.follow(app.db()).await {
        // It is done; the node follows soon.
        report(&error, "ended sessions could not be read");
    }
    Ok(axum::Json(Erased { rows }))
}

/// The account of a team; `None` for all teams.
async fn account(app: &App, team: Option<&str>) -> Result<Option<Account>, ApiError> {
    let Some(team) = team else { return Ok(None) };
    addresses::named(app.db(), team).await?.ok_or(ApiError::NO_TEAM).map(Some)
}
