//! API tokens: organizers create their own, and owners can create tokens for others.

use axum::extract::State;
use flagship_store::ops::script_tokens::{self, TOKEN_DAYS_MAX};
use flagship_store::organizers::passes::Kind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::session::Done;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Part};
use crate::api::organize::auth::Authorized;
use crate::node::organizers::Organizers;
use crate::node::organizers::permissions::{ListOrganizers, MakeOwnToken, MakeToken, Permission};

/// API tokens of all organizers.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// API tokens, sorted by organizer name, newest first.
    tokens: Vec<ListedToken>,
}

/// An active API token. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedToken {
    /// Organizer name.
    organizer: String,
    /// ID of the token for other endpoints. It cannot be used to authenticate.
    id: String,
    /// Time of creation.
    created_at: i64,
    /// Expiry time.
    expires_at: i64,
}

/// Lists the API tokens of all organizers.
#[utoipa::path(get, path = "/organizers/tokens", operation_id = "organizers_tokens",
    responses((status = 200, body = Tokens)))]
pub async fn list(
    State(organizers): Part<Organizers>,
    _by: Authorized<ListOrganizers>,
) -> Result<axum::Json<Tokens>, ApiError> {
    let all = script_tokens::tokens(&organizers.db, organizers.clock.now_ms()).await?.into_iter();
    let tokens = all.map(|it| ListedToken {
        organizer: it.organizer,
        id: it.digest,
        created_at: it.created_at_ms,
        expires_at: it.expires_at_ms,
    });
    Ok(axum::Json(Tokens { tokens: tokens.collect() }))
}

/// A new API token for the caller.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnTokenRequest {
    /// Number of days until the token expires, from 1 to 366.
    days: u32,
}

/// A new API token for an organizer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Organizer name.
    name: String,
    /// Number of days until the token expires, from 1 to 366.
    days: u32,
}

/// A new API token. It is shown only once.
#[derive(Serialize, ToSchema)]
pub struct NewToken {
    /// The value of `X-Api-Key`.
    token: String,
}

/// Creates an API token for the caller.
#[utoipa::path(post, path = "/tokens", operation_id = "organizer_token",
    responses((status = 200, body = NewToken), (status = 409)))]
pub async fn make_own(
    State(organizers): Part<Organizers>,
    caller: Authorized<MakeOwnToken>,
    Json(OwnTokenRequest { days }): Json<OwnTokenRequest>,
) -> Result<axum::Json<NewToken>, ApiError> {
    make(&organizers, &caller, None, days).await
}

/// Creates an API token for an organizer.
#[utoipa::path(post, path = "/organizers/token", operation_id = "organizers_token",
    responses((status = 200, body = NewToken), (status = 409)))]
pub async fn make_of(
    State(organizers): Part<Organizers>,
    caller: Authorized<MakeToken>,
    Json(TokenRequest { name, days }): Json<TokenRequest>,
) -> Result<axum::Json<NewToken>, ApiError> {
    make(&organizers, &caller, Some(&name), days).await
}

async fn make<A: Permission>(
    organizers: &Organizers,
    caller: &Authorized<A>,
    name: Option<&str>,
    days: u32,
) -> Result<axum::Json<NewToken>, ApiError> {
    if !(1..=TOKEN_DAYS_MAX).contains(&days) {
        return Err(ApiError::TOKEN_DAYS);
    }
    let (token, digest) = organizers.new_token(Kind::Token);
    let (new, now_ms) = ((digest.as_str(), days), organizers.clock.now_ms());
    script_tokens::make_token(
        &organizers.db,
        &organizers.seal,
        caller.standing(),
        name,
        new,
        now_ms,
    )
    .await??;
    let owner = caller.who.organizer.name.as_str();
    tracing::warn!(by = owner, of = name.unwrap_or(owner), days, "API token created");
    Ok(axum::Json(NewToken { token }))
}

/// Selection of an organizer's API token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndTokenRequest {
    /// Organizer name.
    name: String,
    /// ID of the token from the list.
    id: String,
}

/// Revokes an organizer's API token.
#[utoipa::path(post, path = "/organizers/token/end", operation_id = "organizers_end_token",
    responses((status = 200, body = Done)))]
pub async fn end(
    State(organizers): Part<Organizers>,
    caller: Authorized<MakeToken>,
    Json(EndTokenRequest { name, id }): Json<EndTokenRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let (which, now_ms) = ((name.as_str(), id.as_str()), organizers.clock.now_ms());
    let ended = script_tokens::end_token(
        &organizers.db,
        &organizers.seal,
        caller.standing(),
        which,
        now_ms,
    )
    .await??;
    if ended { Ok(axum::Json(Done {})) } else { Err(ApiError::NOT_FOUND) }
}
