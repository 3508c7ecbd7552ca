//! `growth`: the cost of a solve and of a snapshot with ten and a hundred times as many teams.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use flagship_load::{self as load, Connection, flood};
use tokio::runtime::Runtime;

use crate::Bench;
use crate::data::{Size, Template, challenge_id, flag};
use crate::server::{Server, memory_mib};
use crate::table::{Table, Wanted, short};

const TEAMS: [usize; 3] = [1000, 10_000, 100_000];
const TEAMS_SHORT: [usize; 3] = [100, 200, 400];
const SOLVES_PER_TEAM: usize = 10;
const CHALLENGES: usize = 40;
const PLAYERS: usize = 50;
/// Number of challenges that are solved at full speed; later ones are solved one by one.
const FLOODED: usize = 30;
/// Number of snapshots for each size.
const SNAPSHOTS: [usize; 3] = [20, 20, 5];
/// Age at which a requested board is rebuilt.
const STALE: Duration = Duration::from_millis(120);

const WHAT: [&str; 7] = [
    "correct flag, CPU ms",
    "snapshot after a solve, CPU ms",
    "snapshot after a solve, ms until it is there",
    "bytes of the snapshot",
    "ms to the first answer after a start",
    "the program's memory, MiB",
    "solves",
];

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let sizes = bench.choose(TEAMS, TEAMS_SHORT);
    let mut columns = Vec::new();
    for (teams, snapshots) in sizes.into_iter().zip(SNAPSHOTS) {
        columns.push(column(bench, teams, bench.choose(snapshots, 2))?);
    }
    let mut table = Table::new(&["1,000 teams", "10,000 teams", "100,000 teams", "exponent"]);
    for (row, what) in WHAT.iter().enumerate() {
        let figures: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        let exponent = exponent(&sizes, &figures);
        let mut cells: Vec<String> = figures.iter().map(|figure| short(*figure)).collect();
        cells.push(format!("{exponent:.2}"));
        table.judged(what, &cells, exponent, Wanted::Any);
    }
    table.remark("each once; the exponent k is that of cost ~ teams^k, fitted to the three");
    Ok(table)
}

/// The figures of one size, in the order of [`WHAT`].
fn column(bench: &Bench, teams: usize, snapshots: usize) -> Result<[f64; 7]> {
    let runtime = Runtime::new()?;
    let solves = teams * SOLVES_PER_TEAM;
    let players = PLAYERS;
    let size = Size { teams, challenges: CHALLENGES, solves, players, logged_in: players };
    let template = runtime.block_on(Template::make(&bench.engine, size))?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    // The first start on this data does work that later starts do not.
    drop(Server::start(&bench.server, &installation)?);
    let begun = Instant::now();
    let server = Server::start(&bench.server, &installation)?;
    let ask = |path: &str, token: &str| {
        let ask = load::get(path, token);
        runtime.block_on(async { Connection::open(server.address).await?.send(ask?).await })
    };
    ask("/api/ctf", "")?;
    let start_ms = begun.elapsed().as_secs_f64() * 1000.0;

    let players = template.players();
    let numbers = 0..FLOODED * players.len();
    let flags = numbers.map(|number| {
        let challenge = number / players.len();
        let player = &players[number % players.len()];
        load::solve(player, &challenge_id(challenge), &flag(challenge))
    });
    let (flags, before) = (flags.collect::<Result<Vec<_>>>()?, server.cpu_s()?);
    let times = runtime.block_on(flood(server.address, PLAYERS, flags, "true"))?;
    let solve_ms = (server.cpu_s()? - before) * 1000.0 / times.count() as f64;

    let mut bytes = ask("/api/scoreboard", "")?.body.len();
    let mut waited = Duration::ZERO;
    let before = server.cpu_s()?;
    for player in &players[..snapshots] {
        let flag = load::solve(player, &challenge_id(FLOODED), &flag(FLOODED))?;
        let connection = Connection::open(server.address);
        let answer = runtime.block_on(async { connection.await?.send(flag).await })?;
        ensure!(answer.status.is_success(), "a correct flag was answered with {}", answer.status);
        std::thread::sleep(STALE);
        let begun = Instant::now();
        bytes = ask("/api/scoreboard", "")?.body.len();
        waited += begun.elapsed();
    }
    let (count, used_ms) = (snapshots as f64, (server.cpu_s()? - before) * 1000.0);
    let memory = memory_mib(server.pid())?;
    let solves = (solves + FLOODED * players.len() + snapshots) as f64;
    let waited_ms = waited.as_secs_f64() * 1000.0 / count;
    let snapshot_ms = (used_ms / count - solve_ms).max(0.0);
    Ok([solve_ms, snapshot_ms, waited_ms, bytes as f64, start_ms, memory, solves])
}

/// The slope of the line through the logarithms, by least squares.
fn exponent(sizes: &[usize], figures: &[f64]) -> f64 {
    let points = sizes.iter().zip(figures).filter(|(_, figure)| **figure > 0.0);
    let points: Vec<(f64, f64)> =
        points.map(|(size, figure)| ((*size as f64).ln(), figure.ln())).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let across: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if across > 0.0 { along / across } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_square_is_two() {
        let sizes = [10, 100, 1000];
        assert!((exponent(&sizes, &[3.0, 300.0, 30_000.0]) - 2.0).abs() < 1e-9);
        assert!(exponent(&sizes, &[5.0, 5.0, 5.0]).abs() < 1e-9);
        assert!((exponent(&sizes, &[0.0, 1.0, 10.0]) - 1.0).abs() < 1e-9);
    }
}
