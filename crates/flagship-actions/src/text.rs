//! Parsing and validation of texts and other argument values.

use std::ops::RangeInclusive;

use flagship_game::ChallengeId;
use flagship_store::ops::ActionError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::rejection::{ArgumentError, Rejection};

/// Maximum length of a title or of a note about a challenge, in characters.
const LINE_MAX: usize = 200;
/// Maximum length of a reason or of a note about a team, in characters.
const NOTE_MAX: usize = 500;
/// Maximum length of a notice, message or answer, in characters.
const LONG_MAX: usize = 8_000;

/// A time: ISO 8601 with an offset in a request, epoch milliseconds in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Epoch milliseconds.
    pub ms: i64,
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let ms = flagship_pack::time_ms(&text).map_err(|_| serde::de::Error::custom(TIME))?;
        Ok(Self { ms })
    }
}

/// Error message of an invalid time. [`Rejection::of_shape`] recognizes the error by it.
const TIME: &str = "a time must have an offset, as in 2026-12-01T10:00:00+01:00";

impl Rejection {
    /// Rejection for arguments that serde cannot deserialize.
    pub fn of_shape(error: serde_json::Error) -> Self {
        match error.to_string().contains(TIME) {
            true => ArgumentError::Time.into(),
            false => Self::Shape(error),
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.ms.serialize(to)
    }
}

impl ToSchema for Time {}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        let date_time = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        let time = ObjectBuilder::new().schema_type(Type::String).format(Some(date_time));
        time.description(Some("A time with an offset.")).into()
    }
}

/// Always true: skips an argument that the audit log does not record. `skip_serializing` would also
/// remove it from the schema.
pub fn is_unrecorded<T>(_: &T) -> bool {
    true
}

/// Parses a challenge ID.
pub fn challenge(id: &str) -> Result<ChallengeId, ActionError> {
    ChallengeId::parse(id).map_err(|_| ActionError::NoChallenge)
}

/// Trims a text. Returns `None` if its length is out of range or it contains an invalid character.
fn trimmed(text: &str, chars: RangeInclusive<usize>, is_bad: fn(char) -> bool) -> Option<String> {
    let text = text.trim();
    let is_valid = chars.contains(&text.chars().count()) && !text.contains(is_bad);
    is_valid.then(|| text.to_owned())
}

/// Validates one line of at most 200 characters; may be empty.
pub fn line(text: &str) -> Result<String, ArgumentError> {
    trimmed(text, 0..=LINE_MAX, char::is_control).ok_or(ArgumentError::Text)
}

/// Validates a title: one non-empty line.
pub fn title(text: &str) -> Result<String, ArgumentError> {
    trimmed(text, 1..=LINE_MAX, char::is_control).ok_or(ArgumentError::Text)
}

/// Validates a reason or a note about a team: at most 500 characters; may be empty.
pub fn note(text: &str) -> Result<String, ArgumentError> {
    trimmed(text, 0..=NOTE_MAX, |c| c == '\0').ok_or(ArgumentError::Shape)
}

/// Validates the text of a notice, message or answer: 1 to 8,000 characters.
pub fn long(text: &str) -> Result<String, ArgumentError> {
    trimmed(text, 1..=LONG_MAX, |c| c == '\0').ok_or(ArgumentError::Text)
}

/// Renders Markdown to sanitized HTML.
pub fn html(text: &str) -> Result<String, ArgumentError> {
    flagship_pack::render_markdown(&long(text)?).map_err(|_| ArgumentError::Text)
}
