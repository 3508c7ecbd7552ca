//! What `flagship pull` writes of challenges: the keys and the files that were changed live, into
//! the files that are there. What these alone change stays.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use flagship_game::{ChallengeId, Secret};
use flagship_pack::source::{EditError, Merge, Showing, merge, overwritten, shown_as};
use flagship_pack::writer::{FileChange, path_beside, refusal_of};
use flagship_store::challenges::{self, Draft};
use flagship_store::ops::{LiveChange, live_changes};
use flagship_store::sources::{self, Kept, NamedFile};
use flagship_store::{Db, Seal};
use jiff::tz::TimeZone;

use super::pull::{kept_file, text_file};
use crate::attachments::digest_of;

/// What is written of challenges, and what is not.
#[derive(Default)]
pub struct Pulled {
    /// The files to write.
    pub changes: Vec<FileChange>,
    /// What the folder has and keeps, although it is not what is live: the file, and the keys of a
    /// `challenge.yml`.
    pub others: Vec<String>,
    /// Files that are never written, and why.
    pub left_out: Vec<String>,
}

/// Where challenges are written.
pub struct Folder<'a> {
    /// The event's folder.
    pub dir: &'a Path,
    /// The data folder, with the attachments.
    pub data: &'a Path,
    /// Whether it has no event yet: all challenges are written.
    pub is_new: bool,
    /// Whether what it has is overwritten by what is live.
    pub overwrite: bool,
    /// The zone in which times are written.
    pub zone: TimeZone,
}

/// A challenge as it is live, with its text as it is shown.
struct Live {
    kept: Kept,
    change: Option<LiveChange>,
    text: String,
}

impl Folder<'_> {
    /// What is written of the challenges of an event.
    pub async fn pulled(&self, db: &Db, seal: &Seal) -> Result<Pulled> {
        let (_, drafts) = challenges::all(db).await?;
        let drafts: HashMap<&ChallengeId, &Draft> =
            drafts.iter().map(|draft| (&draft.challenge.id, draft)).collect();
        let changed = live_changes(db, seal).await?.into_iter();
        let mut changed: HashMap<ChallengeId, LiveChange> =
            changed.map(|change| (change.kept.challenge.clone(), change)).collect();
        let mut pulled = Pulled::default();
        for kept in sources::all(db, seal).await? {
            let text = match self.shown(&kept, drafts.get(&kept.challenge).copied()) {
                Ok(text) => text,
                Err(error) => {
                    let path = &kept.live.path;
                    pulled.left_out.push(format!("`state` and `release` of {path}: {error}"));
                    kept.live.text.expose().to_owned()
                }
            };
            let change = changed.remove(&kept.challenge);
            if self.is_new || change.is_some() || text != kept.live.text.expose() {
                self.add(Live { kept, change, text }, &mut pulled)?;
            }
        }
        Ok(pulled)
    }

    /// The text of a challenge, which says whether and when it is shown.
    fn shown(&self, kept: &Kept, draft: Option<&Draft>) -> Result<String, EditError> {
        let text = kept.live.text.expose();
        let Some(Draft { hidden, release_at_ms, .. }) = draft else { return Ok(text.to_owned()) };
        let showing = Showing { hidden: *hidden, release_at_ms: *release_at_ms };
        shown_as(text, showing, &self.zone)
    }

    fn add(&self, live: Live, pulled: &mut Pulled) -> Result<()> {
        let path = &live.kept.live.path;
        let text = match self.ordinary(path).map(std::fs::read_to_string) {
            Some(Ok(file)) => self.merged(&live, &file, pulled),
            _ => Some(live.text.clone()),
        };
        pulled.changes.extend(text.map(|text| text_file(path.clone(), text)));
        let files = match &live.change {
            _ if self.is_new => live.kept.live.named(),
            Some(change) => change.files(),
            None => Vec::new(),
        };
        files.into_iter().try_for_each(|file| self.add_file(&live, file, pulled))
    }

    /// What becomes of a file that is there; `None` if it stays.
    fn merged(&self, live: &Live, file: &str, pulled: &mut Pulled) -> Option<String> {
        let file = file.strip_prefix('\u{feff}').unwrap_or(file);
        let applied = live.kept.applied.as_ref().map(Secret::expose);
        let former = live.change.iter().flat_map(|change| &change.former);
        let former: Vec<&str> = former.map(|former| former.live.text.expose()).collect();
        match merge(applied, file, &live.text, &former) {
            Merge::Unchanged => None,
            Merge::Text(text) => Some(text),
            Merge::Conflict(..) if self.overwrite => Some(overwritten(applied, file, &live.text)),
            Merge::Conflict(keys, text) => {
                pulled.others.push(format!("{} ({})", live.kept.live.path, keys.join(", ")));
                text
            }
        }
    }

    /// A file of the folder, if it is one. Anything else is refused where it is written.
    fn ordinary(&self, path: &str) -> Option<PathBuf> {
        let file = self.dir.join(path);
        let is_file = std::fs::symlink_metadata(&file).is_ok_and(|it| it.is_file());
        is_file.then_some(file)
    }

    fn add_file(&self, live: &Live, file: NamedFile, pulled: &mut Pulled) -> Result<()> {
        let NamedFile { name, digest } = &file;
        let path = path_beside(&live.kept.live.path, name);
        if let Some(why) = refusal_of(&path) {
            pulled.left_out.push(format!("the file {name:?} of {}: {why}", live.kept.challenge));
            return Ok(());
        }
        let former = live.change.iter().flat_map(|change| &change.former);
        let was_live = |there: &String| {
            let is_it = |it: &NamedFile| it.name == *name && it.digest == *there;
            former.clone().any(|former| former.live.named().iter().any(is_it))
        };
        let there = self.ordinary(&path).and_then(|file| digest_of(&file).ok());
        if !self.overwrite && there.is_some_and(|there| there != *digest && !was_live(&there)) {
            pulled.others.push(path);
            return Ok(());
        }
        pulled.changes.push(FileChange { path, content: kept_file(digest, self.data)? });
        Ok(())
    }
}
