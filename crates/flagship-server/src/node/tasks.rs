//! The tasks of the node.

use parking_lot::Mutex;
use tokio::runtime::{self, Runtime};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::lane::LaneTask;
use crate::net::shutdown::{Shutdown, shutdown_requested};

pub struct Tasks {
    shutdown: watch::Sender<bool>,
    running: Mutex<JoinSet<()>>,
    /// Thread of the lane. A step waits for the database about six times. On a shared thread, it
    /// would queue behind all requests each time.
    lane_thread: Option<Runtime>,
}

impl Tasks {
    /// Creates a set without tasks.
    pub fn new() -> anyhow::Result<Self> {
        let mut one = runtime::Builder::new_multi_thread();
        let one = one.worker_threads(1).thread_name("lane").enable_all().build()?;
        Ok(Self {
            shutdown: watch::Sender::new(false),
            running: Mutex::new(JoinSet::new()),
            lane_thread: Some(one),
        })
    }

    /// Runs a task until it ends. The task must end when the node shuts down.
    pub fn spawn<F>(&self, task: impl FnOnce(Shutdown) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.running.lock().spawn(task(self.shutdown.subscribe()));
    }

    /// Runs a task that is dropped when the node shuts down.
    pub fn spawn_loop(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.spawn(|mut shutdown| async move {
            tokio::select! {
                () = task => {}
                () = shutdown_requested(&mut shutdown) => {}
            }
        });
    }

    /// Runs the lane on its thread.
    pub fn spawn_lane(&self, lane: LaneTask) {
        let thread = self.lane_thread.as_ref().expect("only a drop takes it");
        self.running.lock().spawn_on(lane.run(self.shutdown.subscribe()), thread.handle());
    }

    /// Stops the tasks, and waits until they have finished their current work.
    pub async fn stop(&self) {
        self.shutdown.send_replace(true);
        let mut tasks = std::mem::take(&mut *self.running.lock());
        while tasks.join_next().await.is_some() {}
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        // A task may drop this value, so the drop must not block.
        if let Some(thread) = self.lane_thread.take() {
            thread.shutdown_background();
        }
    }
}
