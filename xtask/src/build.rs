//! Builds the site, then the program that carries it, and serves the example event with it.

use std::os::unix::process::CommandExt;

use anyhow::{Context, Result};

use crate::process::{at_root, cargo, npm, root, run};
use crate::setup::{self, Need};

const EXAMPLE: &str = "examples/beginner";
const DEMO_DATA: &str = "target/demo";
const DEMO_ADDRESS: &str = "127.0.0.1:8080";

/// How the program is compiled.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Compiles faster, checks arithmetic.
    Debug,
    /// Runs faster.
    Release,
    /// As it is published: runs fastest, takes minutes to link.
    Dist,
}

impl Profile {
    /// Where cargo puts the binary, seen from the root.
    pub fn binary(self) -> &'static str {
        match self {
            Self::Debug => "target/debug/flagship",
            Self::Release => "target/release/flagship",
            Self::Dist => "target/dist/flagship",
        }
    }
}

/// The site, then the program.
pub fn all(profile: Profile) -> Result<()> {
    setup::ensure(&[Need::Node])?;
    site()?;
    program(profile)?;
    println!("built {}", profile.binary());
    Ok(())
}

/// `web/dist`.
pub fn site() -> Result<()> {
    setup::npm_packages("web")?;
    run(&mut npm("web", &["run", "build", "--", "--logLevel=warn"]))
}

/// The binary, which carries `web/dist` as it is now.
pub fn program(profile: Profile) -> Result<()> {
    let mut build = cargo(&["build", "--package", "flagship"]);
    match profile {
        Profile::Debug => {}
        Profile::Release => drop(build.arg("--release")),
        Profile::Dist => drop(build.args(["--profile", "dist"])),
    }
    run(&mut build)
}

/// The pictures in `docs/screenshots`; what compiles faster draws the same.
pub fn screenshots() -> Result<()> {
    let profile = Profile::Debug;
    all(profile)?;
    setup::ensure(&[Need::Browser])?;
    setup::npm_packages("e2e")?;
    let mut pictures = npm("e2e", &["run", "screenshots"]);
    pictures.env("FLAGSHIP_BINARY", root().join(profile.binary()));
    run(pictures.env("CHROMIUM", setup::chromium()))
}

/// Serves the example event until it is told to stop. Returns only when that fails to start:
/// the program takes our place, so that signals reach it and its exit code is ours.
pub fn serve_demo(profile: Profile) -> Result<()> {
    all(profile)?;
    println!("mails appear in {DEMO_DATA}/mail; stop with Ctrl-C");
    let mut serve = at_root(&root().join(profile.binary()).to_string_lossy());
    serve.args(["serve", "--event", EXAMPLE, "--data", DEMO_DATA]);
    Err(serve.args(["--listen", DEMO_ADDRESS, "--demo"]).exec()).context("start flagship serve")
}
