//! `board`: the snapshot of the scoreboard, compared with nginx serving the same bytes from a file.
//! Both are measured in turns: without other load, over sockets, with an ETag that matches, and
//! while incorrect flags arrive.

use std::io::Cursor;
use std::net::SocketAddr;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use flagship_load::{
    self as load, BROWSER_ENCODINGS, Connection, Response, Site, Stream, Times, loopback,
};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::Bench;
use crate::data::{Engine, SMALL, USUAL, challenge_id};
use crate::nginx::{Nginx, wrk};
use crate::server::{Server, family_cpu_s};
use crate::table::{Table, Wanted, median, ratio, short};

/// Incorrect submissions per second, and the number of connections for them.
const FLAGS_PER_S: f64 = 1000.0;
const FLAG_CONNECTIONS: usize = 8;
/// Number of sockets that request the board, how many do so concurrently, and how many requests
/// each sends in a row, which is within the server's limit.
const SOCKETS: usize = 512;
const SOCKETS_AT_ONCE: usize = 64;
const SOCKET_ASKS: usize = 9;
/// Number of client addresses of the sockets.
const SOCKET_ADDRESSES: u32 = 16;
/// Buffer for a board, in bytes.
const BOARD_BYTES: usize = 256 * 1024;
/// The wanted share of nginx's speed.
const SHARE: f64 = 0.6;

/// The figures of one server, one per round.
#[derive(Default)]
struct Side {
    per_s: Vec<f64>,
    cpu_ms: Vec<f64>,
}

impl Side {
    fn measure(&mut self, pid: u32, address: SocketAddr, asks: &Asks) -> Result<()> {
        let before = family_cpu_s(pid)?;
        let counted = wrk(address, asks.seconds, &asks.headers)?;
        self.per_s.push(counted.per_s);
        self.cpu_ms.push((family_cpu_s(pid)? - before) * 1000.0 / counted.requests);
        Ok(())
    }

    /// Measures boards that the benchmark's own client requests on these connections.
    fn measure_over(
        &mut self,
        runtime: &Runtime,
        pid: u32,
        connections: Vec<Stream>,
        ask: Ask,
    ) -> Result<()> {
        let asked = (connections.len() * SOCKET_ASKS) as f64;
        let before = family_cpu_s(pid)?;
        let begun = Instant::now();
        let connections = runtime.block_on(ask_all(connections, ask))?;
        self.per_s.push(asked / begun.elapsed().as_secs_f64());
        self.cpu_ms.push((family_cpu_s(pid)? - before) * 1000.0 / asked);
        drop(connections);
        Ok(())
    }
}

/// Request of the benchmark's own client for a board.
#[derive(Clone, Copy)]
enum Ask {
    /// A message on a socket.
    Message,
    /// A request over HTTP.
    Request,
}

struct Asks {
    seconds: u32,
    headers: Vec<String>,
}

struct Board {
    server: Server,
    nginx: Nginx,
    rounds: usize,
}

impl Board {
    /// Measures both servers in turns.
    fn turns(&self, asks: &Asks, nginx_asks: &Asks) -> Result<(Side, Side)> {
        let mut ours = Side::default();
        let mut theirs = Side::default();
        for _ in 0..self.rounds {
            ours.measure(self.server.pid(), self.server.address, asks)?;
            theirs.measure(self.nginx.pid(), self.nginx.address, nginx_asks)?;
        }
        Ok((ours, theirs))
    }

