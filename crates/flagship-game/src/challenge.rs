//! The public part of a challenge, and a type that keeps secrets out of logs.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Maximum length of a challenge ID, in characters.
pub const ID_CHARS_MAX: usize = 64;

/// Maximum points of a challenge, so that sums of points never overflow. The fold rejects higher
/// values.
pub const VALUE_MAX: i64 = 1_000_000_000;

/// A challenge ID: 1 to 64 characters of `[A-Za-z0-9._-]`, the same in event files, in the journal
/// and on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChallengeId(String);

/// Error returned when a string is not a valid challenge ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an ID must be 1 to 64 characters of A-Z, a-z, 0-9, dot, dash and underscore")]
pub struct ChallengeIdError;

impl ChallengeId {
    /// Parses an ID.
    ///
    /// # Errors
    /// Fails unless `text` is 1 to 64 of the allowed characters.
    pub fn parse(text: &str) -> Result<Self, ChallengeIdError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if text.is_empty() || text.len() > ID_CHARS_MAX || !text.chars().all(fits) {
            return Err(ChallengeIdError);
        }
        Ok(Self(text.to_owned()))
    }

    /// Derives an ID from a challenge name: lower-case ASCII words joined by dashes, or eight
    /// digits of the SHA-256 of a name without such words.
    pub fn from_name(name: &str) -> Self {
        let mut slug = String::new();
        for c in name.chars() {
            match c.to_ascii_lowercase() {
                c if c.is_ascii_alphanumeric() => slug.push(c),
                _ if slug.is_empty() || slug.ends_with('-') => {}
                _ => slug.push('-'),
            }
        }
        slug.truncate(ID_CHARS_MAX);
        let slug = slug.trim_end_matches('-');
        if slug.is_empty() {
            return Self(format!("c-{}", HEXLOWER.encode(&Sha256::digest(name)[..4])));
        }
        Self(slug.to_owned())
    }

    /// The ID as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ChallengeId {
    type Error = ChallengeIdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<ChallengeId> for String {
    fn from(id: ChallengeId) -> Self {
        id.0
    }
}

impl fmt::Display for ChallengeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Scoring of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Scoring {
    /// Always the same value.
    Static {
        /// Points.
        max: i64,
    },
    /// A value per solve position, then 0.
    Speedrun {
        /// Points of the first, second, ... solve.
        values: Vec<i64>,
    },
    /// Decreases from `max` to `min` as more teams solve the challenge.
    Dynamic {
        /// Points before and at the first solve.
        max: i64,
        /// Minimum points.
        min: i64,
        /// Parameter `d` of the curve `min(1, d/(d-1+n))^1.3`; 15 unless the event sets it.
        decay: i64,
    },
}

impl Scoring {
    /// True if all values are within `VALUE_MAX` of 0 and `decay` is at least 1.
    pub fn is_in_range(&self) -> bool {
        let fits = |value: &i64| (-VALUE_MAX..=VALUE_MAX).contains(value);
        match self {
            Self::Static { max } => fits(max),
            Self::Speedrun { values } => values.iter().all(fits),
            Self::Dynamic { max, min, decay } => {
                fits(max) && fits(min) && (1..=VALUE_MAX).contains(decay)
            }
        }
    }
}

/// An attachment of a challenge. Its bytes are stored separately, by `digest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Displayed file name.
    pub name: String,
    /// SHA-256 of the bytes, in hex.
    pub digest: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Image type, if the file is displayed in the description; other files are listed below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureKind>,
    /// True if each team downloads its own copy, with its flag in place of the placeholder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub per_team: bool,
}

impl Attachment {
    /// True if this is the file with the given path and digest.
    pub fn is_file(&self, path: &str, digest: &str) -> bool {
        self.digest == digest && path.rsplit('/').next() == Some(&self.name)
    }
}

/// Image types that descriptions can display. SVG is excluded because it can run scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureKind {
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
    /// Graphics Interchange Format.
    Gif,
}

impl PictureKind {
    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
        }
    }
}

/// URL scheme for images in descriptions, followed by the digest.
pub const PICTURE_SCHEME: &str = "picture:";

/// Placeholder in descriptions and connection info, which becomes the pass of the reading team.
pub const PASS_PLACEHOLDER: &str = "{{team_pass}}";

/// True for a SHA-256 in lower-case hex, which is the file name of a stored attachment.
pub fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

