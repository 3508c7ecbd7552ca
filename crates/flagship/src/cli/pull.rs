//! The options of what meets live changes.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};

use super::options::Installation;

/// Which side counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// The files; what was changed live is lost.
    Files,
    /// What was changed live; the files stay as they are.
    Live,
}

#[derive(Args)]
pub struct Pull {
    /// The event's folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: PathBuf,
    #[command(flatten)]
    pub installation: Installation,
    /// Lists the files that would change and writes nothing.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// Writes what is live also where the files say something else.
    #[arg(long, env = "FLAGSHIP_OVERWRITE", value_parser = BoolishValueParser::new())]
    pub overwrite: bool,
}
