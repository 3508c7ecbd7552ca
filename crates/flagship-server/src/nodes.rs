//! Several nodes over one database judge flags as one would: a team has its budget once.
//!
//! A node that is alone counts wrong flags in memory, and looks at the database before it tells a
//! verdict: whether it is alone still, and whether its flags are the newest. One look serves all
//! who wait for it. Several nodes judge in transactions, by the record of wrong flags, under one
//! lock. `docs/decisions/016-nodes-count-together.md` says why.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flagship_game::{ChallengeId, TeamId};
use flagship_store::nodes::{self, Look, Node};
use flagship_store::wrong_flags::WrongFlag;
use flagship_store::{Clock, Db, StoreError};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::app::{App, told};
use crate::budgets::{Judged, TEAM_WINDOW_MS};
use crate::error::{self, ApiError};
use crate::places::{Place, Places};

/// Flags that may wait for their verdict; one more is refused.
const QUEUE_MAX: usize = 4096;
/// Of these, those of one team: as many as one may have sockets.
const QUEUE_PER_TEAM_MAX: usize = 256;
/// Flags that are judged in one transaction.
const BATCH_MAX: usize = 512;
/// How often nodes that share show that they live.
const BEAT: Duration = Duration::from_secs(1);
/// How long one may be silent before it counts as dead.
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// How long a node that was alone may take to write down what it counted. One that lives takes a
/// fraction of it; one that was killed is waited for in vain.
const SHARE_MAX: Duration = Duration::from_millis(500);
/// How long the database may take to say whether a verdict may be told.
const LOOK_MAX: Duration = Duration::from_secs(2);
/// How long it may take for one transaction that judges.
const TURN_MAX: Duration = Duration::from_secs(10);
/// Pause before the next look at nodes that do not share yet.
const SHARE_PAUSE: Duration = Duration::from_millis(20);

/// A look, and which it was.
#[derive(Clone, Copy, Default)]
struct Numbered {
    number: u64,
    /// None when the database did not answer.
    look: Option<Look>,
}

/// This node among the others.
pub struct Nodes {
    id: String,
    db: Db,
    /// Whether wrong flags are limited.
    limits: bool,
    is_alone: AtomicBool,
    /// What is counted in memory and not on its way to the record yet.
    under_way: TaskTracker,
    queue: mpsc::Sender<Ask>,
    /// Places in the queue, so that one team leaves some to the others.
    places: Arc<Places<TeamId>>,
    /// Told when this node may not be alone any more.
    joined: Notify,
    asked: Notify,
    looks_begun: AtomicU64,
    last_look: watch::Sender<Numbered>,
}

/// The task that judges with other nodes, before it runs.
pub struct NodesTask {
    queue: mpsc::Receiver<Ask>,
    /// The last beat of each other node, and when it came.
    beats: HashMap<String, (Option<i64>, Instant)>,
    beat: i64,
}

/// A flag to be judged.
struct Ask {
    team: TeamId,
    challenge: ChallengeId,
    text: String,
    digest: String,
    reply: oneshot::Sender<Verdict>,
    /// Held until it is judged, also when whoever asked is gone.
    _place: Place<TeamId>,
}

/// What became of a flag, and the revision of the flags that it was judged by.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// What became of it.
    pub judged: Judged,
    /// `challenges::revision`
    pub revision: i64,
}

impl Nodes {
    /// Joins the nodes over a database. Without `limits` of wrong flags it judges as if alone.
    pub async fn join(
        db: Db,
        clock: &Clock,
        limits: bool,
    ) -> Result<(Self, NodesTask), StoreError> {
        let id = format!("{:032x}", rand::random::<u128>());
        let mut counting = nodes::count(&db, clock).await?;
        let is_alone = counting.nodes().await?.is_empty();
        counting.set(&Node { node_id: id.clone(), beat: 0, shares: !is_alone }).await?;
        counting.commit().await?;
        let (sender, queue) = mpsc::channel(QUEUE_MAX);
        let nodes = Self {
            id,
            db,
            limits,
            is_alone: AtomicBool::new(is_alone),
            under_way: TaskTracker::new(),
            queue: sender,
            places: Places::new(QUEUE_MAX, QUEUE_PER_TEAM_MAX),
            joined: Notify::new(),
            asked: Notify::new(),
            looks_begun: AtomicU64::new(0),
            last_look: watch::Sender::default(),
        };
        Ok((nodes, NodesTask { queue, beats: HashMap::new(), beat: 0 }))
    }

