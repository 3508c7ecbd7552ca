//! Where a page of a list ends, as a text that only the server reads: it may tell of what the
//! reader does not see.

use std::fmt::Display;
use std::str::FromStr;

use flagship_store::Key;

use crate::api::error::ApiError;

/// What cursors are sealed for.
const PURPOSE: &str = "cursor of a list";

/// A place in a list, sealed.
pub fn seal(key: &Key, list: &str, place: impl Display) -> String {
    key.seal(PURPOSE, list, place.to_string().as_bytes())
}

/// The place in a list that was sealed.
pub fn open<T: FromStr>(key: &Key, list: &str, sealed: &str) -> Result<T, ApiError> {
    let plain = key.unseal(PURPOSE, list, sealed);
    let text = plain.and_then(|plain| String::from_utf8(plain).ok());
    text.and_then(|text| text.parse().ok()).ok_or(ApiError::WRONG_SHAPE)
}
