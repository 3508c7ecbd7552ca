//! The configuration of a node.

use std::path::PathBuf;
use std::sync::Arc;

use flagship_game::Secret;
use flagship_pack::Settings;
use flagship_store::Key;

use super::certificate::Certificates;
use super::storage::Location;

/// The configuration of a node.
#[derive(Clone)]
pub struct Config {
    /// Settings from the event files, read at every start.
    pub settings: Settings,
    /// Public URL of the site, without a trailing slash.
    pub public_url: String,
    /// Data folder, for emails and unfinished uploads.
    pub data: PathBuf,
    /// Place of attachments and branding files.
    pub attachments: Location,
    /// The event's secret.
    pub key: Key,
    /// File with the event's secret, which backups include.
    pub secret_file: PathBuf,
    /// Secret of a remote captcha service.
    pub captcha_secret: Option<Secret>,
    /// The password of the SMTP server.
    pub smtp_password: Option<Secret>,
    /// True if emailed links are also printed, for a demonstration.
    pub print_links: bool,
    /// True if metrics are recorded for `serve_metrics`.
    pub metrics: bool,
    /// Certificate of the site; `None` for plain HTTP.
    pub certificates: Option<Arc<Certificates>>,
}
