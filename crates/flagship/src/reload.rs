//! Reloading of `event.toml` and the pages on SIGHUP. `[registration]`, `[limits]`, `[privacy]` and
//! `[site]` apply immediately on all nodes. The log lists changes that need a restart or `flagship
//! apply`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flagship_pack::{EventToml, Pack, Problem, Severity};
use flagship_server::apply::difference;
use flagship_server::{App, left_by_files};
use flagship_store::Db;
use flagship_store::ops::{Plan, PlanStep, Preview};
use flagship_store::settings;
use serde_json::Value;
use tokio::signal::unix::Signal;

use crate::attachments::Comparison;
use crate::{apply, attachments};

/// Saves the file settings of a previous start as site settings, for a server started without
/// files.
pub async fn keep_previous_file_settings(db: &Db) -> Result<()> {
    let left = left_by_files(db).await.context("read the previous file settings")?;
    let Some(sections) = left else { return Ok(()) };
    settings::set_sections(db, &sections).await.context("save the previous file settings")?;
    let names: Vec<&str> = sections.keys().map(String::as_str).collect();
    tracing::info!("kept settings from the previous event files: {}", names.join(", "));
    Ok(())
}

/// Reloads at each signal while the server runs.
pub async fn reload_on_signal(mut signal: Signal, app: App, folder: Option<PathBuf>) {
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
            tracing::warn!("failed to compare the files with the event: {error:#}");
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
    ensure!(errors.is_empty(), "fix this first: {}", errors.join("; "));
    let site_files: Vec<_> = site_files.iter().collect();
    let kept = attachments::keep(&site_files, app.storage(), Comparison::Digest).await;
    kept.context("store the [site] files")?;
    let old = app.settings();
    app.reload(&settings.live()).await.context("write the settings")?;
    let changed = |old: &Value, new: &Value| {
        let changed = difference::changed_settings(old, new).into_iter();
        changed.map(|(key, ..)| key).collect::<Vec<_>>().join(", ")
    };
    let taken = changed(&difference::json(&*old), &difference::json(&*app.settings()));
    tracing::info!("reloaded event.toml: {}", if taken.is_empty() { "no changes" } else { &taken });
    let waiting = changed(&difference::json(&started), &difference::json(&settings.at_start()));
    if !waiting.is_empty() {
        tracing::warn!("takes effect after a restart: {waiting}");
    }
    Ok(())
}

/// Reads all files and logs the changes that need `flagship apply`. The server does the same when
/// it starts.
async fn compare(app: &App, folder: &Path) -> Result<()> {
    let (place, config) = (folder.to_owned(), app.config());
    let pack = tokio::task::spawn_blocking(move || apply::read(&place)).await??;
    let plan = apply::plan(&pack, &config.key).context("the event files define no event")?;
    if let Some(preview) = app.preview(&plan).await? {
        log_pending_changes(&pack, &preview, &plan);
    }
    Ok(())
}

/// Logs the differences between the files and the event, which only `flagship apply` applies, or
/// the reason that it would reject them.
pub fn log_pending_changes(pack: &Pack, preview: &Preview, plan: &Plan) {
    if let Some(why) = apply::refusal(pack, preview) {
        tracing::warn!("`flagship apply` would reject the files: {why}");
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
        tracing::warn!("pending until `flagship apply`: {head}{fields}");
    }
}