    /// Leave to count in memory, as long as it is held; none beside other nodes.
    pub fn alone(&self) -> Option<TaskTrackerToken> {
        let counting = self.under_way.token();
        (!self.limits || !self.are_several()).then_some(counting)
    }

    /// Whether there are several nodes, as far as this one knows.
    pub fn are_several(&self) -> bool {
        !self.is_alone.load(Ordering::SeqCst)
    }

    /// Whether none of the nodes counts in memory but one that is alone.
    pub fn all_share(&self, nodes: &[Node]) -> bool {
        let is_alone = |node: &Node| node.node_id == self.id && !self.are_several();
        nodes.iter().all(|node| node.shares || is_alone(node))
    }

    /// Judges a flag with the other nodes; `None` when it has to be tried again.
    pub async fn judge(
        &self,
        team: TeamId,
        challenge: &ChallengeId,
        text: &str,
        digest: String,
    ) -> Result<Option<Verdict>, ApiError> {
        let place = self.places.take(Some(team)).map_err(|_| ApiError::overload())?;
        let (reply, answer) = oneshot::channel();
        let (challenge, text) = (challenge.clone(), text.to_owned());
        let ask = Ask { team, challenge, text, digest, reply, _place: place };
        self.queue.try_send(ask).map_err(|_| ApiError::overload())?;
        Ok(answer.await.ok())
    }

    /// Whether a verdict may be told that was reached in memory by the flags of a revision, by a
    /// look that begins after this call.
    pub async fn confirm(&self, revision: i64) -> bool {
        let number = self.looks_begun.load(Ordering::SeqCst) + 1;
        let mut looks = self.last_look.subscribe();
        self.asked.notify_one();
        let seen = looks.wait_for(|look| look.number >= number).await;
        let Some(look) = seen.ok().and_then(|seen| seen.look) else { return false };
        self.take_note(look);
        look.revision == revision && (!self.limits || !self.are_several())
    }

    /// Looks whether this node is alone still.
    pub async fn follow(&self) -> Result<(), StoreError> {
        self.take_note(nodes::look(&self.db, &self.id).await?);
        Ok(())
    }

    fn take_note(&self, look: Look) {
        if !look.is_alone && self.is_alone.swap(false, Ordering::SeqCst) {
            self.joined.notify_one();
        }
    }

    /// Looks whenever somebody waits for it, until told to stop.
    pub async fn look(&self, mut stop: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = self.asked.notified() => {}
                () = told(&mut stop) => break,
            }
            let number = self.looks_begun.fetch_add(1, Ordering::SeqCst) + 1;
            let look = timeout(LOOK_MAX, nodes::look(&self.db, &self.id)).await;
            let look = match look {
                Ok(Ok(look)) => Some(look),
                Ok(Err(error)) => {
                    error::report(&error, "whether the flags are the newest is not known");
                    None
                }
                Err(late) => {
                    error::report(&late, "whether the flags are the newest is not known in time");
                    None
                }
            };
            self.last_look.send_replace(Numbered { number, look });
        }
        // Nobody looks any more.
        self.last_look.send_replace(Numbered { number: u64::MAX, look: None });
    }
}

impl NodesTask {
    /// Judges beside other nodes until told to stop; then leaves them.
    pub async fn run(mut self, app: App, mut stop: watch::Receiver<bool>) {
        let mut tick = tokio::time::interval(BEAT);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut asks = Vec::with_capacity(BATCH_MAX);
        loop {
            let is_tick = tokio::select! {
                () = told(&mut stop) => break,
                count = self.queue.recv_many(&mut asks, BATCH_MAX) => count == 0,
                () = app.nodes.joined.notified() => true,
                _ = tick.tick() => true,
            };
            if is_tick && !app.nodes.are_several() {
                continue;
            }
            match timeout(TURN_MAX, self.turn(&app, &mut asks, is_tick)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => error::report(&error, "flags were not judged with other nodes"),
                Err(late) => error::report(&late, "flags were not judged with other nodes in time"),
            }
            // Whoever has no verdict yet is told so by the channel's end.
            asks.clear();
        }
        match timeout(LOOK_MAX, leave(&app)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => error::report(&error, "the other nodes were not told of the end"),
            Err(late) => error::report(&late, "the other nodes were not told of the end in time"),
        }
    }

