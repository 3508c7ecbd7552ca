//! State snapshot: a file with the fold, so that a start need not fold a long journal again.
//!
//! The snapshot is a cache. It is used only if it is intact, from this version and journal, signed
//! with the event's secret, and if the journal contains its last hash. The whole snapshot is
//! checked against the journal soon after the start.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use flagship_game::contest::state_snapshot::StateSnapshot;
use serde::{Deserialize, Serialize};

use crate::Key;
use crate::fold::Fold;

/// File name in the data folder.
const NAME: &str = "fold";
/// Format version of the file. Must increase with each change of the fold's members.
const FORMAT: u32 = 8;
/// Purpose of the file's MAC.
const PURPOSE: &str = "kept fold";

/// Snapshot file of a journal.
#[derive(Clone)]
pub struct SnapshotFile {
    file: PathBuf,
    key: Key,
    generation: String,
}

/// Content of the file, after a line with its MAC.
#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    program: String,
    generation: String,
    head: String,
    contest: StateSnapshot,
}

impl SnapshotFile {
    /// Returns the snapshot file in a data folder. `generation` is the journal's name.
    pub fn new(data: &Path, key: &Key, generation: &str) -> Self {
        Self { file: data.join(NAME), key: key.clone(), generation: generation.to_owned() }
    }

    /// Reads the fold if it was written by this version of the program for this journal.
    pub fn read(&self) -> Option<Fold> {
        let file = fs::read_to_string(&self.file).ok()?;
        let (seal, text) = file.split_once('\n')?;
        if !self.key.is_mac(seal, PURPOSE, &[text]) {
            return None;
        }
        let text: Text = serde_json::from_str(text).ok()?;
        let is_ours = text.format == FORMAT
            && text.program == env!("CARGO_PKG_VERSION")
            && text.generation == self.generation;
        let contest = text.contest.into_contest().filter(|_| is_ours)?;
        Some(Fold { contest, head: text.head })
    }

    /// Replaces the file atomically.
    pub fn write(&self, fold: &Fold) -> io::Result<()> {
        let text = Text {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            generation: self.generation.clone(),
            head: fold.head.clone(),
            contest: StateSnapshot::of(&fold.contest),
        };
        let text = serde_json::to_string(&text)?;
        let seal = self.key.mac(PURPOSE, &[&text]);
        // A partial file of a killed process is overwritten. No sync: a file truncated by a crash
        // has no valid MAC.
        let draft = self.file.with_extension("part");
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        write!(file, "{seal}\n{text}")?;
        fs::rename(&draft, &self.file)
    }

    /// Removes the file.
    pub fn remove(&self) {
        if let Err(error) = fs::remove_file(&self.file) {
            tracing::warn!(%error, "failed to remove the state snapshot");
        }
    }
}
