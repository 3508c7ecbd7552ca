//! Options of `flagship team cards`.

use std::path::PathBuf;

use clap::Args;

use super::options::{Installation, PublicUrl, ReasonOption};

/// Arguments of `team cards`.
#[derive(Args)]
pub struct TeamCards {
    /// The sheet, an HTML page to print; must not exist yet. It contains the secrets of the cards.
    #[arg(long, env = "FLAGSHIP_OUT", value_name = "FILE.html")]
    pub out: PathBuf,
    /// Make a card only for this team. Default: all confirmed teams that are not banned.
    #[arg(long, env = "FLAGSHIP_TEAM", value_name = "NAME")]
    pub team: Option<String>,
    #[command(flatten)]
    pub reason: ReasonOption,
    #[command(flatten)]
    pub site: PublicUrl,
    #[command(flatten)]
    pub installation: Installation,
}
