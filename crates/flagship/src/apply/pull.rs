//! `flagship pull`: what was changed live is written back into the event's folder.

use std::cell::OnceCell;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flagship_actions::settings::sections::{KeptPage, pages_in};
use flagship_game::Event;
use flagship_pack::writer::{self, FileChange, Outcome, Written};
use flagship_pack::{Moved, event_times, file_paths, new_event_toml, page_path};
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
        let making = || format!("make the folder `{}`", args.event.display());
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
            let moved = Moved { event, former: &former, overwrite: args.overwrite };
            let (file, kept) = of_times(&args.event, moved)?;
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
        true if !args.event.exists() => writer::all_new(&changes)?,
        true => writer::plan(&args.event, &changes)?,
        false => writer::write(&args.event, &changes)?,
    };
    let is_any = tell(files);
    let is_whole = others.is_empty() && left_out.is_empty();
    match (is_any, args.dry_run) {
        (false, _) if is_whole => say!("the files have all live changes"),
        (true, true) => say!("nothing was written"),
        (false, _) | (true, false) => {}
    }
    for line in &left_out {
        say_error!("left out: {line}");
    }
    ensure!(
        others.is_empty(),
        "the files keep what they say otherwise than what is live: {}. Then `flagship apply \
         --take files` applies what they say, or `flagship pull --overwrite` writes what is \
         live",
        others.join(", ")
    );
    ensure!(is_whole, "not all was written");
    Ok(())
}

/// Leaves out what has a path that is never written, as a page `nul`: the rest is written.
fn leave_out(changes: &mut Vec<FileChange>, left_out: &mut Vec<String>) {
    changes.retain(|change| match writer::refusal_of(&change.path) {
        None => true,
        Some(why) => {
            left_out.push(format!("{}: {why}", change.path));
            false
        }
    });
}

/// Prints what was written, or would be; returns whether anything was.
fn tell(files: Vec<(String, Outcome)>) -> bool {
    let mut is_any = false;
    for (path, outcome) in files {
        let what = match outcome {
            Outcome::Created => "new",
            Outcome::Changed => "changed",
            Outcome::LeftToRemove => "no longer in the event; remove it",
            Outcome::Unchanged => continue,
        };
        is_any = true;
        say!("{path}: {what}");
    }
    is_any
}

/// `event.toml` and `rules.md` of an event that was set up on the site, its pages, and the files of
/// its brand. Secrets stay out of files.
async fn new_folder(db: &Db, event: &Event, data: &Path) -> Result<Vec<FileChange>> {
    let mut kept = settings_of_site(db).await.context("read the settings of the site")?;
    let defaults = sources::defaults(db).await?;
    let defaults = defaults.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let files = kept.sections.get_mut("site").map(file_paths).unwrap_or_default();
    let toml = new_event_toml(event, &defaults, &kept.sections).context("write event.toml")?;
    // Without a text in Markdown the page itself is one, but for its filled-in points.
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

/// The pages of the site of which the folder has no file. Those that it has count.
async fn new_pages(db: &Db, dir: &Path) -> Result<Vec<FileChange>> {
    let kept = settings::kept(db).await.context("read the pages of the site")?;
    let pages = pages_in(&kept).into_iter();
    let missing = pages.filter(|kept| !dir.join(page_path(&kept.page.slug)).exists());
    Ok(missing.map(|kept| page_file(&kept)).collect())
}

fn page_file(kept: &KeptPage) -> FileChange {
    let text = flagship_pack::page_file(kept.page.place, kept.position, &kept.text);
    text_file(page_path(&kept.page.slug).display().to_string(), text)
}

/// `event.toml`, if times are written into it, and the times that it keeps.
fn of_times(dir: &Path, moved: Moved<'_>) -> Result<(Option<FileChange>, Vec<&'static str>)> {
    if moved.former.is_empty() {
        return Ok((None, Vec::new()));
    }
    let file = dir.join(EVENT_TOML);
    let is_file = std::fs::symlink_metadata(&file).is_ok_and(|it| it.is_file());
    ensure!(is_file, "`{}` is no ordinary file", file.display());
    let text = std::fs::read_to_string(&file);
    let text = text.with_context(|| format!("read `{}`", file.display()))?;
    let zone = difference::zone(Some(moved.event));
    let edited = event_times(&text, moved, &zone);
    let (edited, kept) = edited.with_context(|| format!("edit {EVENT_TOML}"))?;
    Ok(((edited != text).then(|| text_file(EVENT_TOML.to_owned(), edited)), kept))
}
