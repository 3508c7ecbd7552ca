//! The record of wrong flags for organizers, written in batches in the background.
//!
//! In the freeze a batch is written at once: every request that reads the database takes a little
//! longer next to a commit, so a wrong flag commits when a right one would.

use std::sync::Arc;
use std::time::Duration;

use flagship_store::Db;
use flagship_store::wrong_flags::{self, WrongFlag};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::node::report::report;

/// Wrong flags that may wait to be written; more are dropped, with a warning in the log.
const QUEUE_MAX: usize = 65_536;
/// Pause between two batches.
const PAUSE: Duration = Duration::from_millis(500);

/// The queue of wrong flags on their way to the organizers' record.
pub struct WrongFlags {
    queue: mpsc::Sender<WrongFlag>,
    /// Callers of `written`, until everything queued before them is written.
    waiting: mpsc::UnboundedSender<oneshot::Sender<()>>,
    /// Notified when a batch is to be written at once.
    due: Arc<Notify>,
}

/// The task that writes the record, before it runs.
pub struct WrongFlagsTask {
    db: Db,
    queue: mpsc::Receiver<WrongFlag>,
    waiting: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
    due: Arc<Notify>,
}

impl WrongFlags {
    /// A queue whose task writes to `db`.
    pub fn new(db: Db) -> (Self, WrongFlagsTask) {
        let (sender, queue) = mpsc::channel(QUEUE_MAX);
        let (wait, waiting) = mpsc::unbounded_channel();
        let due = Arc::new(Notify::new());
        let task = WrongFlagsTask { db, queue, waiting, due: due.clone() };
        (Self { queue: sender, waiting: wait, due }, task)
    }

    /// Waits until everything queued before is written, or could not be.
    pub async fn written(&self) {
        let (written, is_written) = oneshot::channel();
        drop(self.waiting.send(written));
        // An error means that the task has ended.
        drop(is_written.await);
    }

    /// Queues a wrong flag, to be written at once or with the next batch. Nobody waits for its
    /// record.
    pub fn push(&self, wrong: WrongFlag, at_once: bool) {
        if self.queue.try_send(wrong).is_err() {
            tracing::warn!("a wrong flag was not recorded: the queue is full");
        }
        if at_once {
            self.due.notify_one();
        }
    }
}

impl WrongFlagsTask {
    /// Writes batches until shutdown, then the rest.
    pub async fn run(mut self, mut shutdown: Shutdown) {
        let (mut batch, mut waiting) = (Vec::new(), Vec::new());
        let mut pause = tokio::time::interval(PAUSE);
        pause.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let is_shutdown = tokio::select! {
                () = shutdown_requested(&mut shutdown) => true,
                Some(written) = self.waiting.recv() => {
                    waiting.push(written);
                    false
                }
                () = self.due.notified() => false,
                _ = pause.tick() => false,
            };
            while let Ok(wrong) = self.queue.try_recv() {
                batch.push(wrong);
            }
            if !batch.is_empty()
                && let Err(error) = wrong_flags::record(&self.db, &batch).await
            {
                report(&error, "wrong flags were not recorded");
            }
            batch.clear();
            // A waiting caller may be gone.
            for written in waiting.drain(..) {
                written.send(()).ok();
            }
            if is_shutdown {
                return;
            }
        }
    }
}
