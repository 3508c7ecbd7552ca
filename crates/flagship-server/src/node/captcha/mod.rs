//! Captcha for signup and login: a proof of work that this server checks, a remote service, or
//! none. Each kind checks a single token.

mod proof_of_work;
mod remote;
pub mod spent;

use std::sync::Arc;

use flagship_pack::CaptchaProvider;

use self::proof_of_work::ProofOfWork;
use self::remote::Remote;
use self::spent::Spent;
use super::config::Config;
use super::error::NodeError;
use super::passwords::{Passwords, Permit};
use crate::net::address::ClientNetwork;

/// Maximum length of a token, in bytes.
const TOKEN_BYTES_MAX: usize = 8 * 1024;

/// Captcha in the event's settings.
pub enum Captcha {
    /// Accepts any token.
    Off,
    /// ALTCHA.
    ProofOfWork(ProofOfWork),
    /// reCAPTCHA, hCaptcha or Turnstile.
    Remote(Remote),
}

impl Captcha {
    /// Checks the settings of a remote captcha.
    pub fn check(config: &Config) -> anyhow::Result<()> {
        if config.settings.captcha.provider.is_remote() {
            Remote::new(config)?;
        }
        Ok(())
    }

    /// Creates the captcha in the settings. `spent` contains the used solutions.
    pub fn new(config: &Config, spent: Arc<Spent>) -> anyhow::Result<Self> {
        Ok(match config.settings.captcha.provider {
            CaptchaProvider::Off => Self::Off,
            CaptchaProvider::Altcha => Self::ProofOfWork(ProofOfWork::new(&config.key, spent)),
            CaptchaProvider::Recaptcha | CaptchaProvider::Hcaptcha | CaptchaProvider::Turnstile => {
                Self::Remote(Remote::new(config)?)
            }
        })
    }

    /// Exchanges a token for a permit to check a password. If there is no permit, a proof of work
    /// stays usable. A used proof of work takes no permit. No permit is held while a remote service
    /// checks the token, because any invalid token would then hold one.
    pub async fn admit(
        &self,
        passwords: &Passwords,
        client: &ClientNetwork,
        token: &str,
        now_ms: i64,
    ) -> Result<Permit, NodeError> {
        if token.is_empty() || token.len() > TOKEN_BYTES_MAX {
            return Err(NodeError::Captcha);
        }
        let permit = passwords.permit(client)?;
        match self {
            Self::Off => Ok(permit),
            Self::ProofOfWork(captcha) => {
                drop(permit);
                let solution = captcha.reserve(token, now_ms)?;
                let permit = passwords.permit(client)?;
                solution.spend().await?;
                Ok(permit)
            }
            Self::Remote(captcha) => {
                drop(permit);
                captcha.check(client, token).await?;
                passwords.permit(client)
            }
        }
    }
}
