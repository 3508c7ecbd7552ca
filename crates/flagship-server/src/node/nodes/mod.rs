//! Several nodes over one database judge flags as one node would: a team has one budget.
//!
//! A single node counts wrong flags in memory. Before it answers, it checks in the database that it
//! is still alone and that its flags are the newest; one check serves all requests that wait for
//! it. Several nodes judge in transactions under one lock, by the record of wrong flags.
//! `docs/decisions/016-nodes-count-together.md` gives the reasons.

pub mod attempts;
pub mod task;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flagship_game::TeamId;
use flagship_game::contest::Attempt;
use flagship_store::nodes::{self, Look, Looks, Node};
use flagship_store::{Clock, Db, StoreError};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::error::NodeError;
use super::flags::budgets::{Budgets, Judged};
use super::flags::{Accepted, Sent};
use super::report::in_time;
use crate::net::permits::{Permit, Permits};

/// Flags that may wait for a verdict; further ones are refused.
const QUEUE_MAX: usize = 4096;
/// Most of them from one team: as many as it may have sockets.
const QUEUE_PER_TEAM_MAX: usize = 256;
/// How long the database may take to confirm a verdict.
const LOOK_MAX: Duration = Duration::from_secs(2);

/// A verdict that waits for the next check in the database, which is `None` if the database does
/// not answer.
pub type Asked = oneshot::Sender<Option<Look>>;

/// This node among the others.
pub struct Nodes {
    id: String,
    db: Db,
    /// Says whether wrong flags are limited.
    budgets: Arc<Budgets>,
    is_alone: AtomicBool,
    /// Flags that are being counted in memory and are not queued for the record yet.
    under_way: TaskTracker,
    queue: mpsc::Sender<Submission>,
    /// Limits the submissions that wait, so that one team leaves room to others.
    permits: Arc<Permits<TeamId>>,
    /// Notified when another node may have joined.
    joined: Notify,
    asked: mpsc::UnboundedSender<Asked>,
}

/// A flag to be judged.
pub struct Submission {
    team: TeamId,
    sent: Sent,
    attempt: Attempt,
    /// Whether solves are hidden.
    is_hidden: bool,
    reply: oneshot::Sender<Verdict>,
    /// Held until the flag is judged, even if the client is gone.
    _permit: Permit<TeamId>,
}

/// The result of judging a flag, and the revision of the flags that judged it.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub judged: Judged<Accepted>,
    /// `challenges::revision`
    pub revision: i64,
}

/// Whether a verdict that was reached in memory may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Yes,
    /// The flags have changed, or there are other nodes: it has to be judged again.
    No,
    /// The database did not answer.
    Unknown,
}

impl Nodes {
    /// Joins the nodes over a database. While `budgets` do not limit wrong flags it judges as if it
    /// were alone.
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

    /// Permission to count in memory while the token is held; `None` if there are other nodes.
    pub fn alone(&self) -> Option<TaskTrackerToken> {
        let counting = self.under_way.token();
        (!self.budgets.are_limited() || !self.are_several()).then_some(counting)
    }

    /// Waits until no flag is being counted in memory. Without limits the counts decide nothing,
    /// and it does not wait: a flood of wrong flags would never end.
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

    /// Judges a flag with the other nodes; `None` if it has to be judged again.
    pub async fn judge(
        &self,
        team: TeamId,
        sent: &Sent,
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

    /// Whether a verdict that was reached in memory, with the flags of `revision`, may be given. A
    /// check in the database that begins after this call decides.
    pub async fn confirm(&self, revision: i64) -> Confirmed {
        let (reply, answer) = oneshot::channel();
        // An error means that the node shuts down: no further check will come.
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

    fn take_note(&self, look: Look) {
        if !look.is_alone && self.is_alone.swap(false, Ordering::SeqCst) {
            self.joined.notify_one();
        }
    }

    /// Checks in the database whenever a verdict waits, without an end.
    pub async fn look(self: Arc<Self>, mut asked: mpsc::UnboundedReceiver<Asked>) {
        let mut looks = Looks::new(self.db.clone());
        let mut waiting = Vec::new();
        while asked.recv_many(&mut waiting, QUEUE_MAX).await > 0 {
            // Requests that have arrived are read first: their verdicts share this check.
            tokio::task::yield_now().await;
            waiting.extend(std::iter::from_fn(|| asked.try_recv().ok()));
            let what = "could not check whether the flags are the newest";
            let look = in_time(LOOK_MAX, looks.look(&self.id), what).await;
            for reply in waiting.drain(..) {
                // The client may be gone.
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
