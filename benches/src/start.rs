//! `start`: from the start of the process to its first whole answer, its memory when idle, and the
//! size of the binary.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use flagship_load::{self as load, Connection};
use tokio::runtime::Runtime;

use crate::Bench;
use crate::data::{Place, SMALL, Size, Template, empty};
use crate::server::{Server, memory_mib};
use crate::table::{Table, Wanted, median, short};

/// 200,000 entries in all.
const MANY: Size =
    Size { teams: 10_000, challenges: 40, solves: 189_960, players: 200, logged_in: 200 };
/// The event that comes with the program.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/beginner");
/// The program is idle when it has had nothing to do for so long.
const IDLE: Duration = Duration::from_secs(1);

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let (mut first, mut later, mut many) = (Vec::new(), Vec::new(), Vec::new());
    let mut idle_mib = Vec::new();
    let template = runtime.block_on(Template::make(&bench.engine, bench.choose(MANY, SMALL)))?;
    let full = runtime.block_on(template.copy(&bench.work))?;
    // What a first start on a database does once is not measured with it.
    answer_ms(&runtime, bench, &full)?;
    for _ in 0..bench.rounds() {
        let mut place = empty(&bench.work)?;
        place.event = PathBuf::from(EXAMPLE);
        first.push(answer_ms(&runtime, bench, &place)?.0);
        let (ms, server) = answer_ms(&runtime, bench, &place)?;
        later.push(ms);
        std::thread::sleep(IDLE);
        idle_mib.push(memory_mib(server.pid())?);
        many.push(answer_ms(&runtime, bench, &full)?.0);
    }
    let mut table = Table::new(&["flagship"]);
    let mut add = |what: &str, figure: f64, most: f64| {
        table.judged(what, &[short(figure)], figure, Wanted::AtMost(most));
    };
    add("example event, ms to the first answer", median(&later), 50.0);
    add("10,000 teams, 200,000 entries, ms to the first answer", median(&many), 500.0);
    add("example event, idle, MiB", median(&idle_mib), 30.0);
    let bytes = std::fs::metadata(&bench.server)?.len() as f64;
    add("the binary with its site, MB", bytes / 1e6, 25.0);
    table.row("example event, the very first start, ms", &[short(median(&first))]);
    table.remark("the very first start makes the database and reads the event in");
    Ok(table)
}

/// Starts the program and asks it one thing; gives the time until the whole answer.
fn answer_ms(runtime: &Runtime, bench: &Bench, place: &Place) -> Result<(f64, Server)> {
    let begun = Instant::now();
    let server = Server::start(&bench.server, place)?;
    let status = runtime.block_on(async {
        let mut connection = Connection::open(server.address).await?;
        anyhow::Ok(connection.ask(load::get("/api/ctf", "")?).await?.status)
    })?;
    let took = begun.elapsed();
    ensure!(status.is_success(), "the first answer was {status}");
    Ok((took.as_secs_f64() * 1000.0, server))
}
