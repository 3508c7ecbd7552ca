//! `start`: the time from the start of the process to its first complete response, the memory of an
//! idle process, and the size of the executable.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use flagship_load::{self as load, Connection, flood};
use tokio::runtime::Runtime;

use crate::Bench;
use crate::data::{Installation, SMALL, Size, Template, challenge_id, empty, flag};
use crate::server::{Server, memory_mib};
use crate::table::{Table, Wanted, median, short};

/// A journal of 200,000 entries.
const MANY: Size =
    Size { teams: 10_000, challenges: 40, solves: 189_960, players: 600, logged_in: 600 };
const CONNECTIONS: usize = 64;
/// Limits of the published program, which is built for speed.
const BINARY_MB_MAX: f64 = 40.0;
const IDLE_MIB_MAX: f64 = 45.0;
/// Time without requests before the idle memory is measured.
const IDLE: Duration = Duration::from_secs(1);

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let mut first = Vec::new();
    let mut later = Vec::new();
    let mut idle_mib = Vec::new();
    for _ in 0..bench.rounds() {
        let mut installation = empty(&bench.work)?;
        installation.event = bench.example.clone();
        first.push(answer_ms(&runtime, bench, &installation)?.0);
        let (ms, server) = answer_ms(&runtime, bench, &installation)?;
        later.push(ms);
        std::thread::sleep(IDLE);
        idle_mib.push(memory_mib(server.pid())?);
    }
    let mut table = Table::new(&["flagship"]);
    let mut add = |what: &str, figure: f64, most: f64| {
        table.judged(what, &[short(figure)], figure, Wanted::AtMost(most));
    };
    add("example event, ms to the first answer", median(&later), 50.0);
    add("example event, idle, MiB", median(&idle_mib), IDLE_MIB_MAX);
    let bytes = fs::metadata(&bench.server)?.len() as f64;
    add("the binary with its site, MB", bytes / 1e6, BINARY_MB_MAX);
    table.row("example event, the very first start, ms", &[short(median(&first))]);
    if !bench.is_compared {
        large(bench, &runtime, &mut table)?;
    }
    let profile = bench.server.parent().and_then(Path::file_name).unwrap_or_default();
    table.remark(format!("the profile of the binary: {}", profile.display()));
    table.remark("the very first start creates the database and imports the event");
    Ok(table)
}

/// Measures starts with a long journal.
fn large(bench: &Bench, runtime: &Runtime, table: &mut Table) -> Result<()> {
    let size = bench.choose(MANY, SMALL);
    let template = runtime.block_on(Template::make(&bench.engine, size))?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let starts = || {
        let start = |_| Ok(answer_ms(runtime, bench, &installation)?.0);
        let times: Result<Vec<f64>> = (0..bench.rounds()).map(start).collect();
        times.map(|times| median(&times))
    };
    // The first start does extra work. Its graceful shutdown saves the state snapshot.
    answer_ms(runtime, bench, &installation)?.1.stop()?;
    let kept = starts()?;
    let (_, server) = answer_ms(runtime, bench, &installation)?;
    // Nearly a tenth of the entries; after a tenth, a server saves a new snapshot.
    let entries_since_snapshot = size.challenges * 4 / 5;
    runtime.block_on(play(&server, template.players(), entries_since_snapshot))?;
    drop(server);
    let killed = starts()?;
    // Short journals have no snapshot.
    drop(fs::remove_file(installation.data().join("fold")));
    let unsaved = starts()?;
    let what = "10,000 teams, 200,000 entries, ms to the first answer";
    table.judged(what, &[short(kept)], kept, Wanted::AtMost(500.0));
    table.row("200,000 entries, killed before the next snapshot, ms", &[short(killed)]);
    table.row("200,000 entries, killed before any snapshot, ms", &[short(unsaved)]);
    table.remark(format!(
        "200,000 entries: started once before, and stopped in order, which saves the fold; \
         killed after {} more solves, and a server saves it again after a tenth",
        entries_since_snapshot * size.players
    ));
    Ok(())
}

/// Makes each player solve this number of challenges.
async fn play(server: &Server, players: &[String], challenges: usize) -> Result<()> {
    let ask = |number: usize| {
        let (player, challenge) = (&players[number % players.len()], number / players.len());
        load::solve(player, &challenge_id(challenge), &flag(challenge))
    };
    let asks = (0..players.len() * challenges).map(ask).collect::<Result<_>>()?;
    flood(server.address, CONNECTIONS, asks, "").await.map(drop)
}

/// Starts the program and sends one request; returns the time until the complete response.
fn answer_ms(
    runtime: &Runtime,
    bench: &Bench,
    installation: &Installation,
) -> Result<(f64, Server)> {
    let begun = Instant::now();
    let server = Server::start(&bench.server, installation)?;
    let status = runtime.block_on(async {
        let mut connection = Connection::open(server.address).await?;
        anyhow::Ok(connection.send(load::get("/api/ctf", "")?).await?.status)
    })?;
    let took = begun.elapsed();
    ensure!(status.is_success(), "the first answer was {status}");
    Ok((took.as_secs_f64() * 1000.0, server))
}
