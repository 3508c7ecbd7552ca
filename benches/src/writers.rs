//! `writers`: the cost of sending one message to all sockets: with axum's WebSocket, with that of
//! the live channel, which writes from shared bytes, and with the latter and a message compressed
//! once for all. The messages are a solve and a scoreboard from the program.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use flagship_load::{self as load, Connection, Worker, expect};
use flagship_server::{deflate, raise_open_files};
use futures_util::{SinkExt, StreamExt};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{client_async, connect_async};

use crate::Bench;
use crate::data::{SMALL, Template, USUAL, challenge_id, flag};
use crate::server::{Server, cpu_s, memory_mib};
use crate::table::{Table, median, ratio, short};
use crate::writer::WriteCommand;

/// Sockets of each writer.
const SOCKETS: usize = 1000;
/// Number of solves and boards sent per round.
const TIMES: [usize; 2] = [100, 5];
const WHAT: [&str; 2] = ["a solve", "a board"];
/// Repetitions of compressing a message to measure the time.
const PACKED_TIMES: u32 = 20;
/// Maximum wait for the last byte.
const ARRIVED_MAX: Duration = Duration::from_secs(30);

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    raise_open_files();
    let runtime = Runtime::new()?;
    let template = runtime.block_on(Template::make(&bench.engine, bench.choose(USUAL, SMALL)))?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &installation)?;
    let texts = runtime.block_on(receive_messages(server.address, template.players()))?;
    drop(server);
    let folder = tempfile::Builder::new().prefix("writers-").tempdir_in(&bench.work)?;
    let messages = texts.iter().zip(WHAT);
    let messages =
        messages.map(|(text, what)| TestMessage::keep(folder.path(), what, text.as_bytes()));
    let messages = messages.collect::<Result<Vec<_>>>()?;

    let sockets = bench.choose(SOCKETS, 20);
    let mut axum = Writer::start(&runtime, "axum", sockets)?;
    let mut shared = Writer::start(&runtime, "shared", sockets)?;
    let mut table = Table::new(&["axum", "shared", "ratio", "compressed", "ratio"]);
    for (message, times) in messages.iter().zip(bench.choose(TIMES, [2, 1])) {
        let mut by_axum = vec![];
        let mut by_shared = vec![];
        let mut by_packed = vec![];
        for _ in 0..bench.rounds() {
            by_axum.push(axum.cpu_ms(&message.plain, times)?);
            by_shared.push(shared.cpu_ms(&message.plain, times)?);
            by_packed.push(shared.cpu_ms(&message.packed, times)?);
        }
        let [one, two, three] = [&by_axum, &by_shared, &by_packed].map(|it| median(it));
        let [share, packed] = [&by_shared, &by_packed].map(|it| ratio(it, &by_axum));
        let what = format!("{} to {} sockets, CPU ms", message.what, short(sockets as f64));
        table.row(&what, &[one, two, share, three, packed].map(short));
        let [plain, packed] = [&message.plain, &message.packed].map(|it| it.frame_bytes as f64);
        let bytes = [plain, plain, 1.0, packed, packed / plain].map(short);
        table.row(&format!("{}, bytes to a socket", message.what), &bytes);
        let mut once = vec![String::new(); 3];
        once.push(short(message.packing_ms));
        table.row(&format!("{}, compressed once, CPU ms", message.what), &once);
    }
    let kept = [axum.kept_kib()?, shared.kept_kib()?];
    let row = [kept[0], kept[1], kept[1] / kept[0]].map(|figure| short(figure.max(0.0)));
    table.row("memory per socket, KiB", &row);
    let size = template.size;
    table.remark(format!(
        "{} teams, {} challenges, {} solves; each writer a process, its {sockets} sockets those of \
         another; ratios to axum",
        size.teams, size.challenges, size.solves
    ));
    Ok(table)
}

/// Receives a solve and a scoreboard from the program.
async fn receive_messages(address: SocketAddr, players: &[String]) -> Result<[String; 2]> {
    let (mut socket, _) = connect_async(format!("ws://{address}/api/live")).await?;
    let ask = json!({"action": "getscoreboard", "token": ""});
    socket.send(Message::text(ask.to_string())).await?;
    let mut next = async |event: &str| loop {
        if let Message::Text(text) = socket.next().await.context("the live channel ended")?? {
            let frame: serde_json::Value = serde_json::from_str(&text)?;
            if frame["event"] == event {
                return anyhow::Ok(text.to_string());
            }
        }
    };
    let board = next("scoreboard").await?;
    let solve = load::solve(&players[0], &challenge_id(0), &flag(0))?;
    expect(&Connection::open(address).await?.send(solve).await?, "true")?;
    Ok([next("solve").await?, board])
}

