//! Headers whose values are comma-separated lists.

use http::{HeaderMap, HeaderName};

/// Returns the trimmed items of all headers with this name. Values that are not text are skipped.
pub fn items(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}
