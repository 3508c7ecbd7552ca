//! `cargo xtask bench`: builds the program and what measures it, brings what both need, and lets
//! `benches/` do the rest. Sections of `docs/performance.md` are written anew.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::postgres::{self, Postgres};
use crate::process::{at_root, cargo, root, run};
use crate::setup::{self, Need};

const NEEDS: [Need; 5] = [Need::Nginx, Need::Wrk, Need::Strace, Need::Postgres, Need::Node];
/// Where data folders are made: on the disk of the repository.
const WORK: &str = "target/bench";
/// The benchmark that asks for a PostgreSQL.
const POSTGRES: &str = "postgres";
const PAGE: &str = "docs/performance.md";

/// Runs one benchmark, or all, on the program as `profile` compiles it.
pub fn measure(profile: Profile, name: Option<&str>) -> Result<()> {
    setup::ensure(&NEEDS)?;
    build::site()?;
    build::program(profile)?;
    // Both at once share what they depend on.
    let words = ["build", "--release", "--package", "flagship", "--package", "flagship-bench"];
    run(&mut cargo(&words))?;
    let mut bench = at_root(&root().join("target/release/flagship-bench").to_string_lossy());
    bench.args(name).arg("--server").arg(root().join(profile.binary()));
    bench.args(["--work", WORK, "--page", PAGE]);
    let postgres = name.is_none_or(|name| name == POSTGRES).then(Postgres::start_durable);
    let postgres = postgres.transpose()?;
    if let Some(postgres) = &postgres {
        bench.env(postgres::VARIABLE, postgres.url());
    }
    run(&mut bench)
}
