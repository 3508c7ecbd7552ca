//! `flagship pull`: writes live edits back to the event folder.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use flagship_pack::writer::{self, FileChange, Outcome, Written};
use flagship_pack::{TimesUpdate, event_times};
use flagship_server::apply::{LiveEvent, LiveText, NewFolder, difference};
use flagship_server::storage::{Condition, Storage, copy};
use flagship_store::sources::NamedFile;
use tempfile::TempDir;

use super::client::Client;
use super::pulled::{Folder, Pulled, kept_file, text_file};
use crate::cli;

const EVENT_TOML: &str = "event.toml";
const RULES: &str = "rules.md";
/// Folder of the files in a data folder.
const FILES: &str = "files";

/// `flagship pull`
pub async fn pull(args: &cli::Pull) -> Result<()> {
    let is_new = !args.event.join(EVENT_TOML).exists();
    if let Some(server) = &args.server {
        let client = Client::new(server)?;
        let live = client.live_event(is_new).await?;
        let data = files_folder()?;
        for digest in files_of(&live, &args.event) {
            client.download(digest, &data.path().join(FILES)).await?;
        }
        return write(args, live, data.path());
    }
    let (db, writer) = args.installation.writer_of_any().await?;
    let live = LiveEvent::read(&db, writer.seal(), writer.contest(), is_new).await?;
    let storage = args.installation.storage(&db)?;
    if let Storage::Folder(folder) = &storage {
        db.close().await;
        return write(args, live, &folder.root);
    }
    let data = files_folder()?;
    let target = Storage::folder(data.path());
    for digest in files_of(&live, &args.event) {
        let copied = copy(&storage, &target, digest).await;
        match copied.with_context(|| format!("read the attachment `{digest}`"))? {
            Condition::Intact => {}
            Condition::Damaged => {
                bail!("the stored attachment `{digest}` does not match its checksum")
            }
            Condition::Missing => bail!("the attachment `{digest}` is not in the storage"),
        }
    }
    db.close().await;
    write(args, live, data.path())
}

/// Creates a temporary folder for files, in the layout of a data folder.
fn files_folder() -> Result<TempDir> {
    let data = tempfile::tempdir().context("create a temporary folder")?;
    std::fs::create_dir(data.path().join(FILES)).context("create a temporary folder")?;
    Ok(data)
}

/// Returns the digests of the files that a pull can write.
fn files_of<'l>(live: &'l LiveEvent, dir: &Path) -> BTreeSet<&'l str> {
    let mut digests: BTreeSet<&str> = BTreeSet::new();
    for it in live.challenges.iter().filter(|it| it.edited || live.new.is_some()) {
        digests.extend(it.changed_files.iter().map(|file| file.digest.as_str()));
        if !dir.join(&it.path).exists() {
            digests.extend(it.files.iter().map(|file| file.digest.as_str()));
        }
    }
    let new = live.new.iter().flat_map(|new| &new.files);
    digests.extend(new.map(|file| file.digest.as_str()));
    digests
}

/// Writes live edits to the folder. `data` has the attachments.
fn write(args: &cli::Pull, live: LiveEvent, data: &Path) -> Result<()> {
    let is_new = !args.event.join(EVENT_TOML).exists();
    if is_new && !args.dry_run {
        let making = || format!("create the folder `{}`", args.event.display());
        std::fs::create_dir_all(&args.event).with_context(making)?;
    }
    let LiveEvent { event, former, challenges, pages, new } = live;
    let folder = Folder {
        dir: &args.event,
        data,
        is_new,
        overwrite: args.overwrite,
        places: OnceCell::new(),
    };
    let Pulled { mut changes, mut others, mut left_out } = folder.pulled(&challenges)?;
    let mut brand = Vec::new();
    if let Some(NewFolder { event_toml, rules, files }) = new {
        changes.push(text_file(EVENT_TOML.to_owned(), event_toml));
        changes.push(text_file(RULES.to_owned(), rules));
        brand = files;
    } else if let Some(event) = event.as_ref().filter(|_| !is_new) {
        let moved = TimesUpdate { event, former: &former, overwrite: args.overwrite };
        let (file, kept) = updated_times(&args.event, moved)?;
        changes.extend(file);
        if !kept.is_empty() {
            others.push(format!("{EVENT_TOML} ({})", kept.join(", ")));
        }
    }
    // Existing pages are not overwritten.
    let pages = pages.into_iter().filter(|page| is_new || !args.event.join(&page.path).exists());
    changes.extend(pages.map(|LiveText { path, text }| text_file(path, text)));
    for NamedFile { name, digest } in brand {
        changes.push(FileChange { path: name, content: kept_file(&digest, data)? });
    }
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
