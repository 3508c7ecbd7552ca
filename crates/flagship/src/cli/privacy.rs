//! The options of what is kept about teams.

use clap::Subcommand;
use clap::builder::BoolishValueParser;

use super::options::{Installation, Listing};

#[derive(Subcommand)]
pub enum Privacy {
    /// Lists what is kept about a team, in which table and for how long.
    Show {
        /// The team's name.
        name: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Erases what is private about a team, or about all: addresses, mails, networks, questions,
    /// notes, wrong flags. The journal stays, with names and solves.
    Erase {
        /// The team's name.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        name: Option<String>,
        /// About all teams.
        #[arg(long, env = "FLAGSHIP_ALL", value_parser = BoolishValueParser::new())]
        all: bool,
        /// Also before the event has ended: teams cannot log in again.
        #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
        force: bool,
        #[command(flatten)]
        installation: Installation,
    },
}