/// A challenge as recorded in the journal: exactly the data that players can ever see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// The challenge ID.
    pub id: ChallengeId,
    /// Displayed name.
    pub name: String,
    /// The scoring.
    pub scoring: Scoring,
    /// Categories; the board groups challenges by the first one.
    pub categories: Vec<String>,
    /// Sanitized HTML. Image URLs consist of `PICTURE_SCHEME` and the digest of an attachment; each
    /// reader gets an individual link.
    pub description: String,
    /// Attachments, including images.
    pub attachments: Vec<Attachment>,
    /// Challenges that a team must solve to unlock this one.
    pub requirements: Vec<ChallengeId>,
    /// Position in the display order. Challenges without one come last, by category, value and
    /// name.
    pub position: Option<i64>,
    /// Hints that are visible or announced, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Hint>,
    /// Connection info such as `nc host 1337`, in plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// Time at which submissions close, in epoch milliseconds; `None` uses the end of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_ms: Option<i64>,
    /// Flag format such as `flag{...}`, shown to a team whose submission does not match it; `None`
    /// if the flags have no common format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag_format: Option<String>,
    /// Rules about submissions.
    #[serde(default, skip_serializing_if = "SubmissionRules::are_default")]
    pub rules: SubmissionRules,
    /// Labels on the card.
    #[serde(default, skip_serializing_if = "Labels::are_empty")]
    pub labels: Box<Labels>,
}

/// Rules about submissions for a challenge. By default, one flag solves it, and attempts are not
/// limited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionRules {
    /// IDs of the flags that a team must find to solve the challenge; empty if any flag solves it.
    /// The IDs are keyed digests, which reveal nothing about the flags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needed_flags: Vec<String>,
    /// Maximum number of incorrect submissions per team; `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts_max: Option<u32>,
}

impl SubmissionRules {
    /// True if one flag solves the challenge and attempts are not limited.
    pub fn are_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Labels of a challenge, shown on its card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Difficulty: `beginner`, `easy`, `medium`, `hard`, or the event's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<String>,
    /// Tags, in the order of the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Author of the challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Acknowledgment of sources, as sanitized HTML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
}

impl Labels {
    /// True if the challenge has no label.
    pub fn are_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A hint of a challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// ID within the challenge.
    pub id: String,
    /// Sanitized HTML; `None` while the hint is only announced.
    pub html: Option<String>,
    /// Announced time of the hint, in epoch milliseconds.
    pub at_ms: Option<i64>,
    /// Title, shown before the hint is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Points that the hint costs; 0 for a free hint.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cost: i64,
    /// IDs of the hints of the same challenge that a team must take first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(points: &i64) -> bool {
    *points == 0
}

impl Hint {
    /// Maximum cost, in points.
    pub const COST_MAX: i64 = 1_000_000;

    /// True if a team must take the hint to read it; false if it is free for everyone.
    pub fn must_be_taken(&self) -> bool {
        self.cost > 0 || !self.requirements.is_empty()
    }
}

impl Challenge {
    /// The attachments listed below the description.
    pub fn listed(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments.iter().filter(|attachment| attachment.picture.is_none())
    }

    /// The files of which each team gets a copy.
    pub fn copied(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments.iter().filter(|attachment| attachment.per_team)
    }

    /// Finds a hint by its ID.
    pub fn hint(&self, id: &str) -> Option<&Hint> {
        self.hints.iter().find(|hint| hint.id == id)
    }

    /// Returns the challenge at `now_ms`, in epoch milliseconds: later hints are only announced.
    pub fn at(&self, now_ms: i64) -> Self {
        let mut shown = self.clone();
        for hint in &mut shown.hints {
            if hint.at_ms.is_some_and(|at_ms| at_ms > now_ms) {
                hint.html = None;
            }
        }
        shown
    }

    /// Time of the next hint after `now_ms`, in epoch milliseconds.
    pub fn next_hint_ms(&self, now_ms: i64) -> Option<i64> {
        let times = self.hints.iter().filter_map(|hint| hint.at_ms);
        times.filter(|at_ms| *at_ms > now_ms).min()
    }
}

/// Health of a challenge, shown to players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusKind {
    /// The challenge works.
    #[default]
    Works,
    /// Organizers are investigating a problem.
    LookedAt,
    /// The challenge currently cannot be solved.
    Broken,
    /// The challenge was broken and works again.
    Fixed,
}

/// Status of a challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeStatus {
    /// The kind of status.
    pub kind: StatusKind,
    /// One line of plain text; can be empty.
    pub note: String,
    /// Time of the last update, in epoch milliseconds; `None` if there was none.
    pub at_ms: Option<i64>,
}

/// Text that must not appear in logs or error messages. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the secret.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_made_from_names() {
        let made = |name| String::from(ChallengeId::from_name(name));
        assert_eq!(made("Hide and Split!"), "hide-and-split");
        assert_eq!(made("  --a__b--  "), "a-b");
        assert_eq!(made("🐙").len(), 10);
        assert_ne!(made("🐙"), made("🦑"));
        assert!(ChallengeId::parse(&made(&"x y".repeat(99))).is_ok());
    }

    #[test]
    fn ids_of_other_characters_are_refused() {
        for bad in ["", "a b", "a/b", "é", &"x".repeat(65)] {
            assert!(ChallengeId::parse(bad).is_err(), "{bad}");
        }
        assert!(ChallengeId::parse("Return_to_shellQL").is_ok());
    }

    #[test]
    fn a_secret_does_not_show_itself() {
        assert_eq!(format!("{:?}", Some(Secret::new("flag{x}"))), "Some([secret])");
    }
}
