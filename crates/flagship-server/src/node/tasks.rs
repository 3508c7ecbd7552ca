//! The tasks of the node.

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::lane::{LaneTask, LaneThread};
use crate::net::shutdown::Shutdown;

/// The node's tasks.
pub struct Tasks {
    shutdown: watch::Sender<bool>,
    running: Mutex<JoinSet<()>>,
    lane_thread: LaneThread,
}

impl Tasks {
    /// None so far.
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self {
            shutdown: watch::Sender::new(false),
            running: Mutex::new(JoinSet::new()),
            lane_thread: LaneThread::new()?,
        })
    }

    /// Runs a task until it ends, which it has to when the node shuts down.
    pub fn spawn<F>(&self, task: impl FnOnce(Shutdown) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.running.lock().spawn(task(self.shutdown.subscribe()));
    }

    /// Runs the lane on its thread.
    pub fn spawn_lane(&self, lane: LaneTask) {
        self.lane_thread.spawn(&mut self.running.lock(), lane.run(self.shutdown.subscribe()));
    }

    /// Stops the tasks, and waits until they have finished what they began.
    pub async fn stop(&self) {
        self.shutdown.send_replace(true);
        let mut tasks = std::mem::take(&mut *self.running.lock());
        while tasks.join_next().await.is_some() {}
    }
}
