//! Options of `flagship pass`.

use clap::Subcommand;
use flagship_game::ChallengeId;

use super::options::{Installation, Listing};

#[derive(Subcommand)]
pub enum Pass {
    /// Shows whose pass it is. Exits with 1 if the pass is invalid.
    Verify {
        /// The pass, `fp1....`.
        pass: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Prints a challenge's secret as 64 hex digits; its service computes per-team flags from it.
    Secret {
        /// Challenge ID.
        #[arg(value_name = "CHALLENGE", value_parser = challenge)]
        id: ChallengeId,
        #[command(flatten)]
        installation: Installation,
    },
}

fn challenge(text: &str) -> Result<ChallengeId, String> {
    ChallengeId::parse(text).map_err(|error| error.to_string())
}
