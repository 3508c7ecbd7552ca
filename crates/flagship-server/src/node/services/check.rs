//! What can be checked of the settings before a node starts: a server refuses to start with them,
//! and `flagship doctor` says so before.

use super::transport;
use crate::node::captcha::Captcha;
use crate::node::config::Config;

/// Checks the settings of mail and captcha with their secrets. Touches no disk and no network.
///
/// # Errors
/// A node would not start with them.
pub fn check_settings(config: &Config) -> anyhow::Result<()> {
    transport::check(config)?;
    Captcha::check(config)
}

/// Logs in to the SMTP server and sends no mail. Returns the server's address; `None` if mail is
/// written to files.
pub async fn log_in_to_mail(config: &Config) -> anyhow::Result<Option<String>> {
    transport::log_in(config).await
}
