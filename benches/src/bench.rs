//! What every benchmark is given.

use std::path::PathBuf;

use crate::data::Engine;

/// How many times each thing is measured; the median counts.
const ROUNDS: usize = 5;

/// What every benchmark needs.
#[derive(Clone)]
pub struct Bench {
    pub engine: Engine,
    pub server: PathBuf,
    pub work: PathBuf,
    pub quick: bool,
    pub baseline: bool,
}

impl Bench {
    /// `full`, or `short` where the figures mean nothing.
    pub fn choose<T>(&self, full: T, short: T) -> T {
        if self.quick { short } else { full }
    }

    /// How many times each thing is measured.
    pub fn rounds(&self) -> usize {
        self.choose(ROUNDS, 1)
    }
}
