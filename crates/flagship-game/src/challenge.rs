//! The public part of a challenge, and the type that keeps a secret out of logs.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The most characters a challenge id may have.
pub const ID_CHARS_MAX: usize = 64;

/// The most points that a challenge can be worth, so that sums of points never overflow; the fold
/// refuses more.
pub const VALUE_MAX: i64 = 1_000_000_000;

/// A challenge's identity: 1 to 64 characters of `[A-Za-z0-9._-]`, the same in the event's files,
/// the journal and on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChallengeId(String);

/// A text that is no challenge id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id has 1 to 64 characters of A-Z, a-z, 0-9, dot, dash and underscore")]
pub struct ChallengeIdError;

impl ChallengeId {
    /// Parses an id.
    ///
    /// # Errors
    /// If `text` is not 1 to 64 of the allowed characters.
    pub fn parse(text: &str) -> Result<Self, ChallengeIdError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if text.is_empty() || text.len() > ID_CHARS_MAX || !text.chars().all(fits) {
            return Err(ChallengeIdError);
        }
        Ok(Self(text.to_owned()))
    }

    /// Makes an id from a challenge's name: lower-case ASCII words joined by dashes; a name that
    /// has none of those gets eight digits of its SHA-256.
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

    /// The id as text.
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

/// How a challenge gives points. Another type cannot be represented.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Scoring {
    /// Always the same value.
    Static {
        /// Points.
        max: i64,
    },
    /// A value for each place in the order of solves, then nothing.
    Speedrun {
        /// Points of the first, second, ... solve.
        values: Vec<i64>,
    },
    /// Falls from `max` to `min` as more teams solve it.
    Dynamic {
        /// Points before and at the first solve.
        max: i64,
        /// Points that it never falls below.
        min: i64,
        /// The curve's `d` in `min(1, d/(d-1+n))^1.3`; 15 unless the event says otherwise.
        decay: i64,
    },
}

impl Scoring {
    /// Whether all values lie within `VALUE_MAX` of 0, and the curve's `decay` is at least 1.
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

/// A file that comes with a challenge. Its bytes are kept elsewhere, by `digest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// The file's name for a person.
    pub name: String,
    /// SHA-256 of the bytes, in hex.
    pub digest: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The kind of picture, if the description shows the file; otherwise it is listed beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureKind>,
}

impl Attachment {
    /// Whether it is the file of this path and digest.
    pub fn is_file(&self, path: &str, digest: &str) -> bool {
        self.digest == digest && path.rsplit('/').next() == Some(&self.name)
    }
}

/// The kinds of pictures that descriptions show. SVG is none of them: it can run scripts.
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

/// What stands before a picture's digest in a description, in place of its address.
pub const PICTURE_SCHEME: &str = "picture:";

/// True for a SHA-256 in lower-case hex, the name of an attachment's file.
pub fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

/// A challenge as the journal holds it: all that players may ever see, nothing that they may not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// Its identity.
    pub id: ChallengeId,
    /// Its name for a person.
    pub name: String,
    /// How it gives points.
    pub scoring: Scoring,
    /// Categories; the board groups by the first.
    pub categories: Vec<String>,
    /// Sanitised HTML. The address of a picture is `PICTURE_SCHEME` with the digest of one of the
    /// attachments: who reads it gets a link of their own.
    pub description: String,
    /// Files, those of pictures among them.
    pub attachments: Vec<Attachment>,
    /// Challenges that a team must have solved before this one opens.
    pub requirements: Vec<ChallengeId>,
    /// Place in the display order; those without one follow by category, value and name.
    pub position: Option<i64>,
    /// Hints that are shown or announced, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Hint>,
    /// How to reach it, such as `nc host 1337`: plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// From here on no flag of it counts, in epoch milliseconds; without one, from the end of the
    /// event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_ms: Option<i64>,
    /// Format of its flags, such as `flag{...}`, for a team whose flag lacks it; `None` if its
    /// flags have none in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag_format: Option<String>,
}

/// A hint of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// Its identity within the challenge.
    pub id: String,
    /// Sanitised HTML; `None` while it is only announced.
    pub html: Option<String>,
    /// When it is or was to be shown, in epoch milliseconds, if that was announced.
    pub at_ms: Option<i64>,
}

impl Challenge {
    /// The attachments that are listed beside the description.
    pub fn listed(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments.iter().filter(|attachment| attachment.picture.is_none())
    }

    /// The challenge with the hints that are to be shown by a time, in epoch milliseconds; later
    /// ones are only announced.
    pub fn at(&self, now_ms: i64) -> Self {
        let mut shown = self.clone();
        for hint in &mut shown.hints {
            if hint.at_ms.is_some_and(|at_ms| at_ms > now_ms) {
                hint.html = None;
            }
        }
        shown
    }

    /// When the next hint after a time is to be shown, in epoch milliseconds.
    pub fn next_hint_ms(&self, now_ms: i64) -> Option<i64> {
        let times = self.hints.iter().filter_map(|hint| hint.at_ms);
        times.filter(|at_ms| *at_ms > now_ms).min()
    }
}

/// How a challenge is doing, in a word. Players see these words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusKind {
    /// As it should.
    #[default]
    Works,
    /// Organizers look at it.
    LookedAt,
    /// It cannot be solved now.
    Broken,
    /// It was broken, and works again.
    Fixed,
}

/// How a challenge is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeStatus {
    /// In a word.
    pub kind: StatusKind,
    /// One line of plain text, perhaps empty.
    pub note: String,
    /// Since when, in epoch milliseconds; `None` if nothing was said.
    pub at_ms: Option<i64>,
}

/// Text that must not reach a log or an error message: its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the one place that needs it.
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
