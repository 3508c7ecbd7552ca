//! Used solutions. This node remembers the solutions that it has seen, so that a replay costs
//! nothing. The database decides about all others. One transaction marks concurrent solutions as
//! used.

use std::collections::HashSet;

use flagship_store::captchas::{self, Solution};
use flagship_store::{Clock, Db};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::node::error::NodeError;
use crate::node::limits::swept::SweptMap;
use crate::node::report::report;

/// Maximum solutions per transaction.
const BATCH_MAX: usize = 512;

/// Used solutions.
pub struct Spent {
    /// Expiry of each used challenge, in epoch milliseconds, by nonce. If the map is full, only the
    /// database decides. It holds more challenges than can be verified before they expire.
    known: Mutex<SweptMap<String, i64>>,
    queue: mpsc::UnboundedSender<Job>,
}

struct Job {
    solution: Solution,
    /// Receives true if the solution is new. Dropped if that is unknown.
    reply: oneshot::Sender<bool>,
}

/// A reserved solution, which no other request on this node can use.
pub struct Reserved<'a> {
    spent: &'a Spent,
    solution: Solution,
    is_settled: bool,
}

impl Spent {
    /// Creates an empty set, and the task that marks queued solutions as used. The task may be
    /// dropped on shutdown, when no request waits for it.
    pub fn new(db: Db, clock: Clock) -> (Self, impl Future<Output = ()> + Send + 'static) {
        // Each job holds a permit to check a password, which bounds the queue.
        let (sender, mut queue) = mpsc::unbounded_channel();
        let task = async move {
            let mut jobs = Vec::new();
            while queue.recv_many(&mut jobs, BATCH_MAX).await > 0 {
                spend(&db, &clock, std::mem::take(&mut jobs)).await;
            }
        };
        (Self { known: Mutex::default(), queue: sender }, task)
    }

    /// Reserves a solution, unless it was used or is already reserved.
    pub fn reserve(&self, solution: Solution, now_ms: i64) -> Result<Reserved<'_>, NodeError> {
        let mut known = self.known.lock();
        if known.entries().contains_key(&solution.nonce) {
            return Err(NodeError::Captcha);
        }
        known.sweep(|expires_at_ms| *expires_at_ms > now_ms);
        if !known.is_full() {
            known.entries().insert(solution.nonce.clone(), solution.expires_at_ms);
        }
        Ok(Reserved { spent: self, solution, is_settled: false })
    }
}

impl Reserved<'_> {
    /// Marks the solution as used on all nodes. After a failure, a client may submit it again.
    pub async fn spend(mut self) -> Result<(), NodeError> {
        let (reply, answer) = oneshot::channel();
        let job = Job { solution: self.solution.clone(), reply };
        self.spent.queue.send(job).map_err(|_| NodeError::Busy)?;
        let is_new = answer.await.map_err(|_| NodeError::Busy)?;
        self.is_settled = true;
        if is_new { Ok(()) } else { Err(NodeError::Captcha) }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            self.spent.known.lock().entries().remove(&self.solution.nonce);
        }
    }
}

async fn spend(db: &Db, clock: &Clock, jobs: Vec<Job>) {
    let (solutions, replies): (Vec<Solution>, Vec<_>) =
        jobs.into_iter().map(|job| (job.solution, job.reply)).unzip();
    let spent = captchas::spend(db, &solutions, clock.now_ms()).await;
    let mut new: HashSet<String> = match spent {
        Ok(new) => new,
        // Dropping the replies tells the callers that the result is unknown.
        Err(error) => return report(&error, "failed to mark captchas as used"),
    };
    for (solution, reply) in solutions.iter().zip(replies) {
        // Each solution is new for one caller only. The caller may have disconnected.
        reply.send(new.remove(&solution.nonce)).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::limits::swept::SWEEP_MIN;

    fn solution(number: i64) -> Solution {
        Solution { nonce: number.to_string(), expires_at_ms: number + 1 }
    }

    async fn spent() -> (tempfile::TempDir, Db, Spent, impl Future<Output = ()> + Send) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        let (spent, task) = Spent::new(db.clone(), Clock::manual(0));
        (folder, db, spent, task)
    }

    #[tokio::test]
    async fn an_unused_reservation_releases_the_solution() {
        let (_folder, _db, spent, _task) = spent().await;
        let reserved = spent.reserve(solution(1), 0).expect("it is new");
        assert_eq!(spent.reserve(solution(1), 0).err(), Some(NodeError::Captcha));
        drop(reserved);
        assert!(spent.reserve(solution(1), 0).is_ok());
    }

    #[tokio::test]
    async fn a_used_solution_is_queried_once_per_node() {
        let (_folder, db, spent, task) = spent().await;
        tokio::spawn(task);
        let elsewhere = captchas::spend(&db, &[solution(1)], 0).await.expect("it is written");
        assert_eq!(elsewhere.len(), 1);
        let reserved = spent.reserve(solution(1), 0).expect("this node has not seen it");
        assert_eq!(reserved.spend().await, Err(NodeError::Captcha));
        let reserved = spent.reserve(solution(2), 0).expect("it is new");
        assert_eq!(reserved.spend().await, Ok(()));
        db.close().await;
        for number in [1, 2] {
            assert_eq!(spent.reserve(solution(number), 0).err(), Some(NodeError::Captcha));
        }
        let reserved = spent.reserve(solution(3), 0).expect("it is new");
        assert_eq!(reserved.spend().await, Err(NodeError::Busy));
        assert!(spent.reserve(solution(3), 0).is_ok(), "an unwritten solution can be retried");
    }

    #[tokio::test]
    async fn expired_solutions_are_forgotten() {
        let (_folder, _db, spent, _task) = spent().await;
        for number in 0..10_000 {
            let mut reserved = spent.reserve(solution(number), number).expect("it is new");
            reserved.is_settled = true;
        }
        assert!(spent.known.lock().entries().len() <= SWEEP_MIN);
    }
}
