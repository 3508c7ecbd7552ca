//! The fold as it was kept in a file, so that a start need not fold a long journal again.
//!
//! It is never the truth: one that is missing, broken, of another program or journal, or that was
//! not written with the event's secret is as good as none. What it says is held to the journal: its
//! last hash before it is used, and the whole of it soon after.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use flagship_game::contest::kept::Kept;
use serde::{Deserialize, Serialize};

use crate::Key;
use crate::fold::Fold;

/// The file's name in the data folder.
const NAME: &str = "fold";
/// What is kept, and how. Grows with each change of the fold.
const FORMAT: u32 = 2;
/// What the file's seal is for.
const PURPOSE: &str = "kept fold";

/// Where the fold of a journal is kept.
#[derive(Clone)]
pub struct Keeper {
    file: PathBuf,
    key: Key,
    generation: String,
}

/// The text of the file, after a line with its seal.
#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    program: String,
    generation: String,
    head: String,
    contest: Kept,
}

impl Keeper {
    /// The place in a data folder for the fold of the journal called `generation`.
    pub fn new(data: &Path, key: &Key, generation: &str) -> Self {
        Self { file: data.join(NAME), key: key.clone(), generation: generation.to_owned() }
    }

    /// The fold that is kept, if there is one that this program wrote of this journal.
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

    /// Keeps a fold in place of the one before, whole or not at all.
    pub fn write(&self, fold: &Fold) -> io::Result<()> {
        let text = Text {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            generation: self.generation.clone(),
            head: fold.head.clone(),
            contest: Kept::of(&fold.contest),
        };
        let text = serde_json::to_string(&text)?;
        let seal = self.key.mac(PURPOSE, &[&text]);
        // What a kill leaves of it is written over. It need not be on the disk: a file that a crash
        // of the machine cut off has no right seal.
        let draft = self.file.with_extension("part");
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        write!(file, "{seal}\n{text}")?;
        fs::rename(&draft, &self.file)
    }

    /// Throws away what is kept.
    pub fn forget(&self) {
        if let Err(error) = fs::remove_file(&self.file) {
            tracing::warn!(%error, "the kept fold could not be removed");
        }
    }
}
