//! Threads of the lowest priority, for what takes the processor for long. They run when nobody else
//! wants it, so that a crowd of logins takes nothing from those who play. How many may wait is the
//! caller's to limit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use parking_lot::Mutex;
use rustix::process::setpriority_process;
use tokio::sync::oneshot;

use crate::error::ApiError;

/// How much the threads give way to others, from 0 to 19.
const NICENESS: i32 = 19;

type Job<M> = Box<dyn FnOnce(&mut M) + Send>;

/// Threads that do jobs in the order in which they come. `M` is memory that one job leaves to the
/// next: it is kept while others wait, and given back when nobody does.
pub struct Background<M>(Sender<Job<M>>);

impl<M: Default + 'static> Background<M> {
    /// So many threads of this name.
    pub fn new(name: &str, threads: usize) -> Self {
        let (queue, jobs) = channel::<Job<M>>();
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = jobs.clone();
            let thread = std::thread::Builder::new().name(name.to_owned());
            thread.spawn(move || work(&jobs)).expect("the system has a thread to spare");
        }
        Self(queue)
    }

    /// Does a job, unless its caller is gone by then. `permit` is dropped once it is done.
    pub async fn run<T: Send + 'static>(
        &self,
        permit: impl Send + 'static,
        job: impl FnOnce(&mut M) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let job = move |memory: &mut M| {
            let done = (!reply.is_closed()).then(|| job(memory));
            drop(permit);
            if let Some(done) = done {
                drop(reply.send(done));
            }
        };
        self.0.send(Box::new(job)).map_err(|_| ApiError::INTERNAL)?;
        answer.await.map_err(|_| ApiError::INTERNAL)
    }
}

/// Does jobs until nobody is left to give some.
fn work<M: Default>(jobs: &Mutex<Receiver<Job<M>>>) {
    // To Linux the caller is the thread, not the program.
    if let Err(error) = setpriority_process(None, NICENESS) {
        tracing::warn!(%error, "background work runs at the priority of everything else");
    }
    let mut memory = M::default();
    loop {
        // Whoever holds the lock for longer waits for a job itself: there is none.
        let waits = jobs.try_lock().and_then(|jobs| jobs.try_recv().ok());
        let job = waits.map_or_else(
            || {
                memory = M::default();
                jobs.lock().recv()
            },
            Ok,
        );
        let Ok(job) = job else { return };
        // A job that breaks is a bug, which the panic's hook tells of; the others get their turn.
        drop(catch_unwind(AssertUnwindSafe(|| job(&mut memory))));
    }
}

#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn background_work_gives_way_to_everything_else() {
        let own = getpriority_process(None).expect("the system tells");
        let threads = Background::<()>::new("test", 1);
        let theirs = threads.run((), |()| getpriority_process(None)).await.expect("it works");
        assert_eq!(theirs.expect("the system tells"), NICENESS);
        assert_eq!(getpriority_process(None), Ok(own), "nobody else's is changed");
    }

    #[tokio::test]
    async fn nothing_is_done_for_who_is_gone_and_the_others_get_their_turn() {
        let threads = Arc::new(Background::<()>::new("test", 1));
        let (go, gone) = channel::<()>();
        let places = Arc::new(());
        let ask = |job: Box<dyn FnOnce() + Send>| {
            let (threads, place) = (threads.clone(), places.clone());
            tokio::spawn(async move { threads.run(place, move |()| job()).await })
        };
        let busy = ask(Box::new(move || assert!(gone.recv().is_err())));
        let done = Arc::new(Mutex::new(Vec::new()));
        let note = |name| {
            let done = done.clone();
            ask(Box::new(move || done.lock().push(name)))
        };
        let (leaves, stays) = (note("leaves"), note("stays"));
        while Arc::strong_count(&places) < 4 {
            tokio::task::yield_now().await;
        }
        leaves.abort();
        assert!(leaves.await.is_err_and(|end| end.is_cancelled()));
        drop(go);
        for asked in [busy, stays] {
            assert_eq!(asked.await.expect("it ends"), Ok(()));
        }
        assert_eq!(*done.lock(), ["stays"]);
        assert_eq!(Arc::strong_count(&places), 1, "all places are given back");
    }
}
