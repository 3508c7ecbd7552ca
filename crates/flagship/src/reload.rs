//! On SIGHUP a server reads `event.toml` and the pages again: `[registration]`, `[limits]`,
//! `[privacy]` and `[site]` apply at once, on all nodes; the log names what waits for a restart or
//! for `flagship apply`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flagship_pack::{EventToml, Pack, Problem, Severity};
use flagship_server::{App, left_by_files};
use flagship_store::Db;
use flagship_store::ops::{Plan, PlanStep, Preview};
use flagship_store::settings;
use serde_json::Value;
use tokio::signal::unix::Signal;

use crate::{apply, attachments, difference};

/// Keeps on the site what the files of an earlier start said, for one that is told of no files.
pub async fn keep_what_files_left(db: &Db) -> Result<()> {
    let left = left_by_files(db).await.context("read the settings of the files of before")?;
    let Some(sections) = left else { return Ok(()) };
    settings::keep_all(db, &sections).await.context("keep the settings of the files of before")?;
    let names: Vec<&str> = sections.keys().map(String::as_str).collect();
    tracing::info!("kept what the files of before set: {}", names.join(", "));
    Ok(())
}

/// Reloads at each signal, for as long as the server runs.
pub async fn at_each(mut signal: Signal, app: App, folder: Option<PathBuf>) {
    while signal.recv().await.is_some() {
        let Some(folder) = &folder else {
            tracing::info!("nothing to reload: the server was started without --event");
            continue;
        };
        if let Err(error) = reload(&app, folder).await {
            tracing::error!("event.toml was not reloaded: {error:#}");
            continue;
        }
        if let Err(error) = compare(&app, folder).await {
            tracing::warn!("the files could not be compared with the event: {error:#}");
        }
    }
}

async fn reload(app: &App, folder: &Path) -> Result<()> {
    let (place, started) = (folder.to_owned(), app.config().settings.at_start());
    let read = move || flagship_pack::read_event_toml(&place);
    let EventToml { settings, site_files, problems, .. } =
        tokio::task::spawn_blocking(read).await?;
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let errors: Vec<String> = problems.iter().filter(is_error).map(Problem::to_string).collect();
    ensure!(errors.is_empty(), "correct it first: {}", errors.join("; "));
    let data = app.config().data.clone();
    let keep = move || attachments::keep(&site_files.iter().collect::<Vec<_>>(), &data);
    tokio::task::spawn_blocking(keep).await?.context("keep the files of [site]")?;
    let old = app.settings();
    app.reload(&settings.live()).await.context("write the settings")?;
    let changed = |old: &Value, new: &Value| {
        let changed = difference::changed_settings(old, new).into_iter();
        changed.map(|(key, ..)| key).collect::<Vec<_>>().join(", ")
    };
    let taken = changed(&difference::json(&*old), &difference::json(&*app.settings()));
    tracing::info!("reloaded event.toml: {}", if taken.is_empty() { "no change" } else { &taken });
    let waiting = changed(&difference::json(&started), &difference::json(&settings.at_start()));
    if !waiting.is_empty() {
        tracing::warn!("waits for a restart: {waiting}");
    }
    Ok(())
}

/// Reads all files and names what waits for `apply`, as a start does.
async fn compare(app: &App, folder: &Path) -> Result<()> {
    let (place, config) = (folder.to_owned(), app.config());
    let pack = tokio::task::spawn_blocking(move || apply::read(&place)).await??;
    let plan = apply::plan(&pack, &config.key).context("the event's files have no event")?;
    if let Some(preview) = app.preview(&plan).await? {
        warn_of_waiting(&pack, &preview, &plan);
    }
    Ok(())
}

/// Warns of differences between the files and the event, which only `apply` takes over, or says why
/// it would not.
pub fn warn_of_waiting(pack: &Pack, preview: &Preview, plan: &Plan) {
    if let Some(why) = apply::refusal(pack, preview) {
        tracing::warn!("`flagship apply` would refuse the files: {why}");
        return;
    }
    let zone = difference::zone(Some(&plan.event));
    for step in &preview.steps {
        let (head, fields) = difference::change(step, &zone);
        // Texts of challenges may contain flags, so they are not logged.
        let fields = match step {
            PlanStep::ChangeEvent { .. } => format!(": {}", fields.join(", ")),
            _ => String::new(),
        };
        tracing::warn!("waits for `flagship apply`: {head}{fields}");
    }
}
