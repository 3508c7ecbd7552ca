//! `flagship pull`: what was changed live is written back into the event's folder.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flagship_game::{Event, Secret};
use flagship_pack::source::{State, three_way};
use flagship_pack::writer::{self, Content, FileChange, Outcome, Written};
use flagship_pack::{KnownFile, event_times, file_paths, new_event_toml, page_path};
use flagship_server::{KeptPage, pages_in, settings_of_site};
use flagship_store::lane::Writer;
use flagship_store::ops::are_times_moved;
use flagship_store::sources::{self, Kept};
use flagship_store::{Db, settings};

use crate::cli;
use crate::difference;

/// The file of the event's times.
const EVENT_TOML: &str = "event.toml";

/// The file of the rules.
const RULES: &str = "rules.md";

/// `flagship pull`
pub async fn pull(args: &cli::Pull) -> Result<()> {
    let (db, key) = args.installation.open().await?;
    let writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
    let kept = sources::all(&db, writer.seal()).await?;
    let mut changes = Vec::new();
    let mut both = Vec::new();
    let is_new = !args.event.join(EVENT_TOML).exists();
    if is_new && !args.dry_run {
        let making = || format!("make the folder `{}`", args.event.display());
        std::fs::create_dir_all(&args.event).with_context(making)?;
    }
    for kept in kept.iter().filter(|kept| is_new || kept.is_changed()) {
        match standing(kept, &args.event) {
            Standing::Behind => changes.push(text_of(kept)),
            Standing::Same => {}
            Standing::Changed => {
                both.push(kept.live.path.clone());
                changes.push(text_of(kept));
            }
        }
        changes.extend(files_of(kept, &args.installation.data)?);
    }
    let are_times_moved = are_times_moved(&db, writer.contest()).await?;
    let event = writer.contest().event();
    match event {
        Some(event) if is_new => {
            changes.extend(new_folder(&db, event, &args.installation.data).await?);
        }
        Some(event) if are_times_moved => changes.extend(of_times(&args.event, event)?),
        _ => {}
    }
    if !is_new {
        changes.extend(new_pages(&db, &args.event).await?);
    }
    db.close().await;
    if !both.is_empty() && !args.overwrite {
        bail!(
            "nothing was written: these files are not as they were applied last, and what they \
             have would be lost: {}. If that is what the last pull wrote, write again with \
             --overwrite; else save it first",
            both.join(", ")
        );
    }
    let Written { files } = match args.dry_run {
        true => writer::plan(&args.event, &changes)?,
        false => writer::write(&args.event, &changes)?,
    };
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
    match (is_any, args.dry_run) {
        (false, _) => say!("the files have all live changes"),
        (true, true) => say!("nothing was written"),
        (true, false) => {}
    }
    Ok(())
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

/// The pages of the site of which the folder has no file: those that it has count, whatever the
/// site has.
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

fn text_file(path: String, text: String) -> FileChange {
    FileChange { path, content: Content::Text(Secret::new(text)) }
}

/// A file of the data folder.
fn kept_file(digest: &str, data: &Path) -> Result<Content> {
    let file = data.join("files").join(digest);
    let open = File::open(&file);
    Ok(Content::File(open.with_context(|| format!("open the file `{}`", file.display()))?))
}

/// How the file of a challenge stands to what was changed live.
enum Standing {
    /// It is as it was applied last, or is not there.
    Behind,
    /// It says the same.
    Same,
    /// It was changed too, if only in its comments.
    Changed,
}

fn standing(kept: &Kept, dir: &Path) -> Standing {
    // What cannot be read is refused where it is written.
    let Ok(file) = std::fs::read_to_string(dir.join(&kept.live.path)) else {
        return Standing::Behind;
    };
    let file = file.strip_prefix('\u{feff}').unwrap_or(&file);
    let applied = kept.applied.as_ref().map(|text| text.expose());
    match three_way(applied, Some(file), Some(kept.live.text.expose())) {
        State::Same | State::BothSame(_) => Standing::Same,
        State::LiveChanged(_) if applied == Some(file) => Standing::Behind,
        State::LiveChanged(_) | State::FilesChanged(_) | State::Conflict(_) => Standing::Changed,
    }
}

fn text_of(kept: &Kept) -> FileChange {
    let (path, text) = (kept.live.path.clone(), kept.live.text.clone());
    FileChange { path, content: Content::Text(text) }
}

/// The attachments of a challenge that was changed live.
fn files_of(kept: &Kept, data: &Path) -> Result<Vec<FileChange>> {
    let folder = kept.live.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let known: Vec<KnownFile> =
        serde_json::from_str(&kept.live.files).context("read the list of a challenge's files")?;
    let mut changes = Vec::with_capacity(known.len());
    for KnownFile { name, digest, .. } in known {
        let content = kept_file(&digest, data)?;
        changes.push(FileChange { path: format!("{folder}/{name}"), content });
    }
    Ok(changes)
}

/// `event.toml`, if its times are others.
fn of_times(dir: &Path, event: &Event) -> Result<Option<FileChange>> {
    let file = dir.join(EVENT_TOML);
    let text = std::fs::read_to_string(&file);
    let text = text.with_context(|| format!("read `{}`", file.display()))?;
    let zone = difference::zone(Some(event));
    let edited = event_times(&text, event, &zone).with_context(|| format!("edit {EVENT_TOML}"))?;
    Ok((edited != text).then(|| text_file(EVENT_TOML.to_owned(), edited)))
}
