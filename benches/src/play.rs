//! `play`: a team's challenge list, incorrect submissions, and correct submissions, which are
//! synced to the disk before the response; correct ones also with 4 ms added to each sync.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Request, Times, flood};
use tokio::runtime::Runtime;

use crate::Bench;
use crate::data::{Engine, SMALL, Template, USUAL, challenge_id, flag};
use crate::floor;
use crate::server::{Server, Start};
use crate::table::{Table, Wanted, median, ratio, short};

/// Connections for lists and incorrect submissions.
const CONNECTIONS: usize = 64;
/// Connections for correct submissions.
const PLAYERS: usize = 200;
/// Number of lists and of incorrect submissions in one round.
const ASKS: usize = 20_000;
/// Duration of the measurement of the bare disk per round.
const FLOOR: Duration = Duration::from_millis(300);
/// Delays each sync as a slow disk would.
const SLOW_DISK: &str = include_str!("slow_disk.c");

/// The figures of one kind of request, one per round.
#[derive(Default)]
struct Figures {
    per_s: Vec<f64>,
    cpu_ms: Vec<f64>,
    seconds: Vec<f64>,
    p99_ms: Vec<f64>,
}

impl Figures {
    fn add(&mut self, times: &Times, cpu_s: f64) {
        self.per_s.push(times.per_s());
        self.cpu_ms.push(cpu_s * 1000.0 / times.count() as f64);
        self.seconds.push(times.elapsed.as_secs_f64());
        self.p99_ms.push(times.p99_ms());
    }

    fn rows(&self, table: &mut Table, what: &str, cpu_ms_max: f64) {
        let cpu_ms = median(&self.cpu_ms);
        let wanted = Wanted::AtMost(cpu_ms_max);
        table.judged(&format!("{what}, CPU ms each"), &[short(cpu_ms)], cpu_ms, wanted);
        table.row(&format!("{what}, a second"), &[short(median(&self.per_s))]);
    }
}

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let template = runtime.block_on(bench.template(bench.choose(USUAL, SMALL)))?;
    let (columns, beside): (&[&str], _) = match bench.engine {
        Engine::Sqlite => (
            &["flagship", "bare SQLite", "ratio"],
            "; bare SQLite with WAL and FULL, 100 rows a commit",
        ),
        Engine::Postgres(_) => (&["flagship"], ""),
    };
    let mut table = Table::new(columns);
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &installation)?;
    let count = bench.choose(ASKS, 200);
    let mut lists = Figures::default();
    let mut wrong = Figures::default();
    for round in 0..bench.rounds() {
        let asks =
            each(template.players(), count, |player, _| load::get("/api/challenge", player))?;
        measure(&runtime, &server, asks, "challenges", &mut lists)?;
        let asks = each(template.players(), count, |player, number| {
            load::solve(player, &challenge_id(number % 8), &format!("flag{{{round}, {number}}}"))
        })?;
        measure(&runtime, &server, asks, "false", &mut wrong)?;
    }
    drop(server);
    lists.rows(&mut table, "list of challenges", 0.05);
    wrong.rows(&mut table, "incorrect flag", 0.06);
    quiet_disk(bench, &runtime, &template, &mut table)?;
    if let Engine::Sqlite = bench.engine
        && !bench.is_compared
    {
        slow_disk(bench, &runtime, &template, &mut table)?;
    }
    table.remark(format!(
        "{} teams, {} challenges, {} solves; {} teams play; limits of incorrect flags set to 0",
        template.size.teams, template.size.challenges, template.size.solves, template.size.players
    ));
    table.remark(format!(
        "lists and incorrect flags over {CONNECTIONS} connections, correct flags over \
         {PLAYERS}{beside}"
    ));
    Ok(table)
}

