//! `cargo xtask bench`: builds the program and the benchmarks, installs what they need, and runs
//! them. They replace sections of `docs/performance.md`.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::postgres::{self, Postgres};
use crate::process::{at_root, cargo, root, run};
use crate::setup::{self, Need};

const NEEDS: [Need; 5] = [Need::Nginx, Need::Wrk, Need::Valgrind, Need::Postgres, Need::Node];
/// Folder for data, on the disk of the repository.
const WORK: &str = "target/bench";
/// Arguments that are not names of benchmarks.
const OPTIONS: [&str; 2] = ["--dist", "baseline"];
/// The benchmarks that need PostgreSQL.
const POSTGRES: [&str; 4] = ["postgres", "logins", "apply", "organizers"];
const PAGE: &str = "docs/performance.md";

/// Runs the named benchmarks, or all. `--dist` measures the published profile; `baseline` saves the
/// instruction counts as the new baseline.
pub fn measure(words: &[&str]) -> Result<()> {
    let profile = if words.contains(&"--dist") { Profile::Dist } else { Profile::Release };
    let names: Vec<_> = words.iter().filter(|word| !OPTIONS.contains(word)).collect();
    setup::ensure(&NEEDS)?;
    build::site()?;
    if let Profile::Dist = profile {
        build::program(profile)?;
    }
    // One build for both, to share dependencies.
    let build = ["build", "--release", "--package", "flagship", "--package", "flagship-bench"];
    run(&mut cargo(&build))?;
    let mut bench = at_root(&root().join("target/release/flagship-bench").to_string_lossy());
    bench.args(&names).arg("--server").arg(root().join(profile.binary()));
    bench.args(["--work", WORK, "--page", PAGE]);
    if words.contains(&"baseline") {
        bench.arg("--baseline");
    }
    let needs_postgres = names.is_empty() || POSTGRES.iter().any(|name| names.contains(&name));
    let postgres = needs_postgres.then(Postgres::start_durable).transpose()?;
    if let Some(postgres) = &postgres {
        bench.env(postgres::VARIABLE, postgres.url());
    }
    run(&mut bench)
}
