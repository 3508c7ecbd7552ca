//! Values that are computed once for all callers, a limited number at a time.

use std::sync::Arc;

use tokio::sync::{OnceCell, Semaphore};

use crate::net::shared_work::finish;

/// A value that is computed on first use. After an error, the next caller computes it again.
pub type Computed<T> = OnceCell<T>;

/// Returns the value. The first caller computes it in its turn, while the others wait. The turn
/// lasts until the work is done, even if the client disconnects.
pub async fn compute<T: Clone + Send + Sync + 'static, E: Send + 'static>(
    value: Arc<Computed<T>>,
    turns: Arc<Semaphore>,
    work: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Result<T, E> {
    if let Some(known) = value.get() {
        return Ok(known.clone());
    }
    let in_turn = async move || {
        let _turn = turns.acquire().await.expect("the semaphore is never closed");
        work.await
    };
    finish(async move { value.get_or_try_init(in_turn).await.cloned() }).await
}
