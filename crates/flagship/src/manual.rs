//! `flagship completions` and the manual pages, both generated from the command line's definition.

use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "flagship", &mut script);
    outln!("{}", String::from_utf8(script).context("a script is text")?.trim_end());
    Ok(())
}

/// Writes a manual page for each command into an existing folder.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("write manual pages to {}", folder.display()))
}
