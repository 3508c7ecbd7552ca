//! The options of the list of flags.

use clap::{Args, Subcommand};
use flagship_game::ChallengeId;
use flagship_server::lists::flags::{self, Verdict};
use flagship_store::wrong_flags::Near;

use super::options::{Listing, one_of, whole};

#[derive(Subcommand)]
pub enum Flags {
    /// Lists the flags that teams have sent, the newest last; never their text.
    List {
        #[command(flatten)]
        listing: Listing,
        /// Number of flags, the newest ones; 0 for all.
        #[arg(long, env = "FLAGSHIP_LAST", default_value_t = 100)]
        #[arg(value_parser = whole::<usize>)]
        last: usize,
        #[command(flatten)]
        of: OfFlags,
    },
    /// Prints the flag of each team for a challenge whose flags differ by team.
    Teams {
        /// The challenge's id.
        #[arg(value_name = "CHALLENGE", value_parser = challenge)]
        id: ChallengeId,
        #[command(flatten)]
        listing: Listing,
    },
}

/// Which flags are listed.
#[derive(Args)]
pub struct OfFlags {
    /// Only those of this team.
    #[arg(long, env = "FLAGSHIP_TEAM", value_name = "NAME")]
    pub team: Option<String>,
    /// Only those for this challenge.
    #[arg(long, env = "FLAGSHIP_CHALLENGE", value_name = "ID", value_parser = challenge)]
    pub challenge: Option<ChallengeId>,
    /// Only right ones, or wrong ones.
    #[arg(long, env = "FLAGSHIP_VERDICT")]
    #[arg(value_parser = one_of(&Verdict::ALL.map(|it| (it.as_str(), it))))]
    pub verdict: Option<Verdict>,
    /// Only wrong ones that came near a right flag, in one of these ways.
    #[arg(long, env = "FLAGSHIP_NEAR", value_delimiter = ',')]
    #[arg(value_parser = one_of(&Near::ALL.map(|it| (it.as_str(), it))))]
    pub near: Vec<Near>,
    /// Only those from the network that this address is in: an IPv4 address or an IPv6 /64.
    #[arg(long, env = "FLAGSHIP_NETWORK", value_name = "ADDRESS", value_parser = network)]
    pub network: Option<String>,
}

fn network(text: &str) -> Result<String, String> {
    flags::network(text).ok_or_else(|| "an address, as 192.0.2.7 or 2001:db8::1".to_owned())
}

fn challenge(text: &str) -> Result<ChallengeId, String> {
    ChallengeId::parse(text).map_err(|error| error.to_string())
}
