//! The lane, the single writer of the journal. Its task takes the queued operations, writes them in
//! one transaction, replies to the callers and publishes the new fold.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use flagship_game::TeamId;
use flagship_store::StoreError;
use flagship_store::fold::Fold;
use flagship_store::lane::{Tail, Writer};
use flagship_store::ops::{Actor, Outcome, Request};
use futures_util::future::OptionFuture;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::{JoinError, JoinHandle};

use super::board::feed::Feed;
use super::error::LaneError;
use super::metrics::counters::Counters;
use super::report::{in_time, report};
use crate::net::permits::{Permit, Permits};
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// Maximum queued operations. Further ones are rejected immediately.
const QUEUE_MAX: usize = 4096;
/// Maximum queued operations of one team, equal to its maximum number of sockets.
const QUEUE_PER_TEAM_MAX: usize = 256;
/// Maximum operations per transaction.
const BATCH_MAX: usize = 512;
/// Interval of the check for due phases and releases.
const TICK: Duration = Duration::from_millis(50);

/// Minimum entries in the journal for a state snapshot. Folding fewer takes about 5 ms.
const KEPT_MIN: i64 = 1_000;
/// Interval at which the lane decides whether to write a state snapshot. Snapshots keep the number
/// of entries low that `apply` and a start after a crash must fold.
const KEEP_EVERY: Duration = Duration::from_secs(5);
/// Divisor for the share of new entries (a tenth) that requires a state snapshot. At least
/// `KEPT_MIN` entries must be new.
const KEEP_SHARE: i64 = 10;

/// Time limit of one transaction, in case the database stops responding.
const STEP_MAX: Duration = Duration::from_secs(10);

struct Job {
    request: Request,
    reply: oneshot::Sender<Result<Outcome, LaneError>>,
    /// Held until the operation is done, even if the client disconnects.
    permit: Permit<TeamId>,
}

/// Queues operations for the lane.
pub struct Lane {
    queue: mpsc::Sender<Job>,
    /// Limits the queued operations per team, so that one team leaves room for others.
    permits: Arc<Permits<TeamId>>,
    /// Notified when another process may have written to the journal.
    pub hint: Notify,
    is_read_only: AtomicBool,
}

/// The lane's task, before it runs.
pub struct LaneTask {
    lane: Arc<Lane>,
    writer: Writer,
    queue: mpsc::Receiver<Job>,
    feed: Arc<Feed>,
    counters: Arc<Counters>,
    /// Folds the whole journal, if the writer started from a state snapshot.
    proof: Option<JoinHandle<Result<Fold, StoreError>>>,
}

impl Lane {
    /// Creates a lane that writes with `writer` and publishes to `feed`, and its task.
    pub fn new(writer: Writer, feed: Arc<Feed>, counters: Arc<Counters>) -> (Arc<Self>, LaneTask) {
        let (sender, queue) = mpsc::channel(QUEUE_MAX);
        let lane = Arc::new(Self {
            queue: sender,
            permits: Permits::new(QUEUE_MAX + BATCH_MAX, QUEUE_PER_TEAM_MAX),
            hint: Notify::new(),
            is_read_only: AtomicBool::new(false),
        });
        let proof = writer.proof().map(tokio::spawn);
        let task = LaneTask { lane: lane.clone(), writer, queue, feed, counters, proof };
        task.note_newer();
        (lane, task)
    }

    /// Runs an operation. Completes once the operation is durable.
    pub async fn run(&self, request: Request) -> Result<Outcome, LaneError> {
        if self.is_read_only() {
            return Err(LaneError::ReadOnly);
        }
        let team = match request.actor {
            Actor::Team(team) => Some(team),
            _ => None,
        };
        let permit = self.permits.acquire(team).map_err(|_| LaneError::Full)?;
        let (reply, answer) = oneshot::channel();
        self.queue.try_send(Job { request, reply, permit }).map_err(|_| LaneError::Full)?;
        answer.await.unwrap_or(Err(LaneError::Failed))
    }

    /// Returns the number of queued operations.
    pub fn waiting(&self) -> usize {
        QUEUE_MAX - self.queue.capacity()
    }

    /// True if the journal has a newer format, which this version cannot read. The node then serves
    /// its last board and records nothing.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only.load(Ordering::Relaxed)
    }

    /// True if the lane's task accepts no more operations.
    pub fn is_over(&self) -> bool {
        self.queue.is_closed()
    }
}

