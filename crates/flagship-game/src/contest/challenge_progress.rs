//! Submissions of teams for challenges that need several flags or limit attempts.

use serde::{Deserialize, Serialize};

/// Submissions of a team for one challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeProgress {
    /// Flags that the team found before it solved the challenge, in order. Some of them may no
    /// longer be needed.
    pub found: Vec<FoundFlag>,
    /// Keyed digests of the incorrect texts that used an attempt, including attempts that were
    /// given back. As numbers, because thousands of teams send such texts.
    texts: Vec<u64>,
    /// Number of attempts used and not given back.
    pub used: u32,
}

/// A flag that a team found for a challenge that needs several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundFlag {
    /// ID of the flag among the flags of the challenge.
    pub flag: String,
    /// Time of the submission, in epoch milliseconds.
    pub at_ms: i64,
    /// Sequence number of the entry.
    pub seq: i64,
}

/// Progress of a team in a challenge that needs several flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Number of flags that the team has found.
    pub found: u32,
    /// Number of flags that the challenge needs.
    pub of: u32,
}

impl ChallengeProgress {
    /// True if the team has found the flag with this ID.
    pub fn has_found(&self, flag: &str) -> bool {
        self.found.iter().any(|found| found.flag == flag)
    }

    /// True if the incorrect text with this keyed digest has used an attempt.
    pub fn has_sent(&self, text: &str) -> bool {
        Self::text_number(text).is_ok_and(|text| self.texts.contains(&text))
    }

    /// Parses a keyed digest of at most 16 hexadecimal digits.
    pub(crate) fn text_number(text: &str) -> Result<u64, &'static str> {
        u64::from_str_radix(text, 16).map_err(|_| "the text is not a digest")
    }

    /// Counts an attempt with an incorrect text.
    pub(crate) fn use_attempt(&mut self, text: u64) -> Result<(), &'static str> {
        if self.texts.contains(&text) {
            return Err("the text has used an attempt before");
        }
        self.texts.push(text);
        self.used += 1;
        Ok(())
    }
}
