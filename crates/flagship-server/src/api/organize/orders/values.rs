//! Values of the fields of actions.

use flagship_game::ChallengeId;

use crate::api::error::ApiError;

/// Longest title, and longest note about a challenge, in characters.
const LINE_MAX: usize = 200;
/// Longest notice and answer, in characters.
const LONG_MAX: usize = 8_000;

pub fn challenge(id: &str) -> Result<ChallengeId, ApiError> {
    ChallengeId::parse(id).map_err(|_| ApiError::NO_CHALLENGE)
}

/// A time with an offset, as epoch milliseconds.
pub fn time(text: &str) -> Result<i64, ApiError> {
    flagship_pack::time_ms(text).map_err(|_| ApiError::TIME)
}

/// One line of at most [`LINE_MAX`] characters.
pub fn line(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.chars().count() > LINE_MAX || text.chars().any(char::is_control) {
        return Err(ApiError::TEXT);
    }
    Ok(text.to_owned())
}

/// A title, which is not empty.
pub fn named(title: String) -> Result<String, ApiError> {
    if title.is_empty() { Err(ApiError::TEXT) } else { Ok(title) }
}

/// A text of a notice or an answer.
pub fn long(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    let is_long = text.chars().count() > LONG_MAX;
    if text.is_empty() || is_long || text.contains('\0') {
        Err(ApiError::TEXT)
    } else {
        Ok(text.to_owned())
    }
}

/// The sanitised HTML of a text in Markdown.
pub fn html(text: &str) -> Result<String, ApiError> {
    flagship_pack::html_of(&long(text)?).map_err(|_| ApiError::TEXT)
}
