//! `flagship rehearse`: an organizer's dress rehearsal. A throw-away copy of the event is served
//! with its real files and settings, as many players and spectators as are expected come to it,
//! and a verdict says whether the machine will do. Nothing is left behind.
//!
//! The event is served by this process; the crowd comes from processes of its own, so that the
//! processor time and the memory that are told are the server's.

mod clients;
mod crowd;
mod figures;
mod script;
mod stage;
mod verdict;

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use flagship_load::{Part, Site};
use flagship_pack::Pack;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::demo::Answers;
use crate::{cli, serve};
pub use crowd::run as crowd;
use figures::Figures;
use script::{Player, Script, Word, opens_s, play_s};
use stage::Stage;
use verdict::{Machine, Verdict};

/// Clients that come from one process: each has a socket and a few connections of it.
const CLIENTS_PER_PROCESS: usize = 4000;
/// Words of the crowd that may wait to be shown.
const WORDS_MAX: usize = 64;
/// How long the crowd's processes may take beyond their play.
const PATIENCE: Duration = Duration::from_secs(60);

/// Rehearses, prints the figures and the verdict. A no-go is a failure.
pub async fn rehearse(args: &cli::Rehearse) -> Result<()> {
    let broken_off = serve::stop_signal()?;
    flagship_server::raise_open_files();
    let pack = args.event.as_deref().map(read).transpose()?;
    let (stage, url, players) = match &args.against {
        Some(url) => (None, url.trim_end_matches('/').to_owned(), known_players(args)?),
        None => {
            let pack = pack.as_ref().context("`--event` says what is rehearsed")?;
            let (stage, players) = Stage::set(args, pack).await?;
            let url = stage.url.clone();
            (Some(stage), url, players)
        }
    };
    let answers = pack.as_ref().map(|pack| Answers::of(pack).0).unwrap_or_default();
    let script =
        Script { url, players, answers, spectators: args.spectators, minutes: args.minutes };
    // A rehearsal that is broken off leaves nothing behind, either.
    let played = tokio::select! {
        played = play(&script, stage.as_ref()) => played,
        () = broken_off => Err(anyhow::anyhow!("the rehearsal was broken off")),
    };
    if let Some(stage) = stage {
        stage.strike().await?;
    }
    let (figures, machine) = played?;
    let verdict = Verdict::of(&script, &figures, machine.as_ref());
    print!("{verdict}");
    ensure!(verdict.is_go(), "no-go");
    Ok(())
}

fn read(event: &std::path::Path) -> Result<Pack> {
    let pack = flagship_pack::read(event)?;
    if pack.errors() > 0 {
        bail!("the event's files have errors: `flagship check` lists them");
    }
    Ok(pack)
}

/// The teams whose tokens `team import --tokens` wrote.
fn known_players(args: &cli::Rehearse) -> Result<Vec<Player>> {
    let Some(file) = &args.tokens else { return Ok(Vec::new()) };
    let reader = csv::Reader::from_path(file);
    let mut reader = reader.with_context(|| format!("read `{}`", file.display()))?;
    let players = reader.deserialize().take(args.teams).collect::<Result<Vec<Player>, _>>();
    players.with_context(|| format!("`{}` has the columns name, token", file.display()))
}

/// Lets the crowd come, play and go; then looks whether the board has all that was acknowledged.
async fn play(script: &Script, stage: Option<&Stage>) -> Result<(Figures, Option<Machine>)> {
    let (words, mut heard) = mpsc::channel(WORDS_MAX);
    let mut crowd = JoinSet::new();
    for part in script.parts(CLIENTS_PER_PROCESS) {
        crowd.spawn(part_of_crowd(part, words.clone()));
    }
    drop(words);
    let seconds = opens_s(script.minutes) + play_s(script.minutes);
    let bar = ProgressBar::new(seconds.ceil() as u64);
    let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {msg}");
    bar.set_style(style.context("the bar's template")?.progress_chars("=> "));
    let mut figures = Figures::default();
    let hear = async {
        while let Some(word) = heard.recv().await {
            match word {
                Word::Now(now) => bar.set_message(now),
                Word::Done(done) => figures.add(&done)?,
            }
            bar.set_position(bar.elapsed().as_secs());
        }
        while let Some(part) = crowd.join_next().await {
            part??;
        }
        anyhow::Ok(())
    };
    let limit = Duration::from_secs_f64(seconds) + PATIENCE;
    tokio::time::timeout(limit, hear).await.context("the crowd did not come to its end")??;
    bar.finish_and_clear();
    let site = Site::parse(&script.url, None)?;
    figures.lost = clients::missing(&site, &figures.acknowledged).await?;
    Ok((figures, stage.map(Stage::machine).transpose()?))
}

/// One process of the crowd, from its start to its end.
async fn part_of_crowd(script: Script, words: mpsc::Sender<Word>) -> Result<()> {
    let mut part = Part::start(&["crowd"])?;
    part.tell(&script).await?;
    let mut is_done = false;
    while !is_done {
        let word = part.hear().await?;
        is_done = matches!(word, Word::Done(_));
        words.send(word).await.context("nobody hears the crowd")?;
    }
    part.end().await
}
