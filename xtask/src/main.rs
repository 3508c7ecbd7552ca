//! Development commands: `cargo xtask run | test | build` and more. Each installs what it needs, so
//! a machine with Rust, Node and apt is enough. Nothing here is part of the product.

mod bench;
mod build;
mod compare;
mod controls;
mod dist;
mod hostile;
#[cfg(test)]
mod layers;
mod lines;
#[cfg(test)]
mod modules;
mod mutants;
mod names;
mod postgres;
mod process;
mod prose;
mod sample;
mod sbom;
mod setup;
mod summary;
mod supply;
mod test;
#[cfg(test)]
mod tidy;
mod torture;
#[cfg(test)]
mod tuples;

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
cargo xtask run [--release]                    build, then serve the example event as a demo
cargo xtask build [--release|--dist]           build the site and the program
cargo xtask test [lint|rust|web|examples|e2e]  run all tests, or one part
cargo xtask dist [--check]                     make the archive of a release, or compare two builds
cargo xtask image                              build a container image from the archive
cargo xtask test installation                  run the README's commands in a new Debian system
cargo xtask test image                         play an event in the container image
cargo xtask torture [CHECK]                    run all long tests, or one
cargo xtask bench [--dist] [NAME]              run all benchmarks, or one
cargo xtask bench instructions baseline        count instructions and save them as the baseline
cargo xtask bench compare COMMIT               compare with another commit, in turns
cargo xtask mutants [BASE] [-- OPTIONS]        break the code of a diff, which tests must notice
cargo xtask lines COMMIT...                    count production lines at commits
cargo xtask sample SEED [COUNT]                print random sentences, to be reviewed
cargo xtask sbom                               write the bill of materials, in CycloneDX
cargo xtask screenshots                        update the pictures in docs/screenshots
cargo xtask postgres PROGRAM [ARGUMENT...]     run a program with a temporary PostgreSQL";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match command(&words) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn command(words: &[String]) -> Result<ExitCode> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run"] => build::serve_demo(build::Profile::Debug)?,
        ["run", "--release"] => build::serve_demo(build::Profile::Release)?,
        ["build"] => build::all(build::Profile::Debug)?,
        ["build", "--release"] => build::all(build::Profile::Release)?,
        ["build", "--dist"] => build::all(build::Profile::Dist)?,
        ["test"] => return test::run(None),
        ["test", "installation"] => dist::installation::test()?,
        ["test", "image"] => dist::image::test()?,
        ["test", part] => {
            let part = test::Part::parse(part).with_context(|| format!("usage:\n{USAGE}"))?;
            return test::run(Some(part));
        }
        ["image"] => dist::image::make()?,
        ["dist"] => dist::make()?,
        ["dist", "--check"] => dist::check()?,
        ["torture"] => return torture::run(None),
        ["torture", check] => return torture::run(Some(check)),
        ["bench", "compare", words @ ..] => compare::compare(words)?,
        ["bench", words @ ..] => bench::measure(words)?,
        ["mutants", words @ ..] => mutants::check(words)?,
        ["lines", commits @ ..] => lines::count(commits)?,
        ["sample", words @ ..] => sample::print(words)?,
        ["sbom"] => sbom::write(sbom::FILE)?,
        ["screenshots"] => build::screenshots()?,
        ["postgres", program, arguments @ ..] => with_postgres(program, arguments)?,
        [] | ["help" | "--help" | "-h"] => println!("{USAGE}"),
        _ => bail!("unknown command; usage:\n{USAGE}"),
    }
    Ok(ExitCode::SUCCESS)
}

fn with_postgres(program: &str, arguments: &[&str]) -> Result<()> {
    setup::ensure(&[setup::Need::Postgres])?;
    let postgres = postgres::Postgres::start()?;
    let mut command = Command::new(program);
    // As in `process::cargo`: otherwise cargo would rebuild everything.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_PATH");
    process::run(command.args(arguments).env(postgres::VARIABLE, postgres.url()))
}
