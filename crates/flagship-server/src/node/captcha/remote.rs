//! reCAPTCHA, hCaptcha and Turnstile, which verify tokens through the same protocol. Only the
//! configured host is called, with limits on the time and on the size of its response.

use std::time::Duration;

use anyhow::Context;
use flagship_game::Secret;
use flagship_pack::CaptchaProvider;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use reqwest::redirect::Policy;
use reqwest::{Body, Client};
use serde::Deserialize;

use crate::net::address::ClientNetwork;
use crate::net::permits::NetworkPermits;
use crate::node::config::Config;
use crate::node::error::NodeError;

/// Time limit for a response of the service.
const ANSWER_MAX: Duration = Duration::from_secs(3);
/// Maximum number of bytes read from a response.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Maximum concurrent calls.
const OPEN_MAX: usize = 256;

pub struct Remote {
    http: Client,
    verify_url: String,
    secret: Secret,
    permits: NetworkPermits,
}

/// Parts of the service's response that are used.
#[derive(Deserialize)]
struct Verdict {
    success: bool,
    #[serde(default, rename = "error-codes")]
    error_codes: serde_json::Value,
}

impl Remote {
    /// Creates the provider in the settings, with the secret from the environment.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let settings = &config.settings.captcha;
        let secret = config.captcha_secret.clone().with_context(|| {
            let provider = settings.provider.as_str();
            format!(
                "the {provider} captcha needs its secret: set FLAGSHIP_CAPTCHA_SECRET or \
                FLAGSHIP_CAPTCHA_SECRET_FILE"
            )
        })?;
        let verify_url = settings.verify_url.clone();
        let verify_url = verify_url.unwrap_or_else(|| default_url(settings.provider).to_owned());
        // An error means that a provider is already installed.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = Client::builder().timeout(ANSWER_MAX).redirect(Policy::none()).build();
        let http = http.context("set up the captcha client")?;
        Ok(Self { http, verify_url, secret, permits: NetworkPermits::new(OPEN_MAX) })
    }

    pub async fn check(&self, client: &ClientNetwork, token: &str) -> Result<(), NodeError> {
        let _permit = self.permits.acquire(client)?;
        let verdict = self.ask(token).await.map_err(|error| {
            tracing::error!(reason = %error, "captcha service failed");
            NodeError::CaptchaUnavailable
        })?;
        if verdict.success { Ok(()) } else { Err(NodeError::Captcha) }
    }

    async fn ask(&self, token: &str) -> Result<Verdict, &'static str> {
        let form = [("secret", self.secret.expose()), ("response", token)];
        let sent = self.http.post(&self.verify_url).form(&form).send().await;
        // The error itself may contain the URL and adds little information.
        let response = sent.map_err(|error| match error.is_timeout() {
            true => "it took too long",
            false => "it could not be reached",
        })?;
        let is_refusal = response.status().is_client_error();
        if !response.status().is_success() && !is_refusal {
            return Err("it returned a server error");
        }
        let body = Limited::new(Body::from(response), ANSWER_BYTES_MAX).collect().await;
        let body = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => "its response is too large",
            false => "its response was truncated",
        })?;
        let verdict: Verdict = serde_json::from_slice(&body.to_bytes()).map_err(|_| {
            "it returned an invalid \
                response"
        })?;
        if verdict.error_codes.to_string().contains("-secret") {
            return Err("it rejected our secret");
        }
        if verdict.success && is_refusal {
            return Err("its response is inconsistent");
        }
        Ok(verdict)
    }
}

fn default_url(provider: CaptchaProvider) -> &'static str {
    match provider {
        CaptchaProvider::Hcaptcha => "https://api.hcaptcha.com/siteverify",
        CaptchaProvider::Turnstile => "https://challenges.cloudflare.com/turnstile/v0/siteverify",
        _ => "https://www.google.com/recaptcha/api/siteverify",
    }
}
