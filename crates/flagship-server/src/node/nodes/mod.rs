//! Several nodes on one database judge submissions as a single node would: each team has one
//! budget.
//!
//! A single node counts incorrect submissions in memory. Before it responds, it checks in the
//! database that it is still alone and that its flags are the newest. One check serves all waiting
//! requests. Several nodes judge in transactions under one lock, against the recorded incorrect
//! submissions. `docs/decisions/016-nodes-count-submissions-together.md` gives the reasons.

pub mod attempts;
pub mod task;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flagship_game::TeamId;
use flagship_game::contest::Attempt;
use flagship_store::nodes::{self, Node, NodeCheck, NodeChecker};
use flagship_store::{Clock, Db, StoreError};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::error::NodeError;
use super::flags::budgets::{Budgets, Judgment};
use super::flags::{Accepted, SubmittedFlag};
use super::report::in_time;
use crate::net::permits::{Permit, Permits};

/// Maximum submissions that wait for a verdict. Further ones are rejected.
const QUEUE_MAX: usize = 4096;
/// Maximum waiting submissions of one team, equal to its maximum number of sockets.
const QUEUE_PER_TEAM_MAX: usize = 256;
/// Time limit for the database to confirm a verdict.
const LOOK_MAX: Duration = Duration::from_secs(2);

/// Sender of the result of the next database check, for a verdict that waits for it. The result is
/// `None` if the database does not respond.
pub type Asked = oneshot::Sender<Option<NodeCheck>>;

/// This node, and its knowledge of the others.
pub struct Nodes {
    id: String,
    db: Db,
    /// Budgets, which determine whether incorrect submissions are limited.
    budgets: Arc<Budgets>,
    is_alone: AtomicBool,
    /// Submissions that are being counted in memory and are not queued for the record yet.
    under_way: TaskTracker,
    queue: mpsc::Sender<Submission>,
    /// Limits the waiting submissions per team, so that one team leaves room for others.
    permits: Arc<Permits<TeamId>>,
    /// Notified when another node may have joined.
    joined: Notify,
    asked: mpsc::UnboundedSender<Asked>,
}

/// A submission to be judged.
pub struct Submission {
    team: TeamId,
    sent: SubmittedFlag,
    attempt: Attempt,
    /// True if the freeze hides solves.
    is_hidden: bool,
    reply: oneshot::Sender<Verdict>,
    /// Held until the submission is judged, even if the client disconnects.
    _permit: Permit<TeamId>,
}

/// Result of judging a submission, with the revision of the flags.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub judged: Judgment<Accepted>,
    /// `challenges::revision`
    pub revision: i64,
    /// True if the flag is incorrect and uses an attempt, which the lane counts.
    pub uses_attempt: bool,
    /// ID of the record of an incorrect submission, if it is already written.
    pub record_id: Option<i64>,
}

/// Decision of the database on a verdict reached in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Yes,
    /// The flags have changed, or other nodes are running, so the submission must be retried.
    No,
    /// The database did not respond.
    Unknown,
}

impl Nodes {
    /// Joins the nodes of a database. While `budgets` do not limit incorrect submissions, this node
    /// judges as if it were alone.
    pub async fn join(
        db: Db,
        clock: &Clock,
        budgets: Arc<Budgets>,
    ) -> Result<(Self, mpsc::Receiver<Submission>, mpsc::UnboundedReceiver<Asked>), StoreError>
    {
        let id = format!("{:032x}", rand::random::<u128>());
        let mut counting = nodes::count(&db, clock).await?;
        let is_alone = counting.nodes().await?.is_empty();
        counting.set(&Node { node_id: id.clone(), beat: 0, shares: !is_alone }).await?;
        counting.commit().await?;
        let (sender, queue) = mpsc::channel(QUEUE_MAX);
        let (asks, asked) = mpsc::unbounded_channel();
        let nodes = Self {
            id,
            db,
            budgets,
            is_alone: AtomicBool::new(is_alone),
            under_way: TaskTracker::new(),
            queue: sender,
            permits: Permits::new(QUEUE_MAX, QUEUE_PER_TEAM_MAX),
            joined: Notify::new(),
            asked: asks,
        };
        Ok((nodes, queue, asked))
    }

    /// Returns a token that permits counting in memory while it is held; `None` if there are other
    /// nodes.
    pub fn alone(&self) -> Option<TaskTrackerToken> {
        let counting = self.under_way.token();
        (!self.budgets.are_limited() || !self.are_several()).then_some(counting)
    }

    /// Waits until no submission is being counted in memory. Returns immediately without limits:
    /// the counts then have no effect, and the wait would never end in a flood of incorrect
    /// submissions.
    async fn finish_counting(&self) {
        if !self.budgets.are_limited() {
            return;
        }
        self.under_way.close();
        self.under_way.wait().await;
        self.under_way.reopen();
    }

    /// True if this node knows of other nodes.
    pub fn are_several(&self) -> bool {
        !self.is_alone.load(Ordering::SeqCst)
    }

