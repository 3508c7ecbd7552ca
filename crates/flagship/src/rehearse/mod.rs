//! `flagship rehearse`: a load test for organizers. It serves a temporary copy of the event with
//! its real files and settings, simulates the expected number of players and spectators (the
//! crowd), and judges whether the machine is fast enough. It removes everything it created.
//!
//! This process runs the server. The crowd runs in worker processes, so that the reported CPU time
//! and memory are those of the server.

mod clients;
mod crowd;
mod event_copy;
mod script;
mod verdict;

use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flagship_load::{Site, Worker};
use flagship_pack::Pack;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::output::counted;
use crate::{cli, demo, serve};
pub use crowd::run as crowd;
use event_copy::{EventCopy, INTERRUPTED};
use script::{Figures, Message, Player, Script, play_s, start_delay_s};
use verdict::{Machine, Verdict};

/// Number of clients per worker process; each uses a socket and a few connections.
const CLIENTS_PER_WORKER: usize = 4000;
/// Length of the queue of messages from the workers.
const MESSAGES_MAX: usize = 64;
/// Maximum time that workers take beyond the duration of play.
const PATIENCE: Duration = Duration::from_secs(60);

/// Rehearses and prints the figures and the verdict. A no-go is an error.
pub async fn rehearse(args: &cli::Rehearse) -> Result<()> {
    let mut interrupted = pin!(serve::shutdown_signal()?);
    flagship_server::raise_open_files();
    let pack = args.event.as_deref().map(read).transpose()?;
    let (copy, url, players) = match &args.against {
        Some(url) => {
            Site::parse(url, None)?;
            (None, url.trim_end_matches('/').to_owned(), known_players(args)?)
        }
        None => {
            let pack = pack.as_ref().context("pass the event to rehearse with `--event`")?;
            let (copy, players) = EventCopy::serve(args, pack, &mut interrupted).await?;
            let url = copy.url.clone();
            (Some(copy), url, players)
        }
    };
    let answers = pack.as_ref().map(demo::answers).unwrap_or_default();
    let script =
        Script { url, players, answers, spectators: args.spectators, minutes: args.minutes };
    // The copy is also removed after an interruption.
    let played = tokio::select! {
        played = play(&script, copy.as_ref()) => played,
        () = interrupted => Err(anyhow!(INTERRUPTED)),
    };
    if let Some(copy) = copy {
        copy.remove().await?;
    }
    let (figures, machine) = played?;
    let verdict = Verdict::of(&script, &figures, machine.as_ref());
    outln!("{}", verdict.to_string().trim_end());
    ensure!(verdict.is_go(), "no-go: see the problems above");
    Ok(())
}

fn read(event: &std::path::Path) -> Result<Pack> {
    let pack = flagship_pack::read(event)?;
    if pack.errors() > 0 {
        bail!("the event files have errors; list them with `flagship check --event DIR`");
    }
    Ok(pack)
}

/// Reads the teams from a file written by `team import --tokens`.
fn known_players(args: &cli::Rehearse) -> Result<Vec<Player>> {
    let Some(file) = &args.tokens else { return Ok(Vec::new()) };
    let reader = csv::Reader::from_path(file);
    let mut reader = reader.with_context(|| format!("read `{}`", file.display()))?;
    let players = reader.deserialize().take(args.teams).collect::<Result<Vec<Player>, _>>();
    let players = players
        .with_context(|| format!("`{}` must have the columns name, token", file.display()))?;
    if players.len() < args.teams {
        let teams = counted(players.len(), "team", "teams");
        errln!("note: `{}` has tokens for {teams} only", file.display());
    }
    Ok(players)
}

/// Runs the crowd, then checks that the scoreboard has every acknowledged solve.
async fn play(script: &Script, copy: Option<&EventCopy>) -> Result<(Figures, Option<Machine>)> {
    let (sender, mut receiver) = mpsc::channel(MESSAGES_MAX);
    let mut workers = JoinSet::new();
    for part in script.parts(CLIENTS_PER_WORKER) {
        workers.spawn(run_worker(part, sender.clone()));
    }
    drop(sender);
    let seconds = start_delay_s(script.minutes) + play_s(script.minutes);
    let bar = ProgressBar::new(seconds.ceil() as u64);
    let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {msg}");
    bar.set_style(style.context("the bar's template")?.progress_chars("=> "));
    let mut figures = Figures::default();
    let receive = async {
        while let Some(message) = receiver.recv().await {
            match message {
                Message::Progress(text) => bar.set_message(text),
                Message::Finished(part) => figures.add(&part)?,
            }
            bar.set_position(bar.elapsed().as_secs());
        }
        while let Some(worker) = workers.join_next().await {
            worker??;
        }
        anyhow::Ok(())
    };
    let limit = Duration::from_secs_f64(seconds) + PATIENCE;
    tokio::time::timeout(limit, receive)
        .await
        .context("the simulated players did not finish")??;
    bar.finish_and_clear();
    let site = Site::parse(&script.url, None)?;
    figures.lost = clients::missing(&site, &figures.acknowledged).await?;
    Ok((figures, copy.map(EventCopy::machine).transpose()?))
}

/// Runs one worker process with a part of the crowd and forwards its messages.
async fn run_worker(script: Script, messages: mpsc::Sender<Message>) -> Result<()> {
    let mut worker = Worker::start(&["crowd"])?;
    worker.send(&script).await?;
    let mut is_finished = false;
    while !is_finished {
        let message = worker.receive().await?;
        is_finished = matches!(message, Message::Finished(_));
        messages.send(message).await.context("the rehearsal has ended")?;
    }
    worker.finish().await
}
