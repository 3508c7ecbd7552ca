//! Faults of the program's disk and wall clock. Tests control them through `faults.c`, which is
//! compiled once and preloaded.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use tempfile::NamedTempFile;

pub const EIO: i32 = 5;
pub const ENOSPC: i32 = 28;
/// Kills the process in place of the call, instead of returning an error.
pub const KILL: i32 = 0;

/// Number of values in the control file; their order is that of `faults.c`.
const NUMBERS: usize = 8;
const SEEN: usize = 5;
const HITS: usize = 6;
const CLOCK_S: usize = 7;

/// The kind of system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    Writes = 1,
    Syncs = 2,
    Both = 3,
}

/// A fault in the files of the database or its secret. Calls are counted from the activation.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub calls: Calls,
    pub errno: i32,
    /// The first call that fails, counted from 1.
    pub first: i32,
    /// The number of calls that fail.
    pub count: i32,
}

/// The file through which a test controls a program.
pub struct Faults(NamedTempFile);

impl Faults {
    pub fn new() -> Self {
        let file = NamedTempFile::new().unwrap();
        file.as_file().write_all_at(&[0; NUMBERS * 4], 0).unwrap();
        Self(file)
    }

    /// The environment variables of a controlled program.
    pub fn variables(&self) -> [(&'static str, PathBuf); 2] {
        [("LD_PRELOAD", library().clone()), ("FAULTS", self.0.path().to_owned())]
    }

    pub fn begin(&self, fault: Fault) {
        let numbers = [fault.calls as i32, fault.errno, fault.first, fault.count, 0, 0];
        for (i, number) in numbers.into_iter().enumerate() {
            self.set(i + 1, number);
        }
        self.set(0, 1);
    }

    pub fn end(&self) {
        self.set(0, 0);
    }

    /// Number of calls since the activation.
    pub fn seen(&self) -> i32 {
        self.get(SEEN)
    }

    /// Number of failed calls.
    pub fn hits(&self) -> i32 {
        self.get(HITS)
    }

    /// Shifts the wall clock by a number of seconds.
    pub fn set_clock(&self, seconds: i32) {
        self.set(CLOCK_S, seconds);
    }

    fn set(&self, i: usize, number: i32) {
        self.0.as_file().write_all_at(&number.to_ne_bytes(), i as u64 * 4).unwrap();
    }

    fn get(&self, i: usize) -> i32 {
        let mut bytes = [0; 4];
        let file: &File = self.0.as_file();
        file.read_exact_at(&mut bytes, i as u64 * 4).unwrap();
        i32::from_ne_bytes(bytes)
    }
}

/// The compiled library, created once for each test process.
fn library() -> &'static PathBuf {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.join("faults.so");
        let draft = NamedTempFile::new_in(&folder).unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/faults.c");
        let words = ["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o"];
        let mut cc = Command::new("cc");
        cc.args(words).arg(draft.path()).arg(source).arg("-ldl");
        assert!(cc.status().expect("there is a C compiler").success(), "faults.c compiles");
        // Several test processes create the file concurrently; the rename makes it appear complete.
        draft.persist(&library).unwrap();
        library
    })
}
