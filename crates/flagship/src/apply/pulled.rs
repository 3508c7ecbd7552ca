//! Challenge files written by `flagship pull`: keys and attachments edited live are merged into the
//! existing files. Changes made only in the files are kept.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flagship_game::{ChallengeId, Secret};
use flagship_pack::source::{self, Merge, merge, overwritten};
use flagship_pack::writer::{
    self, Content, FileChange, path_rejection, sibling_path, sibling_rejection,
};
use flagship_pack::{DESCRIPTOR_BYTES_MAX, slashed};
use flagship_server::apply::LiveChallenge;
use flagship_server::backup::digest_of;
use flagship_store::sources::NamedFile;
use serde_json::Value;

/// Challenge files to write, to keep and to skip.
#[derive(Default)]
pub struct Pulled {
    pub changes: Vec<FileChange>,
    /// Files that differ and are kept, with the keys of a `challenge.yml`.
    pub others: Vec<String>,
    /// Skipped files, with the reason.
    pub left_out: Vec<String>,
}

/// Destination folder for challenges.
pub struct Folder<'a> {
    pub dir: &'a Path,
    pub data: &'a Path,
    /// True if the folder has no event yet, so that all challenges are written.
    pub is_new: bool,
    /// True if live edits overwrite files that differ.
    pub overwrite: bool,
    /// Paths of the challenges in the folder, read once a challenge has moved.
    pub places: OnceCell<HashMap<ChallengeId, String>>,
}

impl Folder<'_> {
    /// Collects the challenge files of an event.
    pub fn pulled(&self, challenges: &[LiveChallenge]) -> Result<Pulled> {
        let mut pulled = Pulled::default();
        for live in challenges {
            if let Some(why) = &live.left_out {
                pulled.left_out.push(format!("`state` and `release` of {}: {why}", live.path));
            }
            if self.is_new || live.edited {
                let before = pulled.changes.len();
                self.add(live, &mut pulled)?;
                self.leave_out(before, &mut pulled);
            }
        }
        Ok(pulled)
    }

    /// Skips the changes of a challenge if they cannot be written, for example because a path
    /// is occupied.
    fn leave_out(&self, before: usize, pulled: &mut Pulled) {
        if self.dir.exists()
            && let Err(error) = writer::plan(self.dir, &pulled.changes[before..])
        {
            pulled.changes.truncate(before);
            pulled.left_out.push(error.to_string());
        }
    }

    fn add(&self, live: &LiveChallenge, pulled: &mut Pulled) -> Result<()> {
        let path = self.place_of(live);
        if let Some(why) = path_rejection(&path) {
            pulled.left_out.push(format!("{path}: {why}"));
            return Ok(());
        }
        let there = self.there(&path);
        // A challenge that came from the files but is missing there was removed from them.
        let is_made = self.is_new || self.overwrite || live.applied.is_none();
        let (text, files) = match there.as_ref().map(|file| read(file)) {
            None if is_made => (Some(live.text.clone()), &live.files),
            Some(Ok(file)) => (self.merged(live, &file, pulled), &live.changed_files),
            None | Some(Err(_)) => {
                let why = if there.is_none() { "missing" } else { "unreadable" };
                pulled.others.push(format!("{path} ({why})"));
                return Ok(());
            }
        };
        pulled.changes.extend(text.map(|text| text_file(path.clone(), text)));
        files.iter().try_for_each(|file| self.add_file(live, &path, file, pulled))
    }

    /// Returns the path of a challenge file: the applied one, or the one it was moved to since.
    fn place_of(&self, live: &LiveChallenge) -> String {
        let path = &live.path;
        let there = self.there(path).map(|file| read(&file));
        // An unreadable file may still be the file of this challenge.
        let is_it = |file: io::Result<String>| {
            file.ok().and_then(|file| id_of(&file)).is_none_or(|id| id == live.id)
        };
        if self.is_new || live.applied.is_none() || there.is_some_and(is_it) {
            return path.clone();
        }
        let moved = self.places.get_or_init(|| places(self.dir)).get(&live.id);
        moved.unwrap_or(path).clone()
    }

    /// Returns the new content of an existing file; `None` if it stays unchanged.
    fn merged(&self, live: &LiveChallenge, file: &str, pulled: &mut Pulled) -> Option<String> {
        let file = file.strip_prefix('\u{feff}').unwrap_or(file);
        let (text, applied) = (live.text.as_str(), live.applied.as_deref());
        let former: Vec<&str> = live.former.iter().map(|it| it.text.as_str()).collect();
        match merge(applied, file, text, &former) {
            Merge::Unchanged => None,
            Merge::Text(text) => Some(text),
            Merge::Conflict(keys, merged) => {
                let overwritten = || overwritten(applied, file, text);
                let overwritten = self.overwrite.then(overwritten).flatten();
                if overwritten.is_none() {
                    let keys = keys.join(", ");
                    let why = if merged.is_none() { "; cannot be edited" } else { "" };
                    pulled.others.push(format!("{} ({keys}{why})", self.place_of(live)));
                }
                overwritten.or(merged)
            }
        }
    }

    fn add_file(
        &self,
        live: &LiveChallenge,
        descriptor: &str,
        file: &NamedFile,
        pulled: &mut Pulled,
    ) -> Result<()> {
        let NamedFile { name, digest } = file;
        if let Some(why) = sibling_rejection(descriptor, name) {
            pulled.left_out.push(format!("file {name:?} of {descriptor}: {why}"));
            return Ok(());
        }
        let path = sibling_path(descriptor, name);
        let was_live = |there: &str| {
            let is_it = |it: &NamedFile| it.name == *name && it.digest == there;
            live.former.iter().any(|former| former.files.iter().any(is_it))
        };
        let there = self.there(&path).and_then(|file| digest_of(&file).ok());
        if !self.overwrite && there.is_some_and(|there| there != *digest && !was_live(&there)) {
            pulled.others.push(path);
            return Ok(());
        }
        pulled.changes.push(FileChange { path, content: kept_file(digest, self.data)? });
        Ok(())
    }

    /// Returns the path of a regular file in the folder, reached without symbolic links. The writer
    /// rejects all other paths.
    fn there(&self, path: &str) -> Option<PathBuf> {
        let mut file = self.dir.to_owned();
        let mut kind = None;
        for name in path.split('/') {
            file.push(name);
            kind = Some(std::fs::symlink_metadata(&file).ok()?.file_type());
            kind.filter(|kind| !kind.is_symlink())?;
        }
        kind.is_some_and(|kind| kind.is_file()).then_some(file)
    }
}

