//! Database faults under a running server: a full disk, disk errors, a cut or silent connection.
//! The server acknowledges only stored solves, still answers reads, and recovers after the fault
//! without a restart.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use flagship_testkit::Engine;
use serde_json::json;
use sqlx::Connection;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::event::EventFolder;
use crate::faults::{Calls, EIO, ENOSPC, Fault, Faults};
use crate::player::Player;
use crate::process::{Server, TestSite};
use crate::{is_torture, until};

/// Correct flags in each round.
const TEAMS: usize = 120;
/// Concurrent submissions.
const AT_ONCE: usize = 2;
/// Maximum duration of a read during a fault.
const READ_MAX: Duration = Duration::from_millis(500);
/// Maximum time until a refusal: the timeouts of the lane and of the connection pool.
const REFUSE_MAX: Duration = Duration::from_secs(16);

/// Faults at the `k`-th call: temporary ones, and ones that last until the test clears them.
fn faults_at(k: i32) -> [Fault; 4] {
    [
        Fault { calls: Calls::Writes, errno: ENOSPC, first: k, count: i32::MAX },
        Fault { calls: Calls::Both, errno: EIO, first: k, count: i32::MAX },
        Fault { calls: Calls::Writes, errno: EIO, first: k, count: 1 },
        Fault { calls: Calls::Syncs, errno: EIO, first: k, count: 1 },
    ]
}

/// A server, its teams, and the solves that it has acknowledged.
struct Stage {
    site: TestSite,
    event: EventFolder,
    server: Server,
    teams: Vec<(String, Player)>,
    acknowledged: BTreeSet<(String, String)>,
    refused: usize,
}

impl Stage {
    async fn new(site: TestSite, rounds: usize, faults: Option<&Faults>) -> Self {
        let event = EventFolder::new();
        for i in 0..rounds {
            event.challenge(&format!("round-{i}"), "type: standard\nvalue: 1");
        }
        let variables = faults.map(Faults::variables).into_iter().flatten();
        let server = site.serve_with(&event, |command| _ = command.envs(variables)).await;
        let names = (1..).map(|i| format!("Team {i}"));
        let mut teams = Vec::new();
        for (name, token) in names.zip(site.import(TEAMS).await) {
            teams.push((name, server.team(&token).await));
        }
        Self { site, event, server, teams, acknowledged: BTreeSet::new(), refused: 0 }
    }

    /// Submits flags of a challenge as the teams until `enough` is true; returns the refused teams.
    async fn play(&mut self, id: &str, mut enough: impl FnMut(usize) -> bool) -> Vec<usize> {
        let mut refused = Vec::new();
        for start in (0..TEAMS).step_by(AT_ONCE) {
            let begin = Instant::now();
            let sent = (start..start + AT_ONCE).map(|i| self.teams[i].1.tries(id));
            let answers = futures_util::future::join_all(sent).await;
            assert!(begin.elapsed() < REFUSE_MAX, "{id}: {:?}", begin.elapsed());
            for (i, right) in (start..).zip(answers) {
                if right {
                    self.acknowledged.insert((self.teams[i].0.clone(), id.to_owned()));
                } else {
                    refused.push(i);
                }
            }
            if enough(refused.len()) {
                break;
            }
        }
        self.refused += refused.len();
        refused
    }

    /// Asserts that reads are answered in time.
    async fn reads(&self) {
        for path in ["/ctf", "/scoreboard", "/ctftime", "/challenge"] {
            let begin = Instant::now();
            let (status, body) = self.teams[0].1.get(path).await;
            assert_eq!(status, 200, "{path}: {body}");
            assert!(begin.elapsed() < READ_MAX, "{path}: {:?}", begin.elapsed());
        }
    }

    /// Asserts that another process finds all acknowledged solves in the database.
    async fn holds(&self) {
        let kept: BTreeSet<_> = self.site.test.solves().await.into_iter().collect();
        let lost: Vec<_> = self.acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "acknowledged, but not stored: {lost:?}");
    }

    /// Repeats refused submissions until they are accepted.
    async fn recovers(&mut self, id: &str, refused: Vec<usize>) {
        for i in refused {
            let (name, team) = &self.teams[i];
            until("the flag is accepted", async || team.tries(id).await).await;
            self.acknowledged.insert((name.clone(), id.to_owned()));
        }
    }

    /// Kills the server and asserts that every acknowledged solve is stored once, in order.
    async fn ends(mut self) {
        self.server.kill();
        self.server.gone().await;
        let verified = self.site.run(&["journal", "verify"]).await.ok();
        self.site.run(&["doctor"]).await.ok();
        let solves = self.site.test.solves().await;
        let kept: BTreeSet<_> = solves.iter().cloned().collect();
        assert_eq!(kept.len(), solves.len(), "no solve is stored twice");
        assert_eq!(kept, self.acknowledged);
        let server = self.site.serve(&self.event).await;
        for (team, row) in server.player().board().await {
            let of_it = |it: &&(String, String)| it.0 == team;
            assert_eq!(row.solves.len(), kept.iter().filter(of_it).count(), "{team}");
        }
        server.stop().await;
        eprintln!("figures: {} acknowledged, {} refused; {verified}", kept.len(), self.refused);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_fails_at_any_write_or_sync_loses_nothing() {
    let ks: Vec<i32> = if is_torture() { (1..=50).collect() } else { vec![1, 2, 3, 7, 19, 50] };
    let faults = Faults::new();
    let site = TestSite::new(Engine::Sqlite).await;
    let mut stage = Stage::new(site, ks.len() * 4, Some(&faults)).await;
    let mut round = 0;
    let mut hits = 0;
    for k in &ks {
        for fault in faults_at(*k) {
            let id = format!("round-{round}");
            faults.begin(fault);
            let lasts = fault.count > 1;
            // A lasting fault occurs several times before the test clears it; a temporary one ends
            // on its own.
            let enough = |refused: usize| faults.hits() > 0 && (refused >= 4 || !lasts);
            let refused = stage.play(&id, enough).await;
            assert!(faults.hits() > 0, "{fault:?} did not occur in {} calls", faults.seen());
            stage.reads().await;
            stage.holds().await;
            if lasts {
                assert!(refused.len() >= 4, "{fault:?}: a failing disk records nothing");
                faults.end();
            }
            stage.recovers(&id, refused).await;
            faults.end();
            hits += faults.hits();
            round += 1;
        }
    }
    eprintln!("figures: {round} rounds, {hits} calls failed");
    stage.ends().await;
}

/// The state of the relay to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Open,
    /// Connections are closed and new ones refused.
    Cut,
    /// Connections stay open, but no bytes pass.
    Silent,
}