impl LaneTask {
    /// Runs until shutdown, then finishes the operations that were already queued.
    pub async fn run(mut self, mut shutdown: Shutdown) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut keep = tokio::time::interval_at((Instant::now() + KEEP_EVERY).into(), KEEP_EVERY);
        let mut proof = self.proof.take();
        let mut jobs = Vec::with_capacity(BATCH_MAX);
        loop {
            tokio::select! {
                biased;
                () = shutdown_requested(&mut shutdown) => break,
                _ = self.queue.recv_many(&mut jobs, BATCH_MAX) => self.step(&mut jobs).await,
                () = self.lane.hint.notified() => self.tail().await,
                Some(proved) = OptionFuture::from(proof.as_mut()) => {
                    proof = None;
                    self.prove(proved).await;
                }
                _ = keep.tick() => {
                    let share = self.writer.contest().seq() / KEEP_SHARE;
                    drop(self.keep(share.max(KEPT_MIN)));
                }
                _ = tick.tick() => {
                    if self.writer.is_due() {
                        self.step(&mut jobs).await;
                    }
                }
            }
        }
        self.queue.close();
        while self.queue.recv_many(&mut jobs, BATCH_MAX).await > 0 {
            self.step(&mut jobs).await;
        }
        if self.writer.record_next() {
            self.step(&mut jobs).await;
        }
        if let Some(proof) = proof {
            proof.abort();
        }
        if let Some(keeping) = self.keep(1) {
            // The task logs its own failures.
            drop(keeping.await);
        }
    }

    /// Writes a state snapshot in the background, if at least `entries` entries are new.
    fn keep(&mut self, entries: i64) -> Option<JoinHandle<()>> {
        let is_worth_it = self.writer.contest().seq() >= KEPT_MIN;
        if !is_worth_it || self.writer.entries_since_snapshot() < entries {
            return None;
        }
        let keep = self.writer.snapshot_task()?;
        Some(tokio::task::spawn_blocking(move || {
            if let Err(error) = keep() {
                report(&error, "failed to save the state snapshot");
            }
        }))
    }

    /// Compares the state snapshot from which this lane started with a fold of the whole journal.
    async fn prove(&mut self, proved: Result<Result<Fold, StoreError>, JoinError>) {
        let settled = match proved {
            Ok(Ok(fold)) => self.writer.settle(fold).await,
            Ok(Err(error)) => Err(error),
            Err(error) => return report(&error, "verifying the state snapshot was aborted"),
        };
        match settled {
            Ok(true) => {}
            Ok(false) => {
                tracing::error!("the state snapshot does not match the journal and was discarded");
                self.feed.replace(self.writer.contest());
            }
            Err(error) => {
                report(&error, "failed to verify the state snapshot against the journal");
                self.writer.remove_snapshot();
            }
        }
    }

    async fn step(&mut self, jobs: &mut Vec<Job>) {
        let (requests, waiting): (Vec<Request>, Vec<_>) =
            jobs.drain(..).map(|job| (job.request, (job.reply, job.permit))).unzip();
        let outcomes = self.write(&requests).await;
        // Callers get their replies before the sockets are woken.
        for ((reply, _permit), outcome) in waiting.into_iter().zip(outcomes) {
            // The caller may have disconnected. The operation stays recorded.
            drop(reply.send(outcome));
        }
        self.feed.hub.wake();
    }

    /// Writes operations in one transaction. If one of them cannot be recorded, splits them in half
    /// and writes each half in its own transaction, recursively, until only that operation fails.
    async fn write(&mut self, requests: &[Request]) -> Vec<Result<Outcome, LaneError>> {
        let until = Instant::now() + STEP_MAX;
        let mut outcomes = Vec::with_capacity(requests.len());
        let mut parts = vec![requests];
        while let Some(part) = parts.pop() {
            let begun = Instant::now();
            let stepped = tokio::time::timeout_at(until.into(), self.writer.step(part)).await;
            self.counters.stepped(part.len(), begun.elapsed(), matches!(stepped, Ok(Ok(_))));
            match stepped {
                Ok(Ok(step)) => {
                    self.feed.publish(self.writer.contest(), step.changes);
                    outcomes.extend(step.outcomes.into_iter().map(Ok));
                    continue;
                }
                Ok(Err(StoreError::Operation(_))) if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                    continue;
                }
                Ok(Err(error @ StoreError::Operation(_))) => {
                    report(&error, "failed to write an operation");
                    outcomes.extend(part.iter().map(|_| Err(LaneError::Failed)));
                    continue;
                }
                Ok(Err(StoreError::NewerFormat(_))) => {
                    self.tail().await;
                    outcomes.resize(requests.len(), Err(LaneError::ReadOnly));
                    return outcomes;
                }
                Ok(Err(error)) => report(&error, "failed to write to the journal"),
                Err(late) => report(&late, "timed out writing to the journal"),
            }
            break;
        }
        outcomes.resize(requests.len(), Err(LaneError::Failed));
        outcomes
    }

    /// Logs once that the journal has a newer format, which this program cannot read.
    fn note_newer(&self) {
        if let Some(newer) = self.writer.newer()
            && !self.lane.is_read_only.swap(true, Ordering::Relaxed)
        {
            report(&newer, "this node is now read-only and serves its last scoreboard");
        }
    }

    async fn tail(&mut self) {
        loop {
            let tail = in_time(STEP_MAX, self.writer.tail(), "failed to read the journal");
            let Some(Tail { changes, has_more }) = tail.await else { return };
            if !changes.is_empty() {
                self.feed.publish(self.writer.contest(), changes);
                self.feed.hub.wake();
            }
            if !has_more {
                return self.note_newer();
            }
        }
    }
}
