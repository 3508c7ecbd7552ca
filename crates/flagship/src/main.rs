//! The executable: parses the arguments and runs one command.
//!
//! Exit codes: 0 done, 1 the operation failed, 2 wrong usage.

#[macro_use]
mod output;

mod actions;
mod apply;
mod attachments;
mod backup;
mod check;
mod cli;
mod codes;
mod demo;
mod doctor;
mod export;
mod failure;
mod health;
mod import;
mod init;
mod installation;
mod journal;
mod lists;
mod manual;
mod messages;
mod names;
mod operation;
mod organizers;
mod passes;
mod privacy;
mod public_url;
mod rehearse;
mod reload;
mod restore;
mod serve;

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::Context;
use cli::{Attachments, Command, LogFormat};
use rustix::fs::Mode;
use rustix::thread::disable_transparent_huge_pages;
use tracing::Subscriber;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // New files (database, emails, tokens, backups) are readable only by their owner.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    // Transparent huge pages took a third of an idle process's memory, mostly unused. The allocator
    // does not request them, but some systems enable them for every process.
    disable_transparent_huge_pages(true).ok();
    let words: Vec<_> = std::env::args_os().collect();
    let cli = cli::parse(&words).unwrap_or_else(|error| error.exit());
    let filter = match EnvFilter::try_new(&cli.log) {
        Ok(filter) => filter,
        Err(error) => {
            errln!("flagship: --log {:?}: {error}", cli.log);
            // The exit code is that of clap's usage errors.
            return ExitCode::from(2);
        }
    };
    // Drops library log lines below `info` at any log level, because they contain whole messages
    // and headers, with tokens and passwords.
    let quiet = filter_fn(|about| {
        about.target().starts_with("flagship") || *about.level() <= tracing::Level::INFO
    });
    // The filters are global. Filters of one layer lose lines after a library has queried the
    // enabled level, as sqlx does on PostgreSQL.
    tracing_subscriber::registry().with(filter).with(quiet).with(log_layer(cli.log_format)).init();
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("nothing installed a provider before");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime.context("start the runtime").and_then(|runtime| {
        let done = runtime.block_on(run(cli.command, cli.log_format));
        // Tasks still running after the shutdown time limit are abandoned.
        runtime.shutdown_background();
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let words = failure::message(&error);
            match cli.log_format {
                LogFormat::Text => errln!("flagship: {words}"),
                LogFormat::Json => tracing::error!("{words}"),
            }
            ExitCode::FAILURE
        }
    }
}

/// Writes the log to standard error; times are in UTC in both formats.
fn log_layer<S: Subscriber + for<'a> LookupSpan<'a>>(
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

async fn run(command: Command, log: LogFormat) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::serve(args, log).await,
        Command::Init { folder } => init::init(&folder),
        Command::Check { event, severity } => check::check(&event, severity),
        Command::Apply(args) => apply::apply(&args).await,
        Command::Pull(args) => apply::pull::pull(&args).await,
        Command::Organizer(command) => organizers::organizer(command).await,
        Command::Team(command) => operation::team(command).await,
        Command::Code(command) => codes::code(command).await,
        Command::Action(args) => actions::action(args).await,
        Command::Actions(args) => actions::actions(args).await,
        Command::Event(command) => operation::event(command).await,
        Command::Notice(command) => operation::notice(command).await,
        Command::Challenge(command) => operation::challenge(command).await,
        Command::Flags(command) => lists::flags(command).await,
        Command::Pass(command) => passes::pass(command).await,
        Command::Privacy(command) => privacy::privacy(command).await,
        Command::Evidence(args) => lists::evidence(&args).await,
        Command::Status(args) => lists::status::status(&args).await,
        Command::Reveal { installation, force, reason } => {
            operation::reveal(&installation, force, &reason.reason).await
        }
        Command::Export(args) => export::export(&args).await,
        Command::Journal(command) => journal::journal(command).await,
        Command::Backup { file, installation } => backup::backup(&file, &installation).await,
        Command::Restore { file, installation } => restore::restore(&file, &installation).await,
        Command::Attachments(Attachments::Move { to, installation }) => {
            attachments::move_files::run(&to, &installation).await
        }
        Command::Doctor(args) => doctor::doctor(&args).await,
        Command::Health(args) => health::health(&args).await,
        Command::Rehearse(args) => rehearse::rehearse(&args).await,
        Command::Crowd => rehearse::crowd().await,
        Command::Openapi => {
            println!("{}", flagship_server::description().trim_end());
            Ok(())
        }
        Command::Completions { shell } => manual::completions(shell),
        Command::Manual { folder } => manual::write(&folder),
    }
}
