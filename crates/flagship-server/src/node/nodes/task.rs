//! Task that judges submissions together with other nodes and maintains the list of nodes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use flagship_game::contest::Attempt;
use flagship_store::nodes::{self, CountTransaction, Node};
use flagship_store::wrong_flags::WrongFlag;
use flagship_store::{Clock, Db, StoreError};
use tokio::sync::mpsc;

use super::attempts::Attempts;
use super::{LOOK_MAX, Nodes, Submission, Verdict};
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::node::flags::Flags;
use crate::node::flags::budgets::{Budgets, Judgment, TEAM_WINDOW_MS};
use crate::node::flags::wrong_flags::WrongFlags;
use crate::node::report::in_time;

/// Maximum submissions judged in one transaction.
const BATCH_MAX: usize = 512;
/// Interval between heartbeats of a node, if there are several nodes.
const BEAT: Duration = Duration::from_secs(1);
/// Time without a heartbeat after which a node counts as dead.
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// Time limit for a node that was alone to write its counts to the database. A running node needs a
/// fraction of this time. A killed node never writes its counts.
const SHARE_MAX: Duration = Duration::from_millis(500);
/// Time limit of a transaction that judges submissions.
const TURN_MAX: Duration = Duration::from_secs(10);
/// Pause before checking again for nodes that do not share their counts yet.
const SHARE_PAUSE: Duration = Duration::from_millis(20);

/// Parts of the node that the task uses.
#[derive(Clone)]
pub struct Parts {
    pub db: Db,
    pub clock: Clock,
    pub nodes: Arc<Nodes>,
    pub flags: Arc<Flags>,
    pub budgets: Arc<Budgets>,
    pub wrong_flags: Arc<WrongFlags>,
    pub attempts: Arc<Attempts>,
}

/// The task, before it runs.
pub struct NodesTask {
    parts: Parts,
    queue: mpsc::Receiver<Submission>,
    /// Last heartbeat of each other node, with the time at which this node first saw it.
    beats: HashMap<String, (Option<i64>, Instant)>,
    beat: i64,
}

impl NodesTask {
    /// Creates a task that judges the submissions in `queue`.
    pub fn new(parts: Parts, queue: mpsc::Receiver<Submission>) -> Self {
        Self { parts, queue, beats: HashMap::new(), beat: 0 }
    }

    /// Judges with the other nodes until shutdown, then removes this node from the list.
    pub async fn run(mut self, mut shutdown: Shutdown) {
        let mut tick = tokio::time::interval(BEAT);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut waiting = Vec::with_capacity(BATCH_MAX);
        loop {
            let is_tick = tokio::select! {
                () = shutdown_requested(&mut shutdown) => break,
                count = self.queue.recv_many(&mut waiting, BATCH_MAX) => count == 0,
                () = self.parts.nodes.joined.notified() => true,
                _ = tick.tick() => true,
            };
            if is_tick && !self.parts.nodes.are_several() {
                continue;
            }
            let turn = self.turn(&mut waiting, is_tick);
            in_time(TURN_MAX, turn, "failed to judge flags together with other nodes").await;
            // Dropping the reply channels tells the callers that there is no verdict.
            waiting.clear();
        }
        let what = "this node could not be removed from the list of nodes";
        in_time(LOOK_MAX, self.leave(), what).await;
    }

    /// Runs one transaction, which writes this node's heartbeat, removes dead nodes and judges.
    async fn turn(
        &mut self,
        waiting: &mut Vec<Submission>,
        is_tick: bool,
    ) -> Result<(), StoreError> {
        let parts = self.parts.clone();
        loop {
            let mut counting = parts.count().await?;
            let all = counting.nodes().await?;
            let (own, others): (Vec<Node>, Vec<Node>) =
                all.into_iter().partition(|node| node.node_id == parts.nodes.id);
            if !own.iter().any(|node| node.shares) {
                drop(counting);
                self.share().await?;
                continue;
            }
            let (dead, living) = self.sort_out(others);
            for node in &dead {
                tracing::warn!("a node without a heartbeat was removed");
                counting.remove(&node.node_id).await?;
            }
            parts.attempts.are_shared();
            if living.is_empty() {
                let node = self.shown(false);
                counting.set(&node).await?;
                let since_ms = counting.now_ms - TEAM_WINDOW_MS;
                parts.budgets.fill(&counting.wrong_since(None, since_ms).await?);
                counting.commit().await?;
                parts.nodes.is_alone.store(true, Ordering::SeqCst);
                return Ok(());
            }
            if is_tick || !dead.is_empty() {
                self.beat += 1;
                counting.set(&self.shown(true)).await?;
            }
            if living.iter().all(|node| node.shares) {
                let is_changed = is_tick || !dead.is_empty();
                return parts.judge(counting, std::mem::take(waiting), is_changed).await;
            }
            counting.commit().await?;
            tokio::time::sleep(SHARE_PAUSE).await;
        }
    }

