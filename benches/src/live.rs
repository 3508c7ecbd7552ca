//! `live`: one solve to many sockets, idle sockets, reconnecting all sockets at once, and the start
//! of an event. The sockets are in worker processes, so that only the program is measured.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Connection, Site, Times, Worker, expect, loopback, pace};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::Bench;
use crate::crowd::{self, Command, now_ns};
use crate::data::{SEED, SMALL, Template, USUAL, challenge_id, flag};
use crate::server::{Server, memory_mib};
use crate::table::{Table, Wanted, median, short};

/// Number of worker processes.
const WORKERS: usize = 5;
/// Number of workers that lose their connections.
const LOST_WORKERS: usize = 4;
/// Duration of the measurement of idle sockets.
const IDLE: Duration = Duration::from_secs(5);
/// Time in which all clients connect at the start of an event.
const ARRIVAL_S: f64 = 10.0;
/// Concurrent submissions per second, and the share of correct ones.
const FLAGS_PER_S: f64 = 300.0;
const RIGHT_ONE_IN: usize = 7;
/// Number of solves while the sockets are disconnected.
const MISSED: usize = 10;

struct Live {
    runtime: Runtime,
    server: Server,
    workers: Vec<Worker>,
    sockets: usize,
    /// Tokens of the players, who solve the challenges in order.
    players: Vec<String>,
    solved: usize,
    challenges: usize,
}

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let template = runtime.block_on(bench.template(bench.choose(USUAL, SMALL)))?;
    let mut table = fan_out(bench, &template, bench.choose(10_000, 50))?;
    if !bench.is_compared {
        first_moments(bench, &template, &mut table)?;
    }
    table.remark(format!(
        "{} teams, {} challenges, {} solves; sockets in {WORKERS} other processes",
        template.size.teams, template.size.challenges, template.size.solves
    ));
    Ok(table)
}

/// Measures the cost of `sockets` sockets and the delay of their messages.
pub fn fan_out(bench: &Bench, template: &Template, sockets: usize) -> Result<Table> {
    let runtime = Runtime::new()?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &installation)?;
    let workers =
        async { (0..WORKERS).map(|_| crowd::start(server.address)).collect::<Result<_>>() };
    let (workers, players) = (runtime.block_on(workers)?, template.players().to_vec());
    let solved = 0;
    let challenges = template.size.challenges;
    let mut live = Live { runtime, server, workers, sockets, players, solved, challenges };
    let mut table = Table::new(&["flagship"]);
    let mut alone = Vec::new();
    for _ in 0..bench.rounds() {
        alone.push(live.solve_ms()?);
    }
    live.open(&mut table)?;
    live.idle(bench, &mut table)?;
    live.solves(bench, &mut table, median(&alone))?;
    if !bench.is_compared {
        live.reconnect(bench, &mut table)?;
    }
    Ok(table)
}

impl Live {
    /// Submits the next correct flag; returns the time until its acknowledgement.
    fn solve_ms(&mut self) -> Result<f64> {
        let player = &self.players[self.solved % self.players.len()];
        let challenge = self.solved / self.players.len();
        ensure!(challenge < self.challenges, "there is nothing left to solve");
        self.solved += 1;
        let ask = load::solve(player, &challenge_id(challenge), &flag(challenge))?;
        let address = self.server.address;
        self.runtime.block_on(async {
            let mut connection = Connection::open(address).await?;
            let asked = Instant::now();
            let answer = connection.send(ask).await?;
            let took = asked.elapsed();
            expect(&answer, "true")?;
            Ok(took.as_secs_f64() * 1000.0)
        })
    }

    fn open(&mut self, table: &mut Table) -> Result<()> {
        let begun = Instant::now();
        let before = self.server.cpu_s()?;
        for worker in &mut self.workers {
            self.runtime.block_on(worker.send(&Command::Open { count: self.sockets / WORKERS }))?;
        }
        for worker in &mut self.workers {
            self.runtime.block_on(worker.receive::<Vec<u64>>())?;
        }
        let cpu_ms = (self.server.cpu_s()? - before) * 1000.0 / self.sockets as f64;
        let what =
            format!("{} sockets opened with their boards, seconds", short(self.sockets as f64));
        table.row(&what, &[short(begun.elapsed().as_secs_f64())]);
        table.row("a socket opened with its board, CPU ms", &[short(cpu_ms)]);
        Ok(())
    }

    fn idle(&self, bench: &Bench, table: &mut Table) -> Result<()> {
        let mut shares = Vec::new();
        let mut memory = Vec::new();
        for _ in 0..bench.rounds() {
            let begun = Instant::now();
            let before = self.server.cpu_s()?;
            std::thread::sleep(bench.choose(IDLE, IDLE / 50));
            let used_s = self.server.cpu_s()? - before;
            shares.push(used_s / begun.elapsed().as_secs_f64() * 100.0);
            memory.push(memory_mib(self.server.pid())?);
        }
        let (share, memory) = (median(&shares), median(&memory));
        let what = "idle sockets, % of a processor";
        table.judged(what, &[short(share)], share, Wanted::AtMost(2.0));
        let what = "idle sockets, the program's memory, MiB";
        table.judged(what, &[short(memory)], memory, Wanted::AtMost(200.0));
        Ok(())
    }

