//! Flags of a challenge in their stored form.

use flagship_game::{ChallengeId, flag_text};
use flagship_pack::Flag as PackFlag;
use flagship_store::Key;
use flagship_store::challenges::Flag;

/// Stored form of a file's flags: digests of exact flags and of decoys.
pub fn flags_of(id: &ChallengeId, flags: &[PackFlag], key: &Key) -> Vec<Flag> {
    let kept = |flag: &PackFlag| match flag {
        PackFlag::Exact { text, case_insensitive } => {
            let text = flag_text::compared(text.expose());
            let digest = match case_insensitive {
                true => key.flag_digest(id.as_str(), &text.to_lowercase()),
                false => key.flag_digest(id.as_str(), &text),
            };
            Flag::Exact { digest, case_insensitive: *case_insensitive }
        }
        PackFlag::Regex { pattern, case_insensitive } => Flag::Regex {
            pattern: pattern.expose().to_owned(),
            case_insensitive: *case_insensitive,
        },
        PackFlag::Team(flag) => Flag::Team(flag.to_string()),
        PackFlag::Decoy(text) => {
            let folded = flag_text::compared(text.expose()).to_lowercase();
            Flag::Decoy { digest: key.flag_digest(id.as_str(), &folded) }
        }
    };
    flags.iter().map(kept).collect()
}
