//! The benchmarks. Each prepares its data, starts the program on the loopback interface, sends
//! requests, and prints a table with the ratio to a reference measured in turns with it.
//! `cargo xtask bench` builds and runs this; `docs/performance.md` describes each benchmark.

mod any_commit;
mod apply;
mod bench;
mod board;
mod crowd;
mod data;
mod files;
mod flags;
mod floor;
mod freeze;
mod growth;
mod instructions;
mod live;
mod logins;
mod nginx;
mod organizers;
mod play;
mod postgres;
mod report;
mod server;
mod start;
mod table;
mod writer;
mod writers;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;

use bench::Bench;
use data::Engine;
use table::Table;

/// The event that comes with the program.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/beginner");

/// Measures the program.
#[derive(Parser)]
struct Arguments {
    /// Names of benchmarks; all if none is given.
    names: Vec<String>,
    /// The `flagship` executable.
    #[arg(long, value_name = "FILE")]
    server: PathBuf,
    /// Folder for data, on the disk to be measured.
    #[arg(long, value_name = "DIR")]
    work: PathBuf,
    /// Small and short runs, to check that the benchmarks work; the figures mean nothing.
    #[arg(long)]
    quick: bool,
    /// Saves the counts of `instructions` as the new baseline.
    #[arg(long)]
    baseline: bool,
    /// The folder of the example event, which `start` serves.
    #[arg(long, value_name = "DIR", default_value = EXAMPLE)]
    example: PathBuf,
    /// Measures a program that may be of another commit, once, for `cargo xtask bench compare`.
    #[arg(long)]
    compared: bool,
    /// The page whose sections are replaced.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

type Work = fn(&Bench) -> Result<Table>;

/// All benchmarks in the order in which they run.
const BENCHES: &[(&str, Work)] = &[
    ("floor", floor::run),
    ("board", board::run),
    ("play", play::run),
    ("start", start::run),
    ("live", live::run),
    ("writers", writers::run),
    ("logins", logins::run),
    ("freeze", freeze::run),
    ("files", files::run),
    ("apply", apply::run),
    ("organizers", organizers::run),
    ("growth", growth::run),
    ("postgres", postgres::run),
    ("instructions", instructions::run),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // Worker processes of a benchmark.
        ["crowd", address] => crowd::run(address),
        ["writer", name] => writer::run(name),
        ["storm", address] => logins::storm(address),
        ["fetch", address] => files::fetch(address),
        _ => run(Arguments::parse()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let Arguments { names, server, work, quick, baseline, example, compared, page } = arguments;
    if let Some(name) = names.iter().find(|name| BENCHES.iter().all(|(known, _)| known != name)) {
        let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        bail!("there is no benchmark `{name}`; there are: {}", known.join(", "));
    }
    std::fs::create_dir_all(&work).with_context(|| format!("make {}", work.display()))?;
    let engine = Engine::Sqlite;
    let is_compared = compared;
    let bench = Bench { engine, server, work, quick, baseline, example, is_compared };
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut failures = Vec::new();
    for (name, work) in BENCHES.iter().filter(|(name, _)| wanted(name)) {
        let heading = report::heading(name, bench.rounds())?;
        println!("\n{heading}");
        let table = work(&bench).with_context(|| format!("the benchmark `{name}`"))?;
        print!("{table}");
        if let Some(page) = &page {
            report::write(page, name, &format!("{heading}\n\n{table}"))?;
        }
        failures.extend(table.failures());
    }
    // Another commit need not keep the limits of this one.
    ensure!(failures.is_empty() || compared, "{}", failures.join("; "));
    Ok(())
}
