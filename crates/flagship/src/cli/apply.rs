//! Options of `apply` and `pull`.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};

use flagship_server::apply;

use super::options::{Installation, whole};

#[derive(Args)]
pub struct Apply {
    /// The event folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: PathBuf,
    /// Apply to the server at this URL, over HTTPS, with the API token in FLAGSHIP_TOKEN.
    #[arg(long, env = "FLAGSHIP_SERVER", value_name = "URL")]
    pub server: Option<String>,
    #[command(flatten)]
    pub installation: Installation,
    /// Show the changes without applying them.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// Confirm exactly N destructive changes.
    #[arg(long, env = "FLAGSHIP_CONFIRM", value_name = "N")]
    #[arg(value_parser = whole::<usize>)]
    pub confirm: Option<usize>,
    /// Side that wins where live edits and the event files differ.
    #[arg(long, env = "FLAGSHIP_TAKE", value_enum)]
    pub take: Option<Take>,
}

/// Side that wins a conflict between live edits and the event files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// The event files; live edits are lost.
    Files,
    /// The live edits; the files stay unchanged.
    Live,
}

impl From<Take> for apply::Take {
    fn from(take: Take) -> Self {
        match take {
            Take::Files => Self::Files,
            Take::Live => Self::Live,
        }
    }
}

#[derive(Args)]
pub struct Pull {
    /// The event folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: PathBuf,
    /// Read from the server at this URL, over HTTPS, with the API token in FLAGSHIP_TOKEN.
    #[arg(long, env = "FLAGSHIP_SERVER", value_name = "URL")]
    pub server: Option<String>,
    #[command(flatten)]
    pub installation: Installation,
    /// List the files that would change without writing them.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// Overwrite files that differ from the live edits.
    #[arg(long, env = "FLAGSHIP_OVERWRITE", value_parser = BoolishValueParser::new())]
    pub overwrite: bool,
}