fn quiet_disk(
    bench: &Bench,
    runtime: &Runtime,
    template: &Template,
    table: &mut Table,
) -> Result<()> {
    let mut right = Figures::default();
    let mut bare = Vec::new();
    for _ in 0..bench.rounds() {
        if let Engine::Sqlite = bench.engine {
            bare.push(runtime.block_on(floor::measure(&bench.work, FLOOR))?.rows_per_s);
        }
        let installation = runtime.block_on(template.copy(&bench.work))?;
        let server = Server::start(&bench.server, &installation)?;
        measure(runtime, &server, right_flags(template)?, "true", &mut right)?;
    }
    right.rows(table, "correct flag", 0.1);
    if !bare.is_empty() {
        let share = ratio(&right.per_s, &bare);
        let cells = [median(&right.per_s), median(&bare), share].map(short);
        table.row("correct flag, against rows a second", &cells);
    }
    let (seconds, p99_ms) = (median(&right.seconds), median(&right.p99_ms));
    let count = right_flags(template)?.len() as f64;
    let what = format!("{} correct flags, seconds", short(count));
    table.judged(&what, &[short(seconds)], seconds, Wanted::AtMost(1.0));
    table.judged("correct flag, p99 in ms", &[short(p99_ms)], p99_ms, Wanted::AtMost(50.0));
    Ok(())
}

fn slow_disk(
    bench: &Bench,
    runtime: &Runtime,
    template: &Template,
    table: &mut Table,
) -> Result<()> {
    let mut slow = Figures::default();
    let library = compile(&bench.work)?;
    let preload = format!("LD_PRELOAD={library}");
    for _ in 0..bench.rounds() {
        let installation = runtime.block_on(template.copy(&bench.work))?;
        let (binary, installation): (&Path, _) = (&bench.server, &installation);
        let server = Start { binary, installation, under: &["env", &preload] }.run()?;
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", server.pid()))?;
        ensure!(maps.contains(&library), "the program's syncs are not delayed");
        measure(runtime, &server, right_flags(template)?, "true", &mut slow)?;
    }
    let per_s = median(&slow.per_s);
    let what = "correct flag, 4 ms a sync, a second";
    table.judged(what, &[short(per_s)], per_s, Wanted::AtLeast(5000.0));
    table.row("correct flag, 4 ms a sync, p99 in ms", &[short(median(&slow.p99_ms))]);
    Ok(())
}

/// Compiles `SLOW_DISK` to a shared library; returns its path.
pub fn compile(work: &Path) -> Result<String> {
    let work = work.canonicalize()?;
    let (text, library) = (work.join("slow_disk.c"), work.join("slow_disk.so"));
    std::fs::write(&text, SLOW_DISK)?;
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(&text);
    ensure!(compiler.status().context("run cc")?.success(), "the slow disk is not compiled");
    Ok(library.display().to_string())
}

/// `count` requests, from the players in turn.
fn each(
    players: &[String],
    count: usize,
    ask: impl Fn(&str, usize) -> Result<Request>,
) -> Result<Vec<Request>> {
    let numbered = (0..count).map(|number| (&players[number % players.len()], number));
    numbered.map(|(player, number)| ask(player, number)).collect()
}

/// A correct submission of each player for each challenge.
fn right_flags(template: &Template) -> Result<Vec<Request>> {
    let (players, challenges) = (template.players(), template.size.challenges);
    each(players, players.len() * challenges, |player, number| {
        // Teams take the challenges in different orders.
        let challenge = (number / players.len() + number) % challenges;
        load::solve(player, &challenge_id(challenge), &flag(challenge))
    })
}

fn measure(
    runtime: &Runtime,
    server: &Server,
    asks: Vec<Request>,
    says: &'static str,
    figures: &mut Figures,
) -> Result<()> {
    let connections = if says == "true" { PLAYERS } else { CONNECTIONS };
    let count = asks.len();
    let before = server.cpu_s()?;
    let times = runtime.block_on(flood(server.address, connections, asks, says))?;
    figures.add(&times, server.cpu_s()? - before);
    ensure!(times.count() == count as u64, "{} of {count} were answered", times.count());
    Ok(())
}
