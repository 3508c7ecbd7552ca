//! Work that several requests share. The library drops a request's future as soon as its client
//! hangs up, so work that ended with its caller would begin again for the next one, while threads
//! for blocking work go on with what nobody waits for any more.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::OnceCell;

/// Runs `work` to its end, also if the caller is dropped meanwhile.
pub async fn finish<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    tokio::spawn(work).await.expect("the work does not panic")
}

/// A value that is made once, on a thread for blocking work, for all callers.
pub struct Made<T>(Arc<OnceCell<T>>);

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Send + Sync + 'static> Made<T> {
    /// The value, if it was made.
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// The value. One caller makes it, and the others wait.
    pub async fn get_or_make(&self, make: impl FnOnce() -> T + Send + 'static) -> &T {
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
        let value = Made::default();
        for _ in 0..100 {
            let asked = async {
                _ = value.get_or_make(make()).await;
            };
            drop(timeout(Duration::from_millis(1), asked).await);
        }
        assert_eq!(*value.get_or_make(make()).await, 1, "made once");
        assert_eq!(times.load(Ordering::Relaxed), 1, "made once");
    }

    #[tokio::test]
    async fn work_completes_after_its_caller_left() {
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
