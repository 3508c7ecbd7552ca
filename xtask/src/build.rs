//! Builds the site and the program that embeds it, and serves the example event.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::process::{at_root, cargo, npm, root, run};
use crate::setup::{self, Need};

const EXAMPLE: &str = "examples/beginner";
const DEMO_DATA: &str = "target/demo";
const DEMO_ADDRESS: &str = "127.0.0.1:8080";

/// Folders of `web` that are not sources, and a file that is written after all of the site.
const SITE_MADE: [&str; 2] = ["dist", "node_modules"];
const SITE_MADE_LAST: &str = "web/node_modules/.site-built";

/// The compilation profile.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Compiles fast, checks arithmetic overflow.
    Debug,
    /// Runs fast.
    Release,
    /// The published binary: small, takes minutes to link.
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

/// Builds the site into `web/dist`, unless it is newer than all its sources. A new site makes cargo
/// rebuild the program.
pub fn site() -> Result<()> {
    let (web, made) = (root().join("web"), root().join(SITE_MADE_LAST));
    let is_newest = || Ok::<_, anyhow::Error>(newest(&web)? < modified(&made)?);
    if web.join("dist/index.html").exists() && is_newest().unwrap_or(false) {
        return Ok(());
    }
    setup::npm_packages("web")?;
    run(&mut npm("web", &["run", "build", "--", "--logLevel=warn"]))?;
    Ok(std::fs::write(made, "")?)
}

/// Time of the last change, removal or addition in a source folder.
fn newest(folder: &Path) -> Result<SystemTime> {
    let mut newest = modified(folder)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if SITE_MADE.iter().any(|made| entry.file_name() == *made) {
            continue;
        }
        let path = entry.path();
        let is_folder = entry.file_type()?.is_dir();
        newest = newest.max(if is_folder { self::newest(&path)? } else { modified(&path)? });
    }
    Ok(newest)
}

fn modified(path: &Path) -> Result<SystemTime> {
    Ok(path.metadata()?.modified()?)
}

/// Builds the program, which embeds the current `web/dist`.
pub fn program(profile: Profile) -> Result<()> {
    let package = ["--package", "flagship"];
    let mut build = match profile {
        Profile::Debug => cargo(&[&["build"][..], &package].concat()),
        Profile::Release => cargo(&[&["build", "--release"][..], &package].concat()),
        Profile::Dist => {
            let profile = ["rustc", "--bin", "flagship", "--profile", "dist"];
            let mut build = cargo(&[&profile[..], &package].concat());
            if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
                // Merges functions with the same code, which takes no time. Only Rust's own linker,
                // the default here, can do that.
                build.args(["--", "-Clink-arg=-Wl,--icf=all"]);
            }
            build
        }
    };
    run(&mut build)
}

/// Updates the pictures in `docs/screenshots`, which the README shows too.
pub fn screenshots() -> Result<()> {
    let profile = Profile::Debug;
    all(profile)?;
    setup::ensure(&[Need::Browser, Need::WebP, Need::WideFonts])?;
    setup::npm_packages("e2e")?;
    let mut pictures = npm("e2e", &["run", "screenshots"]);
    pictures.env("FLAGSHIP_BINARY", root().join(profile.binary()));
    run(pictures.env("CHROMIUM", setup::chromium()))
}

/// Serves the example event. Replaces this process (exec), so that signals reach the program and
/// its exit code is returned; returns only if that fails.
pub fn serve_demo(profile: Profile) -> Result<()> {
    all(profile)?;
    println!("emails appear in {DEMO_DATA}/mail; stop with Ctrl-C");
    let mut serve = at_root(&root().join(profile.binary()).to_string_lossy());
    serve.args(["serve", "--event", EXAMPLE, "--data", DEMO_DATA]);
    Err(serve.args(["--listen", DEMO_ADDRESS, "--demo"]).exec()).context("start flagship serve")
}