    /// Measures both servers in turns by one client: Flagship over sockets, nginx over HTTP.
    fn socket_turns(&self, runtime: &Runtime, count: usize) -> Result<(Side, Side)> {
        let mut ours = Side::default();
        let mut theirs = Side::default();
        for _ in 0..self.rounds {
            let sockets = runtime.block_on(open_sockets(self.server.address, count))?;
            ours.measure_over(runtime, self.server.pid(), sockets, Ask::Message)?;
            let connections = runtime.block_on(connect(self.nginx.address, count))?;
            theirs.measure_over(runtime, self.nginx.pid(), connections, Ask::Request)?;
        }
        Ok((ours, theirs))
    }
}

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let template = runtime.block_on(bench.template(bench.choose(USUAL, SMALL)))?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &installation)?;
    let answer = runtime.block_on(first(server.address))?;
    let header = |name: &str| {
        let value = answer.headers.get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned).with_context(|| format!("the board has {name}"))
    };
    let encoding = header("content-encoding")?;
    let folder = tempfile::Builder::new().prefix("nginx-").tempdir_in(&bench.work)?;
    let nginx = Nginx::start(folder.path(), &answer.body, &encoding)?;
    let nginx_tag = runtime.block_on(first(nginx.address))?.headers["etag"].to_str()?.to_owned();
    let rounds = bench.rounds();
    let board = Board { server, nginx, rounds };

    let asks = |more: Option<String>| {
        let seconds = bench.choose(if more.is_some() { 1 } else { 2 }, 1);
        let takes = format!("Accept-Encoding: {BROWSER_ENCODINGS}");
        Asks { seconds, headers: std::iter::once(takes).chain(more).collect() }
    };
    let known = |tag: &str| asks(Some(format!("If-None-Match: {tag}")));
    let mut table = Table::new(&["flagship", "nginx", "ratio"]);
    let (calm, calm_nginx) = board.turns(&asks(None), &asks(None))?;
    compare(&mut table, "", &calm, &calm_nginx, Wanted::AtLeast(SHARE));
    if bench.is_compared {
        return Ok(table);
    }
    // The rest does not depend on the database.
    if let Engine::Sqlite = bench.engine {
        let sockets = bench.choose(SOCKETS, SOCKETS_AT_ONCE);
        let (live, live_nginx) = board.socket_turns(&runtime, sockets)?;
        compare(&mut table, ", over sockets", &live, &live_nginx, Wanted::AtLeast(SHARE));
        let (again, again_nginx) = board.turns(&known(&header("etag")?), &known(&nginx_tag))?;
        compare(&mut table, ", 304", &again, &again_nginx, Wanted::Any);
        let flags = Flags::start(&runtime, board.server.address, template.players());
        let (busy, busy_nginx) = board.turns(&asks(None), &asks(None))?;
        let times = flags.stop(&runtime)?;
        compare(&mut table, ", 1,000 incorrect flags a second", &busy, &busy_nginx, Wanted::Any);
        let (per_s, p99) = (short(times.per_s()), short(times.p99_ms()));
        table.row("those flags: a second, p99 in ms", &[per_s, p99]);
    }
    let size = short(answer.body.len() as f64);
    table.row(&format!("bytes of the board, {encoding}"), &[size]);
    let size = template.size;
    table.remark(format!(
        "{} teams, {} challenges, {} solves; wrk with 64 connections; no limits of incorrect \
         flags; the processor time under flags is the program's whole",
        size.teams, size.challenges, size.solves
    ));
    Ok(table)
}

fn compare(table: &mut Table, what: &str, ours: &Side, theirs: &Side, wanted: Wanted) {
    let share = ratio(&ours.per_s, &theirs.per_s);
    let cells = [short(median(&ours.per_s)), short(median(&theirs.per_s)), short(share)];
    table.judged(&format!("boards a second{what}"), &cells, share, wanted);
    let share = ratio(&theirs.cpu_ms, &ours.cpu_ms);
    let cells = [short(median(&ours.cpu_ms)), short(median(&theirs.cpu_ms)), short(share)];
    table.judged(&format!("CPU ms a board{what}"), &cells, share, wanted);
}

async fn first(address: SocketAddr) -> Result<Response> {
    let mut connection = Connection::open(address).await?;
    // The first request compresses the board; the second response is like all that follow.
    connection.send(load::get("/api/scoreboard", "")?).await?;
    connection.send(load::get("/api/scoreboard", "")?).await
}

/// Opens connections from several addresses.
async fn connect(address: SocketAddr, count: usize) -> Result<Vec<Stream>> {
    let mut connections = Vec::with_capacity(count);
    for number in 0..count as u32 {
        let site = Site::local(address, Some(loopback(number % SOCKET_ADDRESSES)))?;
        connections.push(site.connect().await?);
    }
    Ok(connections)
}

