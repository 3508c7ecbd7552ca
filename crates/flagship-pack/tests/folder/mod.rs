//! Temporary event folder for tests.
#![allow(dead_code, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use flagship_pack::{Pack, PackChallenge};

pub const EVENT: &str = "[event]\nname = \"Example\"\nstart = 2023-11-25T14:00:00+01:00\n\
                         freeze = 2023-11-25T18:00:00+01:00\nend = 2023-11-25T19:00:00+01:00\n";

pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An event without challenges.
    pub fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("event.toml", EVENT);
        folder.write("rules.md", "Play fair.");
        fs::create_dir(folder.path("challenges")).unwrap();
        folder
    }

    /// An event with one challenge, in `challenges/one`.
    pub fn with(challenge: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write("challenges/one/challenge.yml", challenge);
        folder
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn read(&self) -> Pack {
        flagship_pack::read(self.root()).unwrap()
    }

    /// The displayed problems.
    pub fn problems(&self) -> Vec<String> {
        shown(&self.read())
    }
}

pub fn shown(pack: &Pack) -> Vec<String> {
    pack.problems.iter().map(ToString::to_string).collect()
}

/// The only challenge of a pack.
pub fn only(pack: &Pack) -> &PackChallenge {
    assert_eq!(pack.challenges.len(), 1, "{:?}", shown(pack));
    &pack.challenges[0]
}

/// Asserts that `problems` matches `expected`, in number and order. An expected problem is a prefix
/// (`file:line: error:`) and a part of the message.
pub fn expect(problems: &[String], expected: &[(&str, &str)], about: &str) {
    let matches = problems.len() == expected.len()
        && problems
            .iter()
            .zip(expected)
            .all(|(problem, (start, piece))| problem.starts_with(start) && problem.contains(piece));
    assert!(matches, "{about}\ngave     {problems:#?}\nexpected {expected:#?}");
}
