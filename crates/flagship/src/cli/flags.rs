//! Options of `flagship flags`.

use clap::{Args, Subcommand};
use flagship_game::ChallengeId;
use flagship_server::lists::flags::{self, Verdict};
use flagship_store::wrong_flags::NearMiss;

use super::options::{Listing, one_of, whole};

#[derive(Subcommand)]
pub enum Flags {
    /// Lists submissions, newest last. The submitted text is never shown.
    List {
        #[command(flatten)]
        listing: Listing,
        /// Show only the last N submissions; 0 for all.
        #[arg(long, env = "FLAGSHIP_LAST", default_value_t = 100)]
        #[arg(value_parser = whole::<usize>)]
        last: usize,
        #[command(flatten)]
        filters: FlagFilters,
    },
    /// Prints each team's flag for a challenge with per-team flags.
    Teams {
        /// Challenge ID.
        #[arg(value_name = "CHALLENGE", value_parser = challenge)]
        id: ChallengeId,
        #[command(flatten)]
        listing: Listing,
    },
}

/// Filters of `flags list`.
#[derive(Args)]
pub struct FlagFilters {
    /// Only submissions from this team.
    #[arg(long, env = "FLAGSHIP_TEAM", value_name = "NAME")]
    pub team: Option<String>,
    /// Only submissions for this challenge.
    #[arg(long, env = "FLAGSHIP_CHALLENGE", value_name = "ID", value_parser = challenge)]
    pub challenge: Option<ChallengeId>,
    /// Only correct or only incorrect submissions.
    #[arg(long, env = "FLAGSHIP_VERDICT")]
    #[arg(value_parser = one_of(&Verdict::ALL.map(|it| (it.as_str(), it))))]
    pub verdict: Option<Verdict>,
    /// Only near misses of these kinds.
    #[arg(long, env = "FLAGSHIP_NEAR", value_delimiter = ',')]
    #[arg(value_parser = one_of(&NearMiss::ALL.map(|it| (it.as_str(), it))))]
    pub near: Vec<NearMiss>,
    /// Only submissions from this address's network (an IPv4 address or IPv6 /64).
    #[arg(long, env = "FLAGSHIP_NETWORK", value_name = "ADDRESS", value_parser = network)]
    pub network: Option<String>,
}

fn network(text: &str) -> Result<String, String> {
    flags::network(text).ok_or_else(|| {
        "expected an IP address, such as 192.0.2.7 or \
        2001:db8::1"
            .to_owned()
    })
}

fn challenge(text: &str) -> Result<ChallengeId, String> {
    ChallengeId::parse(text).map_err(|error| error.to_string())
}