/// Opens sockets that accept compression, as browsers do.
async fn open_sockets(address: SocketAddr, count: usize) -> Result<Vec<Stream>> {
    let mut sockets = Vec::with_capacity(count);
    for stream in connect(address, count).await? {
        let mut asks = format!("ws://{address}/api/live").into_client_request()?;
        asks.headers_mut().insert("sec-websocket-extensions", "permessage-deflate".parse()?);
        let (socket, _) = client_async(asks, stream).await?;
        sockets.push(socket.into_inner());
    }
    Ok(sockets)
}

/// Requests the board repeatedly on all connections; returns them.
async fn ask_all(mut connections: Vec<Stream>, ask: Ask) -> Result<Vec<Stream>> {
    let mut asking = JoinSet::new();
    let share = connections.len().div_ceil(SOCKETS_AT_ONCE);
    while !connections.is_empty() {
        let mut some = connections.split_off(connections.len().saturating_sub(share));
        asking.spawn(async move {
            let mut buffer = Vec::with_capacity(BOARD_BYTES);
            for _ in 0..SOCKET_ASKS {
                for connection in &mut some {
                    match ask {
                        Ask::Message => message(connection, &mut buffer).await?,
                        Ask::Request => request(connection, &mut buffer).await?,
                    }
                }
            }
            anyhow::Ok(some)
        });
    }
    while let Some(asked) = asking.join_next().await {
        connections.extend(asked??);
    }
    Ok(connections)
}

/// Requests the board on a socket and reads the response without decompressing it.
async fn message(socket: &mut Stream, buffer: &mut Vec<u8>) -> Result<()> {
    let text = json!({"action": "getscoreboard"}).to_string();
    let opcode = OpCode::Data(Data::Text);
    let header = FrameHeader { opcode, mask: Some([0; 4]), ..FrameHeader::default() };
    buffer.clear();
    header.format(text.len() as u64, buffer)?;
    buffer.extend_from_slice(text.as_bytes());
    socket.write_all(buffer).await?;
    buffer.clear();
    let mut has_board = false;
    while !has_board || !buffer.is_empty() {
        let mut head = Cursor::new(&buffer[..]);
        if let Some((header, length)) = FrameHeader::parse(&mut head)? {
            let end = head.position() as usize + length as usize;
            if buffer.len() >= end {
                // The other messages are pings and concurrent events.
                has_board |= header.opcode == opcode && header.rsv1;
                buffer.drain(..end);
                continue;
            }
        }
        ensure!(socket.read_buf(buffer).await? > 0, "the live channel ended");
    }
    Ok(())
}

/// Requests the board over HTTP and reads the response without decompressing it.
async fn request(connection: &mut Stream, buffer: &mut Vec<u8>) -> Result<()> {
    let text = format!(
        "GET /api/scoreboard HTTP/1.1\r\nHost: localhost\r\n\
         Accept-Encoding: {BROWSER_ENCODINGS}\r\n\r\n"
    );
    connection.write_all(text.as_bytes()).await?;
    buffer.clear();
    loop {
        ensure!(connection.read_buf(buffer).await? > 0, "the connection ended");
        let Some(head) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { continue };
        let head_text = std::str::from_utf8(&buffer[..head])?;
        let length = head_text.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        let end = head + 4 + length.context("the response has a length")?.parse::<usize>()?;
        if buffer.len() >= end {
            ensure!(buffer.len() == end, "a board and nothing else");
            return Ok(());
        }
    }
}

/// A constant rate of incorrect submissions.
pub struct Flags {
    stop: watch::Sender<bool>,
    sending: tokio::task::JoinHandle<Result<Times>>,
}

impl Flags {
    /// Starts sending.
    pub fn start(runtime: &Runtime, address: SocketAddr, players: &[String]) -> Self {
        let (stop, stopped) = watch::channel(false);
        let tokens = players.to_vec();
        let ask = move |number: usize| {
            let token = &tokens[number % tokens.len()];
            load::solve(token, &challenge_id(number % 8), &format!("flag{{no, {number}}}"))
        };
        let sending = load::pace(address, FLAG_CONNECTIONS, FLAGS_PER_S, ask, stopped);
        Self { stop, sending: runtime.spawn(sending) }
    }

    /// Stops sending; returns the response times.
    pub fn stop(self, runtime: &Runtime) -> Result<Times> {
        self.stop.send_replace(true);
        runtime.block_on(self.sending)?
    }
}
