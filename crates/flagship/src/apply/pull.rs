//! `flagship pull`: writes live edits back to the event folder.

use std::cell::OnceCell;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flagship_actions::settings::sections::{StoredPage, pages_in};
use flagship_game::Event;
use flagship_pack::writer::{self, FileChange, Outcome, Written};
use flagship_pack::{TimesUpdate, event_times, file_paths, new_event_toml, page_path};
use flagship_server::settings_of_site;
use flagship_store::ops::former_times;
use flagship_store::{Db, settings, sources};

use super::pulled::{Folder, Pulled, kept_file, text_file};
use crate::cli;
use crate::difference;

const EVENT_TOML: &str = "event.toml";
const RULES: &str = "rules.md";

/// `flagship pull`
pub async fn pull(args: &cli::Pull) -> Result<()> {
    let (db, writer) = args.installation.writer_of_any().await?;
    let is_new = !args.event.join(EVENT_TOML).exists();
    if is_new && !args.dry_run {
        let making = || format!("create the folder `{}`", args.event.display());
        std::fs::create_dir_all(&args.event).with_context(making)?;
    }
    let event = writer.contest().event();
    let folder = Folder {
        dir: &args.event,
        data: &args.installation.data,
        is_new,
        overwrite: args.overwrite,
        zone: difference::zone(event.map(|event| &**event)),
        places: OnceCell::new(),
    };
    let Pulled { mut changes, mut others, mut left_out } =
        folder.pulled(&db, writer.seal()).await?;
    let former = former_times(&db, writer.seal(), writer.contest()).await?;
    match event {
        Some(event) if is_new => {
            changes.extend(new_folder(&db, event, &args.installation.data).await?);
        }
        Some(event) => {
            let moved = TimesUpdate { event, former: &former, overwrite: args.overwrite };
            let (file, kept) = updated_times(&args.event, moved)?;
            changes.extend(file);
            if !kept.is_empty() {
                others.push(format!("{EVENT_TOML} ({})", kept.join(", ")));
            }
        }
        None => {}
    }
    if !is_new {
        changes.extend(new_pages(&db, &args.event).await?);
    }
    db.close().await;
    leave_out(&mut changes, &mut left_out);
    let Written { files } = match args.dry_run {
        true if !args.event.exists() => writer::plan_new(&changes)?,
        true => writer::plan(&args.event, &changes)?,
        false => writer::write(&args.event, &changes)?,
    };
    let is_any = print_files(files);
    let is_whole = others.is_empty() && left_out.is_empty();
    match (is_any, args.dry_run) {
        (false, _) if is_whole => outln!("the files already contain all live edits"),
        (true, true) => outln!("nothing was written"),
        (false, _) | (true, false) => {}
    }
    for line in &left_out {
        errln!("skipped: {line}");
    }
    ensure!(
        others.is_empty(),
        "these files differ from the live event and were not changed: {}. Run `flagship apply \
        --take files` to use the files, or `flagship pull --overwrite` to use the live version",
        others.join(", ")
    );
    ensure!(is_whole, "not everything was written");
    Ok(())
}

/// Skips changes with a forbidden path, such as a page `nul`.
fn leave_out(changes: &mut Vec<FileChange>, left_out: &mut Vec<String>) {
    changes.retain(|change| match writer::path_rejection(&change.path) {
        None => true,
        Some(why) => {
            left_out.push(format!("{}: {why}", change.path));
            false
        }
    });
}

/// Prints the files that were or would be written; returns true if there are any.
fn print_files(files: Vec<(String, Outcome)>) -> bool {
    let mut is_any = false;
    for (path, outcome) in files {
        let what = match outcome {
            Outcome::Created => "new",
            Outcome::Changed => "changed",
            Outcome::LeftToRemove => "no longer in the event; remove it",
            Outcome::Unchanged => continue,
        };
        is_any = true;
        outln!("{path}: {what}");
    }
    is_any
}

/// Returns the files of an event that was set up on the site: `event.toml`, `rules.md`, its pages
/// and its branding. Secrets are not written to files.
async fn new_folder(db: &Db, event: &Event, data: &Path) -> Result<Vec<FileChange>> {
    let mut kept = settings_of_site(db).await.context("read the settings of the site")?;
    let defaults = sources::defaults(db).await?;
    let defaults = defaults.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let files = kept.sections.get_mut("site").map(file_paths).unwrap_or_default();
    let toml = new_event_toml(event, &defaults, &kept.sections).context("write event.toml")?;
    // Without Markdown source, the rendered page is valid Markdown too, except that its
    // placeholders are already filled in.
    let rules = kept.rules.filter(|rules| rules.html == event.rules).map(|rules| rules.text);
    let rules = rules.unwrap_or_else(|| event.rules.clone());
    let mut changes =
        vec![text_file(EVENT_TOML.to_owned(), toml), text_file(RULES.to_owned(), rules)];
    changes.extend(kept.pages.iter().map(page_file));
    for (path, digest) in files {
        changes.push(FileChange { path, content: kept_file(&digest, data)? });
    }
    Ok(changes)
}

/// Returns the pages that have no file in the folder. Existing files are not overwritten.
async fn new_pages(db: &Db, dir: &Path) -> Result<Vec<FileChange>> {
    let kept = settings::site_sections(db).await.context("read the pages of the site")?;
    let pages = pages_in(&kept).into_iter();
    let missing = pages.filter(|kept| !dir.join(page_path(&kept.page.slug)).exists());
    Ok(missing.map(|kept| page_file(&kept)).collect())
}

fn page_file(kept: &StoredPage) -> FileChange {
    let text = flagship_pack::page_file(kept.page.place, kept.position, &kept.text);
    text_file(page_path(&kept.page.slug).display().to_string(), text)
}

/// Returns the new `event.toml` if live times are written to it, and the times that it keeps.
fn updated_times(
    dir: &Path,
    moved: TimesUpdate<'_>,
) -> Result<(Option<FileChange>, Vec<&'static str>)> {
    if moved.former.is_empty() {
        return Ok((None, Vec::new()));
    }
    let file = dir.join(EVENT_TOML);
    let is_file = std::fs::symlink_metadata(&file).is_ok_and(|it| it.is_file());
    ensure!(is_file, "`{}` is not a regular file", file.display());
    let text = std::fs::read_to_string(&file);
    let text = text.with_context(|| format!("read `{}`", file.display()))?;
    let zone = difference::zone(Some(moved.event));
    let edited = event_times(&text, moved, &zone);
    let (edited, kept) = edited.with_context(|| format!("edit {EVENT_TOML}"))?;
    Ok(((edited != text).then(|| text_file(EVENT_TOML.to_owned(), edited)), kept))
}
