//! `files`: every playing team downloads an attachment at the same time, as at the start of an
//! event, while correct submissions arrive. Compared in turns with nginx serving the same file.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Connection, Worker};
use rustix::process::setpriority_process;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::Bench;
use crate::data::{self, SMALL, Template, USUAL};
use crate::flags::Flags;
use crate::nginx::Nginx;
use crate::server::{Server, family_cpu_s, memory_mib};
use crate::table::{Table, Wanted, median, ratio, short};

/// Size of the attachment.
const BYTES: usize = 50_000_000;
/// Path of the file on nginx.
const PATH: &str = "/disk.img";
/// Read buffer.
const BUFFER_BYTES: usize = 256 * 1024;
/// Correct submissions per second.
const FLAGS_PER_S: f64 = 100.0;
/// Duration of the measurement without downloads, for comparison.
const CALM: Duration = Duration::from_secs(5);
/// Limit of the p99 of correct submissions during downloads, in milliseconds.
const FLAG_P99_MS: f64 = 250.0;
/// Scheduling priority of the downloading process: in an event it runs on other machines.
const LOWEST: i32 = 19;

/// The figures of one server, one per round.
#[derive(Default)]
struct Side {
    mb_per_s: Vec<f64>,
    cpu_ms_per_mb: Vec<f64>,
}

impl Side {
    /// Measures concurrent downloads of all `paths` from `address`.
    async fn measure(&mut self, pid: u32, address: SocketAddr, paths: &[String]) -> Result<()> {
        let mut crowd = Worker::start(&["fetch", &address.to_string()])?;
        let before = family_cpu_s(pid)?;
        crowd.send(&paths).await?;
        let [seconds, bytes]: [f64; 2] = crowd.receive().await?;
        let mb = bytes / 1e6;
        self.mb_per_s.push(mb / seconds);
        self.cpu_ms_per_mb.push((family_cpu_s(pid)? - before) * 1000.0 / mb);
        crowd.finish().await
    }
}

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    runtime.block_on(measure(bench))
}

async fn measure(bench: &Bench) -> Result<Table> {
    let template = Template::make(&bench.engine, bench.choose(USUAL, SMALL)).await?;
    let bytes: Vec<u8> = (0..bench.choose(BYTES, BYTES / 50)).map(|at| (at % 251) as u8).collect();
    let folder = tempfile::Builder::new().prefix("nginx-").tempdir_in(&bench.work)?;
    let nginx = Nginx::start(folder.path(), b"", "identity")?;
    std::fs::write(folder.path().join(PATH.trim_start_matches('/')), &bytes)?;
    let mut ours = Side::default();
    let mut theirs = Side::default();
    let mut calm = Vec::new();
    let mut busy = Vec::new();
    let mut memory = Vec::new();
    for _ in 0..bench.rounds() {
        let installation = template.copy(&bench.work).await?;
        data::attach(&installation, template.size.challenges, &bytes).await?;
        let server = Server::start(&bench.server, &installation)?;
        let links = links(server.address, template.players()).await?;
        let flags = Flags::start(server.address, &template, FLAGS_PER_S, 0);
        tokio::time::sleep(bench.choose(CALM, CALM / 20)).await;
        let times = flags.stop().await?;
        calm.push(times.p99_ms());
        let first = times.count() as usize;
        let flags = Flags::start(server.address, &template, FLAGS_PER_S, first);
        ours.measure(server.pid(), server.address, &links).await?;
        busy.push(flags.stop().await?.p99_ms());
        memory.push(memory_mib(server.pid())?);
        let paths = vec![PATH.to_owned(); links.len()];
        theirs.measure(nginx.pid(), nginx.address, &paths).await?;
    }
    let mut table = Table::new(&["flagship", "nginx", "ratio"]);
    let share = ratio(&ours.mb_per_s, &theirs.mb_per_s);
    let cells = [median(&ours.mb_per_s), median(&theirs.mb_per_s), share].map(short);
    table.row("MB a second", &cells);
    let share = ratio(&theirs.cpu_ms_per_mb, &ours.cpu_ms_per_mb);
    let cells = [median(&ours.cpu_ms_per_mb), median(&theirs.cpu_ms_per_mb), share].map(short);
    table.row("CPU ms a MB, correct flags included", &cells);
    let p99_ms = median(&busy);
    let wanted = Wanted::AtMost(FLAG_P99_MS);
    table.judged("correct flag, p99 in ms", &[short(p99_ms)], p99_ms, wanted);
    table.row("correct flag without downloads, p99 in ms", &[short(median(&calm))]);
    table.row("memory after the downloads, MiB", &[short(median(&memory))]);
    table.remark(format!(
        "{} teams fetch {} MB each at once, each over its own connection; {FLAGS_PER_S} \
         correct flags a second; nginx by sendfile",
        template.size.players,
        bytes.len() / 1_000_000
    ));
    Ok(table)
}

/// Each team's link to the attachment.
async fn links(address: SocketAddr, players: &[String]) -> Result<Vec<String>> {
    let mut connection = Connection::open(address).await?;
    let mut links = Vec::with_capacity(players.len());
    for player in players {
        let answer = connection.send(load::get("/api/challenge", player)?).await?;
        let list: Value = serde_json::from_slice(&answer.body)?;
        let cards = list["challenges"].as_array().context("a team has a list")?;
        let link = cards.iter().find_map(|card| card["attachments"][0]["link"].as_str());
        links.push(link.context("a challenge has an attachment")?.to_owned());
    }
    Ok(links)
}

/// Runs the worker process that downloads: receives the paths, downloads all concurrently, and
/// reports the seconds it took and the number of bytes.
pub fn fetch(address: &str) -> Result<()> {
    setpriority_process(None, LOWEST)?;
    let address: SocketAddr = address.parse()?;
    let mut paths = String::new();
    std::io::stdin().read_line(&mut paths)?;
    let paths: Vec<String> = serde_json::from_str(&paths)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let fetched = runtime.block_on(async {
        let begun = Instant::now();
        let mut all: JoinSet<_> = paths.into_iter().map(|path| fetch_one(address, path)).collect();
        let mut bytes = 0;
        while let Some(fetched) = all.join_next().await {
            bytes += fetched??;
        }
        anyhow::Ok([begun.elapsed().as_secs_f64(), bytes as f64])
    })?;
    println!("{}", serde_json::to_string(&fetched)?);
    Ok(())
}

/// Downloads a file and discards it; returns the size of the response.
async fn fetch_one(address: SocketAddr, path: String) -> Result<usize> {
    let mut stream = TcpStream::connect(address).await?;
    let ask = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).await?;
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut count = 0;
    let mut wanted = None;
    loop {
        let n = stream.read(&mut buffer).await?;
        if n == 0 {
            break;
        }
        count += n;
        if wanted.is_none() {
            wanted = Some(size_of(&buffer[..n])?);
        }
    }
    ensure!(wanted == Some(count), "{count} bytes of {wanted:?} came");
    Ok(count)
}

/// The size of a response including its head, from `Content-Length`.
fn size_of(start: &[u8]) -> Result<usize> {
    let end = start.windows(4).position(|end| end == b"\r\n\r\n").context("the head is whole")?;
    let head = std::str::from_utf8(&start[..end])?.to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200"), "the answer was {head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    Ok(end + 4 + length.context("the answer has a length")?.parse::<usize>()?)
}
