//! The configuration of a node.

use std::path::PathBuf;

use flagship_game::Secret;
use flagship_pack::Settings;
use flagship_store::Key;

/// The configuration of a node.
#[derive(Clone)]
pub struct Config {
    /// The settings in the event's files, read at every start.
    pub settings: Settings,
    /// The site's public address, without a trailing slash.
    pub public_url: String,
    /// The folder for attachments and mail.
    pub data: PathBuf,
    /// The event's secret.
    pub key: Key,
    /// The file with it, which backups hold.
    pub secret_file: PathBuf,
    /// The secret of a remote captcha.
    pub captcha_secret: Option<Secret>,
    /// The password of the SMTP server.
    pub smtp_password: Option<Secret>,
    /// True if mailed links are also printed, for a demonstration.
    pub print_links: bool,
    /// True if metrics are recorded for `serve_metrics`.
    pub metrics: bool,
}
