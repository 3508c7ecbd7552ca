//! `cargo xtask bench`: builds the program and what measures it, brings what both need, and lets
//! `benches/` do the rest. Sections of `docs/performance.md` are written anew.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::postgres::{self, Postgres};
use crate::process::{at_root, cargo, root, run};
use crate::setup::{self, Need};

const NEEDS: [Need; 5] = [Need::Nginx, Need::Wrk, Need::Valgrind, Need::Postgres, Need::Node];
/// Where data folders are made: on the disk of the repository.
const WORK: &str = "target/bench";
/// Words that are no names.
const OPTIONS: [&str; 2] = ["--dist", "baseline"];
/// The benchmarks that ask for a PostgreSQL.
const POSTGRES: [&str; 2] = ["postgres", "logins"];
const PAGE: &str = "docs/performance.md";

/// Runs the benchmark that is named, or all. `--dist` measures what is published; `baseline` keeps
/// the instructions that are counted to compare later ones with.
pub fn measure(words: &[&str]) -> Result<()> {
    let profile = if words.contains(&"--dist") { Profile::Dist } else { Profile::Release };
    let names: Vec<_> = words.iter().filter(|word| !OPTIONS.contains(word)).collect();
    setup::ensure(&NEEDS)?;
    build::site()?;
    build::program(profile)?;
    // Both at once share what they depend on.
    let build = ["build", "--release", "--package", "flagship", "--package", "flagship-bench"];
    run(&mut cargo(&build))?;
    let mut bench = at_root(&root().join("target/release/flagship-bench").to_string_lossy());
    bench.args(&names).arg("--server").arg(root().join(profile.binary()));
    bench.args(["--work", WORK, "--page", PAGE]);
    if words.contains(&"baseline") {
        bench.arg("--baseline");
    }
    let asks = names.is_empty() || POSTGRES.iter().any(|name| names.contains(&name));
    let postgres = asks.then(Postgres::start_durable).transpose()?;
    if let Some(postgres) = &postgres {
        bench.env(postgres::VARIABLE, postgres.url());
    }
    run(&mut bench)
}
