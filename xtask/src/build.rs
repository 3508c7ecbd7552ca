//! Builds the site and the program that embeds it, and serves the example event.

use std::os::unix::process::CommandExt;

use anyhow::{Context, Result};

use crate::process::{at_root, cargo, npm, root, run};
use crate::setup::{self, Need};

const EXAMPLE: &str = "examples/beginner";
const DEMO_DATA: &str = "target/demo";
const DEMO_ADDRESS: &str = "127.0.0.1:8080";

/// The compilation profile.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Compiles fast, checks arithmetic overflow.
    Debug,
    /// Runs fast.
    Release,
    /// The published binary: runs fastest, takes minutes to link.
    Dist,
}

impl Profile {
    /// Path of the binary, relative to the root.
    pub fn binary(self) -> &'static str {
        match self {
            Self::Debug => "target/debug/flagship",
            Self::Release => "target/release/flagship",
            Self::Dist => "target/dist/flagship",
        }
    }
}

/// Builds the site, then the program.
pub fn all(profile: Profile) -> Result<()> {
    setup::ensure(&[Need::Node])?;
    site()?;
    program(profile)?;
    println!("built {}", profile.binary());
    Ok(())
}

/// Builds the site into `web/dist`.
pub fn site() -> Result<()> {
    setup::npm_packages("web")?;
    run(&mut npm("web", &["run", "build", "--", "--logLevel=warn"]))
}

/// Builds the program, which embeds the current `web/dist`.
pub fn program(profile: Profile) -> Result<()> {
    let mut build = cargo(&["build", "--package", "flagship"]);
    match profile {
        Profile::Debug => {}
        Profile::Release => drop(build.arg("--release")),
        Profile::Dist => drop(build.args(["--profile", "dist"])),
    }
    run(&mut build)
}

/// Updates the pictures in `docs/screenshots`.
pub fn screenshots() -> Result<()> {
    let profile = Profile::Debug;
    all(profile)?;
    setup::ensure(&[Need::Browser])?;
    setup::npm_packages("e2e")?;
    let mut pictures = npm("e2e", &["run", "screenshots"]);
    pictures.env("FLAGSHIP_BINARY", root().join(profile.binary()));
    run(pictures.env("CHROMIUM", setup::chromium()))
}

/// Serves the example event. Replaces this process (exec), so that signals reach the program and
/// its exit code is returned; returns only if that fails.
pub fn serve_demo(profile: Profile) -> Result<()> {
    all(profile)?;
    println!("mails appear in {DEMO_DATA}/mail; stop with Ctrl-C");
    let mut serve = at_root(&root().join(profile.binary()).to_string_lossy());
    serve.args(["serve", "--event", EXAMPLE, "--data", DEMO_DATA]);
    Err(serve.args(["--listen", DEMO_ADDRESS, "--demo"]).exec()).context("start flagship serve")
}