    /// True if no node counts in memory, except this one while it is alone.
    pub fn all_share(&self, nodes: &[Node]) -> bool {
        let is_alone = |node: &Node| node.node_id == self.id && !self.are_several();
        nodes.iter().all(|node| node.shares || is_alone(node))
    }

    /// Judges a submission together with the other nodes; `None` if it must be retried.
    pub async fn judge(
        &self,
        team: TeamId,
        sent: &SubmittedFlag,
        attempt: Attempt,
        is_hidden: bool,
    ) -> Result<Option<Verdict>, NodeError> {
        let _permit = self.permits.acquire(Some(team))?;
        let (reply, answer) = oneshot::channel();
        let submission =
            Submission { team, sent: sent.clone(), attempt, is_hidden, reply, _permit };
        self.queue.try_send(submission).map_err(|_| NodeError::Busy)?;
        Ok(answer.await.ok())
    }

    /// Decides if a verdict reached in memory with the flags of `revision` is valid. Waits for a
    /// database check that starts after this call.
    pub async fn confirm(&self, revision: i64) -> Confirmed {
        let (reply, answer) = oneshot::channel();
        // An error means that the node is shutting down, and no further check will run.
        drop(self.asked.send(reply));
        let look = answer.await.ok().flatten();
        let Some(look) = look else { return Confirmed::Unknown };
        self.take_note(look);
        let is_alone = !self.budgets.are_limited() || !self.are_several();
        if look.revision == revision && is_alone { Confirmed::Yes } else { Confirmed::No }
    }

    /// Checks whether this node is still alone.
    pub async fn follow(&self) -> Result<(), StoreError> {
        self.take_note(nodes::look(&self.db, &self.id).await?);
        Ok(())
    }

    fn take_note(&self, look: NodeCheck) {
        if !look.is_alone && self.is_alone.swap(false, Ordering::SeqCst) {
            self.joined.notify_one();
        }
    }

    /// Runs a database check whenever a verdict waits for one. Runs forever.
    pub async fn look(self: Arc<Self>, mut asked: mpsc::UnboundedReceiver<Asked>) {
        let mut looks = NodeChecker::new(self.db.clone());
        let mut waiting = Vec::new();
        while asked.recv_many(&mut waiting, QUEUE_MAX).await > 0 {
            // Reads the requests that have arrived first, so that their verdicts share this check.
            tokio::task::yield_now().await;
            waiting.extend(std::iter::from_fn(|| asked.try_recv().ok()));
            let what = "failed to check for newer flags";
            let look = in_time(LOOK_MAX, looks.look(&self.id), what).await;
            for reply in waiting.drain(..) {
                // The client may have disconnected.
                reply.send(look).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use flagship_pack::{Limits, Live};
    use flagship_testkit::{TestDb, on_both_engines};
    use futures_util::FutureExt;

    use super::*;
    use crate::node::settings::LiveSettings;

    on_both_engines! {
        async fn verdicts_are_confirmed_by_a_check_that_begins_after_them(engine: Engine) {
            let test = TestDb::new(engine).await;
            let budgets = Arc::new(Budgets::new(LiveSettings::new(Live::default())));
            let joined = Nodes::join(test.db.clone(), &Clock::manual(0), budgets).await;
            let (nodes, _queue, asked) = joined.expect("it joins");
            let nodes = Arc::new(nodes);
            let asking = async {
                let many = futures_util::future::join_all((0..50).map(|_| nodes.confirm(0))).await;
                assert!(many.iter().all(|it| *it == Confirmed::Yes), "{many:?}");
                let sql = "insert into meta (key, value) values ('challenges_revision', '7')";
                test.execute(sql).await;
                assert_eq!(nodes.confirm(0).await, Confirmed::No);
                assert_eq!(nodes.confirm(7).await, Confirmed::Yes);
            };
            tokio::select! {
                () = asking => {}
                () = nodes.clone().look(asked) => panic!("it looks without an end"),
            }
            let words = "after shutdown there is no answer, at once";
            assert_eq!(nodes.confirm(7).now_or_never(), Some(Confirmed::Unknown), "{words}");
        }

        async fn a_flood_without_limits_does_not_keep_a_node_from_sharing(engine: Engine) {
            let words = "it waits for the flag under way only with a limit";
            for limit in [0, 1] {
                let limits = Limits {
                    submissions_per_challenge_per_10_s: 0,
                    submissions_per_team_per_minute: limit,
                    ..Limits::default()
                };
                let settings = LiveSettings::new(Live { limits, ..Live::default() });
                let budgets = Arc::new(Budgets::new(settings));
                let db = TestDb::new(engine).await.db;
                let joined = Nodes::join(db, &Clock::manual(0), budgets).await;
                let (nodes, _queue, _asked) = joined.expect("it joins");
                let _under_way = nodes.alone().expect("it is alone");
                let waits = nodes.finish_counting().now_or_never().is_none();
                assert_eq!(waits, limit > 0, "{words}");
            }
        }
    }
}
