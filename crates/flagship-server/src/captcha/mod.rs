//! The captcha at signup and login: a proof of work of our own, another company's service, or
//! none. All of them check one token.

mod proof_of_work;
mod remote;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use flagship_pack::CaptchaProvider;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{App, Config};
use crate::error::ApiError;
use crate::schema;
use proof_of_work::ProofOfWork;
use remote::Remote;

/// Longest token that is looked at, in bytes.
const TOKEN_BYTES_MAX: usize = 8 * 1024;

/// The captcha that the event's settings chose.
pub enum Captcha {
    /// Any token is taken.
    Off,
    /// ALTCHA.
    ProofOfWork(ProofOfWork),
    /// reCAPTCHA, hCaptcha or Turnstile.
    Remote(Remote),
}

impl Captcha {
    /// As the settings say.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        Ok(match config.settings.captcha.provider {
            CaptchaProvider::Off => Self::Off,
            CaptchaProvider::Altcha => Self::ProofOfWork(ProofOfWork::new(&config.key)),
            CaptchaProvider::Recaptcha | CaptchaProvider::Hcaptcha | CaptchaProvider::Turnstile => {
                Self::Remote(Remote::new(config)?)
            }
        })
    }

    /// Whether another company is asked.
    pub fn is_remote(&self) -> bool {
        matches!(self, Self::Remote(_))
    }

    /// Takes a token once. A proof of work is good for one call; the services say so themselves.
    pub async fn check(&self, app: &App, token: &str) -> Result<(), ApiError> {
        if token.is_empty() || token.len() > TOKEN_BYTES_MAX {
            return Err(ApiError::CAPTCHA);
        }
        match self {
            Self::Off => Ok(()),
            Self::ProofOfWork(captcha) => captcha.check(app, token).await,
            Self::Remote(captcha) => captcha.check(token).await,
        }
    }
}

/// A challenge as the ALTCHA widget takes it (its protocol's second version).
#[derive(Serialize, ToSchema)]
pub struct AltchaChallenge {
    /// What to solve.
    #[schema(value_type = Object)]
    parameters: altcha::ChallengeParameters,
    /// That it is ours.
    signature: String,
}

/// A challenge of the proof of work; 404 when the event has another captcha.
#[utoipa::path(get, path = "/captcha", operation_id = "captcha", tag = "accounts",
    responses((status = 200, body = AltchaChallenge), (status = 404, body = schema::Error)))]
pub async fn challenge(
    State(app): State<App>,
) -> Result<([(HeaderName, &'static str); 1], Json<AltchaChallenge>), ApiError> {
    let Captcha::ProofOfWork(captcha) = &app.captcha else { return Err(ApiError::NOT_FOUND) };
    let challenge = captcha.challenge(app.clock.now_ms())?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(challenge)))
}
