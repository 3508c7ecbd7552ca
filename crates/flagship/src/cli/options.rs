//! Options shared by several commands.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser};

use crate::public_url;

/// Storage of an event: the data folder, the database and the secret.
#[derive(Args, Clone)]
pub struct Installation {
    /// Data folder: database, attachments, email and secret.
    #[arg(long, env = "FLAGSHIP_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// PostgreSQL URL, `postgres://...`. Default: SQLite in the data folder.
    #[arg(long, env = "FLAGSHIP_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// Place of attachments: a folder, `database`, or `s3://BUCKET?endpoint=URL` with its keys in
    /// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Default: the data folder with SQLite, the
    /// database with PostgreSQL.
    #[arg(long, env = "FLAGSHIP_ATTACHMENTS", value_name = "DIR|URL", hide_env_values = true)]
    pub attachments: Option<String>,
    /// File with the event secret. Default: DATA/secret, created on first start.
    #[arg(long, env = "FLAGSHIP_SECRET_FILE", value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
}

/// Output options of a command that prints a table.
#[derive(Args)]
pub struct Listing {
    #[command(flatten)]
    pub installation: Installation,
    /// Print JSON instead of a table.
    #[arg(long, env = "FLAGSHIP_JSON", value_parser = BoolishValueParser::new())]
    pub json: bool,
    /// Print CSV instead of a table.
    #[arg(long, env = "FLAGSHIP_CSV", value_parser = BoolishValueParser::new())]
    #[arg(conflicts_with = "json")]
    pub csv: bool,
}

impl Listing {
    /// True for JSON and CSV: times are in UTC, and nothing is omitted.
    pub fn is_for_programs(&self) -> bool {
        self.json || self.csv
    }
}

#[derive(Args)]
pub struct PublicUrl {
    /// Public URL of the site. Default: the URL of the server that started last.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL", value_parser = site)]
    pub public_url: Option<String>,
}

fn site(text: &str) -> Result<String, String> {
    public_url::check(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}

/// Reason for an action.
#[derive(Args)]
pub struct ReasonOption {
    /// Reason, recorded in the audit log.
    #[arg(long, env = "FLAGSHIP_REASON", value_name = "TEXT", default_value = "")]
    #[arg(hide_default_value = true)]
    pub reason: String,
}

/// Reason for an action, and the installation it applies to.
#[derive(Args)]
pub struct ActionArgs {
    #[command(flatten)]
    pub reason: ReasonOption,
    #[command(flatten)]
    pub installation: Installation,
}

/// Parses a whole number such as `25`.
pub fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "expected a whole number, such as 25".to_owned())
}

/// Parser that accepts one of the named values.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &[(&'static str, T)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let all = all.to_vec();
    let names = PossibleValuesParser::new(all.iter().map(|(name, _)| *name));
    names.map(move |typed| {
        let named = all.iter().find(|(name, _)| *name == typed);
        named.expect("it is one of the names").1
    })
}
