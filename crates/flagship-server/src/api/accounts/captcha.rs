//! Challenges of the proof-of-work captcha.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::error::ApiError;
use crate::api::extract::Part;
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::captcha::Captcha;

/// A challenge for the ALTCHA widget (version 2 of its protocol).
#[derive(Serialize, ToSchema)]
pub struct AltchaChallenge {
    /// Parameters of the challenge.
    #[schema(value_type = Object)]
    parameters: altcha::ChallengeParameters,
    /// Signature of the server.
    signature: String,
}

/// Returns a proof-of-work challenge; 404 if the event uses another captcha.
#[utoipa::path(get, path = "/captcha", operation_id = "captcha", tag = "accounts",
    responses((status = 200, body = AltchaChallenge), (status = 404)))]
pub async fn challenge(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
) -> Result<([(HeaderName, &'static str); 1], Json<AltchaChallenge>), ApiError> {
    let captcha = accounts.services.load().captcha.clone();
    let Captcha::ProofOfWork(captcha) = &*captcha else { return Err(ApiError::NOT_FOUND) };
    let made = captcha.challenge(&client, accounts.clock.now_ms()).await?;
    let signature = made.signature.ok_or(ApiError::INTERNAL)?;
    let challenge = AltchaChallenge { parameters: made.parameters, signature };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(challenge)))
}
