//! `board`: the snapshot of the scoreboard against nginx with the same bytes in a file, in turns;
//! calm, known by its tag, and while wrong flags arrive.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use flagship_load::{self as load, Answer, BROWSER_TAKES, Connection, Times};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::Bench;
use crate::data::{Engine, SMALL, Template, USUAL, challenge_id};
use crate::nginx::{Nginx, wrk};
use crate::server::{Server, family_cpu_s};
use crate::table::{Table, Wanted, median, ratio, short};

/// Wrong flags a second, and the connections that they come over.
const FLAGS_PER_S: f64 = 1000.0;
const FLAG_CONNECTIONS: usize = 8;
/// The share of nginx that is wanted.
const SHARE: f64 = 0.6;

/// One side's figures, a round each.
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
    /// Both sides in turns.
    fn turns(&self, asks: &Asks, nginx_asks: &Asks) -> Result<(Side, Side)> {
        let (mut ours, mut theirs) = (Side::default(), Side::default());
        for _ in 0..self.rounds {
            ours.measure(self.server.pid(), self.server.address, asks)?;
            theirs.measure(self.nginx.pid(), self.nginx.address, nginx_asks)?;
        }
        Ok((ours, theirs))
    }
}

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let template = runtime.block_on(Template::make(&bench.engine, bench.choose(USUAL, SMALL)))?;
    let place = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &place)?;
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
        let takes = format!("Accept-Encoding: {BROWSER_TAKES}");
        Asks { seconds, headers: std::iter::once(takes).chain(more).collect() }
    };
    let known = |tag: &str| asks(Some(format!("If-None-Match: {tag}")));
    let mut table = Table::new(&["flagship", "nginx", "ratio"]);
    let (calm, calm_nginx) = board.turns(&asks(None), &asks(None))?;
    compare(&mut table, "", &calm, &calm_nginx, Wanted::AtLeast(SHARE));
    // Another database is behind the same boards.
    if let Engine::Sqlite = bench.engine {
        let (again, again_nginx) = board.turns(&known(&header("etag")?), &known(&nginx_tag))?;
        compare(&mut table, ", 304", &again, &again_nginx, Wanted::Any);
        let flags = Flags::start(&runtime, board.server.address, template.players());
        let (busy, busy_nginx) = board.turns(&asks(None), &asks(None))?;
        let times = flags.stop(&runtime)?;
        compare(&mut table, ", 1,000 wrong flags a second", &busy, &busy_nginx, Wanted::Any);
        let (per_s, p99) = (short(times.per_s()), short(times.p99_ms()));
        table.row("those flags: a second, p99 in ms", &[per_s, p99]);
    }
    let size = short(answer.body.len() as f64);
    table.row(&format!("bytes of the board, {encoding}"), &[size]);
    let size = template.size;
    table.remark(format!(
        "{} teams, {} challenges, {} solves; wrk with 64 connections; no limits of wrong flags; \
         the processor time under flags is the program's whole",
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

async fn first(address: SocketAddr) -> Result<Answer> {
    let mut connection = Connection::open(address).await?;
    // The first reader has the board packed; what follows is what it is measured by.
    connection.ask(load::get("/api/scoreboard", "")?).await?;
    connection.ask(load::get("/api/scoreboard", "")?).await
}

/// Wrong flags that keep arriving.
pub struct Flags {
    stop: watch::Sender<bool>,
    sending: tokio::task::JoinHandle<Result<Times>>,
}

impl Flags {
    /// Begins to send them.
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

    /// Ends it; gives how long the answers took.
    pub fn stop(self, runtime: &Runtime) -> Result<Times> {
        self.stop.send_replace(true);
        runtime.block_on(self.sending)?
    }
}
