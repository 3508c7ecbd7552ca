//! The primary of a synchronous pair of PostgreSQL servers dies while flags arrive at two nodes,
//! and its standby is promoted. No acknowledged solve is lost, and the nodes continue by
//! themselves: their database has one unchanged address.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use sqlx::Connection;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::pair::{Pair, Relay, url};
use crate::event::EventFolder;
use crate::player::{Player, Socket};
use crate::process::{Server, TestSite};
use crate::{is_torture, until};

const TEAMS: usize = 300;
/// Challenges, enough for the flags of the longest run.
const CHALLENGES: usize = 40;
/// Maximum time from the promotion of the standby until correct flags are accepted.
const RECOVERY_MAX: Duration = Duration::from_secs(5);

/// The death of the primary.
#[derive(Clone, Copy, PartialEq)]
enum Death {
    /// The kernel closes the connections of the killed processes.
    Killed,
    /// Connections to the machine stay open without a response.
    Disappeared,
}

/// A submission with its answer.
struct Answered {
    team: usize,
    id: String,
    sent_at: Instant,
    at: Instant,
    is_correct: bool,
}

impl Answered {
    fn solve(&self) -> (String, String) {
        (format!("Team {}", self.team + 1), self.id.clone())
    }
}

/// Submits flags at a constant rate, alternately to the players' nodes, until `is_over`. Returns
/// the number of submissions.
fn load(
    players: [Player; 2],
    tokens: Vec<String>,
    rate: u32,
    is_over: Arc<AtomicBool>,
    answered: mpsc::UnboundedSender<Answered>,
) -> JoinHandle<usize> {
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(Duration::from_secs(1) / rate);
        for number in 0..TEAMS * CHALLENGES {
            tick.tick().await;
            if is_over.load(Ordering::Relaxed) {
                return number;
            }
            let team = number % TEAMS;
            let id = format!("c{}", number / TEAMS);
            let player = players[number % 2].with_token(&tokens[team]);
            let answered = answered.clone();
            tokio::spawn(async move {
                let sent_at = Instant::now();
                let is_correct = player.tries(&id).await;
                let answer = Answered { team, id, sent_at, at: Instant::now(), is_correct };
                drop(answered.send(answer));
            });
        }
        panic!("there are too few challenges");
    })
}

/// Receives messages until the socket is closed.
fn collect(mut socket: Socket) -> (JoinHandle<()>, mpsc::UnboundedReceiver<Value>) {
    let (sender, messages) = mpsc::unbounded_channel();
    let task = tokio::spawn(async move {
        while let Some(message) = socket.next().await {
            drop(sender.send(message));
        }
        panic!("the server closed a socket");
    });
    (task, messages)
}

/// Number of a snapshot's or a message's last change.
fn seq(message: &Value) -> u64 {
    message["seq"].as_u64().expect("it has a number")
}

/// Asserts that the messages after a snapshot have consecutive numbers and contain each of the
/// solves once.
fn check_messages(snapshot: &Value, messages: &[Value], solves: &BTreeSet<(String, String)>) {
    let mut seen = BTreeSet::new();
    for (message, number) in messages.iter().zip(seq(snapshot) + 1..) {
        assert_eq!(seq(message), number, "{message}");
        if message["event"] == "solve" {
            let text = |name: &str| message[name].as_str().unwrap().to_owned();
            assert!(seen.insert((text("teamName"), text("challengeId"))), "twice: {message}");
        }
    }
    assert_eq!(seen, *solves, "the socket missed solves");
}

/// Two nodes on a pair of servers.
struct Stage {
    pair: Pair,
    relay: Relay,
    site: TestSite,
    nodes: [Server; 2],
    tokens: Vec<String>,
    _event: EventFolder,
}

impl Stage {
    async fn new() -> Self {
        let pair = Pair::start().await;
        let relay = Relay::to(pair.primary.address).await;
        let site = TestSite::at(url(relay.address)).await;
        let event = EventFolder::new();
        for number in 0..CHALLENGES {
            event.challenge(&format!("c{number}"), "type: standard\nvalue: 100");
        }
        let nodes = [site.serve(&event).await, site.join(&event).await];
        let tokens = site.import(TEAMS).await;
        for node in &nodes {
            node.team(&tokens[TEAMS - 1]).await;
        }
        Self { pair, relay, site, nodes, tokens, _event: event }
    }

    /// The primary dies, and after `outage` the standby takes its place. Returns the time at which
    /// the promotion began.
    async fn fail_over(&mut self, death: Death, outage: Duration) -> Instant {
        if death == Death::Disappeared {
            self.relay.lose_target();
        }
        self.pair.primary.kill().await;
        tokio::time::sleep(outage).await;
        let promoted_at = Instant::now();
        let mut standby = sqlx::PgConnection::connect(&self.pair.standby.url()).await.unwrap();
        let promote = sqlx::query_scalar::<_, bool>("select pg_promote()").fetch_one(&mut standby);
        assert!(promote.await.unwrap(), "the standby was promoted");
        self.relay.point_to(self.pair.standby.address);
        promoted_at
    }

    /// Sends rejected flags again until they are accepted.
    async fn send_again(&self, answers: &[Answered]) {
        for rejected in answers.iter().filter(|it| !it.is_correct) {
            let player = self.nodes[0].player().with_token(&self.tokens[rejected.team]);
            until("the flag is accepted", async || player.tries(&rejected.id).await).await;
        }
    }
}