    /// Writes the counts in memory to the database, and marks this node as sharing its counts.
    async fn share(&mut self) -> Result<(), StoreError> {
        let Parts { nodes, wrong_flags, attempts, .. } = &self.parts;
        nodes.finish_counting().await;
        wrong_flags.wait_until_written().await;
        let mut counting = self.parts.count().await?;
        attempts.write(&mut counting).await?;
        self.beat += 1;
        counting.set(&self.shown(true)).await?;
        counting.commit().await
    }

    /// Returns this node's row.
    fn shown(&self, shares: bool) -> Node {
        Node { node_id: self.parts.nodes.id.clone(), beat: self.beat, shares }
    }

    async fn leave(&self) -> Result<(), StoreError> {
        let mut counting = self.parts.count().await?;
        counting.remove(&self.parts.nodes.id).await?;
        counting.commit().await
    }

    /// Splits the other nodes into dead and living ones.
    fn sort_out(&mut self, others: Vec<Node>) -> (Vec<Node>, Vec<Node>) {
        let now = Instant::now();
        self.beats.retain(|id, _| others.iter().any(|node| node.node_id == *id));
        others.into_iter().partition(|node| {
            let shown = node.shares.then_some(node.beat);
            let last = self.beats.entry(node.node_id.clone()).or_insert((shown, now));
            if last.0 != shown {
                *last = (shown, now);
            }
            now - last.1 > if node.shares { SILENCE_MAX } else { SHARE_MAX }
        })
    }
}

impl Parts {
    async fn count(&self) -> Result<CountTransaction, StoreError> {
        nodes::count(&self.db, &self.clock).await
    }

    /// Judges submissions against the recorded incorrect submissions, and records new ones. All
    /// nodes wait for this lock, so during the freeze a correct first attempt holds it as long as
    /// an incorrect one.
    async fn judge(
        &self,
        mut counting: CountTransaction,
        waiting: Vec<Submission>,
        is_changed: bool,
    ) -> Result<(), StoreError> {
        let now_ms = counting.now_ms;
        let flags = self.flags.load().clone();
        if flags.revision != counting.revision || waiting.is_empty() {
            // The callers get no verdict, reload the flags and retry.
            return if is_changed { counting.commit().await } else { Ok(()) };
        }
        let budgets = self.budgets.empty_copy();
        let mut known = Vec::new();
        for team in waiting.iter().map(|it| it.team).collect::<BTreeSet<_>>() {
            known.extend(counting.wrong_since(Some(team.0), now_ms - TEAM_WINDOW_MS).await?);
        }
        budgets.fill(&known);
        let is_alike = waiting.iter().any(|it| it.is_hidden);
        let mut wrong = Vec::new();
        let mut right = Vec::new();
        let mut verdicts = Vec::with_capacity(waiting.len());
        for submission in waiting {
            let Submission { team, sent, attempt, is_hidden, .. } = submission;
            let judged = flags.judge(&budgets, team, &sent, now_ms);
            match &judged {
                Judgment::Incorrect => wrong.push(sent.wrong_flag(&flags.key, team, now_ms)),
                Judgment::Correct(_) if is_hidden && attempt == Attempt::First => {
                    // Recorded like an incorrect submission without a near miss, even if the text
                    // has one.
                    let flag = sent.wrong_flag(&flags.key, team, now_ms);
                    right.push(WrongFlag { near: None, of_team: None, ..flag });
                }
                _ => {}
            }
            let uses_attempt = judged == Judgment::Incorrect
                && attempt == Attempt::First
                && flags.limits_attempts(&sent.challenge);
            let revision = flags.revision;
            let verdict = Verdict { judged, revision, uses_attempt, record_id: None };
            verdicts.push((submission.reply, verdict));
        }
        // In the order of the incorrect verdicts.
        let mut record_ids = match is_alike {
            true => counting.record_alike(&wrong, &right).await?,
            false => counting.record(&wrong).await?,
        }
        .into_iter();
        if is_changed || !wrong.is_empty() || !right.is_empty() {
            counting.commit().await?;
        } else {
            drop(counting);
        }
        for (reply, mut verdict) in verdicts {
            if verdict.judged == Judgment::Incorrect {
                verdict.record_id = record_ids.next();
            }
            // The caller may have disconnected. The submission stays counted.
            reply.send(verdict).ok();
        }
        Ok(())
    }
}
