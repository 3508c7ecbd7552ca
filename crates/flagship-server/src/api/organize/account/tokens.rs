//! Tokens for scripts: organizers make their own, and owners those of others.

use axum::extract::State;
use flagship_store::ops::script_tokens::{self, TOKEN_DAYS_MAX};
use flagship_store::organizers::passes::Kind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::session::Done;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Part};
use crate::api::organize::by::By;
use crate::node::organizers::Organizers;
use crate::node::organizers::permissions::{ListOrganizers, MakeOwnToken, MakeToken, Permission};

/// The tokens of all organizers.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// By the name of the organizer, the newest first.
    tokens: Vec<ListedToken>,
}

/// A token that has not ended. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedToken {
    /// The organizer's name.
    organizer: String,
    /// Name of the token for calls; it lets nobody in.
    id: String,
    /// Time of its creation.
    created_at: i64,
    /// Time of its end.
    expires_at: i64,
}

/// Lists the tokens of all organizers.
#[utoipa::path(get, path = "/organizers/tokens", operation_id = "organizers_tokens",
    responses((status = 200, body = Tokens)))]
pub async fn list(
    State(organizers): Part<Organizers>,
    _by: By<ListOrganizers>,
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

/// A new token of the caller.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnTokenRequest {
    /// Days until it ends, from 1 to 366.
    days: u32,
}

/// A new token of an organizer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// The organizer's name.
    name: String,
    /// Days until it ends, from 1 to 366.
    days: u32,
}

/// A token. It is shown once.
#[derive(Serialize, ToSchema)]
pub struct NewToken {
    /// The value of `X-Api-Key`.
    token: String,
}

/// Makes a token of the caller.
#[utoipa::path(post, path = "/tokens", operation_id = "organizer_token",
    responses((status = 200, body = NewToken), (status = 409)))]
pub async fn make_own(
    State(organizers): Part<Organizers>,
    by: By<MakeOwnToken>,
    Json(OwnTokenRequest { days }): Json<OwnTokenRequest>,
) -> Result<axum::Json<NewToken>, ApiError> {
    make(&organizers, &by, None, days).await
}

/// Makes a token of an organizer.
#[utoipa::path(post, path = "/organizers/token", operation_id = "organizers_token",
    responses((status = 200, body = NewToken), (status = 409)))]
pub async fn make_of(
    State(organizers): Part<Organizers>,
    by: By<MakeToken>,
    Json(TokenRequest { name, days }): Json<TokenRequest>,
) -> Result<axum::Json<NewToken>, ApiError> {
    make(&organizers, &by, Some(&name), days).await
}

async fn make<A: Permission>(
    organizers: &Organizers,
    by: &By<A>,
    name: Option<&str>,
    days: u32,
) -> Result<axum::Json<NewToken>, ApiError> {
    if !(1..=TOKEN_DAYS_MAX).contains(&days) {
        return Err(ApiError::TOKEN_DAYS);
    }
    let (token, digest) = organizers.new_token(Kind::Token);
    let (new, now_ms) = ((digest.as_str(), days), organizers.clock.now_ms());
    script_tokens::make_token(&organizers.db, &organizers.seal, by.standing(), name, new, now_ms)
        .await??;
    let owner = by.who.organizer.name.as_str();
    tracing::warn!(by = owner, of = name.unwrap_or(owner), days, "a token for scripts was made");
    Ok(axum::Json(NewToken { token }))
}

/// Token of an organizer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndTokenRequest {
    /// The organizer's name.
    name: String,
    /// The id in the list.
    id: String,
}

/// Ends a token of an organizer.
#[utoipa::path(post, path = "/organizers/token/end", operation_id = "organizers_end_token",
    responses((status = 200, body = Done)))]
pub async fn end(
    State(organizers): Part<Organizers>,
    by: By<MakeToken>,
    Json(EndTokenRequest { name, id }): Json<EndTokenRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let (which, now_ms) = ((name.as_str(), id.as_str()), organizers.clock.now_ms());
    let ended =
        script_tokens::end_token(&organizers.db, &organizers.seal, by.standing(), which, now_ms)
            .await??;
    if ended { Ok(axum::Json(Done {})) } else { Err(ApiError::NOT_FOUND) }
}
