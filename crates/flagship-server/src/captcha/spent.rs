//! Solutions that were used. This node knows those that it has seen, so that a replay costs
//! nothing; for the others the database has the last word. Solutions that come at the same time are
//! marked in one transaction.

use std::collections::{HashMap, HashSet};

use flagship_store::captchas::{self, Solution};
use flagship_store::{Clock, Db};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};

use crate::app::told;
use crate::error::{self, ApiError};

/// Used solutions that a node keeps in memory; beyond, it asks the database. More than can be
/// checked with a password in the time in which they expire.
const KNOWN_MAX: usize = 100_000;
/// Solutions at which those that expired are first looked for.
const KNOWN_SWEEP_MIN: usize = 1_024;
/// Solutions of one transaction.
const BATCH_MAX: usize = 512;

/// The used solutions.
pub struct Spent {
    known: Mutex<Known>,
    queue: mpsc::UnboundedSender<Job>,
}

struct Known {
    /// When each challenge ends, by its nonce.
    expires_at_ms: HashMap<String, i64>,
    sweep_at: usize,
}

/// The task that marks solutions as used, before it runs.
pub struct SpentTask {
    db: Db,
    clock: Clock,
    queue: mpsc::UnboundedReceiver<Job>,
}

struct Job {
    solution: Solution,
    /// Whether it was new; no answer where that is not known.
    reply: oneshot::Sender<bool>,
}

/// A solution that is being used: nobody else can use it on this node.
pub struct Reserved<'a> {
    spent: &'a Spent,
    solution: Solution,
    is_settled: bool,
}

impl Spent {
    /// Nothing is used yet, as far as this node knows.
    pub fn new(db: Db, clock: Clock) -> (Self, SpentTask) {
        // Whoever waits in the queue has a place for a password: these limit it.
        let (sender, queue) = mpsc::unbounded_channel();
        let known = Known { expires_at_ms: HashMap::new(), sweep_at: KNOWN_SWEEP_MIN };
        (Self { known: Mutex::new(known), queue: sender }, SpentTask { db, clock, queue })
    }

    /// Reserves a solution; refuses one that was used, or that somebody uses now.
    pub fn reserve(&self, solution: Solution, now_ms: i64) -> Result<Reserved<'_>, ApiError> {
        let mut known = self.known.lock();
        if known.expires_at_ms.contains_key(&solution.nonce) {
            return Err(ApiError::CAPTCHA);
        }
        known.sweep(now_ms);
        if known.expires_at_ms.len() < KNOWN_MAX {
            known.expires_at_ms.insert(solution.nonce.clone(), solution.expires_at_ms);
        }
        Ok(Reserved { spent: self, solution, is_settled: false })
    }
}

impl Known {
    fn sweep(&mut self, now_ms: i64) {
        if self.expires_at_ms.len() < self.sweep_at {
            return;
        }
        self.expires_at_ms.retain(|_, expires_at_ms| *expires_at_ms > now_ms);
        self.sweep_at = (self.expires_at_ms.len() * 2).clamp(KNOWN_SWEEP_MIN, KNOWN_MAX);
    }
}

impl Reserved<'_> {
    /// Uses it, for all nodes. Where that fails, it may be tried again.
    pub async fn spend(mut self) -> Result<(), ApiError> {
        let (reply, answer) = oneshot::channel();
        let job = Job { solution: self.solution.clone(), reply };
        self.spent.queue.send(job).map_err(|_| ApiError::overload())?;
        let is_new = answer.await.map_err(|_| ApiError::overload())?;
        self.is_settled = true;
        if is_new { Ok(()) } else { Err(ApiError::CAPTCHA) }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            self.spent.known.lock().expires_at_ms.remove(&self.solution.nonce);
        }
    }
}

impl SpentTask {
    /// Marks what is queued until told to stop, when nobody is left who waits.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut jobs = Vec::new();
        loop {
            let count = tokio::select! {
                count = self.queue.recv_many(&mut jobs, BATCH_MAX) => count,
                () = told(&mut stop) => return,
            };
            if count == 0 {
                return;
            }
            self.spend(std::mem::take(&mut jobs)).await;
        }
    }

    async fn spend(&self, jobs: Vec<Job>) {
        let (solutions, replies): (Vec<Solution>, Vec<_>) =
            jobs.into_iter().map(|job| (job.solution, job.reply)).unzip();
        let spent = captchas::spend(&self.db, &solutions, self.clock.now_ms()).await;
        let mut new: HashSet<String> = match spent {
            Ok(new) => new,
            // Those who wait hear that nothing is known.
            Err(error) => return error::report(&error, "captchas could not be marked as used"),
        };
        for (solution, reply) in solutions.iter().zip(replies) {
            // Each is new for one alone; whoever asked may be gone.
            reply.send(new.remove(&solution.nonce)).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solution(number: i64) -> Solution {
        Solution { nonce: number.to_string(), expires_at_ms: number + 1 }
    }

    async fn spent() -> (tempfile::TempDir, Spent, SpentTask) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        let (spent, task) = Spent::new(db, Clock::manual(0));
        (folder, spent, task)
    }

    #[tokio::test]
    async fn a_solution_is_free_again_when_it_was_not_used_after_all() {
        let (_folder, spent, _task) = spent().await;
        let reserved = spent.reserve(solution(1), 0).expect("it is new");
        assert_eq!(spent.reserve(solution(1), 0).err(), Some(ApiError::CAPTCHA));
        drop(reserved);
        assert!(spent.reserve(solution(1), 0).is_ok());
    }

    #[tokio::test]
    async fn a_used_solution_costs_a_node_one_look_and_then_none() {
        let (_folder, spent, task) = spent().await;
        let (db, stop) = (task.db.clone(), watch::Sender::new(false));
        tokio::spawn(task.run(stop.subscribe()));
        let elsewhere = captchas::spend(&db, &[solution(1)], 0).await.expect("it is written");
        assert_eq!(elsewhere.len(), 1);
        let reserved = spent.reserve(solution(1), 0).expect("this node has not seen it");
        assert_eq!(reserved.spend().await, Err(ApiError::CAPTCHA));
        let reserved = spent.reserve(solution(2), 0).expect("it is new");
        assert_eq!(reserved.spend().await, Ok(()));
        db.close().await;
        for number in [1, 2] {
            assert_eq!(spent.reserve(solution(number), 0).err(), Some(ApiError::CAPTCHA));
        }
        let reserved = spent.reserve(solution(3), 0).expect("it is new");
        assert_eq!(reserved.spend().await, Err(ApiError::overload()));
        assert!(spent.reserve(solution(3), 0).is_ok(), "what was not written may be tried again");
    }

    #[tokio::test]
    async fn expired_solutions_are_forgotten() {
        let (_folder, spent, _task) = spent().await;
        for number in 0..10_000 {
            let mut reserved = spent.reserve(solution(number), number).expect("it is new");
            reserved.is_settled = true;
        }
        assert!(spent.known.lock().expires_at_ms.len() <= KNOWN_SWEEP_MIN);
    }
}
