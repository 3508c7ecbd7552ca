//! Parses and renders organizer input: large JSON, YAML, Markdown, regexes and images. Runs on
//! low-priority threads, so that correct submissions do not wait for it.

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::node::background::Background;
use crate::node::error::NodeError;
use crate::node::limits::turns::Turns;

/// Maximum number of concurrent renderings. Each organizer can have one.
const THREADS: usize = 2;

/// Thread pool with a slot per organizer.
pub struct Renderer {
    threads: Background<()>,
    turns: Arc<Turns>,
}

impl Default for Renderer {
    fn default() -> Self {
        Self { threads: Background::new("renderer", THREADS), turns: Turns::new(THREADS) }
    }
}

impl Renderer {
    /// Runs work for an organizer. The work may block on the database; the thread then sleeps.
    ///
    /// # Errors
    /// Fails if the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        organizer: i64,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, NodeError> {
        let turn = self.turns.take(organizer).await;
        let runtime = Handle::current();
        self.threads.run(turn, move |()| runtime.block_on(work)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn an_author_who_renders_much_leaves_a_thread_to_others_and_the_worker_free() {
        let renderer = Renderer::default();
        let own = getpriority_process(None).expect("it is readable");
        let (go, gone) = channel::<()>();
        let blocks = renderer.run(1, async move { assert!(gone.recv().is_err()) });
        let more = (0..7).map(|_| renderer.run(1, async {}));
        let mut authors = Box::pin(async { futures_util::join!(blocks, join_all(more)) });
        assert!((&mut authors).now_or_never().is_none(), "it renders, and this thread goes on");
        let priority = renderer.run(2, async { getpriority_process(None) }).await;
        let priority = priority.expect("it runs").expect("it is readable");
        assert!(priority > own, "at a low priority");
        drop(go);
        let (first, others) = authors.await;
        assert!(first.is_ok() && others.iter().all(Result::is_ok));
    }
}
