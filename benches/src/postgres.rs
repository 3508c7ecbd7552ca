//! `postgres`: boards, submissions and sockets on a local PostgreSQL with its default sync
//! settings.

use anyhow::{Context, Result};
use tokio::runtime::Runtime;

use crate::data::{Engine, SMALL, Template, USUAL};
use crate::table::Table;
use crate::{Bench, board, live, play};

/// The environment variable with the URL of the server.
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

/// The URL of the server.
pub fn server() -> Result<String> {
    std::env::var(SERVER).with_context(|| format!("{SERVER} names a server"))
}
