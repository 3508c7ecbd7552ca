//! Many connections and sockets, from one network and from several: connections above a limit are
//! refused with a response, and honest clients are not affected.

use std::time::Duration;

use flagship_testkit::Engine;
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::process::Command;

use super::frames::RawSocket;
use super::raw::{Got, ask, connect, read, stranger};
use super::{Honest, is_long};
use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

/// The server's limits for one network.
const CONNECTIONS_PER_NETWORK_MAX: usize = 1024;
const SOCKETS_PER_NETWORK_MAX: usize = 512;
/// File descriptors that the server reserves for purposes other than connections. A quarter of the
/// rest is for downloads.
const DESCRIPTORS_KEPT: usize = 256;

const REQUEST: &[u8] = b"GET /api/ctf HTTP/1.1\r\nHost: x\r\n\r\n";
const UPGRADE: &[u8] = b"GET /api/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// Opens connections from one address that send one request and are then idle.
async fn idle(server: &Server, count: usize, number: u8) -> Vec<TcpStream> {
    let mut open = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = connect(server.address(), stranger(number)).await;
        stream.write_all(REQUEST).await.unwrap();
        open.push(stream);
    }
    for stream in &mut open {
        let mut byte = [0; 1];
        let read = tokio::time::timeout(crate::WAIT_MAX, stream.peek(&mut byte)).await;
        assert!(matches!(read, Ok(Ok(1))), "every one of them is answered");
    }
    open
}

fn is_shed(got: &Got) {
    assert_eq!(got.statuses(), [503], "one too many: {got:?}");
    assert_eq!(got.header("content-type"), Some("application/json"));
    assert!(got.header("retry-after").is_some_and(|value| value.parse::<u64>().is_ok()));
    assert!(got.header("content-security-policy").is_some() && got.is_closed, "{got:?}");
}

#[tokio::test]
async fn connections_of_one_network_are_limited_without_affecting_another() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let crowd = idle(&server, CONNECTIONS_PER_NETWORK_MAX, 2).await;
    is_shed(&ask(server.address(), stranger(2), REQUEST).await);
    let other = ask(server.address(), stranger(3), REQUEST).await;
    assert_eq!(other.statuses(), [200], "another network has its own limit");
    let honest = Honest::play(server.player());
    tokio::time::sleep(Duration::from_secs(1)).await;
    honest.p99("with all connections of one network open").await;
    drop(crowd);
    until("the connections are released", async || {
        ask(server.address(), stranger(2), REQUEST).await.statuses() == [200]
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn sockets_of_one_network_are_limited_unless_it_is_trusted() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    event.write("event.toml", &format!("{toml}trusted_networks = [\"127.0.0.9\"]\n"));
    let server = site.serve(&event).await;
    let open = async |number: u8| {
        let mut stream = connect(server.address(), stranger(number)).await;
        stream.write_all(UPGRADE).await.unwrap();
        let mut head = [0; 12];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut head).await.unwrap();
        (std::str::from_utf8(&head[9..]).unwrap().to_owned(), stream)
    };
    let mut crowd = Vec::new();
    for _ in 0..SOCKETS_PER_NETWORK_MAX {
        let (status, stream) = open(2).await;
        assert_eq!(status, "101");
        crowd.push(stream);
    }
    let refused = ask(server.address(), stranger(2), UPGRADE).await;
    assert_eq!(refused.statuses(), [429], "{refused:?}");
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    assert_eq!(open(3).await.0, "101", "another network has its own limit");
    for _ in 0..SOCKETS_PER_NETWORK_MAX + 5 {
        let (status, stream) = open(9).await;
        assert_eq!(status, "101", "the trusted network is exempt");
        crowd.push(stream);
    }
    server.stop().await;
}

#[tokio::test]
async fn sockets_of_one_team_are_limited() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let tokens = site.import(2).await;
    let team = server.team(&tokens[0]).await;
    let mut open = join_all((0..256).map(|_| team.watch())).await;
    let mut socket = server.player().watch().await.0;
    socket.ask(&tokens[0]).await;
    let refusal = socket.next().await.expect("a word");
    assert_eq!(refusal["event"], "error", "one too many: {refusal}");
    assert_eq!(socket.next().await, None, "the socket is closed");
    server.team(&tokens[1]).await.watch().await;
    drop(open.pop());
    until("the permit is released", async || {
        let mut socket = server.player().watch().await.0;
        socket.ask(&tokens[0]).await;
        socket.next().await.is_some_and(|it| it["event"] == "scoreboard")
    })
    .await;
    server.stop().await;
}