async fn fail_over(death: Death, rate: u32, outage: Duration) {
    let mut stage = Stage::new().await;
    let players = [stage.nodes[0].player(), stage.nodes[1].player()];
    let (on_a, snapshot) = players[0].watch().await;
    let (on_b, snapshot_b) = players[1].watch().await;
    let mut sockets = [collect(on_a), collect(on_b)];
    let (sender, mut answers) = mpsc::unbounded_channel();
    let is_over = Arc::new(AtomicBool::new(false));
    let loading = load(players, stage.tokens.clone(), rate, is_over.clone(), sender);
    tokio::time::sleep(RECOVERY_MAX).await;
    let died_at = Instant::now();
    let promoted_at = stage.fail_over(death, outage).await;
    tokio::time::sleep(RECOVERY_MAX * 2).await;
    is_over.store(true, Ordering::Relaxed);
    let sent = loading.await.unwrap();

    let mut answered = Vec::new();
    while let Some(answer) = answers.recv().await {
        answered.push(answer);
    }
    assert_eq!(answered.len(), sent, "every submission was answered");
    let correct: BTreeSet<_> =
        answered.iter().filter(|it| it.is_correct).map(Answered::solve).collect();
    let kept: BTreeSet<_> = stage.site.test.solves().await.into_iter().collect();
    let lost: Vec<_> = correct.difference(&kept).collect();
    assert!(lost.is_empty(), "{} acknowledged solves are lost: {lost:?}", lost.len());

    // A flag that was sent before the promotion was not necessarily accepted by the new primary.
    let accepted = answered.iter().filter(|it| it.is_correct && it.sent_at >= promoted_at);
    let first = accepted.map(|it| it.at - promoted_at).min().expect("flags are accepted again");
    let late = |it: &&Answered| !it.is_correct && it.sent_at >= promoted_at;
    let last_rejected = answered.iter().filter(late).map(|it| it.sent_at - promoted_at).max();
    let rejected = answered.iter().filter(|it| !it.is_correct).count();
    let outage_s = (promoted_at - died_at).as_secs_f64();
    let slowest = answered.iter().map(|it| it.at - it.sent_at).max().unwrap();
    eprintln!(
        "figures: {} correct flags acknowledged at {rate} per second on two nodes, {rejected} \
        rejected; the standby was promoted after {outage_s:.1} s; 0 lost; first flag accepted \
        {first:.1?} after the beginning of the promotion, last one rejected after \
        {last_rejected:.1?}; slowest answer {slowest:.1?}",
        correct.len()
    );
    assert!(rejected > 0, "the fault occurred");
    assert!(first <= RECOVERY_MAX, "{first:?}");
    assert!(last_rejected.is_none_or(|it| it <= RECOVERY_MAX), "{last_rejected:?}");

    stage.send_again(&answered).await;
    let all: BTreeSet<_> = answered.iter().map(Answered::solve).collect();
    let stored = stage.site.test.solves().await;
    assert_eq!(stored.len(), all.len(), "each solve is stored once");
    assert_eq!(stored.into_iter().collect::<BTreeSet<_>>(), all);
    let rows = stage.site.test.journal().await;
    assert!(rows.iter().map(|row| row.0).eq(1..=rows.len() as i64), "the journal has no gaps");
    check_sockets(&stage, &mut sockets, [&snapshot, &snapshot_b], &all).await;
    for node in &stage.nodes {
        assert_eq!(node.player().text("/readyz").await.0, 200);
    }
    for (task, _) in sockets {
        task.abort();
    }
    stage.site.run(&["journal", "verify"]).await.ok();
    let [a, b] = stage.nodes;
    tokio::join!(a.stop(), b.stop());
}

type Messages = (JoinHandle<()>, mpsc::UnboundedReceiver<Value>);

/// Asserts that the sockets of both nodes stayed open and received every solve, and that a new
/// socket resumes after a message from before the failover.
async fn check_sockets(
    stage: &Stage,
    sockets: &mut [Messages; 2],
    snapshots: [&Value; 2],
    solves: &BTreeSet<(String, String)>,
) {
    for ((task, messages), snapshot) in sockets.iter_mut().zip(snapshots) {
        let mut received = Vec::new();
        until("the socket has received all solves", async || {
            received.extend(std::iter::from_fn(|| messages.try_recv().ok()));
            received.len() >= solves.len()
        })
        .await;
        assert!(!task.is_finished(), "the socket is open");
        check_messages(snapshot, &received, solves);
        let (before, generation) = (&received[received.len() - 50], &snapshot["generation"]);
        let player = stage.nodes[1].player();
        let mut resumed = player.resume(seq(before), generation.as_str().unwrap()).await;
        for missed in &received[received.len() - 49..] {
            assert_eq!(resumed.next().await.as_ref(), Some(missed), "a missed message");
        }
    }
}

/// Flags per second.
fn rate() -> u32 {
    if is_torture() { 300 } else { 60 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_primary_loses_no_acknowledged_solve() {
    fail_over(Death::Killed, rate(), Duration::from_secs(2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_disappears_loses_no_acknowledged_solve() {
    // A cluster manager needs longer to notice that a machine has disappeared.
    fail_over(Death::Disappeared, rate(), Duration::from_secs(12)).await;
}
