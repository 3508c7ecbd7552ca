//! Flags of a challenge in their stored form.

use flagship_game::{Challenge, ChallengeId, SubmissionRules, flag_text};
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

/// Returns a challenge that was read from files, with the IDs of the flags that it needs.
pub fn with_needed_flags(challenge: Challenge, flags: &[Flag], key: &Key) -> Challenge {
    if challenge.rules.needed_flags.is_empty() {
        return challenge;
    }
    let counting = flags.iter().filter(|flag| flag.counts());
    let mut needed_flags: Vec<String> = Vec::new();
    for id in counting.map(|flag| flag.needed_id(key, &challenge.id)) {
        // The same flag twice is found at once.
        if !needed_flags.contains(&id) {
            needed_flags.push(id);
        }
    }
    Challenge { rules: SubmissionRules { needed_flags, ..challenge.rules }, ..challenge }
}
