//! The captcha at signup and login: a proof of work of our own, another company's service, or
//! none. All of them check one token.

mod proof_of_work;
mod remote;
mod spent;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use flagship_pack::CaptchaProvider;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{App, Config};
use crate::error::ApiError;
use crate::extract::ClientNetwork;
use crate::passwords::Place;
use crate::schema;
use proof_of_work::ProofOfWork;
use remote::Remote;
pub use spent::{Spent, SpentTask};

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
    /// As the settings say. `spent` are the solutions that were used.
    pub fn new(config: &Config, spent: Spent) -> anyhow::Result<Self> {
        Ok(match config.settings.captcha.provider {
            CaptchaProvider::Off => Self::Off,
            CaptchaProvider::Altcha => Self::ProofOfWork(ProofOfWork::new(&config.key, spent)),
            CaptchaProvider::Recaptcha | CaptchaProvider::Hcaptcha | CaptchaProvider::Turnstile => {
                Self::Remote(Remote::new(config)?)
            }
        })
    }

    /// Takes a token once, for a place to check a password. A solution of ours is kept when there
    /// is no place, and no place is held for one that was used. None is held either while another
    /// company is asked, since anything that is sent would hold one.
    pub async fn admit(
        &self,
        app: &App,
        client: &ClientNetwork,
        token: &str,
    ) -> Result<Place, ApiError> {
        if token.is_empty() || token.len() > TOKEN_BYTES_MAX {
            return Err(ApiError::CAPTCHA);
        }
        let place = app.passwords.place(client)?;
        match self {
            Self::Off => Ok(place),
            Self::ProofOfWork(captcha) => {
                drop(place);
                let solution = captcha.reserve(token, app.clock.now_ms())?;
                let place = app.passwords.place(client)?;
                solution.spend().await?;
                Ok(place)
            }
            Self::Remote(captcha) => {
                drop(place);
                captcha.check(client, token).await?;
                app.passwords.place(client)
            }
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
    client: ClientNetwork,
) -> Result<([(HeaderName, &'static str); 1], Json<AltchaChallenge>), ApiError> {
    let Captcha::ProofOfWork(captcha) = &app.captcha else { return Err(ApiError::NOT_FOUND) };
    let challenge = captcha.challenge(&client, app.clock.now_ms()).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(challenge)))
}
