//! The executable: arguments to configuration to one command.
//!
//! Exit codes: 0 done, 1 the operation failed, 2 wrong usage.

mod apply;
mod backup;
mod cli;
mod csv_cells;
mod demo;
mod doctor;
mod export;
mod import;
mod journal;
mod place;
mod rehearse;
mod restore;
mod serve;
mod team_csv;
mod words;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Command, LogFormat};
use rustix::fs::Mode;
use rustix::thread::disable_transparent_huge_pages;
use tracing::Subscriber;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code of wrong usage; clap's own, too.
const WRONG_USAGE: u8 = 2;

fn main() -> ExitCode {
    // Whatever is written, database, mail, tokens, backups, is its owner's alone.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    // The allocator asks for no pages of 2 MiB, of which little is used: they were a third of what
    // an idle program takes. This is for systems that give them unasked.
    disable_transparent_huge_pages(true).ok();
    let cli = Cli::parse();
    let filter = match EnvFilter::try_new(&cli.log) {
        Ok(filter) => filter,
        Err(error) => {
            eprintln!("flagship: --log {:?}: {error}", cli.log);
            return ExitCode::from(WRONG_USAGE);
        }
    };
    let quiet = tracing_subscriber::filter::filter_fn(is_ours_or_calm);
    // Filters of one layer alone lose lines after a library has asked what is logged, as sqlx does
    // on PostgreSQL; these are for all.
    tracing_subscriber::registry().with(filter).with(quiet).with(lines(cli.log_format)).init();
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("nothing installed a provider before");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = match runtime {
        Ok(runtime) => {
            let done = runtime.block_on(run(cli.command, cli.log_format));
            // What is still under way was given its time; nobody waits for it any more.
            runtime.shutdown_background();
            done
        }
        Err(error) => Err(anyhow::Error::new(error).context("start the runtime")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match cli.log_format {
                LogFormat::Text => eprintln!("flagship: {error:#}"),
                LogFormat::Json => tracing::error!("{error:#}"),
            }
            ExitCode::FAILURE
        }
    }
}

/// How the log is written to standard error; times are UTC in either form.
fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(
    format: LogFormat,
) -> Box<dyn Layer<S> + Send + Sync> {
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    }
}

/// Libraries write whole messages and headers, tokens and passwords with them, below `info`: no
/// setting of the log brings that out.
fn is_ours_or_calm(about: &tracing::Metadata<'_>) -> bool {
    about.target().starts_with("flagship") || *about.level() <= tracing::Level::INFO
}

async fn run(command: Command, log: LogFormat) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::serve(args, log).await,
        Command::Check { event } => apply::check(&event),
        Command::Apply(args) => apply::apply(&args).await,
        Command::Team { command } => words::team(command).await,
        Command::Challenge { command } => words::challenge(command).await,
        Command::Reveal { place } => words::reveal(&place).await,
        Command::Export(args) => export::export(&args).await,
        Command::Journal { command } => journal::journal(command).await,
        Command::Backup { file, place } => backup::backup(&file, &place).await,
        Command::Restore { file, place } => restore::restore(&file, &place).await,
        Command::Doctor(args) => doctor::doctor(&args).await,
        Command::Rehearse(args) => rehearse::rehearse(&args).await,
        Command::Crowd => rehearse::crowd().await,
        Command::Openapi => Ok(write!(std::io::stdout(), "{}", flagship_server::openapi())?),
    }
}
