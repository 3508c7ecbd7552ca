//! `cargo xtask torture names`: draws every code point with comprehensive fonts and in the browser,
//! and compares the result with the table of code points that names must not contain.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{output, root, run};
use crate::setup::{self, Need};

const FREETYPE: &str = "freetype-py==2.5.1";
const TABLE: &str = "crates/flagship-game/src/name/unseen.rs";
const SCRIPT: &str = "xtask/names/shown.py";

/// Generates the table into `target/names` and compares it with the committed one.
pub fn table() -> (Vec<String>, Result<()>) {
    match compare() {
        Ok(figures) => (vec![figures], Ok(())),
        Err(error) => (vec![], Err(error)),
    }
}

fn compare() -> Result<String> {
    setup::ensure(&[Need::Browser, Need::WideFonts, Need::Python])?;
    let python = python()?;
    let mut script = Command::new(python);
    script.arg(root().join(SCRIPT)).arg(setup::chromium());
    let made = output(&mut script)?;
    let made = format!("{}\n", made.trim_end());
    let path = root().join("target/names/unseen.rs");
    std::fs::write(&path, &made).context("write the table")?;
    let committed = std::fs::read_to_string(root().join(TABLE)).context("read the table")?;
    // The second line names the versions of the tools; only the rows are compared.
    let (new, old) = (rows(&made), rows(&committed));
    let with = |text: &str| text.lines().nth(1).unwrap_or_default().to_owned();
    if new != old {
        let only = |a: &[&str], b: &[&str]| a.iter().filter(|row| !b.contains(row)).count();
        let (added, gone) = (only(&new, &old), only(&old, &new));
        bail!(
            "{TABLE} differs from the output of {SCRIPT}: {added} rows are new, {gone} are gone; \
             committed: {}; here: {}; review the difference to {} and copy it",
            with(&committed),
            with(&made),
            path.display()
        );
    }
    let shown = made.lines().nth(2).unwrap_or_default().trim_start_matches("// ");
    let shown = shown.split('.').next().unwrap_or_default();
    Ok(format!("figures: {shown}; the other {} ranges are as committed", old.len()))
}

/// The ranges of a table.
fn rows(table: &str) -> Vec<&str> {
    let rows = table.lines().filter(|line| line.starts_with("    ("));
    rows.flat_map(|line| line.split_inclusive("),")).map(str::trim).collect()
}

/// Creates a virtual environment with the library; returns its Python.
fn python() -> Result<PathBuf> {
    let folder = root().join("target/names");
    let python = folder.join("venv/bin/python");
    if !folder.join("venv/installed").exists() {
        std::fs::create_dir_all(&folder).context("make target/names")?;
        run(Command::new("python3").args(["-m", "venv", "venv"]).current_dir(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", FREETYPE]))?;
        std::fs::write(folder.join("venv/installed"), FREETYPE).context("note it")?;
    }
    Ok(python)
}