/// Starts a server with a limit on open files.
pub async fn with_files(site: &TestSite, event: &EventFolder, files: usize) -> Server {
    let usual = site.command(&["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"]);
    let usual = usual.as_std();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -n {files} && exec \"$@\"")).arg("sh");
    command.arg(usual.get_program()).args(usual.get_args()).kill_on_drop(true);
    for (name, value) in usual.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Server::start(command).await
}

#[tokio::test]
async fn at_the_connection_limit_new_ones_get_503_and_open_ones_work() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = with_files(&site, &event, 400).await;
    let tokens = site.import(1).await;
    let team = server.team(&tokens[0]).await;
    let (mut socket, _) = team.watch().await;
    // The count exceeds the server's limit but not the system's, so the server must refuse the rest
    // with a response.
    let limit = (400 - DESCRIPTORS_KEPT) / 4 * 3;
    let mut crowd = Vec::new();
    for number in 0..limit + 50 {
        // Each network may open a quarter of the connections.
        let from = stranger(4 + u8::try_from(number / (limit / 8)).unwrap());
        let mut stream = connect(server.address(), from).await;
        stream.write_all(REQUEST).await.unwrap();
        crowd.push(stream);
    }
    let answers = join_all(crowd.iter_mut().map(read)).await;
    let served = answers.iter().filter(|got| got.statuses() == [200]).count();
    let shed: Vec<&Got> = answers.iter().filter(|got| got.statuses() != [200]).collect();
    println!("{served} of {} served, {} refused", crowd.len(), shed.len());
    let is_full = (limit - 10..=limit).contains(&served);
    assert!(is_full, "{served} accepted with a limit of {limit}");
    shed.into_iter().for_each(is_shed);
    // Existing connections stay open, and the database can still open files.
    team.solves("one").await;
    assert_eq!(socket.solve().await, ("Team 1".to_owned(), "one".to_owned()));
    drop(crowd);
    until("connections are accepted again", async || {
        ask(server.address(), stranger(4), REQUEST).await.statuses() == [200]
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn with_few_open_files_one_network_leaves_most_connections_to_others() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = with_files(&site, &event, 400).await;
    let quarter = (400 - DESCRIPTORS_KEPT) / 4 * 3 / 4;
    let mut crowd = Vec::new();
    for _ in 0..2 * quarter {
        let mut stream = connect(server.address(), stranger(4)).await;
        stream.write_all(REQUEST).await.unwrap();
        crowd.push(stream);
    }
    let answers = join_all(crowd.iter_mut().map(read)).await;
    let served = answers.iter().filter(|got| got.statuses() == [200]).count();
    assert_eq!(served, quarter, "one network has a quarter");
    let other = ask(server.address(), stranger(6), REQUEST).await;
    assert_eq!(other.statuses(), [200], "another network is accepted");
    server.stop().await;
}

/// A request with `extra` headers that a proxy forwards for a client.
fn forwarded(client: &str, line: &str, extra: &str) -> Vec<u8> {
    format!("{line} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {client}\r\n{extra}\r\n").into()
}

/// Sends a request from the address of a proxy; returns the connection and the first status.
async fn through_proxy(server: &Server, request: &[u8]) -> (TcpStream, u16) {
    let mut stream = connect(server.address(), stranger(9)).await;
    stream.write_all(request).await.unwrap();
    let mut head = [0; 12];
    let reading = tokio::io::AsyncReadExt::read_exact(&mut stream, &mut head);
    tokio::time::timeout(crate::WAIT_MAX, reading).await.expect("it is answered").unwrap();
    let status = std::str::from_utf8(&head[9..]).unwrap().parse().unwrap();
    (stream, status)
}

/// The status 100 shows that the server has begun to read a body.
const UNFINISHED: &str = "Content-Type: application/json\r\nContent-Length: 5000\r\n\
    Expect: 100-continue\r\n";

#[tokio::test]
async fn forwarded_requests_of_one_network_are_limited_without_affecting_another() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let listed = "trusted_proxies = [\"127.0.0.9\"]\ntrusted_networks = [\"192.0.2.0/24\"]\n";
    event.write("event.toml", &format!("{toml}{listed}"));
    let server = with_files(&site, &event, 400).await;
    let quarter = (400 - DESCRIPTORS_KEPT) / 4 * 3 / 4;
    let one = "203.0.113.1";
    let other = "203.0.113.2";
    let trusted = "192.0.2.1";
    let mut crowd = Vec::new();
    for _ in 0..quarter + 5 {
        let request = forwarded(one, "POST /api/login", UNFINISHED);
        crowd.push(through_proxy(&server, &request).await);
    }
    let held = crowd.iter().filter(|(_, status)| *status == 100).count();
    assert_eq!(held, quarter, "one network has a quarter");
    // The first response caches the board; later ones bypass the router.
    let board = |client| forwarded(client, "GET /api/scoreboard", "");
    let got = async |client| ask(server.address(), stranger(9), &board(client)).await;
    assert_eq!(got(other).await.statuses(), [200], "another network has its own limit");
    is_shed(&got(one).await);
    for _ in 0..quarter + 5 {
        let request = forwarded(trusted, "POST /api/login", UNFINISHED);
        crowd.push(through_proxy(&server, &request).await);
        assert_eq!(crowd.last().unwrap().1, 100, "a trusted network is exempt");
    }
    crowd[0].0.write_all(&[b' '; 5000]).await.unwrap();
    assert_eq!(read(&mut crowd[0].0).await.statuses(), [400]);
    until("the permit is returned", async || got(one).await.statuses() == [200]).await;
    drop(crowd);
    let upgrade = std::str::from_utf8(UPGRADE).unwrap();
    let upgrade = upgrade.replacen("Host", "X-Forwarded-For: 203.0.113.1\r\nHost", 1);
    let mut sockets = Vec::new();
    until("all permits are held by sockets", async || {
        sockets.push(through_proxy(&server, upgrade.as_bytes()).await);
        sockets.retain(|(_, status)| *status == 101);
        sockets.len() == quarter
    })
    .await;
    is_shed(&got(one).await);
    drop(sockets);
    until("the permits are returned", async || got(one).await.statuses() == [200]).await;
    server.stop().await;
}

