//! Options that several commands have.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser};

use crate::public_url;

/// Where an event is stored: the data folder, the database and the secret.
#[derive(Args, Clone)]
pub struct Installation {
    /// The folder for the database, attachments, mail and the secret.
    #[arg(long, env = "FLAGSHIP_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// The database, `postgres://...`. Default: SQLite in the data folder.
    #[arg(long, env = "FLAGSHIP_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// The file of the event's secret. Default: DATA/secret, created on the first start.
    #[arg(long, env = "FLAGSHIP_SECRET_FILE", value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
}

/// What is printed as a table.
#[derive(Args)]
pub struct Listing {
    #[command(flatten)]
    pub installation: Installation,
    /// Writes JSON instead of a table.
    #[arg(long, env = "FLAGSHIP_JSON", value_parser = BoolishValueParser::new())]
    pub json: bool,
    /// Writes CSV instead of a table.
    #[arg(long, env = "FLAGSHIP_CSV", value_parser = BoolishValueParser::new())]
    #[arg(conflicts_with = "json")]
    pub csv: bool,
}

impl Listing {
    /// Whether a program reads it: times are in UTC, and nothing is left out.
    pub fn is_for_programs(&self) -> bool {
        self.json || self.csv
    }
}

#[derive(Args)]
pub struct PublicUrl {
    /// Where the site is. Default: what the server that was started last said.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL", value_parser = site)]
    pub public_url: Option<String>,
}

fn site(text: &str) -> Result<String, String> {
    public_url::check(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}

/// Why something is done.
#[derive(Args)]
pub struct Why {
    /// The reason, which is recorded for organizers.
    #[arg(long, env = "FLAGSHIP_REASON", value_name = "TEXT", default_value = "")]
    #[arg(hide_default_value = true)]
    pub reason: String,
}

/// Why something is done, and to which event.
#[derive(Args)]
pub struct Order {
    #[command(flatten)]
    pub why: Why,
    #[command(flatten)]
    pub installation: Installation,
}

/// A whole number, as `25`.
pub fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "a whole number is needed, as 25".to_owned())
}

/// One of these values, by its name.
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