/// Returns the paths of the challenges in a folder.
fn places(dir: &Path) -> HashMap<ChallengeId, String> {
    let Ok(pack) = flagship_pack::read(dir) else { return HashMap::new() };
    let read = pack.challenges.into_iter().map(|it| (it.challenge.id, it.source.path));
    let broken = pack.broken.into_iter().filter_map(|it| Some((it.id?, slashed(&it.source))));
    // If two files have the same ID, the readable one takes precedence.
    broken.chain(read).collect()
}

fn read(file: &Path) -> io::Result<String> {
    let is_small = std::fs::metadata(file)?.len() <= DESCRIPTOR_BYTES_MAX;
    if is_small { std::fs::read_to_string(file) } else { Err(io::ErrorKind::FileTooLarge.into()) }
}

/// Returns the ID in a challenge file; `None` if the text is invalid.
fn id_of(text: &str) -> Option<ChallengeId> {
    let fields = source::fields(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let word = |key: &str| fields.get(key).and_then(Value::as_str);
    match word("id") {
        Some(id) => ChallengeId::parse(id).ok(),
        None => word("name").map(ChallengeId::from_name),
    }
}

pub fn text_file(path: String, text: String) -> FileChange {
    FileChange { path, content: Content::Text(Secret::new(text)) }
}

pub fn kept_file(digest: &str, data: &Path) -> Result<Content> {
    let file = data.join("files").join(digest);
    let open = File::open(&file);
    Ok(Content::File(open.with_context(|| format!("open the file `{}`", file.display()))?))
}