    /// One transaction: shows that this node lives, strikes out who does not, and judges.
    async fn turn(
        &mut self,
        app: &App,
        asks: &mut Vec<Ask>,
        is_tick: bool,
    ) -> Result<(), StoreError> {
        loop {
            let mut counting = nodes::count(&app.db, &app.clock).await?;
            let all = counting.nodes().await?;
            let (own, others): (Vec<Node>, Vec<Node>) =
                all.into_iter().partition(|node| node.node_id == app.nodes.id);
            if !own.iter().any(|node| node.shares) {
                drop(counting);
                self.share(app).await?;
                continue;
            }
            let (dead, living) = self.sort_out(others);
            for node in &dead {
                tracing::warn!("a node that is silent does not count any more");
                counting.remove(&node.node_id).await?;
            }
            app.attempts.are_shared();
            if living.is_empty() {
                let node = Node { node_id: app.nodes.id.clone(), beat: self.beat, shares: false };
                counting.set(&node).await?;
                let since_ms = counting.now_ms - TEAM_WINDOW_MS;
                app.budgets.fill(&counting.wrong_since(None, since_ms).await?);
                counting.commit().await?;
                app.nodes.is_alone.store(true, Ordering::SeqCst);
                return Ok(());
            }
            if is_tick || !dead.is_empty() {
                self.beat += 1;
                let node = Node { node_id: app.nodes.id.clone(), beat: self.beat, shares: true };
                counting.set(&node).await?;
            }
            if living.iter().all(|node| node.shares) {
                return judge(app, counting, std::mem::take(asks), is_tick || !dead.is_empty())
                    .await;
            }
            counting.commit().await?;
            tokio::time::sleep(SHARE_PAUSE).await;
        }
    }

    /// Writes down what was counted in memory, and says so.
    async fn share(&mut self, app: &App) -> Result<(), StoreError> {
        app.nodes.under_way.close();
        app.nodes.under_way.wait().await;
        app.nodes.under_way.reopen();
        app.wrong_flags.written().await;
        let mut counting = nodes::count(&app.db, &app.clock).await?;
        app.attempts.write(&mut counting).await?;
        self.beat += 1;
        counting
            .set(&Node { node_id: app.nodes.id.clone(), beat: self.beat, shares: true })
            .await?;
        counting.commit().await
    }

    /// The dead and the living among the other nodes.
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

/// Judges flags by the record of wrong ones, and adds to it.
async fn judge(
    app: &App,
    mut counting: nodes::Counting,
    asks: Vec<Ask>,
    is_changed: bool,
) -> Result<(), StoreError> {
    let now_ms = counting.now_ms;
    let flags = app.flags.load().clone();
    if flags.revision != counting.revision || asks.is_empty() {
        // Whoever asked reads the flags anew, and asks again.
        return if is_changed { counting.commit().await } else { Ok(()) };
    }
    let budgets = app.budgets.fresh();
    let mut known = Vec::new();
    for team in asks.iter().map(|ask| ask.team).collect::<BTreeSet<_>>() {
        known.extend(counting.wrong_since(Some(team.0), now_ms - TEAM_WINDOW_MS).await?);
    }
    budgets.fill(&known);
    let (mut wrong, mut verdicts) = (Vec::new(), Vec::with_capacity(asks.len()));
    for Ask { team, challenge, text, digest, reply, _place } in asks {
        let is_right = || flags.is_right(&app.config().key, &challenge, &text, &digest);
        let judged = budgets.judge(team, &challenge, now_ms, is_right);
        if judged == Judged::Wrong {
            let (account_id, challenge_id) = (team.0, challenge.as_str().to_owned());
            wrong.push(WrongFlag { account_id, challenge_id, at_ms: now_ms, digest });
        }
        verdicts.push((reply, Verdict { judged, revision: flags.revision }));
    }
    counting.record(&wrong).await?;
    if is_changed || !wrong.is_empty() {
        counting.commit().await?;
    } else {
        drop(counting);
    }
    for (reply, verdict) in verdicts {
        // Whoever asked may be gone; what was counted stays counted.
        reply.send(verdict).ok();
    }
    Ok(())
}

async fn leave(app: &App) -> Result<(), StoreError> {
    let mut counting = nodes::count(&app.db, &app.clock).await?;
    counting.remove(&app.nodes.id).await?;
    counting.commit().await
}
