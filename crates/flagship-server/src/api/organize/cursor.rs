//! Where a page of a list ends, as a text that only the server reads: it may tell of what the
//! reader does not see.

use flagship_store::Key;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::error::ApiError;

/// What cursors are sealed for.
const PURPOSE: &str = "cursor of a list";

/// A place in a list, sealed.
pub fn seal(key: &Key, list: &str, place: impl Serialize) -> String {
    let plain = serde_json::to_vec(&place).expect("a place is plain data");
    key.seal(PURPOSE, list, &plain)
}

/// The place in a list that was sealed.
pub fn open<T: DeserializeOwned>(key: &Key, list: &str, sealed: &str) -> Result<T, ApiError> {
    let plain = key.unseal(PURPOSE, list, sealed);
    let place = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
    place.ok_or(ApiError::WRONG_SHAPE)
}
