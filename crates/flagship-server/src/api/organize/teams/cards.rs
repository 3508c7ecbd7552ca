//! Join cards: a sheet to print with which teams set their passwords and log in.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use flagship_actions::Common;
use flagship_store::ops::join_cards::{self, CardError, CardTeams};
use flagship_store::organizers::Changer;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::auth::Authorized;
use super::super::blocking::blocking;
use crate::api::error::{ApiError, errors_from};
use crate::api::extract::{LargeJson, TimeLimit};
use crate::node::join_cards::{new_secrets, sheet};
use crate::node::organizers::permissions::MakeCards;
use crate::node::state::App;

/// Maximum number of teams in a request that names them.
const TEAMS_MAX: usize = 250;

/// Selection of teams for join cards.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CardsRequest {
    /// Exact names of 1 to 250 teams; if omitted, all confirmed teams that are not banned.
    teams: Option<Vec<String>>,
    /// Reason for the audit log; at most 500 characters.
    #[serde(default)]
    reason: String,
}

/// Makes join cards and returns them as an HTML page to print. A team's new card voids its earlier
/// one.
#[utoipa::path(post, path = "/cards", operation_id = "organizer_make_cards",
    request_body = CardsRequest,
    responses((status = 200, content_type = "text/html",
            description = "The sheet. It is the only copy of the cards' links and codes"),
        (status = 409), (status = 429)))]
pub async fn make(
    State(app): State<App>,
    caller: Authorized<MakeCards>,
    limit: TimeLimit,
    request: LargeJson<CardsRequest>,
) -> Result<Response, ApiError> {
    let organizer = &caller.who.organizer;
    let CardsRequest { teams, reason } =
        request.parsed(&app.organizers.renderer, organizer.id).await?;
    let reason = checked_reason(reason)?;
    let teams = match teams {
        Some(names) if (1..=TEAMS_MAX).contains(&names.len()) => {
            CardTeams::Named(names.into_iter().collect())
        }
        Some(_) => return Err(ApiError::WRONG_SHAPE),
        None => CardTeams::AllExcept(banned(&app)),
    };
    let _turn = app.organizers.exports.take(organizer.id).await;
    // Earlier cards become void, so the sheet must reach the organizer.
    if !limit.lift() {
        return Err(ApiError::TOO_SLOW);
    }
    let by = Changer::Organizer(&app.organizers.seal, caller.standing());
    let key = &app.config().key;
    let secrets = |account_id| new_secrets(key, account_id);
    let made = join_cards::make(app.db(), by, &teams, &reason, secrets, app.now_ms()).await?;
    let cards = made?;
    if cards.is_empty() {
        return Err(ApiError::NO_TEAM);
    }
    tracing::warn!(organizer = organizer.name, teams = cards.len(), "join cards made");
    let event = app.contest().event().map_or_else(String::new, |event| event.name.clone());
    let public_url = app.config().public_url.clone();
    let html = blocking(move || sheet(&event, &public_url, &cards)).await?;
    let html = html.ok_or(ApiError::INTERNAL)?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"cards.html\""),
    ];
    Ok((headers, html).into_response())
}

/// Trims a reason, which is required.
fn checked_reason(reason: String) -> Result<String, ApiError> {
    let common = Common { reason, is_preview: false, head: None };
    if !common.has_valid_reason() {
        return Err(ApiError::WRONG_SHAPE);
    }
    match common.reason.trim() {
        "" => Err(ApiError::REASON_MISSING),
        reason => Ok(reason.to_owned()),
    }
}

/// Accounts of banned teams.
fn banned(app: &App) -> BTreeSet<i64> {
    let contest = app.contest();
    contest.teams().filter(|team| team.banned).map(|team| team.id.0).collect()
}

errors_from! {
    CardError {
        Ended => UNAUTHORIZED,
        NoTeam => NO_TEAM,
        Unconfirmed => STANDING,
        Waits => STANDING,
    }
}
