//! Low-priority threads for long computations. They get little processor time while other work
//! needs it, so that many logins do not slow down players. Callers limit the number of queued jobs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use parking_lot::Mutex;
use rustix::process::nice;
use tokio::sync::oneshot;

use super::error::NodeError;

/// Increase of the nice value for these threads. On a processor saturated with requests, Linux then
/// gives a thread about a tenth of the time (weight 110 beside 1024). The lowest priority, 19,
/// gives 1.4 % (weight 15), so that each login would wait for seconds in a flood of cheap requests.
const NICENESS: i32 = 10;

type Job<M> = Box<dyn FnOnce(&mut M) + Send>;

/// Threads that run jobs in order of arrival. `M` is memory that a job leaves to the next one. It
/// is freed when the queue is empty.
pub struct Background<M>(Sender<Job<M>>);

impl<M: Default + 'static> Background<M> {
    /// Starts `threads` threads with this name.
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

    /// Runs a job, unless its caller is dropped before the job starts. `permit` is dropped after
    /// the job.
    pub async fn run<T: Send + 'static>(
        &self,
        permit: impl Send + 'static,
        job: impl FnOnce(&mut M) -> T + Send + 'static,
    ) -> Result<T, NodeError> {
        let (reply, answer) = oneshot::channel();
        let job = move |memory: &mut M| {
            let done = (!reply.is_closed()).then(|| job(memory));
            drop(permit);
            if let Some(done) = done {
                drop(reply.send(done));
            }
        };
        self.0.send(Box::new(job)).map_err(|_| NodeError::Internal)?;
        answer.await.map_err(|_| NodeError::Internal)
    }
}

/// Runs one job on a separate thread.
pub async fn once<T: Send + 'static>(
    name: &str,
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NodeError> {
    let (reply, answer) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned());
    let started = thread.spawn(move || {
        lower_priority();
        drop(reply.send(job()));
    });
    started.map_err(|_| NodeError::Internal)?;
    answer.await.map_err(|_| NodeError::Internal)
}

/// Lowers the priority of the calling thread. On Linux, the rest of the process keeps its priority.
fn lower_priority() {
    if let Err(error) = nice(NICENESS) {
        tracing::warn!(%error, "could not lower the priority of background threads");
    }
}

/// Runs jobs until all senders are gone.
fn work<M: Default>(jobs: &Mutex<Receiver<Job<M>>>) {
    lower_priority();
    let mut memory = M::default();
    loop {
        // If another thread holds the lock, it is waiting for a job, so the queue is empty.
        let queued = jobs.try_lock().and_then(|jobs| jobs.try_recv().ok());
        let job = queued.map_or_else(
            || {
                memory = M::default();
                jobs.lock().recv()
            },
            Ok,
        );
        let Ok(job) = job else { return };
        // A panic is a bug and is logged by the panic hook. The other jobs still run.
        drop(catch_unwind(AssertUnwindSafe(|| job(&mut memory))));
    }
}

#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn background_work_has_a_lower_priority() {
        let own = getpriority_process(None).expect("the priority is readable");
        let threads = Background::<()>::new("test", 1);
        let theirs = threads.run((), |()| getpriority_process(None)).await.expect("it works");
        assert_eq!(theirs.expect("the priority is readable"), (own + NICENESS).min(19));
        let once = once("test", || getpriority_process(None)).await.expect("it works");
        assert_eq!(once.expect("the priority is readable"), (own + NICENESS).min(19));
        assert_eq!(getpriority_process(None), Ok(own), "the priority of this thread is unchanged");
    }

    #[tokio::test]
    async fn jobs_of_departed_callers_are_skipped_and_the_others_run() {
        let threads = Arc::new(Background::<()>::new("test", 1));
        let (go, gone) = channel::<()>();
        let permits = Arc::new(());
        let ask = |job: Box<dyn FnOnce() + Send>| {
            let (threads, permit) = (threads.clone(), permits.clone());
            tokio::spawn(async move { threads.run(permit, move |()| job()).await })
        };
        let busy = ask(Box::new(move || assert!(gone.recv().is_err())));
        let done = Arc::new(Mutex::new(Vec::new()));
        let note = |name| {
            let done = done.clone();
            ask(Box::new(move || done.lock().push(name)))
        };
        let (leaves, stays) = (note("leaves"), note("stays"));
        while Arc::strong_count(&permits) < 4 {
            tokio::task::yield_now().await;
        }
        leaves.abort();
        assert!(leaves.await.is_err_and(|end| end.is_cancelled()));
        drop(go);
        for asked in [busy, stays] {
            assert_eq!(asked.await.expect("it ends"), Ok(()));
        }
        assert_eq!(*done.lock(), ["stays"]);
        assert_eq!(Arc::strong_count(&permits), 1, "all permits are returned");
    }
}
