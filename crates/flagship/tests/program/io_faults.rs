//! A database in trouble under a server that runs: a full disk, errors of the disk, a cut or silent
//! connection. Nothing is acknowledged that is not there, readers notice nothing, and when the
//! trouble ends all goes on without a restart.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use flagship_control::control;
use flagship_testkit::Engine;
use serde_json::json;
use sqlx::Connection;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::event::EventFolder;
use crate::faults::{Calls, EIO, ENOSPC, Fault, Faults};
use crate::player::Player;
use crate::process::{Place, Server};
use crate::{is_torture, until};

/// Right flags for each round.
const TEAMS: usize = 120;
/// How many are under way at once.
const AT_ONCE: usize = 2;
/// How long a reader may wait while the database is in trouble.
const READ_MAX: Duration = Duration::from_millis(500);
/// How long a refusal may take: the lane's and the pool's waits.
const REFUSE_MAX: Duration = Duration::from_secs(16);

/// The faults at the `k`-th call: passing ones, and such that last until they are ended.
fn faults_at(k: i32) -> [Fault; 4] {
    [
        Fault { calls: Calls::Writes, errno: ENOSPC, first: k, count: i32::MAX },
        Fault { calls: Calls::Both, errno: EIO, first: k, count: i32::MAX },
        Fault { calls: Calls::Writes, errno: EIO, first: k, count: 1 },
        Fault { calls: Calls::Syncs, errno: EIO, first: k, count: 1 },
    ]
}

/// A server, its teams, and what it has acknowledged.
struct Stage {
    place: Place,
    event: EventFolder,
    server: Server,
    teams: Vec<(String, Player)>,
    acknowledged: BTreeSet<(String, String)>,
    refused: usize,
}

impl Stage {
    async fn new(place: Place, rounds: usize, faults: Option<&Faults>) -> Self {
        let event = EventFolder::new();
        for i in 0..rounds {
            event.challenge(&format!("round-{i}"), "type: standard\nvalue: 1");
        }
        let variables = faults.map(Faults::variables).into_iter().flatten();
        let server = place.serve_with(&event, |command| _ = command.envs(variables)).await;
        let names = (1..).map(|i| format!("Team {i}"));
        let mut teams = Vec::new();
        for (name, token) in names.zip(place.import(TEAMS).await) {
            teams.push((name, server.team(&token).await));
        }
        Self { place, event, server, teams, acknowledged: BTreeSet::new(), refused: 0 }
    }

    /// Teams send the flag of a challenge until `enough`; gives those that were refused.
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

    /// Readers are answered at once.
    async fn reads(&self) {
        for path in ["/ctf", "/scoreboard", "/ctftime", "/challenge"] {
            let begin = Instant::now();
            let (status, body) = self.teams[0].1.get(path).await;
            assert_eq!(status, 200, "{path}: {body}");
            assert!(begin.elapsed() < READ_MAX, "{path}: {:?}", begin.elapsed());
        }
    }

    /// For controls: an answer that nobody gave.
    fn plant(&mut self) {
        self.acknowledged.insert(("Team 0".to_owned(), "round-0".to_owned()));
    }

