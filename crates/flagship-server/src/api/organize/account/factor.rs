//! Passing two-factor authentication, and replacing the authenticator.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use flagship_store::Key;
use flagship_store::organizers::{self, NewFactor, Organizer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::error::ApiError;
use crate::api::extract::{EmptyBody, Json, TimeLimit};
use crate::api::organize::auth::{self, Authorized, KnownDevice, SessionOrganizer};
use crate::net::address::ClientNetwork;
use crate::node::organizers::device::Device;
use crate::node::organizers::factor::{self, Given, Secret};
use crate::node::organizers::permissions::ReplaceFactor;
use crate::node::organizers::{FRESH_MS, SignedInOrganizer, issuer};
use crate::node::state::App;

/// Proof for two-factor authentication: exactly one of the two codes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FactorRequest {
    /// Code from the authenticator app.
    code: Option<String>,
    /// Recovery code.
    recovery_code: Option<String>,
}

/// Remaining recovery codes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodesLeft {
    /// Number of unused recovery codes.
    codes_left: i64,
}

/// Passes two-factor authentication for this session, after login or when it is required again.
#[utoipa::path(post, path = "/factor", operation_id = "organizer_factor_prove",
    responses((status = 200, body = CodesLeft), (status = 429)))]
pub async fn prove(
    State(app): State<App>,
    SessionOrganizer(who): SessionOrganizer,
    KnownDevice(device): KnownDevice,
    client: ClientNetwork,
    Json(request): Json<FactorRequest>,
) -> Result<Response, ApiError> {
    let given = match (&request.code, &request.recovery_code) {
        (Some(code), None) => Given::Code(code),
        (None, Some(code)) => Given::Recovery(code),
        _ => return Err(ApiError::WRONG_SHAPE),
    };
    let (id, is_code) = (who.organizer.id, matches!(given, Given::Code(_)));
    let key = &app.organizers.key;
    let device = device.filter(|device| device.is_of(key, &who.organizer));
    let is_proven = who.pass.factor_at_ms.is_some() || device.is_some();
    // Read first, because nothing may fail once the code is used.
    let codes_before = organizers::codes_left(app.db(), id).await?;
    let budgets = app.accounts.limits.factor(id, is_proven, is_code, &client);
    let attempt = app.accounts.attempt(&budgets).await?;
    let proven = is_right(&app, &who, &given).await;
    if proven != Ok(false) {
        attempt.give_back().await;
    }
    if !proven? {
        tracing::warn!(organizer = who.organizer.name, "incorrect two-factor code");
        return Err(ApiError::CODE);
    }
    if !is_code {
        tracing::warn!(organizer = who.organizer.name, "recovery code used");
    }
    let codes_left = codes_before - i64::from(!is_code);
    let hash = who.organizer.password_hash.as_deref().filter(|_| device.is_none());
    let known = hash.map(|hash| auth::remember(key, &Device::new(key, id, hash, app.now_ms())));
    Ok((known, axum::Json(CodesLeft { codes_left })).into_response())
}

async fn is_right(app: &App, who: &SignedInOrganizer, given: &Given<'_>) -> Result<bool, ApiError> {
    let now_ms = app.now_ms();
    let proof = factor::proof(&app.organizers.key, &who.organizer, given, now_ms);
    let Some(proof) = proof else { return Ok(false) };
    let (session, id) = (&who.pass.digest, who.organizer.id);
    Ok(organizers::prove(app.db(), session, id, &proof, now_ms).await?)
}

/// Recovery codes. They are shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Codes {
    /// Recovery codes. Each one replaces a code from the authenticator app once.
    recovery_codes: Vec<String>,
}

impl Codes {
    pub(super) fn new() -> Self {
        Self { recovery_codes: factor::recovery_codes() }
    }

    pub(super) fn digests(&self, key: &Key, organizer: &Organizer) -> Vec<String> {
        let digest = |code: &String| factor::recovery_digest(key, organizer.id, code);
        self.recovery_codes.iter().map(digest).collect()
    }
}

/// Secret for a new authenticator app.
#[derive(Serialize, ToSchema)]
pub struct NewSecret {
    /// Secret in base32.
    secret: String,
    /// Secret as an `otpauth:` URI, for a QR code.
    uri: String,
    /// Token to send with the first code, within 15 minutes.
    enrolment: String,
}

/// Creates a secret for a new authenticator app. Nothing changes until the first code is confirmed.
#[utoipa::path(post, path = "/factor/new", operation_id = "organizer_factor_new",
    responses((status = 200, body = NewSecret)))]
pub async fn new(
    State(app): State<App>,
    caller: Authorized<ReplaceFactor>,
    _: EmptyBody,
) -> Result<axum::Json<NewSecret>, ApiError> {
    let secret = Secret::random();
    let organizer = &caller.who.organizer;
    let until_ms = app.now_ms() + FRESH_MS;
    let enrolment = secret.enrolment(&app.organizers.key, organizer, until_ms);
    let uri = secret.uri(&issuer(&app.contest()), &organizer.name);
    Ok(axum::Json(NewSecret { secret: secret.text(), uri, enrolment }))
}

/// First code of a new authenticator app.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceRequest {
    /// Value of `enrolment` from `/factor/new`.
    enrolment: String,
    /// Code from the app.
    code: String,
}

/// Replaces the authenticator and the recovery codes, and ends all other sessions.
#[utoipa::path(post, path = "/factor/replace", operation_id = "organizer_factor_replace",
    responses((status = 200, body = Codes), (status = 410)))]
pub async fn replace(
    State(app): State<App>,
    caller: Authorized<ReplaceFactor>,
    limit: TimeLimit,
    Json(request): Json<ReplaceRequest>,
) -> Result<axum::Json<Codes>, ApiError> {
    let (key, organizer) = (&app.organizers.key, &caller.who.organizer);
    let now_ms = app.now_ms();
    let secret = Secret::of_enrolment(key, organizer, &request.enrolment, now_ms);
    let secret = secret.ok_or(ApiError::LINK)?;
    let step = secret.step_of(&request.code, now_ms).ok_or(ApiError::CODE)?;
    let codes = Codes::new();
    let sealed = secret.seal(key, organizer.id);
    let it = NewFactor { sealed: &sealed, step, codes: &codes.digests(key, organizer) };
    let old = organizer.factor.as_deref();
    // The response contains the recovery codes, which are shown only once.
    limit.lift();
    organizers::replace_factor(app.db(), caller.standing(), old, &it, now_ms).await??;
    tracing::warn!(organizer = organizer.name, "authenticator replaced");
    Ok(axum::Json(codes))
}