    fn solves(&mut self, bench: &Bench, table: &mut Table, alone_ms: f64) -> Result<()> {
        let mut p99 = vec![];
        let mut last = vec![];
        let mut acknowledged = vec![];
        let mut cpu = vec![];
        for _ in 0..bench.rounds() {
            for worker in &mut self.workers {
                self.runtime.block_on(worker.send(&Command::AwaitSolve))?;
            }
            // Wait until the workers read from their sockets.
            std::thread::sleep(Duration::from_millis(300));
            let before = self.server.cpu_s()?;
            acknowledged.push(self.solve_ms()?);
            let answered = now_ns();
            let mut times = Times::default();
            for worker in &mut self.workers {
                for heard in self.runtime.block_on(worker.receive::<Vec<u64>>())? {
                    times.record(Duration::from_nanos(heard.saturating_sub(answered)));
                }
            }
            ensure!(times.count() == self.sockets as u64, "every socket hears of the solve");
            cpu.push((self.server.cpu_s()? - before) * 1000.0);
            p99.push(times.p99_ms());
            last.push(times.quantile_ms(1.0));
        }
        let p99 = median(&p99);
        let what = "from acknowledgement to the sockets, p99 in ms";
        table.judged(what, &[short(p99)], p99, Wanted::AtMost(250.0));
        table.row("from acknowledgement to the last socket, ms", &[short(median(&last))]);
        table.row("a solve to all sockets, CPU ms", &[short(median(&cpu))]);
        table.row("a solve acknowledged, no sockets, ms", &[short(alone_ms)]);
        table.row("a solve acknowledged, all sockets, ms", &[short(median(&acknowledged))]);
        Ok(())
    }

    fn reconnect(&mut self, bench: &Bench, table: &mut Table) -> Result<()> {
        let mut seconds = Vec::new();
        for _ in 0..bench.rounds() {
            let lost = &mut self.workers[..LOST_WORKERS];
            for worker in lost {
                self.runtime.block_on(worker.send(&Command::Disconnect))?;
                self.runtime.block_on(worker.receive::<Vec<u64>>())?;
            }
            for _ in 0..MISSED {
                self.solve_ms()?;
            }
            let board = self.runtime.block_on(async {
                let mut connection = Connection::open(self.server.address).await?;
                connection.send(load::plain("/api/scoreboard", "")?).await
            })?;
            let board: serde_json::Value = serde_json::from_slice(&board.body)?;
            let seq = board["seq"].as_u64().context("the board has its number")?;
            let back = now_ns();
            for worker in &mut self.workers[..LOST_WORKERS] {
                self.runtime.block_on(worker.send(&Command::Reconnect { seq }))?;
            }
            let mut last = back;
            for worker in &mut self.workers[..LOST_WORKERS] {
                let moments: Vec<u64> = self.runtime.block_on(worker.receive())?;
                last = moments.into_iter().fold(last, u64::max);
            }
            seconds.push((last - back) as f64 / 1e9);
        }
        let (count, seconds) = (self.sockets / WORKERS * LOST_WORKERS, median(&seconds));
        let what = format!("{} reconnect at once, seconds to the last", short(count as f64));
        table.judged(&what, &[short(seconds)], seconds, Wanted::AtMost(10.0));
        Ok(())
    }
}

/// The start of an event: all clients load page, event, challenges and board within ten seconds,
/// while submissions arrive.
fn first_moments(bench: &Bench, template: &Template, table: &mut Table) -> Result<()> {
    let runtime = Runtime::new()?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &installation)?;
    let (clients, arrival_s) = (bench.choose(8000, 50), bench.choose(ARRIVAL_S, 0.5));
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let players = template.players().to_vec();
    let submit = move |number: usize| {
        let (player, challenge) = (&players[number % players.len()], number / players.len() % 8);
        let is_right = number.is_multiple_of(RIGHT_ONE_IN);
        let answer = if is_right { flag(challenge) } else { format!("flag{{{number}}}") };
        load::solve(player, &challenge_id(challenge), &answer)
    };
    let flags = runtime.spawn(pace(server.address, 32, FLAGS_PER_S, submit, stopped));
    let before = server.cpu_s()?;
    let come = come(server.address, &template.tokens, clients, arrival_s);
    let loads = runtime.block_on(come)?;
    stop.send_replace(true);
    let flags = runtime.block_on(flags)??;
    let cpu_ms = (server.cpu_s()? - before) * 1000.0 / clients as f64;
    let what =
        format!("{} come in {arrival_s} s, each of 4 answers, p99 in ms", short(clients as f64));
    table.judged(&what, &[short(loads.p99_ms())], loads.p99_ms(), Wanted::AtMost(2000.0));
    let what = "300 flags a second during it, p99 in ms";
    table.judged(what, &[short(flags.p99_ms())], flags.p99_ms(), Wanted::AtMost(2000.0));
    table.row("arriving client, flags included, CPU ms", &[short(cpu_ms)]);
    Ok(())
}

async fn come(
    address: SocketAddr,
    tokens: &[String],
    clients: usize,
    arrival_s: f64,
) -> Result<Times> {
    let mut random = StdRng::seed_from_u64(SEED);
    let mut tasks = JoinSet::new();
    for number in 0..clients {
        let token = tokens[number % tokens.len()].clone();
        let pause = Duration::from_secs_f64(random.random::<f64>() * arrival_s);
        tasks.spawn(async move {
            tokio::time::sleep(pause).await;
            // One loopback address does not have enough ports for all.
            let site = Site::local(address, Some(loopback(number as u32 % 16)))?;
            let mut times = Times::default();
            let mut asked = Instant::now();
            let mut connection = Connection::to(&site).await?;
            for path in ["/", "/api/ctf", "/api/challenge", "/api/scoreboard"] {
                expect(&connection.send(load::get(path, &token)?).await?, "")?;
                times.record(asked.elapsed());
                asked = Instant::now();
            }
            anyhow::Ok((times, connection))
        });
    }
    let mut times = Times::default();
    let mut open = Vec::with_capacity(clients);
    while let Some(task) = tasks.join_next().await {
        let (more, connection) = task??;
        times.add(&more)?;
        // Browsers keep their connections.
        open.push(connection);
    }
    Ok(times)
}