    /// What was acknowledged is in the database, by another process's eyes.
    async fn holds(&self) {
        let kept: BTreeSet<_> = self.place.test.solves().await.into_iter().collect();
        let lost: Vec<_> = self.acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "acknowledged, and not there: {lost:?}");
    }

    /// Those that were refused try again until they are answered.
    async fn recovers(&mut self, id: &str, refused: Vec<usize>) {
        for i in refused {
            let (name, team) = &self.teams[i];
            until("the flag is taken", async || team.tries(id).await).await;
            self.acknowledged.insert((name.clone(), id.to_owned()));
        }
    }

    /// A power cut, and everything that was acknowledged is there, once, in order.
    async fn ends(mut self) {
        self.server.kill();
        self.server.gone().await;
        let verified = self.place.run(&["journal", "verify"]).await.ok();
        self.place.run(&["doctor"]).await.ok();
        let solves = self.place.test.solves().await;
        let kept: BTreeSet<_> = solves.iter().cloned().collect();
        assert_eq!(kept.len(), solves.len(), "none is there twice");
        assert_eq!(kept, self.acknowledged);
        let server = self.place.serve(&self.event).await;
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
    let place = Place::new(Engine::Sqlite).await;
    let mut stage = Stage::new(place, ks.len() * 4, Some(&faults)).await;
    let (mut round, mut hits) = (0, 0);
    for k in &ks {
        for fault in faults_at(*k) {
            let id = format!("round-{round}");
            faults.begin(fault);
            let lasts = fault.count > 1;
            // A fault that lasts is met a few times; one that passes is over by itself.
            let enough = |refused: usize| faults.hits() > 0 && (refused >= 4 || !lasts);
            let refused = stage.play(&id, enough).await;
            assert!(faults.hits() > 0, "{fault:?} was not met in {} calls", faults.seen());
            stage.reads().await;
            if control("a_disk_that_fails_at_any_write_or_sync_loses_nothing", "and not there") {
                stage.plant();
            }
            stage.holds().await;
            if lasts {
                assert!(refused.len() >= 4, "{fault:?}: a disk that fails records nothing");
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

/// What a connection to the database goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Open,
    /// All connections are cut and no new one is taken.
    Cut,
    /// Nothing comes through and nothing is said.
    Silent,
}

/// A relay in front of PostgreSQL.
struct Relay(watch::Sender<Way>);

impl Relay {
    /// Gives the relay, and the database's address by it.
    async fn before(url: &str) -> (Self, String) {
        let (before, rest) = url.split_once('@').expect("the address names a user");
        let (server, name) = rest.split_once('/').expect("the address names a database");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (way, server) = (watch::Sender::new(Way::Open), server.to_owned());
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
async fn a_connection_that_is_cut_or_silent_loses_nothing() {
    let rounds = if is_torture() { 10 } else { 1 };
    let mut place = Place::new(Engine::Postgres).await;
    let (relay, url) = Relay::before(place.test.url.as_deref().unwrap()).await;
    let direct = place.test.url.replace(url);
    let mut stage = Stage::new(place, rounds * 2, None).await;
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
        assert!(!refused.is_empty(), "the trouble was met");
        stage.reads().await;
        relay.0.send_replace(Way::Open);
        if control("a_connection_that_is_cut_or_silent_loses_nothing", "and not there") {
            stage.plant();
        }
        stage.holds().await;
        stage.recovers(&id, refused).await;
    }
    stage.place.test.url = direct;
    stage.ends().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backends_that_are_ended_lose_nothing() {
    let rounds = if is_torture() { 50 } else { 5 };
    let mut stage = Stage::new(Place::new(Engine::Postgres).await, rounds, None).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity \
               where datname = current_database() and pid <> pg_backend_pid()";
    for round in 0..rounds {
        let id = format!("round-{round}");
        // Backends end at moments that nobody chose while the flags come in.
        let stopped = watch::Sender::new(false);
        let (mut told, test) = (stopped.subscribe(), stage.place.test.url.clone().unwrap());
        let ending = tokio::spawn(async move {
            let mut conn = sqlx::PgConnection::connect(&test).await.unwrap();
            while !*told.borrow_and_update() {
                sqlx::query(end).execute(&mut conn).await.unwrap();
                drop(tokio::time::timeout(Duration::from_millis(40), told.changed()).await);
            }
        });
        let refused = stage.play(&id, |_| false).await;
        stage.reads().await;
        stopped.send_replace(true);
        ending.await.unwrap();
        if control("backends_that_are_ended_lose_nothing", "and not there") {
            stage.plant();
        }
        stage.holds().await;
        stage.recovers(&id, refused).await;
    }
    assert!(stage.refused > 0, "the trouble was met");
    assert_eq!(stage.server.player().get("/ctf").await.1["name"], json!("Small CTF"));
    stage.ends().await;
}
