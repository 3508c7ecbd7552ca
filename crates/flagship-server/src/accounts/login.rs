//! Logging in and out. A wrong name and a wrong password are one and the same, in equal time.

use std::sync::Arc;

use axum::extract::State;
use flagship_game::TeamId;
use flagship_store::accounts::{self, Account};
use flagship_store::sessions;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{ClientNetwork, Json, Nothing, Team};
use crate::passwords::Place;
use crate::places::Places;
use crate::schema;
use crate::sessions::new_token;

/// Logouts that are written or wait for it, in all ...
const LOGOUTS_MAX: usize = 32;
/// ... and of one team. Each is a transaction that logins stand behind.
const LOGOUTS_PER_TEAM_MAX: usize = 2;

/// Places for logouts.
pub fn logouts() -> Arc<Places<TeamId>> {
    Places::new(LOGOUTS_MAX, LOGOUTS_PER_TEAM_MAX)
}

/// A team that wants in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// The team's name.
    team: String,
    /// Its password.
    password: String,
    /// What the captcha's widget gave.
    captcha_token: String,
}

/// A team that is in.
#[derive(Serialize, ToSchema)]
pub struct LoginAnswer {
    /// For the header `X-Api-Key`; good for 48 hours.
    token: String,
}

/// Gives a token for a name and a password.
#[utoipa::path(post, path = "/login", tag = "accounts", request_body = LoginRequest,
    responses((status = 200, body = LoginAnswer), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn login(
    State(app): State<App>,
    client: ClientNetwork,
    Json(request): Json<LoginRequest>,
) -> Result<axum::Json<LoginAnswer>, ApiError> {
    let typed = limits::typed(&request.team);
    app.limits.refused_before(typed, &client, app.clock.now_ms())?;
    let place = app.admit(&client, &request.captcha_token).await?;
    let account = accounts::by_name(&app.db, typed).await?;
    let now_ms = app.clock.now_ms();
    let id = account.as_ref().map(|account| account.id);
    let attempt = app.limits.log_in(id, typed, &client, now_ms)?;
    let shared = match app.attempt_login(id, typed, &client).await {
        Ok(shared) => shared,
        Err(refused) => {
            attempt.give_back();
            return Err(refused);
        }
    };
    let verified = verify(&app, place, account, request.password).await;
    if !matches!(verified, Err(ApiError::LOGIN)) {
        attempt.give_back();
        shared.give_back().await;
    }
    let account = verified?;
    let (token, hash) = (new_token(), account.password_hash.as_deref().unwrap_or_default());
    let session = sessions::log_in(&app.db, &token, account.id, hash, app.clock.now_ms()).await?;
    app.sessions.add(session.ok_or(ApiError::LOGIN)?);
    Ok(axum::Json(LoginAnswer { token }))
}

/// The account, if this is its password and it may play.
async fn verify(
    app: &App,
    place: Place,
    account: Option<Account>,
    password: String,
) -> Result<Account, ApiError> {
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    let is_right = app.passwords.verify(place, password, hash).await?;
    let account = account.filter(|_| is_right).ok_or(ApiError::LOGIN)?;
    if account.confirmed_at_ms.is_none() {
        return Err(ApiError::UNCONFIRMED);
    }
    let contest = app.contest();
    match contest.team(TeamId(account.id)) {
        Some(team) if team.banned => Err(ApiError::LOGIN),
        _ => Ok(account),
    }
}

/// Nothing more to say.
#[derive(Serialize, ToSchema)]
pub struct Empty {}

/// Ends the session of the token, for good.
#[utoipa::path(post, path = "/logout", tag = "accounts",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = Empty), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 415, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn logout(
    State(app): State<App>,
    team: Team,
    _: Nothing,
) -> Result<axum::Json<Empty>, ApiError> {
    let _place = app.logouts.take(Some(team.id)).map_err(|_| ApiError::overload())?;
    sessions::revoke(&app.db, &team.token_hash).await?;
    app.sessions.revoke(&team.token_hash);
    Ok(axum::Json(Empty {}))
}