/// A relay between the server and PostgreSQL.
struct Relay(watch::Sender<Way>);

impl Relay {
    /// Starts a relay; returns it with the database URL that leads through it.
    async fn before(url: &str) -> (Self, String) {
        let (before, rest) = url.split_once('@').expect("the address names a user");
        let (server, name) = rest.split_once('/').expect("the address names a database");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let way = watch::Sender::new(Way::Open);
        let server = server.to_owned();
        let ways = way.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (mut cut, way) = (ways.subscribe(), ways.subscribe());
                let server = server.clone();
                tokio::spawn(async move {
                    let both = async {
                        let server = TcpStream::connect(server).await.unwrap();
                        let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
                            (client.into_split(), server.into_split());
                        tokio::select! {
                            () = relay(&mut from_client, &mut to_server, way.clone()) => {}
                            () = relay(&mut from_server, &mut to_client, way) => {}
                        }
                    };
                    tokio::select! {
                        () = both => {}
                        _ = cut.wait_for(|way| *way == Way::Cut) => {}
                    }
                });
            }
        });
        (Self(way), format!("{before}@{address}/{name}"))
    }
}

async fn relay(
    from: &mut tokio::net::tcp::OwnedReadHalf,
    to: &mut tokio::net::tcp::OwnedWriteHalf,
    mut way: watch::Receiver<Way>,
) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        way.wait_for(|way| *way != Way::Silent).await.expect("the test runs");
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_or_silent_connections_lose_nothing() {
    let rounds = if is_torture() { 10 } else { 1 };
    let mut site = TestSite::new(Engine::Postgres).await;
    let (relay, url) = Relay::before(site.test.url.as_deref().unwrap()).await;
    let direct = site.test.url.replace(url);
    let mut stage = Stage::new(site, rounds * 2, None).await;
    for round in 0..rounds * 2 {
        let id = format!("round-{round}");
        let way = if round % 2 == 0 { Way::Cut } else { Way::Silent };
        let mut sent = 0;
        let refused = stage.play(&id, |refused| {
            sent += AT_ONCE;
            if sent > 10 + round {
                relay.0.send_replace(way);
            }
            refused > 0
        });
        let refused = refused.await;
        assert!(!refused.is_empty(), "the fault occurred");
        stage.reads().await;
        relay.0.send_replace(Way::Open);
        stage.holds().await;
        stage.recovers(&id, refused).await;
    }
    stage.site.test.url = direct;
    stage.ends().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminated_backends_lose_nothing() {
    let rounds = if is_torture() { 50 } else { 5 };
    let mut stage = Stage::new(TestSite::new(Engine::Postgres).await, rounds, None).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
               where datname = current_database() and pid <> pg_backend_pid()";
    for round in 0..rounds {
        let id = format!("round-{round}");
        // Terminate backends at random moments while flags arrive.
        let stopped = watch::Sender::new(false);
        let (mut shutdown, test) = (stopped.subscribe(), stage.site.test.url.clone().unwrap());
        let ending = tokio::spawn(async move {
            let mut conn = sqlx::PgConnection::connect(&test).await.unwrap();
            while !*shutdown.borrow_and_update() {
                sqlx::query(end).execute(&mut conn).await.unwrap();
                drop(tokio::time::timeout(Duration::from_millis(40), shutdown.changed()).await);
            }
        });
        let refused = stage.play(&id, |_| false).await;
        stage.reads().await;
        stopped.send_replace(true);
        ending.await.unwrap();
        stage.holds().await;
        stage.recovers(&id, refused).await;
    }
    assert!(stage.refused > 0, "the fault occurred");
    assert_eq!(stage.server.player().get("/ctf").await.1["name"], json!("Small CTF"));
    stage.ends().await;
}
