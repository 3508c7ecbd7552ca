//! The record of wrong flags for organizers, written in batches in the background.

use std::time::Duration;

use flagship_store::Db;
use flagship_store::wrong_flags::{self, WrongFlag};
use tokio::sync::{mpsc, oneshot};

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
}

/// The task that writes the record, before it runs.
pub struct WrongFlagsTask {
    db: Db,
    queue: mpsc::Receiver<WrongFlag>,
    waiting: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
}

impl WrongFlags {
    /// A queue whose task writes to `db`.
    pub fn new(db: Db) -> (Self, WrongFlagsTask) {
        let (sender, queue) = mpsc::channel(QUEUE_MAX);
        let (wait, waiting) = mpsc::unbounded_channel();
        (Self { queue: sender, waiting: wait }, WrongFlagsTask { db, queue, waiting })
    }

    /// Waits until everything queued before is written, or could not be.
    pub async fn written(&self) {
        let (written, is_written) = oneshot::channel();
        drop(self.waiting.send(written));
        // An error means that the task has ended.
        drop(is_written.await);
    }

    /// Queues a wrong flag. Nobody waits for its record.
    pub fn push(&self, wrong: WrongFlag) {
        if self.queue.try_send(wrong).is_err() {
            tracing::warn!("a wrong flag was not recorded: the queue is full");
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
