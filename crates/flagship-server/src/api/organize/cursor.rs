//! Encrypted pagination cursors. Only the server can read them, because the end of a page can
//! contain data hidden from the reader.

use flagship_store::Key;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::error::ApiError;

/// Key purpose for cursors.
const PURPOSE: &str = "cursor of a list";

/// Encrypts a position in a list.
pub fn seal(key: &Key, list: &str, place: impl Serialize) -> String {
    let plain = serde_json::to_vec(&place).expect("a place is plain data");
    key.seal(PURPOSE, list, &plain)
}

/// Decrypts a position in a list.
pub fn open<T: DeserializeOwned>(key: &Key, list: &str, sealed: &str) -> Result<T, ApiError> {
    let plain = key.unseal(PURPOSE, list, sealed);
    let place = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
    place.ok_or(ApiError::WRONG_SHAPE)
}
