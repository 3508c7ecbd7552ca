//! Handler work that takes several milliseconds.

use crate::api::error::ApiError;

/// Runs blocking work on a separate thread, so that other requests do not wait for it.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::INTERNAL)
}
