//! Work shared by several requests. The HTTP library drops a request's future as soon as its client
//! disconnects. Work tied to that future would restart with the next caller, while the abandoned
//! work still occupies a blocking thread.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::OnceCell;

/// Runs `work` to completion, even if the caller is dropped.
pub async fn finish<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    tokio::spawn(work).await.expect("the work does not panic")
}

/// A value computed once for all callers, on a blocking thread.
pub struct SharedCell<T>(Arc<OnceCell<T>>);

impl<T> Default for SharedCell<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Send + Sync + 'static> SharedCell<T> {
    /// Returns the value if it was already computed.
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// Returns the value. The first caller computes it while the others wait.
    pub async fn get_or_init(&self, make: impl FnOnce() -> T + Send + 'static) -> &T {
        if !self.0.initialized() {
            let cell = self.0.clone();
            let making = async || {
                let making = tokio::task::spawn_blocking(make);
                making.await.expect("making does not panic")
            };
            finish(async move { _ = cell.get_or_init(making).await }).await;
        }
        self.0.get().expect("it was made")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn work_is_not_repeated_when_callers_disconnect() {
        let times = Arc::new(AtomicUsize::new(0));
        let make = || {
            let times = times.clone();
            move || {
                std::thread::sleep(Duration::from_millis(20));
                times.fetch_add(1, Ordering::Relaxed) + 1
            }
        };
        let value = SharedCell::default();
        for _ in 0..100 {
            let asked = async {
                _ = value.get_or_init(make()).await;
            };
            drop(timeout(Duration::from_millis(1), asked).await);
        }
        assert_eq!(*value.get_or_init(make()).await, 1, "made once");
        assert_eq!(times.load(Ordering::Relaxed), 1, "made once");
    }

    #[tokio::test]
    async fn work_completes_after_its_caller_is_dropped() {
        let done = Arc::new(AtomicUsize::new(0));
        let work = {
            let done = done.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let asked = timeout(Duration::from_millis(1), finish(work)).await;
        assert!(asked.is_err(), "the caller leaves before the end");
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(done.load(Ordering::Relaxed), 1);
    }
}
