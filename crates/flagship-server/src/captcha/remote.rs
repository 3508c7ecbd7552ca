//! reCAPTCHA, hCaptcha and Turnstile: all three are asked the same way whether a token is good.
//! Only the configured host is asked, for a few seconds, and little of its answer is read.

use std::time::Duration;

use anyhow::Context;
use flagship_game::Secret;
use flagship_pack::CaptchaProvider;
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde::Deserialize;

use crate::app::Config;
use crate::error::ApiError;
use crate::extract::ClientNetwork;
use crate::places::Shares;

/// How long the service may take.
const ANSWER_MAX: Duration = Duration::from_secs(3);
/// Most of its answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Questions that may be open at once.
const OPEN_MAX: usize = 256;

/// A service that is asked.
pub struct Remote {
    http: Client,
    verify_url: String,
    secret: Secret,
    places: Shares,
}

/// The answer; all else in it is optional and of no use here.
#[derive(Deserialize)]
struct Verdict {
    success: bool,
    #[serde(default, rename = "error-codes")]
    error_codes: serde_json::Value,
}

impl Remote {
    /// Asks the provider of the settings with the secret from the environment.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let settings = &config.settings.captcha;
        let secret = config.captcha_secret.clone().with_context(|| {
            let provider = settings.provider.as_str();
            format!("the captcha is {provider}: give its secret in FLAGSHIP_CAPTCHA_SECRET")
        })?;
        let verify_url = settings.verify_url.clone();
        let verify_url = verify_url.unwrap_or_else(|| home(settings.provider).to_owned());
        // An error says that somebody installed one before, which is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = Client::builder().timeout(ANSWER_MAX).redirect(Policy::none()).build();
        let http = http.context("set up the calls to the captcha's service")?;
        Ok(Self { http, verify_url, secret, places: Shares::new(OPEN_MAX) })
    }

    /// Asks whether a token is good.
    pub async fn check(&self, client: &ClientNetwork, token: &str) -> Result<(), ApiError> {
        let _place = self.places.take(client).map_err(|_| ApiError::overload())?;
        let verdict = self.ask(token).await.map_err(|error| {
            tracing::error!(reason = %error, "the captcha's service did not answer well");
            ApiError::CAPTCHA_AWAY
        })?;
        if verdict.success { Ok(()) } else { Err(ApiError::CAPTCHA) }
    }

    async fn ask(&self, token: &str) -> Result<Verdict, &'static str> {
        let form = [("secret", self.secret.expose()), ("response", token)];
        let sent = self.http.post(&self.verify_url).form(&form).send().await;
        // The error may name the address, which is of no harm, but says little more than this.
        let mut response = sent.map_err(|error| match error.is_timeout() {
            true => "it took too long",
            false => "it could not be reached",
        })?;
        let is_refusal = response.status().is_client_error();
        if !response.status().is_success() && !is_refusal {
            return Err("it answered with a failure of its own");
        }
        let body = read(&mut response).await?;
        let verdict: Verdict = serde_json::from_slice(&body).map_err(|_| "it answered nonsense")?;
        if verdict.error_codes.to_string().contains("-secret") {
            return Err("it does not know our secret");
        }
        if verdict.success && is_refusal {
            return Err("it contradicts itself");
        }
        Ok(verdict)
    }
}

async fn read(response: &mut Response) -> Result<Vec<u8>, &'static str> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| "its answer broke off")? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err("its answer is too long");
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Where each provider is asked.
fn home(provider: CaptchaProvider) -> &'static str {
    match provider {
        CaptchaProvider::Hcaptcha => "https://api.hcaptcha.com/siteverify",
        CaptchaProvider::Turnstile => "https://challenges.cloudflare.com/turnstile/v0/siteverify",
        _ => "https://www.google.com/recaptcha/api/siteverify",
    }
}