/// A message, plain and compressed.
struct TestMessage {
    what: &'static str,
    plain: Payload,
    packed: Payload,
    packing_ms: f64,
}

struct Payload {
    file: PathBuf,
    is_text: bool,
    /// Size with the frame's header.
    frame_bytes: usize,
}

impl TestMessage {
    fn keep(folder: &Path, what: &'static str, text: &[u8]) -> Result<Self> {
        let begun = thread_cpu_ms();
        let mut packed = Bytes::new();
        for _ in 0..PACKED_TIMES {
            packed = deflate::pack(text);
        }
        let packing_ms = (thread_cpu_ms() - begun) / f64::from(PACKED_TIMES);
        let plain = Payload::keep(folder.join(what), text, true)?;
        let packed = Payload::keep(folder.join(format!("{what}, packed")), &packed, false)?;
        Ok(Self { what, plain, packed, packing_ms })
    }
}

impl Payload {
    fn keep(file: PathBuf, bytes: &[u8], is_text: bool) -> Result<Self> {
        std::fs::write(&file, bytes)?;
        // The header of an unmasked frame (RFC 6455, section 5.2).
        let head = match bytes.len() {
            0..=125 => 2,
            126..=0xffff => 4,
            _ => 10,
        };
        Ok(Self { file: std::path::absolute(file)?, is_text, frame_bytes: head + bytes.len() })
    }
}

/// CPU time of this thread, in milliseconds.
fn thread_cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1000.0 + time.tv_nsec as f64 / 1e6
}

/// A worker process that writes to sockets, and their other ends, which this process reads.
struct Writer<'a> {
    runtime: &'a Runtime,
    worker: Worker,
    sockets: usize,
    /// Bytes that arrived on all sockets.
    arrived: Arc<AtomicU64>,
    opened_mib: f64,
    /// Aborted on drop.
    _readers: JoinSet<()>,
}

impl<'a> Writer<'a> {
    fn start(runtime: &'a Runtime, name: &str, sockets: usize) -> Result<Self> {
        let mut worker = runtime.block_on(async { Worker::start(&["writer", name]) })?;
        let address = runtime.block_on(worker.receive())?;
        let arrived = Arc::new(AtomicU64::new(0));
        let mut readers = JoinSet::new();
        for _ in 0..sockets {
            let stream = runtime.block_on(open(address))?;
            readers.spawn_on(read(stream, arrived.clone()), runtime.handle());
        }
        let opened_mib = memory_mib(worker.pid()?)?;
        Ok(Self { runtime, worker, sockets, arrived, opened_mib, _readers: readers })
    }

    /// CPU time for one message to all sockets.
    fn cpu_ms(&mut self, payload: &Payload, times: usize) -> Result<f64> {
        let Payload { file, is_text, frame_bytes } = payload;
        let whole = (self.sockets * times * frame_bytes) as u64;
        let wanted = self.arrived.load(Ordering::Relaxed) + whole;
        let before = cpu_s(self.worker.pid()?)?;
        let command = WriteCommand { file: file.clone(), is_text: *is_text, times };
        self.runtime.block_on(self.worker.send(&command))?;
        self.runtime.block_on(self.worker.receive::<()>())?;
        let cpu_ms = (cpu_s(self.worker.pid()?)? - before) * 1000.0 / times as f64;
        let since = Instant::now();
        while self.arrived.load(Ordering::Relaxed) < wanted && since.elapsed() < ARRIVED_MAX {
            std::thread::sleep(Duration::from_millis(1));
        }
        ensure!(self.arrived.load(Ordering::Relaxed) == wanted, "each socket receives each byte");
        Ok(cpu_ms)
    }

    /// Memory per socket that the worker allocated since the sockets were opened, in KiB.
    fn kept_kib(&self) -> Result<f64> {
        Ok((memory_mib(self.worker.pid()?)? - self.opened_mib) * 1024.0 / self.sockets as f64)
    }
}

async fn open(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).await.context("connect")?;
    // The server sends nothing until all sockets are open, so no bytes are lost here.
    Ok(client_async(format!("ws://{address}/"), stream).await?.0.into_inner())
}

async fn read(mut stream: TcpStream, arrived: Arc<AtomicU64>) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(bytes @ 1..) = stream.read(&mut buffer).await {
        arrived.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}
