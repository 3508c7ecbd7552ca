//! The executable: arguments to configuration to one command.
//!
//! Exit codes: 0 done, 1 the operation failed, 2 wrong usage.

mod apply;
mod cli;
mod csv_cells;
mod demo;
mod export;
mod import;
mod place;
mod serve;
mod words;

use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Command};
use tracing_subscriber::EnvFilter;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let filter = EnvFilter::try_new(&cli.log).unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("nothing installed a provider before");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(run(cli.command)),
        Err(error) => Err(anyhow::Error::new(error).context("start the runtime")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("flagship: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::serve(args).await,
        Command::Check { event } => apply::check(&event),
        Command::Apply(args) => apply::apply(&args).await,
        Command::Team { command } => words::team(command).await,
        Command::Challenge { command } => words::challenge(command).await,
        Command::Reveal { place } => words::reveal(&place).await,
        Command::Export(args) => export::export(&args).await,
        Command::Journal { command } => words::journal(command).await,
        Command::Openapi => {
            print!("{}", flagship_server::openapi());
            Ok(())
        }
    }
}
