//! The kept fold: a file with the fold, so that a start need not fold a long journal again.
//!
//! It is a cache. A file that is missing or broken, of another version or journal, or not signed
//! with the event's secret is ignored. The journal has to contain its last hash before it is used,
//! and the whole of it is checked against the journal soon after.

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
/// The format of the file. Grows with each change of the fold's parts.
const FORMAT: u32 = 5;
/// What the file's MAC is for.
const PURPOSE: &str = "kept fold";

/// The file of a journal's fold.
#[derive(Clone)]
pub struct Keeper {
    file: PathBuf,
    key: Key,
    generation: String,
}

/// The text of the file, after a line with its MAC.
#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    program: String,
    generation: String,
    head: String,
    contest: Kept,
}

impl Keeper {
    /// The file in a data folder for the fold of the journal called `generation`.
    pub fn new(data: &Path, key: &Key, generation: &str) -> Self {
        Self { file: data.join(NAME), key: key.clone(), generation: generation.to_owned() }
    }

    /// Reads the fold, if this version of the program wrote one of this journal.
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

    /// Replaces the file, whole or not at all.
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
        // A partial file of a killed program is overwritten. No sync: a file that a crash of the
        // machine cut has no valid MAC.
        let draft = self.file.with_extension("part");
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        write!(file, "{seal}\n{text}")?;
        fs::rename(&draft, &self.file)
    }

    /// Removes the file.
    pub fn forget(&self) {
        if let Err(error) = fs::remove_file(&self.file) {
            tracing::warn!(%error, "the kept fold could not be removed");
        }
    }
}
