//! Stored private data of teams and its erasure, for owners.

use axum::extract::State;
use flagship_game::Phase;
use flagship_store::accounts::Account;
use flagship_store::addresses;
use flagship_store::ops::{Actor, EraseError, Op, Outcome};
use flagship_store::privacy::{self, RetainedData, Retention};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Query};
use crate::node::organizers::permissions::{ErasePrivate, Permission, SeePrivate};
use crate::node::report::report;
use crate::node::state::App;

/// One day, in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// Selection of a team.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PrivateQuery {
    /// Exact name of the team, which can be unconfirmed; all teams if omitted.
    team: Option<String>,
}

/// Stored private data of one team or of all teams.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivateData {
    /// Team name; null for all teams.
    team: Option<String>,
    /// Number of teams, including unconfirmed ones.
    teams: i64,
    /// True if the event is over, so that an erasure does not prevent any team from playing.
    is_over: bool,
    /// Stored rows by table.
    kept: Vec<KeptRows>,
}

/// Rows of a table that belong to the team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeptRows {
    /// Name of the table.
    table: &'static str,
    /// Description of the data in the rows.
    what: &'static str,
    /// Number of rows.
    rows: i64,
    /// True if an erasure keeps the rows because the journal and the team names need them.
    stays: bool,
    /// Number of hours after which the rows are deleted automatically.
    hours: Option<i64>,
    /// Time at which the rows are deleted automatically, in epoch milliseconds.
    until: Option<i64>,
}

/// Returns the private data stored about one team or about all teams.
#[utoipa::path(get, path = "/privacy", operation_id = "organizer_privacy", params(PrivateQuery),
    responses((status = 200, body = PrivateData)))]
pub async fn show(
    State(app): State<App>,
    caller: Authorized<SeePrivate>,
    Query(PrivateQuery { team }): Query<PrivateQuery>,
) -> Result<axum::Json<PrivateData>, ApiError> {
    let account = account(&app, team.as_deref()).await?;
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let (teams, kept) = match &account {
        Some(account) => (1, privacy::retained(app.db(), account.id).await?),
        None => privacy::retained_for_all(app.db()).await?,
    };
    let contest = app.contest();
    let days = i64::from(app.settings().privacy.sightings_days);
    let end_ms = contest.event().and_then(|event| event.end_ms);
    let rows = |it: RetainedData| {
        let (hours, until) = match it.until {
            Retention::Hours(hours) => (Some(hours), None),
            Retention::EventEnd => (None, end_ms),
            Retention::Time(ms) => (None, Some(ms)),
            Retention::Sightings => (None, end_ms.map(|end_ms| end_ms + days * DAY_MS)),
            Retention::Erased | Retention::Never => (None, None),
        };
        let stays = it.until == Retention::Never;
        KeptRows { table: it.table, what: it.what, rows: it.rows, stays, hours, until }
    };
    Ok(axum::Json(PrivateData {
        team: account.map(|account| account.name),
        teams,
        is_over: contest.reached(Phase::End),
        kept: kept.into_iter().map(rows).collect(),
    }))
}

/// Private data to erase.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EraseRequest {
    /// Exact name of the team; all teams if omitted.
    team: Option<String>,
    /// Confirmation: the team name again, or the event name for all teams.
    confirm: String,
    /// True to allow an erasure before the end of the event. The teams can no longer log in.
    #[serde(default)]
    before_end: bool,
}

/// Result of an erasure.
#[derive(Serialize, ToSchema)]
pub struct Erased {
    /// Number of erased rows.
    rows: u64,
}

/// Erases the private data of one team or of all teams. This cannot be undone.
#[utoipa::path(post, path = "/privacy/erase", operation_id = "organizer_erase",
    responses((status = 200, body = Erased), (status = 409)))]
pub async fn erase(
    State(app): State<App>,
    caller: Authorized<ErasePrivate>,
    Json(request): Json<EraseRequest>,
) -> Result<axum::Json<Erased>, ApiError> {
    let EraseRequest { team, confirm, before_end: is_confirmed } = request;
    let account_id = account(&app, team.as_deref()).await?.map(|account| account.id);
    let contest = app.contest();
    let event = contest.event().map(|event| event.name.as_str());
    if Some(confirm.trim()) != team.as_deref().or(event) {
        return Err(ApiError::CONFIRM);
    }
    let op = Op::Erase { account_id, is_confirmed, by: caller.who.by(&ErasePrivate::RULE) };
    let rows = match app.run(op.by(Actor::Organizer)).await? {
        Outcome::Erase(Ok(rows)) => rows,
        Outcome::Erase(Err(EraseError::NotOver)) => return Err(ApiError::NOT_OVER),
        Outcome::Erase(Err(EraseError::NoAccount)) => return Err(ApiError::NO_TEAM),
        Outcome::Erase(Err(EraseError::Ended)) => return Err(ApiError::UNAUTHORIZED),
        _ => return Err(ApiError::INTERNAL),
    };
    if let Err(error) = app.accounts.sessions.follow(app.db()).await {
        // The erasure is complete; the node catches up shortly.
        report(&error, "failed to read ended sessions");
    }
    Ok(axum::Json(Erased { rows }))
}

/// Returns the account of a team; `None` for all teams.
async fn account(app: &App, team: Option<&str>) -> Result<Option<Account>, ApiError> {
    let Some(team) = team else { return Ok(None) };
    addresses::named(app.db(), team).await?.ok_or(ApiError::NO_TEAM).map(Some)
}
