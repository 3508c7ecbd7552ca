//! Work of a handler that takes some milliseconds.

use crate::api::error::ApiError;

/// Runs work on a thread of its own, so that no other request waits for it.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::INTERNAL)
}
