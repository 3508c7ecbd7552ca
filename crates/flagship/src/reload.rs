//! On SIGHUP a server reads `event.toml` again: `[registration]`, `[limits]` and `[site]` apply at
//! once, on all nodes; the log names what waits for a restart or for `flagship apply`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flagship_pack::{EventToml, Live, Problem, Severity};
use flagship_server::App;
use flagship_store::{Db, settings};
use serde_json::Value;
use tokio::signal::unix::Signal;

use crate::difference;

/// Writes the settings that a starting server uses to the database, from where `apply` and other
/// nodes read them.
pub async fn note_start(db: &Db, read: &flagship_pack::Settings) -> Result<()> {
    let text = |value: Value| value.to_string();
    let (live, at_start) = (difference::json(&read.live()), difference::json(&read.at_start()));
    settings::put(db, &text(live), Some(&text(at_start))).await.context("write the settings")
}

/// Reloads at each signal, for as long as the server runs.
pub async fn at_each(mut signal: Signal, app: App, folder: PathBuf) {
    while signal.recv().await.is_some() {
        if let Err(error) = reload(&app, &folder).await {
            tracing::error!("event.toml was not reloaded: {error:#}");
        }
    }
}

async fn reload(app: &App, folder: &Path) -> Result<()> {
    let (place, started) = (folder.to_owned(), app.config().settings.at_start());
    let read = move || flagship_pack::read_event_toml(&place);
    let EventToml { event, settings, problems } = tokio::task::spawn_blocking(read).await?;
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let errors: Vec<String> = problems.iter().filter(is_error).map(Problem::to_string).collect();
    if !errors.is_empty() {
        anyhow::bail!("correct it first: {}", errors.join("; "));
    }
    let (old, new): (Live, Live) = ((*app.settings()).clone(), settings.live());
    app.reload(&new).await.context("write the settings")?;
    let changed = |old: &Value, new: &Value| names(&difference::keys(old, new));
    let taken = changed(&difference::json(&old), &difference::json(&new));
    tracing::info!("reloaded event.toml: {}", if taken.is_empty() { "no change" } else { &taken });
    let waiting = changed(&difference::json(&started), &difference::json(&settings.at_start()));
    if !waiting.is_empty() {
        tracing::warn!("waits for a restart: {waiting}");
    }
    let contest = app.contest();
    if let (Some(old), Some(new)) = (contest.event(), event) {
        let fields = difference::event_toml(old, &new);
        if !fields.is_empty() {
            tracing::warn!("waits for `flagship apply`: {}", fields.join(", "));
        }
    }
    Ok(())
}

/// `[table] key` for each key.
fn names(keys: &[(String, String)]) -> String {
    let names: Vec<String> = keys.iter().map(|(table, key)| format!("[{table}] {key}")).collect();
    names.join(", ")
}
