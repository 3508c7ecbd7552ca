//! Serde support for `Arc` values with `#[serde(with = "shared")]`: serializes the inner value.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<T: Serialize + ?Sized, S: Serializer>(
    value: &Arc<T>,
    to: S,
) -> Result<S::Ok, S::Error> {
    (**value).serialize(to)
}

pub(super) fn deserialize<'de, T: ?Sized, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error>
where
    Box<T>: Deserialize<'de>,
{
    Box::deserialize(from).map(Into::into)
}
