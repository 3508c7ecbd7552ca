//! `postgres`: the same shapes on PostgreSQL on the loopback, which syncs as it does by default.

use anyhow::{Context, Result};
use tokio::runtime::Runtime;

use crate::data::{Engine, SMALL, Template, USUAL};
use crate::table::Table;
use crate::{Bench, board, live, play};

/// Names the server, on which databases are made.
const SERVER: &str = "FLAGSHIP_TEST_POSTGRES";

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let bench = Bench { engine: Engine::Postgres(server()?), ..bench.clone() };
    let mut table = board::run(&bench)?;
    table.follow(play::run(&bench)?);
    let template = Template::make(&bench.engine, bench.choose(USUAL, SMALL));
    let template = Runtime::new()?.block_on(template)?;
    table.follow(live::fan_out(&bench, &template, bench.choose(1000, 50))?);
    Ok(table)
}

/// The server's address.
pub fn server() -> Result<String> {
    std::env::var(SERVER).with_context(|| format!("{SERVER} names a server"))
}