#[tokio::test]
async fn many_idle_clients_cost_little_and_slow_nobody() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let tokens = site.import(if is_long() { 2000 } else { 200 }).await;
    let team = server.team(&tokens[0]).await;
    let alone = Honest::play(team.clone());
    tokio::time::sleep(Duration::from_secs(1)).await;
    alone.p99("alone").await;
    let (connections, sockets) = if is_long() { (5_000, 10_000) } else { (500, 500) };
    let before = server.resident_kb();
    let honest = Honest::play(team.clone());
    let mut idlers = Vec::new();
    while idlers.len() < connections {
        idlers.extend(idle(&server, 100, 1).await);
    }
    let with_connections = server.resident_kb();
    let player = server.player();
    let mut watching = Vec::new();
    let mut opening = FuturesUnordered::new();
    while watching.len() < sockets {
        while opening.len() < 50 && watching.len() + opening.len() < sockets {
            opening.push(player.watch());
        }
        watching.extend(opening.next().await.map(|(socket, _)| socket));
    }
    let with_sockets = server.resident_kb();
    honest.p99("while idle clients connect").await;
    let honest = Honest::play(team);
    tokio::time::sleep(Duration::from_secs(if is_long() { 20 } else { 2 })).await;
    honest.p99("beside idle clients").await;
    let each = |kb: u64, count: usize| kb * 1024 / count as u64;
    let a_connection = each(with_connections.saturating_sub(before), connections);
    let a_socket = each(with_sockets.saturating_sub(with_connections), sockets);
    println!(
        "figures: {connections} idle connections: {a_connection} bytes each; {sockets} sockets \
        that have a board: {a_socket} bytes each; {before} kB, then {with_sockets} kB"
    );
    let is_little = a_connection < 40_000 && a_socket < 100_000;
    assert!(is_little, "{a_connection}, {a_socket} bytes for each connection and socket");
    drop((idlers, watching));
    let mut raw = RawSocket::open(&server).await;
    raw.0.shutdown().await.unwrap();
    server.stop().await;
}
